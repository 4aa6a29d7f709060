"""The starting networks: laws from which biases and coefficients are drawn.

One more start, `fully_trained`, is built, not drawn (core.theory.construction); core.config.fields adds it.
"""

from collections.abc import Callable

import numpy as np

from ..portable.random import draw_uniform, standard_normal
from ..problem.data import TrainingData
from ..types import FloatArray

Start = tuple[FloatArray, FloatArray]
"""(b, c)"""


Initialisation = Callable[[np.random.Generator, np.random.Generator, int, TrainingData], Start]
"""From the random streams of b and of c, the width and the data."""


def _coefficients(rng: np.random.Generator, width: int) -> FloatArray:
    return np.sqrt(2.0 / width) * standard_normal(rng, width)


def he(
    biases: np.random.Generator, coefficients: np.random.Generator, width: int, data: TrainingData
) -> Start:
    """He's law (section 5): b ~ N(0, 2) where the domain is [-1, 1], scaled with it; c ~ N(0, 2/n)."""
    low, high = data.domain
    b = (low + high) / 2 + (high - low) / 2 * (np.sqrt(2.0) * standard_normal(biases, width))
    return b, _coefficients(coefficients, width)


def uniform(
    biases: np.random.Generator, coefficients: np.random.Generator, width: int, data: TrainingData
) -> Start:
    """b uniform on the domain: none is left of it, and those right of the last datum are dead;
    c ~ N(0, 2/n)."""
    return draw_uniform(biases, *data.domain, width), _coefficients(coefficients, width)


def equidistant(
    biases: np.random.Generator,  # noqa: ARG001
    coefficients: np.random.Generator,
    width: int,
    data: TrainingData,
) -> Start:
    """Equal steps from half a step left of the domain, so that one neuron sees all data; c ~ N(0, 2/n)."""
    low, high = data.domain
    step = (high - low) / width
    return low + step * (np.arange(width, dtype=np.float64) - 0.5), _coefficients(coefficients, width)


def small(
    biases: np.random.Generator, coefficients: np.random.Generator, width: int, data: TrainingData
) -> Start:
    """He with coefficients a hundredth the size: the network starts next to zero."""
    b, c = he(biases, coefficients, width, data)
    return b, c / 100


INITIALISATIONS: dict[str, Initialisation] = {
    "he": he,
    "uniform": uniform,
    "equidistant": equidistant,
    "small": small,
}
