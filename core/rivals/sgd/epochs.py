"""Mini-batch gradient descent (Robbins & Monro 1951): a step sees a few data, an epoch all of them once.

The data are taken in an order that is drawn anew for every epoch (core.portable.shuffling), a batch at a
time, and a batch of B costs O(B log B + n). The noise of the batches carries a bias over a datum that holds
it in gradient descent, to and fro, so that no neuron counts as pinned; a crossing is told where a bias is in
another gap at the end of an epoch than at its beginning.
"""

from typing import NamedTuple

import numpy as np

from ...compiled import compiled
from ...least_squares.chain import repair
from ...methods.stepping.epochs import Descended
from ...methods.stepping.gradient import OVERFLOWING
from ...model.pattern.changes import write_crossings
from ...model.pattern.gaps import gaps_of
from ...model.pattern.hopping import judge_hops
from ...portable.shuffling import shuffled
from ...portable.sums import total
from ...problem.data import Points
from ...types import FloatArray, IntArray
from ..data_scan import loss_and_gradient


class Batches(NamedTuple):
    """Hyper-parameters of the steps."""

    learning_rate: float
    size: int
    """Data in a batch; the last one of an epoch may have fewer."""
    seed: int
    """Number of the random order."""


@compiled
def sgd_epochs(
    points: Points,
    b: FloatArray,
    c: FloatArray,
    order: IntArray,
    hops: IntArray,
    batches: Batches,
    before: int,
    epochs: int,
    stop: bool,
    changes: IntArray,
) -> Descended:
    """Epochs after `before` others; b, c, hops and order, which sorts b, are changed in place."""
    x, y, w = points
    n, m = len(b), len(x)
    gap = gaps_of(x, b)
    numbers, free = np.arange(n), np.full(n, -1)
    done, stages, last, count = 0, 0, 0, 0
    finite, still = True, False
    while done < epochs and finite:
        old_b, old_c = b.copy(), c.copy()
        taken = shuffled(m, batches.seed, before + done)
        for begin in range(0, m, batches.size):
            batch = np.sort(taken[begin : begin + batches.size])
            few = Points(x[batch], y[batch], w[batch])
            loss, gradient = loss_and_gradient(few, 2.0 / total(few.w), b, c, order)
            finite = finite and loss < OVERFLOWING
            if not finite:
                break
            for j in range(n):
                b[j] -= batches.learning_rate * gradient[j]
                c[j] -= batches.learning_rate * gradient[n + j]
            repair(b, order)
        done += 1
        still = bool(np.all(old_b == b)) and bool(np.all(old_c == c))
        changed = write_crossings(x, b, gap, changes)
        changed = judge_hops(x, hops, b, numbers, free, changes, changed, before + done)
        if changed > 0:
            stages, last, count = stages + 1, done, changed
            if stop:
                break
    return (done, stages, last, count), finite, still
