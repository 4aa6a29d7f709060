"""L-BFGS against a dense twin, and what it promises."""

from itertools import pairwise

import numpy as np
import pytest

from core.methods import METHODS
from core.model.loss import mean_loss
from core.newton.quasi import slopes
from core.newton.steps import Place
from core.squares.chain import ascending
from core.types import FloatArray
from tests.core import naive
from tests.problems import DEGENERATE, Problem, random_problem

CASES = [
    random_problem(seed, m, n) for seed, (m, n) in enumerate([(40, 4), (60, 6), (30, 3), (80, 8), (50, 5)])
]


def loss_of(p: Problem, v: FloatArray) -> float:
    n = len(v) // 2
    return float(np.mean((np.maximum(p.x[:, None] - v[:n], 0.0) @ v[n:] - p.y) ** 2))


def gradient_of(p: Problem, v: FloatArray) -> FloatArray:
    n = len(v) // 2
    return np.concatenate(naive.gradient(p.x, p.y, v[:n], v[n:]))


def reference(p: Problem, iterations: int) -> list[FloatArray]:
    """The textbook: an explicit inverse Hessian, updated from the pairs in turn, and the same line search."""
    v = np.concatenate((p.b, p.c))
    pairs: list[tuple[FloatArray, FloatArray]] = []
    course = []
    for _ in range(iterations):
        g, size = gradient_of(p, v), len(v)
        h = np.eye(size)
        if pairs:
            s, y = pairs[-1]
            h *= (s @ y) / (y @ y)
        for s, y in pairs[-10:]:
            left = np.eye(size) - np.outer(s, y) / (s @ y)
            h = left @ h @ left.T + np.outer(s, s) / (s @ y)
        d = -h @ g
        low: float = 0.0
        high: float = np.inf
        t: float = 1.0 if pairs else min(1.0, float(1.0 / np.sqrt(g @ g)))
        for _ in range(60):
            there = v + t * d
            if loss_of(p, there) > loss_of(p, v) + 1e-4 * t * (g @ d):
                high = t
            elif gradient_of(p, there) @ d < 0.9 * (g @ d):
                low = t
            else:
                break
            t = 2.0 * low if high == np.inf else 0.5 * (low + high)
        if np.array_equal(there, v):
            break  # it has arrived
        pairs.append((there - v, gradient_of(p, there) - g))
        v = there
        course.append(v)
    return course


def run(p: Problem, iterations: int) -> list[FloatArray]:
    method, data = METHODS["lbfgs"](), p.data
    state, course = method.init(data, p.b, p.c), []
    for iteration in range(1, iterations + 1):
        state = method.advance(data, state, float(iteration), stop_at_change=False).state
        course.append(np.concatenate((state["b"], state["c"])))
    return course


@pytest.mark.parametrize("seed", range(len(CASES)))
def test_iterations_agree_with_the_textbook_as_long_as_it_agrees_with_itself(seed: int) -> None:
    """The same data in another order tell how far the textbook's own rounding has grown."""
    p = CASES[seed]
    mixed = np.random.default_rng(seed).permutation(len(p.x))
    ours = run(p, 50)
    theirs, again = reference(p, 50), reference(Problem(p.x[mixed], p.y[mixed], p.b, p.c), 50)
    for iteration, (v, one, other) in enumerate(zip(ours, theirs, again, strict=False)):
        if np.abs(one - other).max() > 1e-10:
            assert iteration >= 15
            return
        assert np.abs(v - one).max() <= 1e-8, iteration


@pytest.mark.parametrize("name", DEGENERATE)
def test_the_gradient_is_that_of_the_definition(name: str) -> None:
    p = DEGENERATE[name]
    place = Place(p.b.copy(), p.c.copy(), ascending(p.b), np.full(len(p.b), -1, dtype=np.int64))
    loss, gradient = slopes(p.data.points, p.data.s, place)
    v = np.concatenate((p.b, p.c))
    scale = float(np.abs(gradient).max()) + 1e-300
    assert loss == pytest.approx(loss_of(p, v), rel=1e-9)
    np.testing.assert_allclose(gradient, gradient_of(p, v), atol=1e-9 * scale)


def test_the_loss_falls_at_every_iteration() -> None:
    p = random_problem(3, 100, 10)
    losses = [mean_loss(p.data, v[:10], v[10:]) for v in run(p, 100)]
    assert all(after <= before * (1.0 + 1e-12) for before, after in pairwise(losses))
    assert losses[-1] < 0.7 * losses[0]
