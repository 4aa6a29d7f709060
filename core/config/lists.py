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
from math import prod

from ..limits import LIMITS, Limits
from ..methods import METHODS
from ..spelling import FieldError, format_number, read_number, shorten
from .codec import read_query, read_target
from .field_spec import FieldSpec
from .fields import collect_fields, parameter_fields
from .method_codec import read_methods
from .query import join_query, split_query
from .run_config import RunConfig, race_to_query

_WHOLE = ("data", "epochs", "labels", "method", "weights")
"""Keys that are no lists of alternatives: they have one value, or a comma list of their own meaning."""


Values = Mapping[str, tuple[str, ...]]
"""The values of every key of a query, as canonical texts; those of `_WHOLE` as they were given."""


def count_runs(query: str, *, limits: Limits = LIMITS) -> int:
    """How many runs a query describes, without making them; what is given twice is counted twice.

    Parameters
    ----------
    query
        The query, whose keys may hold several values.
    limits
        What each value may be.

    Returns
    -------
    int
        The product of the lengths of its lists.

    Examples
    --------
    >>> from core.config import count_runs
    >>> count_runs("seed=0..19&method=gd,anls")
    40
    """
    return number_of(*read_lists(query, limits))


def check_list(spec: FieldSpec, text: str, limits: Limits) -> None:
    """Refuse what is neither a value of this key nor a list of such; the budget has one for each method.

    Parameters
    ----------
    spec
        The key.
    text
        What a query gives it.
    limits
        What a value may be.

    Returns
    -------
    None

    Raises
    ------
    FieldError
        Names the value that is not allowed, and what is.

    Examples
    --------
    >>> from core.config import FIELDS, check_list
    >>> from core.limits import LIMITS
    >>> seed = next(spec for spec in FIELDS if spec.name == "seed")
    >>> check_list(seed, "0..19", LIMITS)
    >>> check_list(seed, "0..19,x", LIMITS)
    Traceback (most recent call last):
    core.spelling.FieldError: seed: 'x' is not allowed; allowed are whole numbers from 0 to 4294967295
    """
    if spec.name in _WHOLE:
        for part in text.split(",") if spec.name in ("method", "epochs") else [text]:
            spec.read(part, limits)
    else:
        _alternatives(spec, text, limits)


def read_lists(query: str, limits: Limits) -> tuple[Values, list[str]]:
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


def number_of(values: Values, methods: Sequence[str]) -> int:
    """How many runs the product has."""
    problems = prod(len(entries) for entries in problem_keys(values).values())
    return problems * sum(
        prod(len(entries) for entries in own_keys(values, method).values()) for method in methods
    )


def problem_keys(values: Values) -> Values:
    """The keys that say what is learned, with their values."""
    parameters = {key for method in METHODS.values() for key in parameter_fields(method)}
    return {key: values[key] for key in sorted(values) if key not in (*parameters, "method", "epochs")}


def own_keys(values: Values, method: str) -> Values:
    """The keys that are parameters of a method, with their values."""
    own = parameter_fields(METHODS[method])
    return {key: values[key] for key in sorted(values) if key in own}


def write_lists(race: tuple[RunConfig, ...], values: Values, limits: Limits) -> str:
    """The canonical query: keys without a list as in the query of a single race, of which this is the first;
    whole numbers of a list in a row as a range."""
    specs = {spec.name: spec for spec in collect_fields()}
    lists = {key: entries for key, entries in values.items() if len(entries) > 1}
    texts = split_query(race_to_query(race, limits=limits), limits.query_bytes)
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
