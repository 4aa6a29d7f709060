"""Training data: a strictly ascending sample of the line, and what is to be learned on it.

The analysis assumes x_1 < ... < x_m (paper, section 2). `TrainingData` enforces
it once, so that everything downstream may rely on prefix sums and bisection.

A datum has a weight w_k, 1 unless several measurements share its x: the loss is
(1/W) sum_k w_k r_k^2 with W = sum_k w_k, which is the mean over all measurements up
to their scatter about the mean at each x, a constant that no network can change.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum, ulp
from typing import Any, Literal, NamedTuple

import numpy as np

from ..portable.random import draw_uniform, standard_normal
from ..spelling import FieldError, format_number
from ..types import FloatArray
from .scale import PLAIN, Scale

Truth = Callable[[FloatArray], FloatArray]
Domain = tuple[float, float]
Sampling = Literal["equidistant", "uniform"]

X_STREAM, NOISE_STREAM, B_STREAM, C_STREAM = range(4)
"""Numbers of the independent random streams, so that more noise never moves a bias."""

LARGEST_VALUE = 1e9
"""Bound on every x and y: sums of their squares stay far from overflow."""

RESOLUTION = 1e-9
"""Data closer than this part of their span belong together: slopes between them would be beyond reason."""


def resolution(low: float, high: float) -> float:
    """The least distance of data between low and high that can be told apart."""
    return max(RESOLUTION * (high - low), 8.0 * ulp(max(abs(low), abs(high))))


def stream(seed: int, number: int) -> np.random.Generator:
    """The random stream of one purpose: the same for every method and every other setting."""
    return np.random.default_rng([seed, number])


class Points(NamedTuple):
    """What the compiled kernels see of the data: positions, values and weights, read-only."""

    x: FloatArray
    y: FloatArray
    w: FloatArray


@dataclass(frozen=True, eq=False)
class TrainingData:
    """m points (x_k, y_k) of weight w_k, x strictly ascending; the arrays are read-only copies."""

    x: FloatArray
    y: FloatArray
    truth: Truth | None = None
    """The function behind the data, where there is one: the prediction error compares with it."""
    domain: Domain = field(default=(0.0, 0.0))
    """The interval of interest; left out, the range of x."""
    notes: tuple[str, ...] = ()
    """What was done to the data on the way in, for people to read."""
    w: FloatArray = field(default_factory=lambda: np.empty(0))
    """Weights; left out, all are 1."""
    scale: Scale = PLAIN
    """How its numbers are told to people."""
    halved: bool = False
    """Whether gradients are those of (1/2) sum w r^2, as in the paper's analysis, not the mean loss."""

    def __post_init__(self) -> None:
        x = np.array(self.x, dtype=np.float64, order="C")
        y = np.array(self.y, dtype=np.float64, order="C")
        w = np.array(self.w, dtype=np.float64, order="C") if len(self.w) else np.ones(x.shape)
        if x.ndim != 1 or x.shape != y.shape:
            raise FieldError("data", f"x and y must be vectors of one length, got {x.shape} and {y.shape}")
        if len(x) < 2:
            raise FieldError("data", f"{len(x)} points, at least two distinct x are needed")
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            raise FieldError("data", "every x and y must be finite")
        if not (np.diff(x) > 0.0).all():
            raise FieldError("data", "x must be strictly ascending")
        if w.shape != x.shape or not (np.isfinite(w).all() and (w > 0.0).all()):
            raise FieldError("data", "there must be one weight for each x, all positive and finite")
        for name, array in (("x", x), ("y", y), ("w", w)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if self.domain[0] >= self.domain[1]:
            object.__setattr__(self, "domain", (float(x[0]), float(x[-1])))

    @property
    def m(self) -> int:
        """Number of data points."""
        return len(self.x)

    @cached_property
    def points(self) -> Points:
        """x, y and w, as the compiled kernels take them."""
        return Points(self.x, self.y, self.w)

    @cached_property
    def weight(self) -> float:
        """W, the sum of the weights: m where all are 1."""
        return fsum(self.w.tolist())

    @property
    def mean_spacing(self) -> float:
        """How far neighbouring data are apart on average."""
        return float(self.x[-1] - self.x[0]) / (self.m - 1)

    @property
    def s(self) -> float:
        """The factor of every gradient: 2/W of the mean loss, 1 of half the sum."""
        return 1.0 if self.halved else 2.0 / self.weight


def sample(
    function: Truth,
    points: int,
    sampling: Sampling,
    noise: float,
    domain: Domain,
    seed: int,
    **more: Any,
) -> TrainingData:
    """Draw points of a function. A value that is not finite is refused, naming the first such x.

    What else the data are told goes into `more`.
    """
    x = sample_x(points, sampling, domain, seed)
    y = function(x)
    wrong = np.flatnonzero(~(np.abs(y) <= LARGEST_VALUE))
    if len(wrong):
        where, value = format_number(float(x[wrong[0]])), y[wrong[0]]
        what = f"beyond ±{format_number(LARGEST_VALUE)}" if np.isfinite(value) else "not finite"
        raise FieldError("target", f"the value at x = {where} is {what} ({value:.3g})")
    return TrainingData(x, add_noise(y, noise, seed), function, domain, **more)


def sample_x(points: int, sampling: Sampling, domain: Domain, seed: int) -> FloatArray:
    """Strictly ascending positions in the domain, both ends included when equidistant."""
    if sampling == "equidistant":
        return np.linspace(domain[0], domain[1], points)
    random = stream(seed, X_STREAM)
    least = resolution(*domain)
    if 10.0 * points * least > domain[1] - domain[0]:
        raise FieldError("points", f"{points} cannot be told apart on a domain as short as {domain}")
    x = np.empty(0)
    while len(x) < points:  # two draws may be too close to tell apart: on a short domain that does happen
        x = np.sort(np.append(x, draw_uniform(random, *domain, points - len(x))))
        x = x[np.append(True, np.diff(x) > least)]
    return x


def add_noise(y: FloatArray, noise: float, seed: int) -> FloatArray:
    """y plus Gaussian noise of the given standard deviation, drawn in the order of x."""
    if noise == 0.0 and not (np.signbit(y) & (y == 0.0)).any():
        return y  # no kernel is needed: nothing times a draw changes at most the sign of a zero
    return y + noise * standard_normal(stream(seed, NOISE_STREAM), len(y))
