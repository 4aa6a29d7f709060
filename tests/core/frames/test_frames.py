"""The schedule of frames: round, dense, bounded, and blind to the budget."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.frames.frame import EVERY_EPOCH, Frame, has_room, has_token, next_frame_epoch, next_grid_epoch
from core.limits import LIMITS


def grid(until: float) -> list[float]:
    epochs = [0.0]
    while epochs[-1] < until:
        epochs.append(next_grid_epoch(epochs[-1]))
    return epochs


def test_grid_is_every_integer_then_a_hundred_a_decade() -> None:
    epochs = grid(1e12)
    assert epochs[:101] == list(range(101))
    assert len(epochs) == 101 + 100 * 10
    for decade in range(2, 12):
        inside = [e for e in epochs if 10.0**decade <= e < 10.0 ** (decade + 1)]
        assert len(inside) == 100
        assert {float(f"{i}e{decade - 1}") for i in range(10, 100)} <= set(inside)
    assert all(v / u <= 1.06 for u, v in pairwise(epochs) if u >= 100)


@given(st.floats(0.0, 1e12, exclude_max=True))
def test_next_grid_epoch_is_the_first_one_beyond(epoch: float) -> None:
    following = next_grid_epoch(epoch)
    assert following > epoch
    assert following in GRID
    assert not [e for e in GRID if epoch < e < following]


GRID = set(grid(1e12))


def test_some_methods_are_recorded_at_every_iteration_first() -> None:
    epochs = [0.0]
    while epochs[-1] < LIMITS.epochs:
        epochs.append(next_frame_epoch(epochs[-1], every_epoch=True))
    assert epochs[: EVERY_EPOCH + 1] == list(range(EVERY_EPOCH + 1))
    assert set(epochs[EVERY_EPOCH + 1 :]) <= GRID
    assert len(epochs) + 400 < LIMITS.frames


def test_stage_changes_fill_the_limit_at_most() -> None:
    """Take every token as soon as there is one: the grid still fits."""
    used, epoch = 0, 0.0
    taken = []
    while epoch < LIMITS.flow_epochs:
        while has_token(epoch, used, every_epoch=False):
            used += 1
        taken.append(used)
        epoch = next_grid_epoch(epoch)
    assert taken[0] == 400
    assert used + len(GRID) < LIMITS.frames
    assert has_room(LIMITS.frames - 2)
    assert not has_room(LIMITS.frames - 1)


def test_pattern_counts_data_by_active_neurons() -> None:
    gap = np.array([7, 0, 3, 3])
    zero = np.zeros(4)
    frame = Frame(0, 0.0, 0.0, zero, zero, gap, gap * 0 - 1, 0, 0.0, 0.0, 0.0, 0.0, 0, 0, (), 7)
    assert frame.u.tolist() == [0, 3, 0, 4, 0]
    x = np.arange(1, 8)
    active = (np.arange(7)[:, None] >= gap).sum(axis=1)
    assert frame.u.tolist() == [(active == k).sum() for k in range(5)]
    assert len(x) == frame.u.sum()
