"""Theorem LSQ, corrected, against a fresh least-squares solve and against the sweeps."""

import numpy as np
import pytest
from scipy import linalg

from core.config.run_config import RunConfig
from core.least_squares.solve import solve
from core.methods.anls.table import candidate_table
from core.types import FloatArray
from reproduction.measures.cod import NEGLIGIBLE, Orthogonal, decompose, design, solve_replaced
from tests.core.cases import random_case


def replaced_loss(factors: Orthogonal, y: FloatArray, column: int, new: FloatArray) -> float:
    """Sum of squares with a column replaced by `new`: leave the old one out, then let the new one in.

    w is the unit vector that the columns span only thanks to the replaced one (none
    if the others span it too); leaving that column out adds (w.y)^2, and what the
    new column takes off is its gain on the residual r + (w.y) w.
    """
    r = factors.project_out(y)
    rest = factors.project_out(new)
    if linalg.norm(factors.z_tilde[column]) <= NEGLIGIBLE:
        w = factors.q @ linalg.solve_triangular(factors.t, factors.z_hat[column], lower=True, trans="T")
        w /= linalg.norm(w)
        rest = rest + float(w @ new) * w
        r = r + float(w @ y) * w
    length = float(rest @ rest)
    if length <= (NEGLIGIBLE * linalg.norm(new)) ** 2:
        return float(r @ r)
    left = r - (float(r @ rest) / length) * rest
    return float(left @ left)


def branch(seed: int) -> str:
    """Replace one column of a random case at random; which case of the theorem it was."""
    case = random_case(3 + 8 * seed, 14, 9)
    rng = np.random.default_rng(seed)
    column = int(rng.integers(len(case.b)))
    moved = case.b.copy()
    moved[column] = rng.integers(-4, 4 * len(case.x) + 2) / 4.0
    solution = solve(case.data, case.b)
    if solution.rank == 0:
        return "nothing to decompose"
    factors = decompose(design(case.x, case.b), solution.rank)
    old, new = design(case.x, case.b)[:, column], design(case.x, moved)[:, column]
    expected = solve(case.data, moved)
    scale = float(case.y @ case.y)
    c, total = solve_replaced(factors, case.y, column, new - old)
    np.testing.assert_allclose(c, expected.c, rtol=1e-9, atol=1e-10)
    assert abs(total - expected.loss * case.data.m) <= 1e-12 * scale
    assert abs(replaced_loss(factors, case.y, column, new) - total) <= 1e-12 * scale
    loose = np.linalg.norm(factors.z_tilde[column]) > 1e-11
    outside = np.linalg.norm(factors.project_out(new - old)) > 1e-10
    return f"{'dependent' if loose else 'needed'}, {'outside' if outside else 'inside'}"


def test_all_cases_of_the_theorem() -> None:
    met = [branch(seed) for seed in range(600)]
    for case in ("dependent, outside", "dependent, inside", "needed, outside", "needed, inside"):
        assert met.count(case) >= 10, case


@pytest.mark.parametrize("query", ["target=seven", "target=f1&seed=1", "target=f1&seed=2&points=30&width=20"])
def test_candidates_by_the_theorem(query: str) -> None:
    config = RunConfig.from_query(f"{query}&method=anls")
    data, b = config.training_data(), config.initial()[0]
    factors = decompose(design(data.x, b), solve(data, b).rank)
    table = candidate_table(data, b)
    for j, q, loss in zip(table.neuron, table.position, table.candidate_loss, strict=True):
        new = np.maximum(data.x - q, 0.0)
        assert replaced_loss(factors, data.y, j, new) / data.m == pytest.approx(loss, rel=1e-9)
