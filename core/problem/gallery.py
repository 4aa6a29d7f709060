"""What there is to learn by name: the paper's examples and a gallery of other plateaus.

A target is a formula (in the language of core.problem.formula, so that it can be
shown, copied and edited) or a fixed list of points, together with the settings
that show it best. Adding one is adding an entry here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .formula import Expression, parse
from .series import SERIES

Pairs = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Target:
    """A named function or point set, and the defaults of the query keys that go with it."""

    name: str
    title: str
    watch: str
    """One sentence on what to watch for."""
    formula: str = ""
    data: Pairs = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    weights: tuple[float, ...] = ()
    """Of the points; left out, all are 1."""
    source: str = ""
    """Where measured data come from; empty where they are made up."""

    @property
    def fixed(self) -> bool:
        """Whether the points are given, so that points, sampling and domain cannot be chosen."""
        return bool(self.data)

    @cached_property
    def function(self) -> Expression | None:
        """The function behind the data; None for bare points."""
        return parse(self.formula) if self.formula else None


_FIVE: Pairs = tuple(((k - 3) / 2, float(k % 2)) for k in range(1, 6))
"""The paper's five points, ((k - 3)/2, (1 - (-1)^k)/2): a zigzag with values 1, 0, 1, 0, 1."""

_CANDIDATE_POINTS: Pairs = (
    (-0.9, -0.31), (-0.7, -0.81), (-0.5, -1.0), (-0.3, -0.81), (-0.1, -0.31),
    (0.1, 0.31), (0.3, 0.81), (0.5, 1.0), (0.7, 0.81), (0.9, 0.31),
)  # fmt: skip
_CANDIDATE_BIASES = (-0.64, -0.04, 0.05, 0.36, 0.83)
"""u_0..u_5 = 2, 3, 0, 2, 2, 1: U_2 is empty and U_5 holds one datum (Fig. candidate-ex)."""

_STAIRS: Pairs = (
    (-1.0, 0.0), (-0.7, 0.0), (-0.2, 1.0), (0.1, 1.0), (0.14, 1.4), (0.5, 1.4), (0.503, 1.5), (0.9, 1.5),
)  # fmt: skip
"""Three ramps over 0.5, 0.04 and 0.003: what bends over a width h is learned at a rate of the order h^2."""

GALLERY = (
    Target(
        "f1", "sin πx",
        "The loss falls in steps: it creeps or rests until a bias crosses a data point.",
        formula="sin(pi*x)",
        defaults={"points": 100, "width": 10},
    ),
    Target(
        "sin5", "sin 5πx",
        "Gradient descent spends almost all of its epochs on plateaus; ANLS has none to leave.",
        formula="sin(5*pi*x)",
        defaults={"points": 500, "width": 100},
    ),
    Target(
        "f2", "Discontinuous, two frequencies",
        "The jump at 0 needs two biases in one gap between data; watch which neurons end up there.",
        formula="where(x>0,1+0.5*x*cos(15*pi*x),0.5*sin(5*pi*x))",
        defaults={"points": 1000, "sampling": "uniform", "width": 300},
    ),
    Target(
        "five", "Five points",
        "When training succeeds, every inner bias ends exactly on a data point and is pinned there.",
        data=_FIVE,
        defaults={"width": 8},
    ),
    Target(
        "stairs", "Three stairs",
        "Each stair is a dozen times steeper than the last, and takes a hundred times as long to be learned.",
        data=_STAIRS,
        defaults={"width": 10, "init": "equidistant"},
    ),
    Target(
        "flight", "A flight of stairs",
        "Each stair is steeper and lower than the last, and before each of them the loss stands still.",
        formula="min(max((5*x+4)/3,0),1)+min(max(5*x,0),0.5)+min(max(8*x-4,0),0.2)",
        defaults={"points": 80, "width": 20},
    ),
    Target(
        "seven", "Ten points, five neurons, seven candidates",
        "The neurons have 2, 1, 1, 2 and 1 places to go: U₂ is empty, and the last neuron may not die.",
        data=_CANDIDATE_POINTS,
        defaults={"biases": _CANDIDATE_BIASES},
    ),
    Target(
        "step", "Step",
        "The steepest fit puts two biases into the one gap that holds the jump.",
        formula="where(x>0,1,0)",
    ),
    Target(
        "abs", "|x|",
        "Three neurons are enough; watch how long ten of them take to agree on one kink at 0.",
        formula="abs(x)",
    ),
    Target(
        "ramp", "Ramp",
        "Two kinks, flat ends: the loss can vanish only once biases have found the gaps that hold the kinks.",
        formula="min(max(x+0.5,0),1)",
    ),
    Target(
        "w", "W",
        "Three kinks and four straight pieces; a piece without a bias near its end keeps the floor high.",
        formula="abs(abs(2*x)-1)",
    ),
    Target(
        "square", "x²",
        "A smooth curve wants evenly spread kinks; watch the biases drift apart, plateau after plateau.",
        formula="x**2",
    ),
    Target(
        "runge", "Runge",
        "Nearly flat ends and a peak: the biases that matter are the few around 0.",
        formula="1/(1+25*x**2)",
        defaults={"width": 20},
    ),
    Target(
        "gauss", "Gaussian",
        "Flat where the data are uninteresting: neurons out there do little, and move little.",
        formula="exp(-20*x**2)",
        defaults={"width": 20},
    ),
    Target(
        "chirp", "Chirp",
        "The slow waves at the left are learned long before the fast ones at the right.",
        formula="sin(2*pi*(x+1)**2)",
        defaults={"points": 200, "width": 40},
    ),
    Target(
        "sawtooth", "Sawtooth",
        "Jumps and straight pieces: once trained, the network is a regression line between biases.",
        formula="2*(2*x-floor(2*x))-1",
        defaults={"points": 200, "width": 20},
    ),
    Target(
        "decay", "Damped wave",
        "The large swings at the left dominate the loss; the small ones wait on later plateaus.",
        formula="exp(-2*(x+1))*sin(6*pi*x)",
        defaults={"points": 200, "width": 30},
    ),
    Target(
        "bumps", "Bumps",
        "Three bumps of different width: the narrow one needs several biases within some twenty data points.",
        formula="exp(-40*(x+0.6)**2)+0.7*exp(-400*x**2)+exp(-15*(x-0.6)**2)",
        defaults={"points": 200, "width": 30},
    ),
    Target(
        "weierstrass", "Weierstrass, four terms",
        "Rough at many scales: the fine waves stay unlearned long after the coarse ones are there.",
        formula="sin(pi*x)+sin(3*pi*x)/2+sin(9*pi*x)/4+sin(27*pi*x)/8",
        defaults={"points": 500, "width": 60},
    ),
    Target(
        "line", "Noise around a line",
        "Beyond the line there is only noise: the loss still falls while the prediction error rises.",
        formula="0.5*x",
        defaults={"noise": 0.2, "width": 20},
    ),
)  # fmt: skip

_MEASURED = tuple(
    Target(
        series.name,
        series.title,
        series.watch,
        data=tuple((x, y) for x, y, _ in series.rows),
        weights=tuple(w for _, _, w in series.rows),
        defaults={"units": series.units, "labels": series.labels, "width": series.width},
        source=series.source,
    )
    for series in SERIES
)

TARGETS: dict[str, Target] = {target.name: target for target in (*GALLERY, *_MEASURED)}
