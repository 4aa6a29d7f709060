"""L-BFGS against a dense twin, and what it promises."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.least_squares.chain import ascending
from core.methods import METHODS
from core.methods.contract import State
from core.model.loss import mean_loss
from core.rivals.data_scan import loss_and_gradient
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


Pairs = list[tuple[FloatArray, FloatArray]]


def direction_of(g: FloatArray, pairs: Pairs) -> FloatArray:
    """The textbook: an explicit inverse Hessian, updated from the pairs in turn, with more digits."""
    h: NDArray[Any] = np.eye(len(g), dtype=np.longdouble)
    if pairs:
        s, y = (part.astype(np.longdouble) for part in pairs[-1])
        h *= (s @ y) / (y @ y)
    for pair in pairs:
        s, y = (part.astype(np.longdouble) for part in pair)
        left = np.eye(len(g)) - np.outer(s, y) / (s @ y)
        h = left @ h @ left.T + np.outer(s, s) / (s @ y)
    return np.asarray(-(h @ g), dtype=np.float64)


def searched(p: Problem, v: FloatArray, d: FloatArray, first: float) -> FloatArray | None:
    """The line search of Lewis and Overton; None where no point has a lower loss."""
    loss, slope = loss_of(p, v), float(gradient_of(p, v) @ d)
    low, high, t = 0.0, np.inf, first
    best = None
    for _ in range(60):
        there = v + t * d
        if loss_of(p, there) > loss + min(1e-4 * t * slope, -1e-14 * loss):
            high = t
        else:
            best, low = there, t
            if gradient_of(p, there) @ d >= 0.9 * slope:
                break
        t = 2.0 * low if high == np.inf else 0.5 * (low + high)
        if t in (low, high):
            break
    return best


def iterate(p: Problem, v: FloatArray, pairs: Pairs) -> tuple[FloatArray, Pairs] | None:
    """One iteration with a memory of ten; None at rest."""
    for known in (pairs, []):
        g = gradient_of(p, v)
        d = direction_of(g, known)
        if not g @ d < 0.0:
            continue
        there = searched(p, v, d, 1.0 if known else min(1.0, 1.0 / float(np.sqrt(g @ g))))
        if there is not None:
            s, y = there - v, gradient_of(p, there) - g
            return there, ([*known, (s, y)] if s @ y > 0.0 else known)[-10:]
    return None


def reference(p: Problem, iterations: int) -> list[FloatArray]:
    v, course = np.concatenate((p.b, p.c)), []
    pairs: Pairs = []
    for _ in range(iterations):
        went = iterate(p, v, pairs)
        if went is None:
            break
        v, pairs = went
        course.append(v)
    return course


def run(p: Problem, iterations: int) -> list[State]:
    """The states on the way, the start among them."""
    method, data = METHODS["lbfgs"](), p.data
    course = [method.init(data, p.b, p.c)]
    for iteration in range(1, iterations + 1):
        went = method.advance(data, course[-1], float(iteration), stop_at_change=False)
        if went.met is not None:
            break
        course.append(went.state)
    return course


def network(state: State) -> FloatArray:
    return np.concatenate((state["b"], state["c"]))


def remembered(state: State) -> Pairs:
    """The pairs of a state, the oldest first."""
    steps, bends = state["pairs"]
    held, size = int(state["held"]), len(steps)
    return [(steps[i % size], bends[i % size]) for i in range(max(0, held - size), held)]


def test_fifty_iterations_agree_wherever_the_textbook_agrees_with_itself() -> None:
    """The same data in another order tell how far the textbook's own rounding has grown, which depends on
    the processor: how long the two agree is asked of all cases together."""
    compared = 0
    for seed, p in enumerate(CASES):
        mixed = np.random.default_rng(seed).permutation(len(p.x))
        ours = [network(state) for state in run(p, 50)[1:]]
        theirs, again = reference(p, 50), reference(Problem(p.x[mixed], p.y[mixed], p.b, p.c), 50)
        same = [bool(np.abs(one - other).max() <= 1e-11) for one, other in zip(theirs, again, strict=False)]
        until = min(same.index(False) if False in same else len(same), len(ours))
        for iteration in range(until):
            assert np.abs(ours[iteration] - theirs[iteration]).max() <= 1e-8, (seed, iteration)
        compared += until
    assert compared >= 15 * len(CASES)


@pytest.mark.parametrize("p", [*CASES, *DEGENERATE.values()])
def test_every_one_of_fifty_iterations_is_the_dense_one(p: Problem) -> None:
    """From the state that it starts from, which leaves rounding no time to grow."""
    states = run(p, 50)
    for iteration, (before, after) in enumerate(pairwise(states)):
        v = network(before)
        went = iterate(p, v, remembered(before))
        fall = loss_of(p, v) - loss_of(p, network(after))
        if fall <= 1e-9 * loss_of(p, v):
            break  # rounding alone decides where the search ends
        assert went is not None
        step = np.abs(network(after) - v).max()
        assert np.abs(network(after) - went[0]).max() <= 1e-8 * (1.0 + step), iteration


@pytest.mark.parametrize("name", DEGENERATE)
def test_the_gradient_is_that_of_the_definition(name: str) -> None:
    p = DEGENERATE[name]
    v = np.concatenate((p.b, p.c))
    loss, gradient = loss_and_gradient(p.data.points, p.data.s, p.b, p.c, ascending(p.b))
    scale = float(np.abs(gradient).max()) + 1e-300
    assert loss == pytest.approx(loss_of(p, v), rel=1e-9)
    np.testing.assert_allclose(gradient, gradient_of(p, v), atol=1e-9 * scale)


def test_the_loss_falls_at_every_iteration() -> None:
    p = random_problem(3, 100, 10)
    losses = [mean_loss(p.data, state["b"], state["c"]) for state in run(p, 100)]
    assert all(after <= before * (1.0 + 1e-12) for before, after in pairwise(losses))
    assert losses[-1] < 0.7 * losses[0]
