"""Every query key, declared once (core.config.field_spec).

The hyper-parameters of the methods are not declared here but collected from the
methods' own dataclass fields (core.methods.contract.parameter), so that a new
method brings its keys and its controls along.
"""

from collections.abc import Mapping
from dataclasses import Field, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from ..methods import METHODS
from ..methods.contract import Method
from ..model.initial import INITIALISATIONS, Initialisation
from ..problem.data import LARGEST_VALUE, TrainingData
from ..problem.gallery import TARGETS
from ..problem.units import Units, in_units
from ..theory.construction import fully_trained
from .field_spec import FieldSpec, Kind

LARGEST_X = 1e6
STARTS: dict[str, Initialisation] = {**INITIALISATIONS, "fully_trained": fully_trained}
"""The starting networks that a link can name: drawn by a law, or built to be stationary."""


def _in_units(data: TrainingData, units: tuple[float, ...]) -> TrainingData:
    return in_units(data, Units(*units))


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
        "Data", low=-LARGEST_VALUE, changed_data=_in_units,
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


def change_data(data: TrainingData, values: Mapping[str, Any]) -> TrainingData:
    """The data after all settings that change them, in the order in which the fields are declared."""
    for spec in PROBLEM_FIELDS:
        if spec.changed_data and values[spec.name] != spec.default:
            data = spec.changed_data(data, values[spec.name])
    return data


def method_field() -> FieldSpec:
    """The choice of the method, among those registered.

    Parameters
    ----------
    None

    Returns
    -------
    FieldSpec
        Made anew, since methods may be registered at any time.

    Examples
    --------
    >>> from core.config import method_field
    >>> method_field().choices[:3]
    ('gd', 'adam', 'flow')
    """
    return FieldSpec(
        "method", "choice", "gd", "Method", "",
        "How the network is trained. Several methods race from the same start.",
        "Method", choices=tuple(METHODS),
    )  # fmt: skip


def epochs_field(method: type[Method] | None = None) -> FieldSpec:
    """The budget; its default and its bound depend on the method.

    Parameters
    ----------
    method
        Left out, the budget of any method is meant.

    Returns
    -------
    FieldSpec
        With the method's own default.

    Examples
    --------
    >>> from core import METHODS
    >>> from core.config import epochs_field
    >>> epochs_field(METHODS["anls"]).default, epochs_field().default
    (1000.0, None)
    """
    return FieldSpec(
        "epochs", "float", method.default_epochs if method else None, "Epochs", "k",
        "How long to train. A longer budget continues the same run.",
        "Budget", limit=method.largest_epochs if method else "flow_epochs", log=True,
    )  # fmt: skip


@cache
def parameter_fields(method: type[Method]) -> Mapping[str, FieldSpec]:
    """The hyper-parameters of one method, as query keys.

    Parameters
    ----------
    method
        Its class.

    Returns
    -------
    mapping of str to FieldSpec
        In the order in which the class declares them.

    Examples
    --------
    >>> from core import METHODS
    >>> from core.config import parameter_fields
    >>> list(parameter_fields(METHODS["gd"]))
    ['learning_rate', 'decay']
    """
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
    """Every query key.

    Parameters
    ----------
    None

    Returns
    -------
    tuple of str
        Those of the problem first, then the method, the hyper-parameters and the budget.

    Examples
    --------
    >>> from core.config import field_names
    >>> field_names()[:3], "learning_rate" in field_names()
    (('target', 'data', 'points'), True)
    """
    return (*(spec.name for spec in collect_fields()), WEIGHTS.name)
