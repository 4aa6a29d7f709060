"""Mini-batch descent against the textbook on the same batches."""

import numpy as np
import pytest

from core.portable.shuffling import shuffled
from core.rivals.sgd.method import StochasticGradientDescent
from core.types import FloatArray
from tests.core import naive
from tests.problems import DEGENERATE, Problem, random_problem

CASES = [random_problem(seed, 20 + 10 * seed, 3 + 4 * seed, weighted=seed % 2 == 1) for seed in range(5)]


def reference(
    p: Problem, rate: float, size: int, seed: int, epochs: int, mixed: bool
) -> tuple[FloatArray, FloatArray]:
    """Every batch as it comes, its data in another order if so asked."""
    b, c = p.b.copy(), p.c.copy()
    w = np.ones(len(p.x)) if p.w is None else p.w
    for epoch in range(epochs):
        order = shuffled(len(p.x), seed, epoch)
        for begin in range(0, len(order), size):
            batch = order[begin : begin + size][:: -1 if mixed else 1]
            db, dc = naive.gradient(p.x[batch], p.y[batch], b, c, w[batch])
            b, c = b - rate * db, c - rate * dc
    return b, c


@pytest.mark.parametrize("p", [*CASES, *DEGENERATE.values()])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_fifty_epochs_agree_with_the_textbook(p: Problem, size: int) -> None:
    method, data = StochasticGradientDescent(learning_rate=0.01, batch=size, shuffle=3), p.data
    state = method.init(data, p.b, p.c)
    while state["epoch"] < 50.0:
        state = method.advance(data, state, 50.0, stop_at_change=False).state
    theirs, again = (reference(p, 0.01, size, 3, 50, mixed) for mixed in (False, True))
    for key, one, other in zip("bc", theirs, again, strict=True):
        assert np.abs(one - other).max() <= 1e-10, "the textbook agrees with itself"
        assert np.abs(state[key] - one).max() <= 1e-8


def test_another_shuffle_is_another_course() -> None:
    p = random_problem(1, 40, 6)
    ends = []
    for shuffle in (0, 1):
        method = StochasticGradientDescent(shuffle=shuffle)
        state = method.advance(p.data, method.init(p.data, p.b, p.c), 5.0, stop_at_change=False).state
        ends.append(state["b"].tobytes())
    assert ends[0] != ends[1]
