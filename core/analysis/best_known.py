"""The best known loss for data and a width: a reference line, and a proven optimum on small problems.

Where the knots of a least-squares linear spline should lie is a hard problem with
very many local minima, so "best known" is all that can be said of most. For the paper's
problems the value was searched for and is stored, with how it was found; for
others it is the best of a few runs of ANLS+ from fixed starts. With few data and
neurons an exact search goes on from there (core.analysis.free_knots).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..least_squares.solve import least_loss
from ..methods.parameters import OFFSET
from ..portable.random import draw_uniform
from ..problem.data import TrainingData, sample, stream
from ..problem.gallery import TARGETS
from ..rivals.anls_plus.plus import anls_plus
from ..types import FloatArray
from .free_knots import free_knot_optimum

ANLS_STARTS = 4
MODERATE, LARGE = 1e5, 5e5
"""Width x (width + data) beyond which two starts, or the first alone, must do: a start takes about a
microsecond for each."""

FEW_NEURONS, FEW_DATA = 6, 60
"""Up to which an exact search is made."""

Origin = Literal["iterated", "polished", "interpolates", "starts", "searched", "given_up"]
"""How a loss was found.

iterated      thousands of runs of ANLS+, each from the best so far with some neurons drawn anew
polished      the same, then Powell's method on all biases
interpolates  a neuron left of each datum
starts        the best of a few runs of ANLS+ (`runs`)
searched      an exact search, which finds no better network
given_up      the best network of an exact search that was given up
"""


@dataclass(frozen=True)
class BestKnown:
    """A mean squared loss that some network of the width reaches, and how it was found."""

    loss: float
    origin: Origin
    runs: int = 0
    """of ANLS+, where it is the best of a few"""
    proven: bool = False
    """whether no network of the width has a smaller one"""


STORED: dict[tuple[str, int], BestKnown] = {
    ("f1", 10): BestKnown(6.37999883e-05, "polished"),
    ("sin5", 100): BestKnown(3.0975890e-06, "iterated"),
    ("five", 8): BestKnown(0.0, "interpolates", proven=True),
}
"""By target and width, for the target's own data (f2's data depend on the seed)."""


def best_known(data: TrainingData, width: int) -> BestKnown:
    """The smallest loss known for networks of this width on these data (deterministic; up to seconds).

    Parameters
    ----------
    data
        The training data.
    width
        Number of neurons.

    Returns
    -------
    BestKnown
        The loss, how it was found, and whether it is proven to be the least.

    Examples
    --------
    >>> from core.analysis import best_known
    >>> from core.problem import TrainingData
    >>> best_known(TrainingData([0.0, 1.0, 2.0], [0.0, 1.0, 0.0]), 3)
    BestKnown(loss=0.0, origin='interpolates', runs=0, proven=True)
    """
    stored = _stored(data, width)
    if stored is not None:
        return stored
    if width >= data.m:
        # A neuron left of each datum interpolates.
        return BestKnown(0.0, "interpolates", proven=True)
    losses = [_descend(data, start) for start in starts(data, width)]
    known = BestKnown(min(losses), "starts", len(losses))
    return _searched(data, width, known) if width <= FEW_NEURONS and data.m <= FEW_DATA else known


def _searched(data: TrainingData, width: int, known: BestKnown) -> BestKnown:
    """The same after the exact search."""
    optimum = free_knot_optimum(data, width, known.loss)
    if optimum.proven:
        return BestKnown(optimum.loss, "searched", proven=True)
    return BestKnown(optimum.loss, "given_up")


def _stored(data: TrainingData, width: int) -> BestKnown | None:
    if not (data.w == 1.0).all():
        return None
    for (name, neurons), known in STORED.items():
        own = _own_data(name)
        if neurons == width and own.m == data.m and _same(own.x, data.x) and _same(own.y, data.y):
            return known
    return None


def _same(a: FloatArray, b: FloatArray) -> bool:
    """Equal up to what two machines' sines differ by."""
    return bool(np.allclose(a, b, rtol=1e-12, atol=1e-13))


def _own_data(name: str) -> TrainingData:
    target = TARGETS[name]
    if target.fixed:
        points = np.array(target.data)
        return TrainingData(points[:, 0], points[:, 1])
    assert target.function is not None
    return sample(target.function, target.defaults["points"], "equidistant", 0.0, (-1.0, 1.0), 0)


def starts(data: TrainingData, width: int) -> list[FloatArray]:
    """All neurons dead (ANLS+ then places them greedily: the best start by far), even, drawn at random."""
    low, high = float(data.x[0]), float(data.x[-1])
    margin = (high - low) / width
    even = np.linspace(low - margin, high, width, endpoint=False)
    drawn = [draw_uniform(stream(0, 100 + i), low - margin, high, width) for i in range(ANLS_STARTS - 2)]
    work = width * (width + data.m)
    count = ANLS_STARTS if work <= MODERATE else 2 if work <= LARGE else 1
    return [np.full(width, high + margin), even, *drawn][:count]


def _descend(data: TrainingData, b: FloatArray) -> float:
    anls_plus(data.points, b, OFFSET, 1_000 + 4 * len(b))
    return least_loss(data, b)
