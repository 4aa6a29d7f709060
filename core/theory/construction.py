"""The explicit fully trained network of Proposition F.1 (thm:fullyNN).

Cut the data into groups of neighbours. On each group let the network be the
group's regression line: Lemma 3.4 (lemma:critical) then holds, whatever happens between
the groups. Where one group ends and the next begins, at most two neurons in the
gap between them turn one line into the other. The gap is short and the two
lines need not meet, so that the network shoots up or down there: full of
spikes, a poor approximation, and yet no gradient step would change it.
"""

import numpy as np

from ..model.pattern.gaps import gaps
from ..model.regression import regression_of
from ..problem.data import TrainingData
from ..types import FloatArray
from .regression_lines import least_norm_slope


def step_to_line(left: float, z: float, height: float, slope: float) -> list[tuple[float, float]]:
    """Neurons (b, c) in (left, z) whose sum is height + slope (x - z) from z on, and 0 up to left.

    Lemma F.2 (lem:line-twoNeurons) with z - eps/2 for its z: a bias *on* the datum z would
    not see it, and z would make up a set U_l of its own, with an equation of its
    own that the construction does not satisfy.
    """
    if slope == 0.0 and height == 0.0:
        return []
    eps = (z - left) / 2
    if slope != 0.0:
        root = height / slope
        if 0.0 < root < eps and z - eps < z - root < z:
            return [(z - root, slope)]
    near, far = z - eps / 2, z - eps
    step = near - far
    rise = height + slope * (near - z)
    return [(far, rise / step), (near, slope - rise / step)]


def fully_trained_network(data: TrainingData, partition: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A stationary network for the groups that the points of `partition` cut the data into (Proposition F.1).

    A datum equal to a point of the partition belongs to the group left of it, as
    U_l does for biases; data left of the first point form a group too. A group
    of one datum takes the least-norm line of what the lines before it leave over,
    as in the proof. Width is at most twice the number of groups.

    Parameters
    ----------
    data
        What the network is to be stationary for.
    partition
        Points that cut the data into groups.

    Returns
    -------
    tuple of two arrays
        b and c.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.theory import fully_trained_network
    >>> b, c = fully_trained_network(data, np.array([1.5]))
    >>> b.round(2).tolist(), c.round(2).tolist()
    ([-1.5, -0.75, 1.5, 1.75], [-1.0, 2.0, -8.0, 8.0])
    """
    x, y = data.x, data.y
    cuts = np.unique(gaps(x, partition))
    begin = np.unique(np.concatenate([[0], cuts[(cuts > 0) & (cuts < x.size)]])).astype(np.int64)
    neurons: list[tuple[float, float]] = []
    # the line on the group before, as (anchor, height, slope): zero left of all data
    anchor, before_height, before_slope = float(x[0]), 0.0, 0.0
    for first, stop in zip(begin, np.append(begin[1:], x.size), strict=True):
        z = float(x[first])
        left = float(x[first - 1]) if first > 0 else z - float(x[-1] - x[0])
        carried = before_height + before_slope * (z - anchor)
        if stop - first == 1:
            rest = float(y[first]) - carried
            height, slope = rest, least_norm_slope(z, rest)
        else:
            fit = regression_of(data.points, first, stop)
            height = fit.mean - fit.slope * fit.offset - carried
            slope = fit.slope - before_slope
        neurons += step_to_line(left, z, height, slope)
        anchor, before_height, before_slope = z, carried + height, before_slope + slope
    b = np.array([neuron[0] for neuron in neurons], dtype=np.float64)
    c = np.array([neuron[1] for neuron in neurons], dtype=np.float64)
    return b, c


def fully_trained(
    biases: np.random.Generator,  # noqa: ARG001
    coefficients: np.random.Generator,  # noqa: ARG001
    width: int,
    data: TrainingData,
) -> tuple[FloatArray, FloatArray]:
    """The construction as a start: groups of equal size, two neurons each, the rest dead on the last datum.

    Gradient descent has nothing to do there; it leaves only where its step is too large there.

    Parameters
    ----------
    biases
        Not used: a law of starts has a random stream for biases.
    coefficients
        Not used.
    width
        Number of neurons.
    data
        What is cut into groups of equal numbers.

    Returns
    -------
    tuple of two arrays
        b and c, as a law of starts returns them.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.example import data
    >>> from core.theory import fully_trained
    >>> draws = np.random.default_rng(0)
    >>> b, c = fully_trained(draws, draws, 4, data)
    >>> b.round(3).tolist()
    [-1.5, -0.75, 1.5, 1.75]
    """
    groups = min(max(width // 2, 1), data.m)
    cuts = data.x[np.arange(1, groups) * data.m // groups - 1]
    b, c = fully_trained_network(data, cuts)
    while len(b) > width:  # one neuron cannot make the line that two can
        b, c = b[:-1], c[:-1]
    spare = width - len(b)
    return np.append(b, np.full(spare, data.x[-1])), np.append(c, np.zeros(spare))
