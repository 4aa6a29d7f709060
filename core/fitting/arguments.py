"""From what people have to a run: arrays, lists, Series, a formula or a callable, and settings by name.

Settings have the names and ranges of a link's keys, so they are spelled as a link would and read by the same
code. Data that are not of size one are counted in units in which they are (core.problem.units); starting
biases and coefficients, which people give in the data's own units, are converted.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..config import FIELDS, RunConfig, field_names, write_labels
from ..config.codec import SAMPLED, read_query
from ..limits import LIMITS
from ..methods.contract import Method
from ..problem.csv import LEAST_WEIGHT, canonical_csv, check_points, dataset_id, merge
from ..problem.data import LARGEST_VALUE, TrainingData, sample_x
from ..problem.units import Units, fitting_units, needed_units
from ..spelling import FieldError, format_number, shorten
from ..types import FloatArray

Settings = Mapping[str, Any]
SMALL_Y = 0.1
"""y that is smaller everywhere is counted in a unit of its own."""
_MADE = (*SAMPLED, "noise")
"""Settings of data that are made, not of data that are given."""
_SPECS = {spec.name: spec for spec in FIELDS}


def is_link(x: Any) -> bool:
    """Whether this is the link of a run, or its query, and not a formula."""
    if not isinstance(x, str):
        return False
    address, mark, _ = x.partition("?")
    key, equals, _ = x.partition("=")
    return "://" in address or (mark != "" and "=" not in address) or (equals != "" and key in field_names())


def linked_config(
    link: str, y: Any, weights: Any, settings: Settings, datasets: Mapping[str, str] | None
) -> RunConfig:
    """The run of a link; settings replace what it says, None takes it away."""
    if y is not None or weights is not None:
        raise FieldError("y" if y is not None else "weights", "a link brings its own data; leave it out")
    kept = {key: text for key, text in read_query(link, LIMITS).items() if key not in settings}
    return RunConfig.from_settings(kept | _texts(settings), datasets=datasets)


def run_config(x: Any, y: Any, weights: Any, settings: Settings) -> RunConfig:
    """The run that the arguments of `fit` describe."""
    for key in ("target", "data"):
        if key in settings:
            raise FieldError(key, "it is the first argument of fit; leave the keyword out")
    if isinstance(x, str):
        if y is not None or weights is not None:
            raise FieldError("y" if y is not None else "weights", "a formula brings its own y; leave it out")
        return _formula_run(x, settings)
    if callable(x):
        if y is not None:
            raise FieldError("y", "a function brings its own y; leave it out")
        x, y, settings = _sampled(x, settings)
    elif y is None:
        raise FieldError("y", "missing; fit takes x and y, a formula in x, or a function with domain=")
    else:
        for key in _MADE:
            if key in settings:
                raise FieldError(key, "the data themselves are given; leave it out")
    return _data_run(x, y, weights, settings)


def spelled(key: str, value: Any) -> str:
    """A setting as a link spells it; a class of METHODS by its name."""
    if isinstance(value, type) and issubclass(value, Method):
        value = value.name
    if isinstance(value, str):
        return value
    try:
        if isinstance(value, bool | np.bool_) or value is None:
            raise TypeError
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        allowed = _SPECS[key].allowed() if key in _SPECS else "text and numbers"
        raise FieldError(
            shorten(key), f"{shorten(str(value))} is not allowed; allowed are {allowed}"
        ) from None
    if numbers.ndim == 0:
        return format_number(float(numbers)) if np.isfinite(numbers) else str(value)
    return ",".join(format_number(number) for number in numbers.ravel().tolist())


def _texts(settings: Settings) -> dict[str, str]:
    return {
        key: spelled(key, value) for key, value in settings.items() if value is not None and key != "weights"
    }


def _formula_run(formula: str, settings: Settings) -> RunConfig:
    texts = _texts(settings) | {"target": formula}
    config = RunConfig.from_settings(texts)
    if config.units:
        return config
    units = needed_units(config.training_data())
    return config if units is None else _in_units(texts, units, {}, settings)


def _data_run(x: Any, y: Any, weights: Any, settings: Settings) -> RunConfig:
    xs, dates = numbers_along_x(x, "x")
    ys = _vector(_in_order_of(x, y), "y")
    ws = np.ones(len(xs)) if weights is None else _vector(_in_order_of(x, weights), "weights")
    for name, column in (("y", ys), ("weights", ws)):
        if len(column) != len(xs):
            raise FieldError(name, f"{len(column)} values for {len(xs)} x; one is needed for each")
    if not (ws >= LEAST_WEIGHT).all():
        place = int(np.argmin(ws >= LEAST_WEIGHT))
        least = format_number(LEAST_WEIGHT)
        raise FieldError(f"weights[{place}]", f"{ws[place]:g} is not allowed; {least} is the least")
    points, _ = merge(list(zip(xs.tolist(), ys.tolist(), ws.tolist(), strict=True)))
    check_points(len(points.x), LIMITS)
    text = canonical_csv(points)
    datasets = {dataset_id(text): text}
    texts = {"data": f"@{dataset_id(text)}"} | _labels(x, y) | _texts(settings)
    if dates:
        texts.setdefault("calendar", "yes")
    units = None if "units" in settings else _units(TrainingData(points.x, points.y))
    if units is None:
        return RunConfig.from_settings(texts, datasets=datasets)
    return _in_units(texts, units, datasets, settings)


def _in_units(
    texts: Mapping[str, str], units: Units, datasets: Mapping[str, str], settings: Settings
) -> RunConfig:
    """The run in these units; its start, if one is given, is in the data's own."""
    counted = dict(texts) | {"units": spelled("units", units)}
    for key, origin, unit in (
        ("biases", units.x_origin, units.x_unit),
        ("coefficients", 0.0, units.y_unit / units.x_unit),
    ):
        if key in settings:
            own = texts[key].split(",")
            counted[key] = spelled(key, [(_number(key, number) - origin) / unit for number in own])
    return RunConfig.from_settings(counted, datasets=datasets)


def _number(key: str, text: str) -> float:
    return _SPECS[key].number(text, LIMITS)


def budget_of(epochs: Any) -> float:
    """Epochs as a number; a method may allow fewer."""
    return _number("epochs", spelled("epochs", epochs))


def _units(data: TrainingData) -> Units | None:
    """Units in which data are of size one; None where they are."""
    small = 0.0 < float(np.max(np.abs(data.y))) < SMALL_Y
    return fitting_units(data) if small else needed_units(data)


def _sampled(function: Callable[[Any], Any], settings: Settings) -> tuple[FloatArray, FloatArray, Settings]:
    """Points of a function, and the settings that do not say which."""
    if "domain" not in settings:
        raise FieldError("domain", "missing; a function needs domain=(low, high)")
    given = {
        key: spec.read(spelled(key, settings[key])) if key in settings else spec.default
        for key, spec in _SPECS.items()
        if key in (*SAMPLED, "seed")
    }
    x = sample_x(given["points"], given["sampling"], given["domain"], given["seed"])
    y = _values(function, x)
    wrong = np.flatnonzero(~np.isfinite(y))
    if len(wrong):
        raise FieldError("x", f"the function is not finite at x = {x[wrong[0]]:g} ({y[wrong[0]]})")
    return x, y, {key: value for key, value in settings.items() if key not in SAMPLED}


def _values(function: Callable[[Any], Any], x: FloatArray) -> FloatArray:
    """A function of an array, or of one number at a time."""
    try:
        y = np.asarray(function(x), dtype=np.float64)
        if y.shape == x.shape:
            return y
    except (TypeError, ValueError):
        pass
    return np.array([_number_of(function(value), value) for value in x.tolist()])


def _number_of(y: Any, x: float) -> float:
    try:
        return float(y)
    except (TypeError, ValueError):
        text = f"the function gives {shorten(repr(y))} at x = {x:g}; needed is a number"
        raise FieldError("x", text) from None


def _in_order_of(x: Any, values: Any) -> Any:
    """A Series in the order of x's labels where both have the same ones, each once; else as it is."""
    if not all(hasattr(series, "index") and hasattr(series, "reindex") for series in (x, values)):
        return values
    mine, other = x.index, values.index
    same = len(mine) == len(other) and mine.is_unique and other.is_unique and mine.isin(other).all()
    return values.reindex(mine) if same else values


def numbers_along_x(x: ArrayLike, name: str) -> tuple[FloatArray, bool]:
    """x as numbers, and whether they count the days since 1970 of dates."""
    return _vector(x, name), are_dates(np.asarray(x))


def are_dates(values: NDArray[Any]) -> bool:
    """Whether these are dates, NumPy's own or Python's."""
    if values.dtype.kind != "O":
        return values.dtype.kind == "M"
    return bool(values.size) and all(isinstance(value, date) for value in values.ravel())


def as_numbers(values: ArrayLike, name: str) -> FloatArray:
    """Numbers as they are, dates as days since 1970 (nan where there is none)."""
    try:
        given = np.asarray(values)
        if given.dtype.kind == "O" and any(value is None for value in given.ravel()):
            raise FieldError(name, "None is not allowed")
        if given.dtype.kind == "c":
            raise FieldError(name, "complex numbers are not allowed")
        if not are_dates(given):
            return given.astype(np.float64)
        dates = given.astype("datetime64[us]")
    except FieldError:
        raise
    except (TypeError, ValueError):
        each = np.asarray(values, dtype=object).ravel()
        if text := next((value for value in each if isinstance(value, str)), None):
            advice = "is text; pandas.to_datetime makes dates of it"
            raise FieldError(name, f"{shorten(text)!r} {advice}") from None
        raise FieldError(name, f"{shorten(repr(values))} is not a list of numbers") from None
    return np.where(np.isnat(dates), np.nan, dates.astype(np.int64) / 86_400e6)


def _vector(values: ArrayLike, name: str) -> FloatArray:
    """A vector of finite numbers, or a refusal that names the first that is none."""
    vector = as_numbers(values, name)
    if vector.ndim == 2 and vector.shape[1] == 1:
        vector = vector[:, 0]
    if vector.ndim != 1:
        raise FieldError(name, f"one number for each point is needed, its shape is {vector.shape}")
    wrong = np.flatnonzero(~(np.abs(vector) <= LARGEST_VALUE))
    if len(wrong):
        bound = format_number(LARGEST_VALUE)
        value = vector[wrong[0]]
        advice = "; count in a larger unit" if np.isfinite(value) else ""
        raise FieldError(
            f"{name}[{wrong[0]}]",
            f"{value:g} is not allowed; allowed are finite numbers from -{bound} to {bound}{advice}",
        )
    return vector


def _labels(x: Any, y: Any) -> dict[str, str]:
    """What Series are called."""
    names = [str(getattr(values, "name", None) or "") for values in (x, y)]
    labels = write_labels("", *names)
    return {"labels": labels} if labels else {}
