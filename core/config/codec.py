"""Between the texts of a query and the values of a run, in both directions.

Reading fills what a query leaves out: first from the target's own defaults, then
from the fields' defaults. Writing leaves out exactly what reading would fill in,
so that read(write(run)) is the run, and two queries for one run become one text.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from ..limits import Limits
from ..model.unit_weights import from_general
from ..problem.csv import (
    DATASET_ID,
    canonical_csv,
    dataset_id,
    decode_inline,
    encode_inline,
    parse_csv,
)
from ..problem.formula import parse
from ..problem.gallery import TARGETS
from ..problem.scale import Scale
from ..spelling import FieldError, format_number, near_miss, shorten
from .fields import (
    ALSO_CALLED,
    PROBLEM_FIELDS,
    WEIGHTS,
    field_names,
)
from .labels import read_labels, scale_of
from .query import PAGE_KEYS, split_query

SAMPLED = ("points", "sampling", "domain")
"""The keys that mean nothing where the points themselves are given."""
_WRITTEN = ("units", "labels", "calendar")
"""The keys that say how numbers are told."""
_NETWORK = ("width", "init", "biases", "coefficients")


def read_query(query: str, limits: Limits) -> dict[str, str]:
    """The texts of the query's keys; an unknown key is refused."""
    texts = split_query(query, limits.query_bytes)
    check_keys(texts)
    return texts


def check_keys(keys: Iterable[str]) -> None:
    """Refuse an unknown key, naming the one that was probably meant."""
    known = field_names()
    for key in keys:
        if key not in known:
            if key in PAGE_KEYS:
                raise FieldError(key, "it says how a page shows the run; leave it out")
            advice = near_miss(key, known, ALSO_CALLED) or f"known are {', '.join(known)}"
            raise FieldError(shorten(key), f"unknown key; {advice}")


def read_problem(texts: Mapping[str, str], limits: Limits, datasets: Mapping[str, str]) -> dict[str, Any]:
    """Every field of the problem, and the notes on own data."""
    given = {spec.name: spec.read(texts[spec.name], limits) for spec in PROBLEM_FIELDS if spec.name in texts}
    if "data" in given:
        given = {name: value for name, value in given.items() if name not in ("target", *SAMPLED)}
        given |= _read_data(given["data"], limits, datasets)
    elif "target" in given:
        given["target"] = read_target(given["target"], limits)
    problem = _defaults(given.get("target", "f1")) | {"notes": ()}
    _refuse_resampling(given, problem)
    if any(name in given for name in _NETWORK):
        problem |= {"biases": ()}
    _check_units(given.get("units", ()))
    read_labels(given.get("labels", ""))
    if WEIGHTS.name in texts:
        given |= _unit_weights(WEIGHTS.read(texts[WEIGHTS.name], limits), problem | given)
    return problem | given | {"width": _read_width(problem | given, given, limits)}


def _read_data(text: str, limits: Limits, datasets: Mapping[str, str]) -> Mapping[str, Any]:
    """The fields that own data determine."""
    if not text.startswith("@"):
        return _own_data(text, limits, inline=True)
    name = text[1:]
    if not DATASET_ID.fullmatch(name):
        raise FieldError("data", f"{shorten(text)!r} is not @ and 32 hexadecimal digits")
    if name not in datasets:
        raise FieldError(
            "data",
            f"there is no data set {text} here; upload it again, or in Python pass datasets=result.dataset",
        )
    return _own_data(datasets[name], limits, inline=False)


@lru_cache(maxsize=4)
def _own_data(text: str, limits: Limits, *, inline: bool) -> Mapping[str, Any]:
    """Read once for all the runs of a link."""
    points, notes = decode_inline(text, limits) if inline else parse_csv(text, limits)
    ends = float(points.x[0]), float(points.x[-1])
    found = {"target": "", "data": canonical_csv(points), "points": len(points.x), "notes": notes}
    return MappingProxyType(found | {"domain": ends})


def read_target(text: str, limits: Limits) -> str:
    """A name of the gallery as it is, a formula in its canonical spelling."""
    if text in TARGETS:
        return text
    try:
        return parse(text, limits).text
    except ValueError as error:
        advice = near_miss(text, TARGETS)
        names = f"is neither a formula in x nor one of {', '.join(TARGETS)}{advice and '; ' + advice}"
        raise FieldError("target", f"{shorten(text)!r} {names if text.isidentifier() else error}") from None


def _defaults(target: str) -> dict[str, Any]:
    """What the fields of the problem are when only the target is given."""
    values = {spec.name: spec.default for spec in PROBLEM_FIELDS} | {"target": target}
    if target in TARGETS:
        values |= TARGETS[target].defaults
        points = TARGETS[target].data
        if points:
            values |= {"points": len(points), "domain": (points[0][0], points[-1][0])}
    return values


def _refuse_resampling(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    name = defaults["target"]
    if name not in TARGETS or not TARGETS[name].fixed:
        return
    for key in SAMPLED:
        if given.get(key, defaults[key]) != defaults[key]:
            raise FieldError(key, f"target {name} has {defaults['points']} fixed points; leave {key} out")


def _check_units(units: tuple[float, ...]) -> None:
    if units and (len(units) != 4 or not (units[1] > 0.0 and units[3] > 0.0)):
        text = ",".join(map(format_number, units))
        raise FieldError(
            "units",
            f"{shorten(text)} is not allowed; allowed are four numbers, "
            "the origin and the unit of x and those of y, units positive",
        )


@lru_cache(maxsize=4_096)
def scale_in(query: str) -> Scale:
    """How the numbers of a run are told, by its canonical query, without reading the rest of it.

    Parameters
    ----------
    query
        A canonical query.

    Returns
    -------
    Scale
        That of `RunConfig.scale`.

    Examples
    --------
    >>> from core.config import scale_in
    >>> scale_in("target=f1&units=1900,10,0,1").x(0.5)
    1905.0
    """
    texts = split_query(query, len(query) + 1)
    values = _defaults("" if "data" in texts else texts.get("target", "f1"))
    specs = {spec.name: spec for spec in PROBLEM_FIELDS}
    found = {key: specs[key].read(texts[key]) if key in texts else values[key] for key in _WRITTEN}
    return scale_of(**found)


def _unit_weights(weights: tuple[float, ...], problem: Mapping[str, Any]) -> dict[str, Any]:
    """Biases and coefficients of the network with unit weights (Proposition 2.1, prop:w=1), and a note."""
    biases, coefficients = problem["biases"], problem["coefficients"]
    if not len(weights) == len(biases) == len(coefficients):
        raise FieldError(
            "weights",
            f"{len(weights)} numbers need as many biases and coefficients; "
            f"there are {len(biases)} and {len(coefficients)}",
        )
    low, high = problem["domain"]
    if problem["units"]:
        origin, unit = problem["units"][:2]
        low, high = (low - origin) / unit, (high - origin) / unit
    b, c = from_general(np.array(weights), np.array(biases), np.array(coefficients), (low, high))
    if not len(b):
        b, c = np.array([high]), np.array([0.0])
    note = f"{len(weights)} neurons with weights were rewritten as {len(b)} with weight 1"
    return {
        "biases": tuple(b.tolist()),
        "coefficients": tuple(c.tolist()),
        "notes": (*problem["notes"], note),
    }


def _read_width(problem: Mapping[str, Any], given: Mapping[str, Any], limits: Limits) -> int:
    """The width, which explicit biases or coefficients determine."""
    lengths = {name: len(problem[name]) for name in ("biases", "coefficients") if problem[name]}
    for name, length in lengths.items():
        if length > limits.width:
            raise FieldError(name, f"{length} numbers; allowed are 1 to {limits.width}")
        for other, size in (lengths | {"width": given.get("width", length)}).items():
            if size != length:
                raise FieldError(name, f"{length} numbers do not fit {other} ({size})")
    return int(next(iter(lengths.values()), problem["width"]))


def write_problem(problem: Mapping[str, Any], limits: Limits) -> dict[str, str]:
    """The texts that read_problem needs to find the problem again, and no more."""
    defaults = _defaults(problem["target"] or "f1")
    chosen = {spec.name for spec in PROBLEM_FIELDS} - {"target", "data", *SAMPLED}
    texts: dict[str, str] = {}
    if problem["data"]:
        defaults = _defaults("")
        inline = encode_inline(problem["data"])
        short = len(inline) <= limits.link_data_bytes
        texts["data"] = inline if short else f"@{dataset_id(problem['data'])}"
    else:
        chosen |= set(SAMPLED)
        if problem["target"] != "f1":
            texts["target"] = problem["target"]
    if any(problem[name] for name in ("biases", "coefficients")):
        defaults["width"] = problem["width"]
    if defaults["biases"]:
        # such a target starts from its own biases only if nothing is said about the network
        if all(problem[name] == defaults[name] for name in _NETWORK):
            chosen -= set(_NETWORK)
        else:
            defaults |= {"biases": (), "init": None}
    for spec in PROBLEM_FIELDS:
        if spec.name in chosen and problem[spec.name] != defaults[spec.name]:
            texts[spec.name] = spec.write(problem[spec.name])
    return texts
