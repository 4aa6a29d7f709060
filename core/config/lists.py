"""Lists in a link: every key may hold several values, and the runs are their product.

    seed=0..19          whole numbers from 0 to 19; 0..100..5 takes every fifth
    width=5,10,20       numbers and choices are parted by commas
    target=f1,sin(3*x)  formulas too, by the commas outside their brackets
    domain=-1,1;0,2     what is itself a comma list is parted by semicolons

A race is the special case of several methods. The budget is no such key, since it has no part in a run's
name: one value for all methods, or one for each. A parameter multiplies the runs of the methods that have it
and of no other. Numbers are sorted, and nothing is run twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from core.config.codec import read_methods, read_query, read_target
from core.config.fields import FieldSpec, collect_fields, parameter_fields
from core.config.query import join_query, split_query
from core.config.run_config import RunConfig, race_to_query
from core.limits import LIMITS, Limits
from core.methods import METHODS
from core.spelling import FieldError, format_number, read_number, shorten

_WHOLE = ("data", "epochs", "method", "weights")
"""Keys that are no lists of alternatives: they have one value, or a comma list of their own meaning."""


@dataclass(frozen=True)
class RunList:
    """All the runs of a query, in the order of its lists, methods innermost."""

    configs: tuple[RunConfig, ...]
    lists: Mapping[str, tuple[str, ...]]
    """The keys that hold several values, with the canonical texts of these."""
    query: str
    """The canonical query."""

    @property
    def differing(self) -> tuple[str, ...]:
        """The keys that tell the runs apart."""
        methods = {config.method.name for config in self.configs}
        return (*self.lists, *(("method",) if len(methods) > 1 else ()))


def runs_from_query(
    query: str, *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None
) -> RunList:
    """Every run that a query with lists describes; a ValueError names the key and what is allowed."""
    values, methods = _read(query, limits)
    specs = {spec.name: spec for spec in collect_fields()}
    number = _number(values, methods)
    if number > limits.study_runs:
        raise FieldError("query", f"its lists describe {number:,} runs; allowed are {limits.study_runs:,}")
    found: dict[str, RunConfig] = {}
    read: dict[str, RunConfig] = {}
    for single in _combinations(values, methods):
        # A seed changes nothing in the meaning of the other keys: to read them once saves nine tenths.
        seed = single.pop("seed", None)
        rest = join_query(single)
        if rest not in read:
            first = single if seed is None else single | {"seed": seed}
            read[rest] = RunConfig.from_query(join_query(first), limits=limits, datasets=datasets)
        config = read[rest] if seed is None else replace(read[rest], seed=specs["seed"].read(seed, limits))
        found.setdefault(config.run_id, config)
    configs = tuple(found.values())
    lists = {key: entries for key, entries in sorted(values.items()) if len(entries) > 1}
    return RunList(configs, lists, _canonical(configs, values, lists, specs, limits))


def count_runs(query: str, *, limits: Limits = LIMITS) -> int:
    """How many runs a query describes, without making them; what is given twice is counted twice."""
    return _number(*_read(query, limits))


def check_list(spec: FieldSpec, text: str, limits: Limits) -> None:
    """Refuse what is neither a value of this key nor a list of such; the budget has one for each method."""
    if spec.name in _WHOLE:
        for part in text.split(",") if spec.name in ("method", "epochs") else [text]:
            spec.read(part, limits)
    else:
        _alternatives(spec, text, limits)


def _read(query: str, limits: Limits) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """The values of every key, and the methods."""
    specs = {spec.name: spec for spec in collect_fields()}
    values = {
        key: _alternatives(specs[key], text, limits) if key not in _WHOLE else (text,)
        for key, text in read_query(query, limits).items()
    }
    first = {key: entries[0] for key, entries in values.items()}
    return values, [method.name for method in read_methods(first, limits)]


def _alternatives(spec: FieldSpec, text: str, limits: Limits) -> tuple[str, ...]:
    """The canonical texts of the values that a list holds, each allowed by itself."""
    parts = [part.strip() for part in _parted(spec, text, limits)]
    if not all(parts):
        raise FieldError(spec.name, f"{shorten(text)!r} has an empty place in its list")
    if spec.name == "target":
        return tuple(dict.fromkeys(read_target(part, limits) for part in parts))
    if spec.kind == "choice":
        return tuple(dict.fromkeys(spec.read(part, limits) for part in parts))
    read = {spec.write(spec.read(part, limits)): spec.read(part, limits) for part in parts}
    return tuple(sorted(read, key=lambda part: read[part]))


def _parted(spec: FieldSpec, text: str, limits: Limits) -> Iterator[str]:
    if spec.kind in ("list", "domain"):
        yield from text.split(";")
    elif spec.kind == "text":
        depth, begin = 0, 0
        for place, letter in enumerate(text):
            depth += (letter in "([{") - (letter in ")]}")
            if letter == "," and depth == 0:
                yield text[begin:place]
                begin = place + 1
        yield text[begin:]
    else:
        for part in text.split(","):
            yield from _range(spec, part, limits) if spec.kind == "int" and ".." in part else (part,)


def _range(spec: FieldSpec, text: str, limits: Limits) -> Iterator[str]:
    """a..b and a..b..step, both ends included."""
    try:
        ends = [read_number(part) for part in text.split("..")]
    except ValueError:
        ends = []
    low, high, step = (*ends, 1.0)[:3] if len(ends) in (2, 3) else (0.0, -1.0, 1.0)
    if not (low <= high and step >= 1.0 and all(end == int(end) for end in ends)):
        raise FieldError(spec.name, f"{shorten(text)!r} is not a range of whole numbers such as 0..19")
    if (high - low) // step >= limits.study_runs:
        raise FieldError(spec.name, f"{shorten(text)} has more than {limits.study_runs:,} values")
    return map(str, range(int(low), int(high) + 1, int(step)))


def _number(values: Mapping[str, Sequence[str]], methods: Sequence[str]) -> int:
    return sum(prod(len(entries) for entries in _own(values, method).values()) for method in methods)


def _own(values: Mapping[str, Sequence[str]], method: str) -> dict[str, Sequence[str]]:
    """The keys that concern a method: those of the problem, and its own parameters."""
    parameters = {key for other in METHODS.values() for key in parameter_fields(other)}
    own = parameter_fields(METHODS[method])
    return {
        key: values[key]
        for key in sorted(values)
        if (key in own or key not in parameters) and key not in ("method", "epochs")
    }


def _combinations(values: Mapping[str, Sequence[str]], methods: Sequence[str]) -> Iterator[dict[str, str]]:
    """One set of texts for each run: the problems first, then for each of them the methods."""
    budgets = values["epochs"][0].split(",") if "epochs" in values else []
    if len(budgets) not in (0, 1, len(methods)):
        raise FieldError(
            "epochs", f"{len(budgets)} values for {len(methods)} methods; give one, or one for each"
        )
    parameters = {key for method in METHODS.values() for key in parameter_fields(method)}
    problem = {key: values[key] for key in sorted(values) if key not in (*parameters, "method", "epochs")}
    for chosen in product(*problem.values()):
        common = dict(zip(problem, chosen, strict=True))
        for place, method in enumerate(methods):
            own = {key: entries for key, entries in _own(values, method).items() if key in parameters}
            budget = {"epochs": budgets[place % len(budgets)]} if budgets else {}
            for setting in product(*own.values()):
                yield common | dict(zip(own, setting, strict=True)) | {"method": method} | budget


def _canonical(
    configs: Sequence[RunConfig],
    values: Mapping[str, Sequence[str]],
    lists: Mapping[str, Sequence[str]],
    specs: Mapping[str, FieldSpec],
    limits: Limits,
) -> str:
    """Keys without a list as in the query of a single race; numbers of a list in a row as a range."""
    race: dict[str, RunConfig] = {}
    for config in configs:
        race.setdefault(config.method.name, config)
    texts = split_query(race_to_query(tuple(race.values()), limits=limits), limits.query_bytes)
    if "target" in lists:  # defaults depend on the target, so that nothing given may be left out
        single = {key: entries[0] for key, entries in values.items() if key not in (*_WHOLE, *lists)}
        texts |= {key: specs[key].write(specs[key].read(text, limits)) for key, text in single.items()}
    for key, entries in lists.items():
        parted = ";" if specs[key].kind in ("list", "domain") else ","
        texts[key] = parted.join(_ranged(entries) if specs[key].kind == "int" else entries)
    query = join_query(texts)
    if len(query) > limits.query_bytes:
        raise FieldError(
            "query", f"{len(query)} bytes in its canonical spelling, at most {limits.query_bytes} are allowed"
        )
    return query


def _ranged(entries: Sequence[str]) -> list[str]:
    """Ascending whole numbers, three and more in a row as a range."""
    numbers = [int(float(entry)) for entry in entries]
    rows: list[list[int]] = []
    for number in numbers:
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return [
        part
        for row in rows
        for part in ([f"{row[0]}..{row[-1]}"] if len(row) > 2 else [format_number(number) for number in row])
    ]
