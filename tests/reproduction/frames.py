"""Frames made by hand, for measures whose answer is known."""

from collections.abc import Sequence

import numpy as np

from core.frames.frame import Frame


def frame(
    epoch: float, loss: float, *, stage: int = 0, floor: float = 0.0, gap: Sequence[int] = (0,)
) -> Frame:
    """A frame of which only what measures read is told."""
    width = len(gap)
    return Frame(
        index=0,
        epoch=epoch,
        loss=loss,
        b=np.zeros(width),
        c=np.ones(width),
        gap=np.array(gap, dtype=np.int64),
        pin=np.full(width, -1, dtype=np.int64),
        stage=stage,
        floor=floor,
        stationarity=0.0,
        prediction_error=loss**0.5,
        seconds=0.0,
        gradients=0,
        solves=0,
        changes=(),
        points=10,
    )
