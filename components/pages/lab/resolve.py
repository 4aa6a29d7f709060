"""What a link means before anything is run: the runs it names, what they cost, what is wrong with it.

Nothing is started here. Every field is read by itself first, so that two wrong
values give two messages, each beside its own control; only a query whose fields
all read is put together, and what is wrong with the whole is laid at the field
that its message names.
"""

from itertools import repeat
from math import isfinite
from typing import Any

import numpy as np

from components.common.comparison import Comparison, TooManyRunsError, read_comparison
from components.common.run_styles import run_looks
from components.common.view import split_query
from core.config import (
    FIELDS,
    RunConfig,
    check_cost,
    check_list,
    race_to_query,
)
from core.config import split_query as split_pairs
from core.limits import Limits
from core.narrative import caution
from core.problem import TrainingData
from core.service import RunInfo, RunService
from core.spelling import FieldError, format_number
from core.types import FloatArray

PICTURE_POINTS = 160
WRITTEN_POINTS = 2_000
"""Own data of up to so many points stand in the text field, to be read and edited."""
_BY_NAME = {spec.name: spec for spec in FIELDS}


def resolve(query: str, service: RunService, client: str = "", *, measured: bool = True) -> dict[str, Any]:
    """The answer to the page's question; `errors` is empty exactly when the rest is complete. Where it is to
    be `measured` the answer may wait a moment for what the runs cost, on the account of `client`."""
    limits = service.settings.limits
    try:
        config_query, _ = split_query(query)
    except ValueError as error:
        return {"errors": [_placed(error)]}
    errors = field_errors(config_query, limits)
    if errors:
        return {"errors": errors}
    try:
        found = read_comparison(config_query, limits=limits, datasets=service.datasets)
    except TooManyRunsError as error:
        study = {} if error.selected else {"study": f"/study?{config_query}"}
        return {"errors": [_placed(error)], **study}
    except ValueError as error:
        return {"errors": [_placed(error)]}
    race = found.configs
    data = race[0].training_data()
    costs = service.estimates.seconds(race, client, wait=measured)
    runs = [
        _run(config, service.info(config.run_id), cost, limits) | look
        for config, cost, look in zip(race, costs, run_looks(race), strict=True)
    ]
    seconds = sum(run["seconds"] for run in runs)
    return {
        "errors": [expensive for expensive in map(_expensive, race, runs, repeat(limits)) if expensive],
        "canonical": found.query,
        "runs": runs,
        "seconds": seconds,
        "cheap": seconds <= service.settings.cheap_seconds,
        "instant": seconds <= service.settings.instant_seconds,
        "thumbnail": thumbnail(data),
        "written": _written(race[0], data.m),
        "notes": list(data.notes),
        "cautions": _cautions(race, runs),
        "better": _better(found, limits),
    }


def field_errors(config_query: str, limits: Limits) -> list[dict[str, str]]:
    """One message for every field that cannot be read by itself."""
    errors: list[dict[str, str]] = []
    try:
        pairs = split_pairs(config_query, limits.query_bytes)
    except ValueError as error:
        return [_placed(error)]
    for key, text in pairs.items():
        try:
            if key in _BY_NAME:
                check_list(_BY_NAME[key], text, limits)
        except ValueError as error:
            errors.append(_placed(error))
    return errors


def _written(config: RunConfig, points: int) -> tuple[str, str]:
    """What the text field shows of own data, and what it says while it is empty. Dates count days in a link,
    which nobody wants to read."""
    if not config.data:
        return "", ""
    if config.scale.dates:
        return "", f"{points:,} points with dates. To change them, open the changed file."
    if points > WRITTEN_POINTS:
        return "", f"{points:,} points. To change them, open the changed file."
    return config.data.rstrip("\n").replace(",", ", "), ""


def thumbnail(data: TrainingData) -> dict[str, Any]:
    """A small picture of the data: at most a few points, and the function behind them."""
    chosen = np.unique(np.linspace(0, data.m - 1, min(data.m, PICTURE_POINTS)).round().astype(np.int64))
    curve = None
    if data.truth is not None:
        x = np.linspace(*data.domain, 2 * PICTURE_POINTS + 1)
        with np.errstate(all="ignore"):
            curve = {"x": _short(x), "y": _short(data.truth(x))}
    return {"m": data.m, "x": _short(data.x[chosen]), "y": _short(data.y[chosen]), "curve": curve}


def _short(values: FloatArray) -> list[float | None]:
    return [float(f"{value:.4g}") if isfinite(value) else None for value in values.tolist()]


def _run(config: RunConfig, info: RunInfo | None, whole: float, limits: Limits) -> dict[str, Any]:
    done = min(1.0, info.epoch / config.epochs) if info and config.epochs else 0.0
    state = _state(config, info)
    return {
        "id": config.run_id,
        "method": config.method.name,
        "query": config.to_query(limits=limits),
        "problem": config.target or config.scale.title or "own data",
        "epochs": config.epochs,
        "exists": info is not None,
        "status": info.status if info else None,
        "state": state,
        "wanting": state in ("missing", "short"),
        "complete": state == "complete",
        "seconds": 0.0 if state == "complete" else whole * (1.0 - done),
        "done": 1.0 if state == "complete" else done,
    }


def _state(config: RunConfig, info: RunInfo | None) -> str:
    """missing, short (of the budget asked for), halted (stopped or failed), or complete (or on its way)."""
    if info is None:
        return "missing"
    if info.outcome in ("trained", "settled", "diverged"):
        return "complete"
    if info.epochs < config.epochs and info.epoch < config.epochs:
        return "short"
    return "halted" if info.status in ("stopped", "failed") and info.epoch < config.epochs else "complete"


def _expensive(config: RunConfig, run: dict[str, Any], limits: Limits) -> dict[str, str] | None:
    try:
        check_cost(config, limits, run["done"])
    except ValueError as error:
        return _placed(error)
    return None


def _cautions(race: tuple[RunConfig, ...], runs: list[dict[str, Any]]) -> list[str]:
    """What to say about steps that are too large for the start, once for all methods that share it."""
    said = {run["title"]: caution(config) for config, run in zip(race, runs, strict=True)}
    several = len(race) > 1
    texts = [f"{title}: {text}" if several else text for title, text in said.items() if text]
    return list(dict.fromkeys(texts))


def _better(found: Comparison, limits: Limits) -> dict[str, str] | None:
    """The same race on data counted in other units, where they are on another scale than one."""
    race = found.configs
    if not found.plain:
        return None
    mapped = [config.in_better_units() for config in race]
    if any(config is None for config in mapped):
        return None
    better = tuple(config for config in mapped if config is not None)
    data, units = race[0].training_data(), better[0].units
    named = (("x", data.x, units[:2]), ("y", data.y, units[2:]))
    ranges = " and ".join(_range(axis, values) for axis, values, unit in named if unit != (0.0, 1.0))
    return {
        "query": race_to_query(better, limits=limits),
        "text": f"Your {ranges}; training works best near −1…1.",
    }


def _range(axis: str, values: FloatArray) -> str:
    low, high = (float(f"{end:.4g}") for end in (np.min(values), np.max(values)))
    return f"{axis} runs from {format_number(low)} to {format_number(high)}"


def _placed(error: ValueError) -> dict[str, str]:
    """The message beside the field that it names; the field's own name need not be repeated there."""
    if isinstance(error, FieldError) and error.field in _BY_NAME:
        return {"field": error.field, "error": error.text}
    return {"field": "query", "error": str(error)}
