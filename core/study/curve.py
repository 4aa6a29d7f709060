"""A run's loss at a few epochs that all runs of a study share, so that they can be compared."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..frames.frame import Frame

ROUND = (1.0, 1.3, 1.8, 2.4, 3.2, 4.2, 5.6, 7.5)
GRID = (0.0, *(float(f"{digit}e{decade}") for decade in range(13) for digit in ROUND))
"""Eight round epochs a decade, up to the longest run there may be."""

Curve = NDArray[np.float32]


def curve_of(frames: Sequence[Frame]) -> Curve:
    """The loss at the epochs of the grid, up to the first that is not before the run's end.

    Between two frames it is that of the earlier; the last entry is the loss that the run ended with.

    Parameters
    ----------
    frames
        All frames of a run.

    Returns
    -------
    Curve
        One loss for each epoch of GRID, as far as the run goes.

    Examples
    --------
    >>> from core import RunConfig, train
    >>> from core.study import GRID, curve_of
    >>> curve = curve_of(list(train(RunConfig.from_query("target=f1&method=anls&epochs=3"))))
    >>> [f"{epoch:g}: {loss:.4f}" for epoch, loss in zip(GRID[:3], curve)]
    ['0: 0.0054', '1: 0.0050', '1.3: 0.0050']
    """
    losses: list[float] = []
    place = 0
    for epoch in GRID:
        while place + 1 < len(frames) and frames[place + 1].epoch <= epoch:
            place += 1
        losses.append(frames[place].loss)
        if epoch >= frames[-1].epoch:
            break
    with np.errstate(over="ignore"):
        return np.array(losses, dtype=np.float32)
