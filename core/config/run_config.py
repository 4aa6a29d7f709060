"""A run as a value: what is learned, by which network, by which method, for how long.

The query of a link is the only truth (controls write it, everything reads it),
and `RunConfig` is its meaning. Data and starting point depend on the problem and
the seed alone, so that all methods of a race start from the same (b, c). The
run's id is a hash of everything but the budget: a longer budget continues the
same run, and two people with the same link watch one computation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Self

import numpy as np

from ..limits import LIMITS, Limits
from ..methods.contract import Method
from ..problem.csv import dataset_id, read_canonical
from ..problem.data import (
    B_STREAM,
    C_STREAM,
    Domain,
    Sampling,
    TrainingData,
    add_noise,
    sample,
    stream,
)
from ..problem.formula import parse
from ..problem.gallery import TARGETS
from ..problem.scale import Scale
from ..problem.units import suggested_units
from ..spelling import FieldError, shorten
from ..types import FloatArray
from .codec import check_keys, read_problem, read_query, write_problem
from .fields import PROBLEM_FIELDS, STARTS, change_data, parameter_fields
from .labels import scale_of
from .method_codec import read_epochs, read_methods, write_epochs, write_methods
from .query import join_query

NUMERICS_VERSION = "5"
"""Part of every run id: raise it when the same query would give other numbers than before."""

_DOMAIN = next(spec.default for spec in PROBLEM_FIELDS if spec.name == "domain")
_CHECKED = replace(LIMITS, formula_length=10**6, formula_nodes=10**6, formula_depth=200)
"""For formulas whose limits were checked, whatever they were, when the query was read."""


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """Everything that determines a run. Made by `from_query`; the fields are the query keys.

    Examples
    --------
    >>> from core import RunConfig
    >>> config = RunConfig.from_query("target=sin(pi*x)&points=50&method=anls&seed=3")
    >>> config.points, config.seed, config.to_query()
    (50, 3, 'method=anls&points=50&seed=3&target=sin(pi*x)')
    >>> config.training_data().x.shape, config.initial()[0].shape
    ((50,), (10,))
    >>> config.with_epochs(200.0).epochs, config.estimated_seconds() < 60.0
    (200.0, True)
    >>> RunConfig.from_settings({"target": "f1", "seed": "3"}) == RunConfig.from_query("target=f1&seed=3")
    True
    >>> RunConfig.from_query("data=2000:1;2010:3;2020:2").in_better_units().units
    (2010.0, 10.0, 0.0, 1.0)
    >>> RunConfig.undrawn("target=log(x)").target  # not finite on its points: from_query refuses it
    'log(x)'
    >>> RunConfig.from_query("widht=3")
    Traceback (most recent call last):
    core.spelling.FieldError: widht: unknown key; did you mean width?
    """

    target: str
    """Name or canonical formula; empty with own data."""
    data: str
    """Own data as canonical text; empty with a target."""
    points: int
    sampling: Sampling
    noise: float
    domain: Domain
    width: int
    init: str
    biases: tuple[float, ...]
    coefficients: tuple[float, ...]
    units: tuple[float, ...]
    """Origin and unit of x, origin and unit of y; empty where they are as given."""
    labels: str
    """What the data, their x and their y are called; see core.config.codec.read_labels."""
    calendar: str
    """Whether x counts days since 1970: yes or no."""
    seed: int
    loss: str
    """What gradients are taken of; the loss that is recorded is the mean in any case."""
    method: Method
    epochs: float
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What was done to own data while reading them."""

    def __repr__(self) -> str:
        return f"<RunConfig: {shorten(self.to_query(), 200)}>"

    @classmethod
    def from_query(
        cls, query: str, *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
    ) -> Self:
        """The run that a query describes; a ValueError names the key, its value and what is allowed."""
        config = cls.undrawn(query, limits=limits, datasets=datasets)
        config._check_data()
        return config

    @classmethod
    def undrawn(
        cls, query: str, *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
    ) -> Self:
        """The same, also where its data cannot be drawn, as of a formula that is not finite on its points."""
        return cls._only(cls._all_from_query(query, limits, datasets or {}))

    @classmethod
    def from_settings(
        cls, texts: Mapping[str, str], *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
    ) -> Self:
        """The run of these keys and values, spelled as in a query."""
        check_keys(texts)
        config = cls._only(cls._all_from_texts(texts, limits, datasets or {}))
        config._check_data()
        return config

    @classmethod
    def _only(cls, configs: tuple[Self, ...]) -> Self:
        if len(configs) != 1:
            names = ",".join(config.method.name for config in configs)
            raise FieldError("method", f"{names} is a race of {len(configs)} runs, only one is allowed here")
        return configs[0]

    @classmethod
    def _all_from_query(cls, query: str, limits: Limits, datasets: Mapping[str, str]) -> tuple[Self, ...]:
        return cls._all_from_texts(read_query(query, limits), limits, datasets)

    @classmethod
    def _all_from_texts(
        cls, texts: Mapping[str, str], limits: Limits, datasets: Mapping[str, str]
    ) -> tuple[Self, ...]:
        problem = read_problem(texts, limits, datasets)
        methods = read_methods(texts, limits)
        budgets = read_epochs(texts, methods, limits)
        configs = tuple(
            cls(**problem, method=method, epochs=budget)
            for method, budget in zip(methods, budgets, strict=True)
        )
        size = len(race_to_query(configs, limits=limits))
        if size > limits.query_bytes:
            raise FieldError(
                "query", f"{size} bytes in its canonical spelling, at most {limits.query_bytes} are allowed"
            )
        return configs

    def to_query(self, *, limits: Limits = LIMITS) -> str:
        """The canonical query: sorted keys, defaults left out."""
        return race_to_query((self,), limits=limits)

    @cached_property
    def run_id(self) -> str:
        """32 hexadecimal digits that name the run: problem, method and numerics, but not the budget."""
        values = {
            spec.name: spec.write(getattr(self, spec.name))
            for spec in PROBLEM_FIELDS
            if not (spec.later and getattr(self, spec.name) == spec.default)
        }
        values["data"] = dataset_id(self.data) if self.data else ""
        values["method"] = self.method.name
        for name, spec in parameter_fields(type(self.method)).items():
            values[name] = spec.write(getattr(self.method, name))
        # A key that says nothing has no part in the name, so that new keys do not rename old runs.
        given = {name: value for name, value in values.items() if value}
        return sha256(f"{NUMERICS_VERSION}\n{join_query(given)}".encode()).hexdigest()[:32]

    @property
    def dataset(self) -> tuple[str, str] | None:
        """Name and canonical text of own data, to be kept where links are looked up."""
        return (dataset_id(self.data), self.data) if self.data else None

    def training_data(self) -> TrainingData:
        """The data, a pure function of the problem and the seed, in the units of the problem."""
        return self._training_data

    def _check_data(self) -> None:
        """Draw the data where that may be refused. Named functions are finite on their own domain, and their
        values need kernels."""
        target = TARGETS.get(self.target)
        if target is None or target.fixed or self.units or self.domain != _DOMAIN:
            self.training_data()

    @cached_property
    def _training_data(self) -> TrainingData:
        about = {"notes": self.notes, "scale": scale_of((), self.labels, self.calendar)}
        data = self._given_data(halved=self.loss == "half_sum", **about)
        return change_data(data, {spec.name: getattr(self, spec.name) for spec in PROBLEM_FIELDS})

    @property
    def scale(self) -> Scale:
        """How the numbers of this run are told: in the data's own units, by their own names."""
        return scale_of(self.units, self.labels, self.calendar)

    def _given_data(self, **more: Any) -> TrainingData:
        """The data before the settings that change them."""
        pairs = TARGETS[self.target].data if self.target in TARGETS else ()
        if not (self.data or pairs):
            drawn = (self.points, self.sampling, self.noise, self.domain, self.seed)
            named = TARGETS[self.target].function if self.target in TARGETS else None
            return sample(named or parse(self.target, _CHECKED), *drawn, **more)
        weights = TARGETS[self.target].weights if pairs else ()
        w = np.array(weights or np.ones(len(pairs)))
        x, y, w = read_canonical(self.data) if self.data else (*np.array(pairs).T, w)
        return TrainingData(x, add_noise(y, self.noise, self.seed), None, self.domain, w=w, **more)

    def initial(self) -> tuple[FloatArray, FloatArray]:
        """The starting (b, c), read-only, a pure function of the problem and the seed."""
        return self._initial

    @cached_property
    def _initial(self) -> tuple[FloatArray, FloatArray]:
        streams = stream(self.seed, B_STREAM), stream(self.seed, C_STREAM)
        b, c = STARTS[self.init](*streams, self.width, self.training_data())
        b = np.array(self.biases or b, dtype=np.float64)
        c = np.array(self.coefficients or c, dtype=np.float64)
        b.setflags(write=False)
        c.setflags(write=False)
        return b, c

    def with_epochs(self, epochs: float, *, limits: Limits = LIMITS) -> Self:
        """The same run with another budget."""
        (budget,) = read_epochs({"epochs": repr(float(epochs))}, (self.method,), limits)
        return replace(self, epochs=budget)

    def in_better_units(self) -> Self | None:
        """The same data in units in which they are of size one; None where they are, or say their units."""
        units = None if self.units else suggested_units(self.training_data())
        return None if units is None else replace(self, units=tuple(units), biases=(), coefficients=())

    def estimated_seconds(self) -> float:
        """About how long the whole budget takes, before anything is run."""
        return self.method.seconds(self.width, self.points, self.epochs)


def race_from_query(
    query: str, *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
) -> tuple[RunConfig, ...]:
    """One run for each method of the query's comma list, all from the same data and the same start.

    Parameters
    ----------
    query, limits, datasets
        The query, what it may ask for, and canonical texts of own data by their names.

    Returns
    -------
    tuple of RunConfig
        The runs, in the order of the methods.

    Examples
    --------
    >>> from core.config import race_from_query
    >>> [run.method.name for run in race_from_query("target=f1&method=gd,anls")]
    ['gd', 'anls']
    """
    configs = RunConfig._all_from_query(query, limits, datasets or {})
    configs[0]._check_data()
    return configs


def race_to_query(configs: tuple[RunConfig, ...], *, limits: Limits = LIMITS) -> str:
    """The canonical query of a race; ValueError where the runs differ in more than the method.

    Parameters
    ----------
    configs, limits
        The runs; the limits decide which budget goes without saying, and how much data a link holds.

    Returns
    -------
    str
        The query that `race_from_query` reads.

    Examples
    --------
    >>> from core.config import race_from_query, race_to_query
    >>> race_to_query(race_from_query("seed=0&method=gd,anls&epochs=500"))
    'epochs=500&method=gd,anls'
    """
    problems = [{spec.name: getattr(config, spec.name) for spec in PROBLEM_FIELDS} for config in configs]
    if any(problem != problems[0] for problem in problems):
        raise ValueError("a race needs the same problem for all of its methods")
    methods = [config.method for config in configs]
    budgets = [config.epochs for config in configs]
    texts = write_problem(problems[0], limits) | write_methods(methods)
    return join_query(texts | write_epochs(methods, budgets, limits))
