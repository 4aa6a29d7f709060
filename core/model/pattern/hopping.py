"""Neurons that hop: a step too large for their neighbourhood throws them over data, there and back.

Where the loss is more curved than 2 / learning rate, descent does not come to rest but swings. A bias that
swings over one datum counts as pinned to it. One that swings over several crosses another datum on the way
there than on the way back, at nearly every epoch and for as long as the run lasts: each would be
a change of the pattern, ten million of them in ten million epochs on sin 5 pi x.

So the changes of a neuron are read as a sequence. A change to the side opposite to the one before, TURN
epochs later at most, is a *return*, and counts 1; another change that soon takes 1 off; a pause begins anew.
After MIN_RETURNS of them the neuron *hops*, which is one change of the pattern, and what it does from then on
is none. It has *settled* when it has done nothing for as long as its patience: pinned, if a datum holds it
then. The patience is TURN at first and doubles each time that the neuron begins to hop. Before its k-th start
it has waited for k - 1 patiences, TURN (2^(k-1) - 1) epochs in all. So it begins at most
1 + log2(1 + epochs / TURN) times, however its swings come and go. With a period of 1,500 epochs the fifth
start is the last at the latest: its patience is 1,600 epochs. A dead neuron settles after TURN epochs,
whatever its patience; the bound leaves out those that momentum then revives.

Nothing here touches the steps: pins and reaches are kept as before, and only what is recorded differs.
`hops` (5, n) is part of a state, and each entry a function of the whole epochs before, however they are cut
into calls.
"""

import numpy as np

from ...compiled import compiled
from ...types import FloatArray, IntArray
from .changes import HOPPING, PINNED, SETTLED, write_change
from .gaps import hopping_pin

RETURNS, SIDE, DATUM, LAST_CHANGE, PATIENCE = range(5)
"""Rows of `hops`: returns so far, the side of the last change, the datum hopped over (-1: it does not hop),
the epoch of the last change, and the patience."""
TURN = 100
"""A neuron that changes its side again within so many epochs has returned."""
MIN_RETURNS = 8
"""Returns that make a neuron hop."""
NO_EPOCH = 1 << 62
"""An epoch that does not come."""


def no_hops(width: int) -> IntArray:
    """`hops` at the start of a run."""
    hops = np.zeros((5, width), dtype=np.int64)
    hops[DATUM] = hops[LAST_CHANGE] = -1
    return hops


def shown_pins(held: IntArray, hops: IntArray) -> IntArray:
    """What frames show: the datum of a pinned neuron, `hopping_pin` of one that hops, else -1."""
    return np.where(hops[DATUM] >= 0, hopping_pin(hops[DATUM]), held)


@compiled
def next_rest(last: float, hops: IntArray, b: FloatArray, where: IntArray) -> int:
    """The epoch at which the first neuron settles if nothing happens before; b[where[j]] is its bias."""
    first = NO_EPOCH
    for j in range(hops.shape[1]):
        if hops[DATUM, j] >= 0:
            patience = hops[PATIENCE, j] if b[where[j]] < last else TURN
            first = min(first, hops[LAST_CHANGE, j] + patience)
    return first


@compiled
def judge_hops(
    x: FloatArray,
    hops: IntArray,
    b: FloatArray,
    where: IntArray,
    pin: IntArray,
    changes: IntArray,
    count: int,
    now: int,
) -> int:
    """Leave in `changes`, of the first `count` rows, what counts when hops are one stage; how many.

    b[where[j]] is the bias of neuron j after epoch `now`.
    """
    kept = 0
    for i in range(count):
        j, kind, datum = changes[i, 0], changes[i, 1], changes[i, 2]
        pause = now - hops[LAST_CHANGE, j]
        hops[LAST_CHANGE, j] = now
        if hops[DATUM, j] >= 0:
            continue
        side = 1 if b[where[j]] >= x[datum] else -1
        if pause > TURN:
            hops[RETURNS, j] = 0
        elif side == -hops[SIDE, j]:
            hops[RETURNS, j] += 1
        else:
            hops[RETURNS, j] = max(hops[RETURNS, j] - 1, 0)
        hops[SIDE, j] = side
        if hops[RETURNS, j] >= MIN_RETURNS:
            hops[RETURNS, j], hops[DATUM, j] = 0, datum
            hops[PATIENCE, j] = max(2 * hops[PATIENCE, j], TURN)
            kind = HOPPING
        kept = write_change(changes, kept, j, kind, datum)
    for j in range(hops.shape[1]):
        if hops[DATUM, j] >= 0:
            patience = hops[PATIENCE, j] if b[where[j]] < x[-1] else TURN
            if now - hops[LAST_CHANGE, j] >= patience:
                settled, datum = (PINNED, pin[j]) if pin[j] >= 0 else (SETTLED, hops[DATUM, j])
                kept = write_change(changes, kept, j, settled, datum)
                hops[DATUM, j] = -1
    return kept
