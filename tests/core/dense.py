"""Slow references, dense linear algebra on m-vectors from the definitions; and random cases for them."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from core.model.pattern import Pattern, pattern_of
from core.problem.data import TrainingData
from core.types import FloatArray, IntArray


def evaluate(b: FloatArray, c: FloatArray, x: FloatArray) -> FloatArray:
    return np.maximum(np.asarray(x)[..., None] - b, 0.0) @ c


def residual(data: TrainingData, b: FloatArray, c: FloatArray) -> FloatArray:
    return evaluate(b, c, data.x) - data.y


def jacobian(x: FloatArray, pattern: Pattern, b: FloatArray, c: FloatArray | None = None) -> FloatArray:
    """Columns c_j 1[x > b_j] of the free neurons (c_j = 1 if no c is given), then max(x - b_j, 0) of all."""
    active = np.arange(x.size)[:, None] >= pattern.gap
    free = pattern.pin < 0
    at = np.where(free, b, x[np.maximum(pattern.pin, 0)])
    steps = active[:, free] * (1.0 if c is None else c[free])
    return np.hstack([steps, np.where(active, x[:, None] - at, 0.0)])


def hessian(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> FloatArray:
    """Of the mean loss, in (free b, all c), by the definition: s (J^T J + E)."""
    free = np.flatnonzero(pattern.pin < 0)
    at = np.where(pattern.pin < 0, b, data.x[np.maximum(pattern.pin, 0)])
    columns = jacobian(data.x, pattern, at, c)
    columns[:, : free.size] *= -1.0  # d f / d b_j = -c_j 1[x > b_j]
    h = columns.T @ (data.w[:, None] * columns)
    r = data.w * residual(data, at, c)
    for i, j in enumerate(free.tolist()):
        seen = float(r[pattern.gap[j] :].sum())
        h[i, free.size + j] -= seen
        h[free.size + j, i] -= seen
    return 2.0 / data.w.sum() * h


def basis(x: FloatArray, pattern: Pattern, b: FloatArray) -> FloatArray:
    """Orthonormal basis of 𝒲 by singular value decomposition."""
    columns = jacobian(x, pattern, b)
    size = np.linalg.norm(columns, axis=0)
    left, singular, _ = np.linalg.svd(columns[:, size > 0] / size[size > 0], full_matrices=False)
    return left[:, singular > 1e-11]


@dataclass(frozen=True)
class Case:
    data: TrainingData
    pattern: Pattern
    b: FloatArray
    c: FloatArray

    @property
    def scale(self) -> float:
        return float(np.mean(self.data.y**2)) + 1e-300


@st.composite
def cases(draw: st.DrawFn, *, pins: bool = True, largest: int = 14) -> Case:
    """Networks over data: biases in and between gaps, on data, pinned, dead, left of everything; any width.

    Distances between data differ by a factor of ten at most, so that the dense
    references keep the digits the comparison asks for.
    """
    m = draw(st.integers(2, largest))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    steps = rng.uniform(0.1, 1.0, m) if draw(st.booleans()) else np.full(m, 0.4)
    x = np.cumsum(steps) + draw(st.sampled_from([0.0, -3.0, 10.0]))
    shape = draw(st.sampled_from(["noise", "noise", "line", "constant", "zero", "spike"]))
    y = {
        "noise": rng.normal(size=m),
        "line": 2 * x - 1,
        "constant": np.full(m, 1.5),
        "zero": np.zeros(m),
        "spike": np.eye(m)[m // 2],
    }[shape]
    kinds = ["gap", "gap", "on", "pin"] if pins else ["gap", "gap", "gap", "on"]
    places = draw(st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, m)), min_size=1, max_size=10))
    b = np.empty(len(places))
    pin: IntArray = np.full(len(places), -1, dtype=np.int64)
    for j, (kind, place) in enumerate(places):
        if kind == "gap":
            low = x[place - 1] if place > 0 else x[0] - 1.0
            high = x[place] if place < m else x[-1] + 1.0
            b[j] = low + rng.uniform(0.1, 0.9) * (high - low)
        else:
            k = min(place, m - 1)
            b[j] = x[k]
            if kind == "pin":
                pin[j] = k
    c = rng.normal(size=len(places))
    if draw(st.booleans()):
        c[rng.integers(len(places))] = 0.0
    return Case(TrainingData(x, y), pattern_of(x, b, pin), b, c)


def sine(waves: int, m: int) -> TrainingData:
    """sin(waves pi x) on m equidistant points of [-1, 1]."""
    x = np.linspace(-1, 1, m)

    def truth(at: FloatArray) -> FloatArray:
        return np.sin(waves * np.pi * at)

    return TrainingData(x, truth(x), truth=truth, domain=(-1.0, 1.0))
