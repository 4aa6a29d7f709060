"""One declaration per query key: it drives the codec, the validation and the page's controls alike.

The hyper-parameters of the methods are not declared here but collected from the
methods' own dataclass fields (core.methods.contract.parameter), so that a new
method brings its keys and its controls along.
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from ..limits import LIMITS, Limits
from ..methods import METHODS
from ..methods.contract import Method
from ..problem.data import LARGEST_VALUE
from ..problem.gallery import TARGETS
from ..spelling import FieldError, format_number, near_miss, read_number, shorten
from .starts import STARTS

Kind = Literal["int", "float", "choice", "text", "list", "domain"]
Group = Literal["Target", "Data", "Network", "Method", "Budget"]

LARGEST_X = 1e6
SHORTEST_DOMAIN = 1e-6
"""Relative to the larger end, so that thousands of distinct floats fit between the ends."""


@dataclass(frozen=True)
class FieldSpec:
    """A query key: how it is read, written, bounded, and explained to people."""

    name: str
    kind: Kind
    default: Any
    """None where it depends on another field (on the method, for epochs)."""
    label: str
    symbol: str
    help: str
    group: Group
    low: float = 0.0
    high: float = LARGEST_VALUE
    limit: str = ""
    """Name of the entry of `Limits` that bounds the value, where one does."""
    log: bool = False
    choices: tuple[str, ...] = ()
    """For kind `text`: suggestions; for kind `choice`: all that is allowed."""
    methods: tuple[str, ...] = ()
    """The methods that have this hyper-parameter; empty for the fields of the problem."""
    later: bool = False
    """It came when runs had names already: where it has its default it has no part in them."""

    def highest(self, limits: Limits = LIMITS) -> float:
        """The largest allowed value under these limits."""
        return float(getattr(limits, self.limit)) if self.limit else self.high

    def allowed(self, limits: Limits = LIMITS) -> str:
        """The allowed values in words."""
        if self.kind == "choice":
            return ", ".join(self.choices)
        low, high = format_number(self.low), format_number(self.highest(limits))
        if self.kind == "int":
            return f"whole numbers from {int(self.low)} to {int(self.highest(limits))}"
        if self.kind == "domain":
            return f"two ascending numbers from {low} to {high}, such as -1,1"
        if self.kind == "list":
            return f"a comma list of numbers from {low} to {high}"
        return f"numbers from {low} to {high}"

    def read(self, text: str, limits: Limits = LIMITS) -> Any:
        """The value that a query text means; ValueError naming key, value and range."""
        if self.kind == "text":
            return text
        if self.kind == "choice":
            if text not in self.choices:
                raise self.error(text, limits)
            return text
        if self.kind in ("int", "float"):
            value = self.number(text, limits)
            if self.kind == "int" and value != int(value):
                raise self.error(text, limits)
            return int(value) if self.kind == "int" else value
        values = tuple(self.number(part, limits) for part in text.split(","))
        if self.kind == "domain":
            if len(values) != 2:
                raise self.error(text, limits)
            shortest = SHORTEST_DOMAIN * max(1.0, abs(values[0]), abs(values[1]))
            if values[1] - values[0] < shortest:
                raise FieldError(
                    self.name,
                    f"{shorten(text)} is empty or too short; allowed are {self.allowed(limits)}"
                    f" that lie at least {format_number(shortest)} apart",
                )
        return values

    def number(self, text: str, limits: Limits) -> float:
        """A number within the bounds."""
        try:
            value = read_number(text)
        except ValueError:
            raise self.error(text, limits) from None
        if not self.low <= value <= self.highest(limits):
            raise self.error(text, limits)
        return value

    def error(self, text: str, limits: Limits) -> ValueError:
        """The refusal of a value, naming the key, the value and what is allowed."""
        value = shorten(text.strip())
        advice = near_miss(value, self.choices)
        allowed = f"allowed are {self.allowed(limits)}"
        return FieldError(self.name, f"{value!r} is not allowed; {allowed}{advice and '; ' + advice}")

    def write(self, value: Any) -> str:
        """The canonical query text of a value."""
        if isinstance(value, tuple):
            return ",".join(format_number(entry) for entry in value)
        return value if isinstance(value, str) else format_number(value)


PROBLEM_FIELDS = (
    FieldSpec(
        "target", "text", "f1", "Target", "f",
        "What the network learns: a name from the gallery, or a formula in x.",
        "Target", choices=tuple(TARGETS),
    ),
    FieldSpec(
        "data", "text", "", "Own data", "(x, y)",
        "Your own points as x:y;x:y;…, or @ and the name of an uploaded set. They replace the target.",
        "Target",
    ),
    FieldSpec(
        "points", "int", 100, "Data points", "m",
        "How many points of the target the network sees.",
        "Data", low=2, limit="points", log=True,
    ),
    FieldSpec(
        "sampling", "choice", "equidistant", "Sampling", "",
        "Evenly spaced points, or points drawn at random.",
        "Data", choices=("equidistant", "uniform"),
    ),
    FieldSpec(
        "noise", "float", 0.0, "Noise", "σ",
        "Standard deviation of the Gaussian noise that is added to every y.",
        "Data", low=0.0, high=1e3,
    ),
    FieldSpec(
        "domain", "domain", (-1.0, 1.0), "Domain", "[x₁, xₘ]",
        "The interval that the points are taken from.",
        "Data", low=-LARGEST_X, high=LARGEST_X,
    ),
    FieldSpec(
        "units", "list", (), "Units", "x₀, Δx, y₀, Δy",
        "For data on another scale: x is counted in units of Δx from x₀, y in units of Δy from y₀.",
        "Data", low=-LARGEST_VALUE,
    ),
    FieldSpec(
        "labels", "text", "", "Names of the data", "",
        "What the data, their x and their y are called, as in nile|year|flow.",
        "Data", later=True,
    ),
    FieldSpec(
        "calendar", "choice", "no", "Dates along x", "",
        "Whether x counts days since 1 January 1970, so that axes show dates.",
        "Data", choices=("no", "yes"), later=True,
    ),
    FieldSpec(
        "seed", "int", 0, "Seed", "",
        "Number of the random draw of points, noise and starting network. Same seed, same start.",
        "Data", low=0, high=2**32 - 1,
    ),
    FieldSpec(
        "width", "int", 10, "Width", "n",
        "Number of neurons, hence of kinks that the network can have.",
        "Network", low=1, limit="width", log=True,
    ),
    FieldSpec(
        "init", "choice", "he", "Start", "b₀, c₀",
        "How the starting biases and coefficients are drawn.",
        "Network", choices=tuple(STARTS),
    ),
    FieldSpec(
        "biases", "list", (), "Starting biases", "b₀",
        "The starting biases themselves, as a comma list: they replace the draw and set the width.",
        "Network", low=-LARGEST_VALUE,
    ),
    FieldSpec(
        "coefficients", "list", (), "Starting coefficients", "c₀",
        "The starting coefficients themselves, as a comma list: they replace the draw and set the width.",
        "Network", low=-LARGEST_VALUE,
    ),
    FieldSpec(
        "loss", "choice", "mean", "Gradient of", "",
        "The mean of the squared residuals, as in the paper's experiments, or half their sum, as in its "
        "analysis. "
        "The loss shown is the mean in any case.",
        "Method", choices=("mean", "half_sum"),
    ),
)  # fmt: skip


WEIGHTS = FieldSpec(
    "weights", "list", (), "Starting weights", "w₀",
    "Weights of the starting neurons max(wx - b, 0), with biases and coefficients: they are rewritten as 1.",
    "Network", low=-LARGEST_VALUE,
)  # fmt: skip
"""Read and never written: Proposition 2.1 (prop:w=1) turns such a network into one with unit weights."""


def method_field() -> FieldSpec:
    """The choice of the method, among those registered."""
    return FieldSpec(
        "method", "choice", "gd", "Method", "",
        "How the network is trained. Several methods race from the same start.",
        "Method", choices=tuple(METHODS),
    )  # fmt: skip


def epochs_field(method: type[Method] | None = None) -> FieldSpec:
    """The budget; its default and its bound depend on the method."""
    return FieldSpec(
        "epochs", "float", method.default_epochs if method else None, "Epochs", "k",
        "How long to train. A longer budget continues the same run.",
        "Budget", limit=method.largest_epochs if method else "flow_epochs", log=True,
    )  # fmt: skip


@cache
def parameter_fields(method: type[Method]) -> Mapping[str, FieldSpec]:
    """The hyper-parameters of one method, as query keys."""
    found = {entry.name: _parameter_field(method.name, entry) for entry in method.parameters()}
    return MappingProxyType(found)


def _parameter_field(method: str, entry: Field[Any]) -> FieldSpec:
    about = entry.metadata
    kind: Kind = "int" if isinstance(entry.default, int) else "float"
    return FieldSpec(
        entry.name, kind, entry.default, about["label"], about["symbol"], about["help"],
        "Method", low=about["low"], high=about["high"], log=about["log"], methods=(method,),
    )  # fmt: skip


def collect_fields() -> tuple[FieldSpec, ...]:
    """Every query key once; a hyper-parameter that several methods share spans all their ranges."""
    return _collected(tuple(METHODS.values()))


@cache
def _collected(methods: tuple[type[Method], ...]) -> tuple[FieldSpec, ...]:
    shared: dict[str, FieldSpec] = {}
    for method in methods:
        for name, spec in parameter_fields(method).items():
            known = shared.get(name, spec)
            shared[name] = replace(
                known,
                low=min(known.low, spec.low),
                high=max(known.high, spec.high),
                methods=tuple(dict.fromkeys((*known.methods, *spec.methods))),
            )
    return (*PROBLEM_FIELDS, method_field(), *shared.values(), epochs_field())


FIELDS = collect_fields()
ALSO_CALLED = MappingProxyType(
    {
        **dict.fromkeys(("lr", "eta", "step_size"), "learning_rate"),
        **dict.fromkeys(("neurons", "n_neurons", "hidden", "n_hidden", "knots", "n_knots"), "width"),
        **dict.fromkeys(("iterations", "max_iter", "n_iter", "steps", "max_epochs"), "epochs"),
        **dict.fromkeys(("optimizer", "solver", "algorithm"), "method"),
        **dict.fromkeys(("random_state", "rng", "random_seed"), "seed"),
        **dict.fromkeys(("m", "n_points", "n_samples", "samples"), "points"),
        **dict.fromkeys(("sigma", "std"), "noise"),
        **dict.fromkeys(("sample_weight", "sample_weights", "w"), "weights"),
        "initialization": "init",
        "function": "target",
        "formula": "target",
    }
)
"""What other libraries, and people, call a key."""


def field_names() -> tuple[str, ...]:
    """Every query key."""
    return (*(spec.name for spec in collect_fields()), WEIGHTS.name)
