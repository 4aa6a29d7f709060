"""Each item of the list of errata in docs/maths.md, evaluated on a case that anybody can follow by hand."""

import re
from pathlib import Path

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.model.pattern import pattern_of
from core.problem.data import TrainingData
from core.theory.convergence import must_end
from reproduction.errata import errata
from reproduction.measures.exact import caption_sets, silent_eigenvalue


def test_every_item_has_its_test() -> None:
    tested = {int(number) for number in re.findall(r'"""Item (\d+)\.', Path(__file__).read_text())}
    assert tested == set(range(1, len(errata()) + 1))


def test_the_loss_decays_twice_as_fast_as_printed() -> None:
    """Item 1. One neuron, one datum at 1, y = 0, b = 0, c = 1: r_min = r_max = c^2 + (x - b)^2, and the
    printed lower envelope is left at once.
    """
    b, c, step, rates = 0.0, 1.0, 1e-5, 0.0
    start = 0.5 * (c * (1 - b)) ** 2
    for _ in range(10_000):
        residual = c * (1 - b)
        rates += step * (c * c + (1 - b) * (1 - b))
        b, c = b + step * c * residual, c - step * residual * (1 - b)
    loss = 0.5 * (c * (1 - b)) ** 2
    assert loss < 0.9 * start * np.exp(-rates)
    assert loss == pytest.approx(start * np.exp(-2 * rates), rel=1e-3)


def test_the_matrix_of_ones_is_lower_triangular() -> None:
    """Item 2. x = 1, 2, 3 and b = 0, 1.5: the vectors of what each neuron sees from those of U_1 and U_2."""
    x, b = np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.5])
    seen = np.array([x > bias for bias in b], dtype=float).T
    sets = np.array([(x > 0.0) & (x <= 1.5), x > 1.5], dtype=float).T
    lower = np.tril(np.ones((2, 2)))
    assert (sets @ lower == seen).all()
    assert (sets @ lower.T != seen).any()


def test_the_printed_condition_asks_for_longer_stages_than_needed() -> None:
    """Item 3. With the exponent of item 1 mended the left side is exp(-int r), not exp(-int r / 2): whoever
    meets the printed condition meets the mended one, and not the other way round.
    """
    integrals, right = np.linspace(0.0, 5.0, 51), 0.3
    printed, mended = np.exp(-0.5 * integrals) < right, np.exp(-integrals) < right
    assert (mended | ~printed).all()
    assert (mended & ~printed).any()


def test_the_caption_counts_biases_from_the_wrong_end() -> None:
    """Item 4. The illustration itself."""
    found = caption_sets(RunConfig.from_query("target=seven&method=anls"))
    assert (found["caption"], found["mended"]) == (0.0, 1.0)


def test_the_midpoint_with_its_own_bias_crosses_no_datum() -> None:
    """Item 5. A bias at 0.4 and a datum at 1."""
    bias, datum, neighbour = 0.4, 1.0, 1.8
    assert bias < (bias + datum) / 2 < datum < (datum + neighbour) / 2


def test_the_printed_coefficient_is_not_of_least_norm() -> None:
    """Item 6. A = [a, a] with a unit vector a, v = a, y = a: [2a, a] c = a has the least norm at 0.4, 0.2."""
    g = h = 1 / np.sqrt(2)
    z_hat, square = 1 / np.sqrt(2), 0.5
    alpha, beta = 1 + z_hat * h, z_hat * g
    mended = (g * h + alpha * beta / square) / (h * h + alpha**2 / square)
    printed = beta / alpha  # the equation d = Zhat (g - d h), solved for d
    assert np.linalg.lstsq(np.array([[2.0, 1.0]]), np.array([1.0]))[0] == pytest.approx([0.4, 0.2])
    assert mended == pytest.approx(0.4)
    assert printed == pytest.approx(1 / 3)


def test_normal_equations_square_the_condition() -> None:
    """Item 7. Columns a billionth apart: the stacked problem is solved, the normal equations are singular."""
    stacked = np.array([[1.0, 1.0], [0.0, 1e-9]])
    assert np.linalg.matrix_rank(stacked) == 2
    assert np.linalg.matrix_rank(stacked.T @ stacked) == 1


def test_a_small_part_does_not_survive_subtraction() -> None:
    """Item 8. v = (1, 1e-9): |v|^2 - |q1|^2 is 0, |q2|^2 is not."""
    v = np.array([1.0, 1e-9])
    assert float(v @ v) - 1.0 == 0.0
    assert v[1] ** 2 == pytest.approx(1e-18)


def test_two_neurons_make_a_line_with_its_own_offset() -> None:
    """Item 9. The line 2 x + 3 from z = 1 on, glued with eps = 0.5: d = 3 where the paper prints b."""
    a, d, z, eps = 2.0, 3.0, 1.0, 0.5
    for x in (1.0, 2.0, 5.0):
        first = (a * z + d) / eps * max(x - z + eps, 0.0)
        second = (a * (z - eps) + d) / eps * max(x - z, 0.0)
        assert first - second == pytest.approx(a * x + d)


def test_a_bias_follows_from_the_mean_of_the_modified_data() -> None:
    """Item 10. b = 0, 2 and c = 1, 1, data on the network at 1, 1.5, 3, 4: U_2 has the means 3.5 and 5."""
    mean_x, mean_y, c = 3.5, 5.0, 1.0
    modified = mean_y - 1.0 * (mean_x - 0.0)
    assert mean_x - modified / c == 2.0
    assert mean_x - mean_y / c == -1.5


def test_the_equations_may_hold_where_the_gradient_does_not_vanish() -> None:
    """Item 11."""
    x, y = np.array([0.0, 1, 2, 3]), np.array([1.0, 2, 4, 5])
    f = np.maximum(x + 1.0, 0.0)
    assert f[:2].mean() == y[:2].mean()
    assert np.polyfit(x[:2], y[:2], 1)[0] == pytest.approx(1.0)
    assert np.polyfit(x[2:], y[2:], 1)[0] == pytest.approx(1.0)
    assert ((f - y) * (x + 1.0)).sum() == -7.0


def test_an_equilibrium_with_a_silent_neuron_is_left() -> None:
    """Item 12."""
    found = silent_eigenvalue()
    assert found["gradient"] == 0.0
    assert found["eigenvalue"] > 0.1


def test_the_loss_does_not_bound_the_way_of_the_parameters() -> None:
    """Item 13. With z = x - b, the flow of (c z - y)^2 keeps c^2 - z^2, here 0: both end at the root of y."""
    y, c, z, rate = 0.007, 1e-3, 1e-3, 1e-2
    loss = (c * z - y) ** 2
    start = np.array([c, z])
    for _ in range(200_000):
        residual = c * z - y
        c, z = c - rate * 2 * residual * z, z - rate * 2 * residual * c
    assert c == pytest.approx(np.sqrt(y), rel=1e-6)
    moved = float(np.sum((np.array([c, z]) - start) ** 2))
    assert loss == pytest.approx(4.9e-5, rel=1e-3)
    assert moved == pytest.approx(0.0137, rel=3e-3)
    assert moved > 100 * loss


def test_a_pinned_bias_may_rest_where_the_equations_fail() -> None:
    """Item 14."""
    x, y = np.array([0.0, 1, 2, 3]), np.array([0.0, -0.3, 1.2, 1.9])
    b, c, rate = 1.0, 1.0, 1e-4
    furthest = 0.0
    for _ in range(20_000):
        seen = x > b
        residual = c * np.maximum(x - b, 0.0) - y
        slope_b = -0.5 * c * residual[seen].sum()
        slope_c = 0.5 * (residual * np.maximum(x - b, 0.0)).sum()
        b, c = b - rate * slope_b, c - rate * slope_c
        furthest = max(furthest, abs(b - 1.0))
    assert furthest <= rate
    assert c == pytest.approx(1.0, abs=1e-3)
    assert c * (2.5 - b) == pytest.approx(1.5, abs=1e-3)
    assert y[2:].mean() == pytest.approx(1.55)


def test_a_pattern_may_have_no_stationary_network() -> None:
    """Item 15."""
    x, y = np.array([0.0, 1, 2, 3]), np.array([1.0, 2, 10, 12])
    data = TrainingData(x=x, y=y, truth=None, domain=(0.0, 3.0))
    b = np.array([-1.0, 1.5])
    assert must_end(data, pattern_of(x, b), b, np.ones(2))


def test_a_negative_weight_needs_the_weight_itself() -> None:
    """Item 16."""
    w, b, x = -1.0, 0.5, 0.1
    true = max(w * x + b, 0.0)
    mended = abs(w) * max(np.sign(w) * (x + b / w), 0.0)
    printed = abs(w) * max(np.sign(w) * (x + b / abs(w)), 0.0)
    assert true == pytest.approx(0.4)
    assert mended == true
    assert printed == 0.0
