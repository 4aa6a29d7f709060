"""Every run of a query with lists, each made when it is asked for.

Ten thousand runs share few values: each value is read once, each problem once whatever its seed, each method
once for each of its settings. A run is a problem, a seed and a method.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from ..limits import LIMITS, Limits
from ..methods.contract import Method
from ..spelling import FieldError, format_number
from .codec import read_problem
from .lists import Values, number_of, own_keys, problem_keys, read_lists, write_lists
from .method_codec import read_epochs, read_methods
from .run_config import RunConfig

_DATA = ("target", "data", "points", "sampling", "noise", "domain", "units")
_TRIED = 200
"""So many kinds of data are drawn beforehand, to refuse a formula that is not finite on its points; beyond
them the run itself says so."""

Problem = dict[str, Any]


@dataclass(frozen=True)
class RunList:
    """All the runs of a query, in the order of its lists, methods innermost."""

    problems: tuple[Problem, ...]
    """The fields of every problem, but for the seed."""
    cells: tuple[tuple[int, int], ...]
    """Places of problems, and seeds."""
    variants: tuple[tuple[Method, float], ...]
    """Methods with their settings, and budgets: every cell is run by each of them."""
    lists: Values
    """The keys that hold several values, with the canonical texts of these."""
    query: str
    """The canonical query."""

    def __len__(self) -> int:
        return len(self.cells) * len(self.variants)

    def run(self, place: int) -> RunConfig:
        """The run at a place."""
        cell, variant = divmod(place, len(self.variants))
        (problem, seed), (method, epochs) = self.cells[cell], self.variants[variant]
        return RunConfig(**{**self.problems[problem], "seed": seed}, method=method, epochs=epochs)

    @cached_property
    def configs(self) -> tuple[RunConfig, ...]:
        """All runs."""
        return tuple(map(self.run, range(len(self))))

    def seconds(self) -> Iterator[float]:
        """What each run takes, before anything is run, by the methods' own estimates."""
        known: dict[tuple[int, int], tuple[float, ...]] = {}
        for place, _ in self.cells:
            size = self.problems[place]["width"], self.problems[place]["points"]
            if size not in known:
                known[size] = tuple(method.seconds(*size, epochs) for method, epochs in self.variants)
            yield from known[size]

    @property
    def differing(self) -> tuple[str, ...]:
        """The keys that tell the runs apart."""
        methods = {method.name for method, _ in self.variants}
        return (*self.lists, *(("method",) if len(methods) > 1 else ()))


def runs_from_query(
    query: str, *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
) -> RunList:
    """Every run that a query with lists describes; a ValueError names the key and what is allowed.

    Parameters
    ----------
    query
        The query; each of its keys may hold several values (core.config.lists).
    limits
        Of which `study_runs` bounds the number.
    datasets
        Canonical texts of own data, by the names that links give them.

    Returns
    -------
    RunList
        A sequence that makes each run when it is asked for.

    Examples
    --------
    >>> from core.config import runs_from_query
    >>> runs = runs_from_query("seed=0..2&method=gd,anls")
    >>> len(runs), runs.differing, runs.run(5).to_query()
    (6, ('seed', 'method'), 'method=anls&seed=2')
    """
    values, methods = read_lists(query, limits)
    number = number_of(values, methods)
    if number > limits.study_runs:
        raise FieldError("query", f"its lists describe {number:,} runs; allowed are {limits.study_runs:,}")
    variants = tuple(_variants(values, methods, limits))
    problems, cells = _problems(values, limits, datasets or {})
    lists = {key: entries for key, entries in sorted(values.items()) if len(entries) > 1}
    found = RunList(problems, cells, variants, lists, "")
    _try_data(found)
    race: dict[str, RunConfig] = {}
    for place, (method, _) in enumerate(variants):
        race.setdefault(method.name, found.run(place))
    return RunList(problems, cells, variants, lists, write_lists(tuple(race.values()), values, limits))


def _variants(values: Values, methods: Sequence[str], limits: Limits) -> Iterator[tuple[Method, float]]:
    texts = {key: values[key][0] for key in ("epochs",) if key in values}
    firsts = tuple(
        _method(name, {key: own[0] for key, own in own_keys(values, name).items()}, limits)
        for name in methods
    )
    for name, budget in zip(methods, read_epochs(texts, firsts, limits), strict=True):
        own = own_keys(values, name)
        for setting in product(*own.values()):
            yield _method(name, dict(zip(own, setting, strict=True)), limits), budget


def _method(name: str, texts: Mapping[str, str], limits: Limits) -> Method:
    return read_methods({**texts, "method": name}, limits)[0]


def _problems(
    values: Values, limits: Limits, datasets: Mapping[str, str]
) -> tuple[tuple[Problem, ...], tuple[tuple[int, int], ...]]:
    """Every problem once, and the pairs of problem and seed; what comes out the same is there once."""
    keys = problem_keys(values)
    places: dict[tuple[str, ...], int] = {}
    numbers: dict[tuple[Any, ...], int] = {}
    problems: list[Problem] = []
    cells: dict[tuple[int, int], None] = {}
    for chosen in product(*keys.values()):
        texts = dict(zip(keys, chosen, strict=True))
        seed = int(float(texts.pop("seed", "0")))
        others = tuple(texts.values())
        if others not in places:
            problem = read_problem(texts, limits, datasets)
            number = numbers.setdefault(tuple(problem.values()), len(problems))
            if number == len(problems):
                problems.append(problem)
            places[others] = number
        cells[places[others], seed] = None
    return tuple(problems), tuple(cells)


def _try_data(found: RunList) -> None:
    """Refuse a formula that is not finite on its points, with the first seed."""
    tried: set[tuple[Any, ...]] = set()
    for place, (number, _) in enumerate(found.cells):
        problem = found.problems[number]
        data = tuple(problem[key] for key in _DATA)
        if data not in tried and len(tried) < _TRIED:
            tried.add(data)
            found.run(place * len(found.variants)).training_data()


def check_cost(config: RunConfig, limits: Limits = LIMITS, done: float = 0.0) -> None:
    """Refuse a run that would take too long for a shared server; in Python it may be run all the same.

    Parameters
    ----------
    config
        The run, with its whole budget.
    limits
        Of which `cpu_seconds` counts.
    done
        The part of it that is there already.

    Returns
    -------
    None

    Raises
    ------
    FieldError
        Names the budget that would be allowed.

    Examples
    --------
    >>> from core.config import RunConfig, check_cost
    >>> try:
    ...     check_cost(RunConfig.from_query("width=1000&epochs=1e9"))
    ... except ValueError as error:
    ...     print(str(error).partition(";")[2])
     allowed are 600 s, about 1e+08 epochs
    """
    seconds = config.estimated_seconds() * (1.0 - done)
    if seconds > limits.cpu_seconds:
        fitting = config.epochs * limits.cpu_seconds / seconds
        raise FieldError(
            "epochs",
            f"{format_number(config.epochs)} epochs of {config.method.title} at width {config.width}"
            f" on {config.points} points take about {seconds:,.0f} s of computing here;"
            f" allowed are {limits.cpu_seconds:,.0f} s, about {fitting:.1g} epochs",
        )
