"""What the core says, written down for the tests of the browser's half.

The browser derives and writes numbers by itself, thirty times a second; the rules are the core's. These
files hold the core's own answers: the tests in components/player/test compare the TypeScript with them, and
`tests/components/test_lab_fixtures.py` that they are still what the core says. To renew them:

    python -m tests.components.lab_fixtures
"""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from components.common.theme import neuron_groups
from components.common.view import moment_text
from components.panels import specification
from components.panels.tables import AXES, HOVERS, LOOKS, TABLES
from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.model.loss import mean_loss
from core.model.network import evaluate, knots
from core.model.pattern import pattern_of, segments, statuses
from core.model.regression import regression_of
from core.narrative.numbers import count, fill, number, percentage
from core.portable import functions as portable
from core.problem.data import TrainingData
from core.run.train import train
from core.service.encoding import compact_columns, json_columns
from core.spelling import format_number
from core.tables.pictures import candidate_columns, data_columns, forecast_columns, rate_columns
from core.tables.summaries import plateaus, stages

FOLDER = Path(__file__).resolve().parents[2] / "components" / "player" / "test" / "fixtures"

NUMBERS = (
    *(0.0, 1.0, -1.0, 7.0, 12.0, 999.4, 999.6, 1234.0, 9994.0, 9995.0, 9999.0, 1e4, 12345.0, 2e4, 99999.0),
    *(0.1, 0.125, 0.135, 0.001, 0.0009994, 0.0009996, 0.00123456, 2.5, 3.14159265, 1e5, 123456.0, 1e6, 1.5e6),
    *(5e-324, 1e-33, 2.7e-19, 1e300, -4.2e-7, -12345.678, 1 / 3, 2 / 3, float("inf"), -float("inf")),
    *(9.995e-4, 0.9995, 99.95, 1e21, 1e22, 1.7976931348623157e308, 1125.0, 1135.0),
)
NETWORKS: tuple[tuple[str, list[float], list[float]], ...] = (
    ("ordinary", [-1.2, -0.4, 0.1, 0.65], [1.0, -2.0, 0.5, 3.0]),
    ("several in one gap", [0.11, 0.12, 0.13, -0.5], [1.0, -3.0, 2.0, 0.25]),
    ("on data", [-1.0, 0.0, 0.5, 1.0], [1.0, 1.0, -1.0, 2.0]),
    ("all dead", [1.0, 2.0, 5.0], [1.0, 2.0, 3.0]),
    ("all left", [-2.0, -3.0, -2.5], [1.0, -2.0, 3.0]),
    ("equal biases", [0.3, 0.3, 0.3], [1.0, 2.0, -4.0]),
    ("huge opposite pair", [0.2, 0.2 + 1e-9], [1e8, -1e8]),
    ("one neuron", [0.0], [1.0]),
    ("more neurons than data", np.linspace(-1.5, 1.5, 12).tolist(), [(-1.0) ** j for j in range(12)]),
)
RACE = ("epochs=2000&seed=9&target=five&width=5", "epochs=20&method=anls&seed=9&target=five&width=5")


def numbers() -> dict[str, Any]:
    """How numbers are written, by each of the rules."""
    losses = [(1.0, 0.5), (1.0, 0.9999999), (1e-3, 9.9e-4), (5.0, 0.1), (1.0, 0.0), (0.1, 0.2), (2e-9, 1e-9)]
    template = "The loss {loss} is {excess} above the floor {floor}."
    finite = [value for value in NUMBERS if np.isfinite(value)]
    return {
        "number": [[repr(x), digits, number(x, digits)] for x in NUMBERS for digits in (1, 2, 3, 4)],
        "count": [[x, count(x)] for x in finite if x >= 0],
        "excess": [[loss, floor, percentage(loss, floor)] for loss, floor in losses],
        "fill": [[template, loss, floor, fill(template, loss, floor)] for loss, floor in losses],
        "spelled": [[repr(x), format_number(x)] for x in finite],
        "moment": [[x, moment_text(x)] for x in finite if x >= 0],
    }


def networks() -> list[dict[str, Any]]:
    """What a state implies, for ordinary and degenerate networks."""
    x = np.array([-1.0, -0.75, -0.3, 0.0, 0.25, 0.5, 0.9])
    data = TrainingData(x=x, y=portable.sin(3 * x) + x * x, truth=None, domain=(-1.0, 1.0))
    heavy = replace(data, w=np.array([1.0, 3.0, 0.5, 2.0, 1.0, 0.25, 4.0]))
    cases = [(data, *network) for network in NETWORKS]
    cases.append((heavy, "weighted data", *NETWORKS[0][1:]))
    return [_network(held, name, np.array(b), np.array(c)) for held, name, b, c in cases]


def _network(data: TrainingData, name: str, b: Any, c: Any) -> dict[str, Any]:
    pattern = pattern_of(data.x, b)
    part = segments(data, pattern, b, c)
    columns = ("order", "u", "start", "weight", "mean_x", "mean_y", "sxx", "sxy", "slope", "offset", "value")
    corners_x, corners_y = knots(b, c, -1.04, 1.04)
    expected = evaluate(b, c, data.x)
    lines = []
    for level, (first, stop) in enumerate(pairwise(part.start.tolist())):
        if stop - first >= 2:
            fit = regression_of(data.points, first, stop)
            height = fit.mean - fit.slope * (fit.first + fit.offset)
            lines.append({"level": level, "slope": fit.slope, "height": height})
    return {
        "name": name,
        "x": data.x,
        "y": data.y,
        "w": data.w,
        "b": b,
        "c": c,
        "gap": pattern.gap,
        "status": list(statuses(data.x, pattern)),
        "segments": {column: getattr(part, column) for column in columns},
        "corners": {"x": corners_x, "y": corners_y},
        "values": expected,
        "loss": mean_loss(data, b, c),
        "lines": lines,
    }


def race() -> list[dict[str, Any]]:
    """Two whole runs: everything that the page would be told of them."""
    return [_run(RunConfig.from_query(query)) for query in RACE]


def _run(config: RunConfig) -> dict[str, Any]:
    # The wall clock is the one column that differs from time to time.
    frames = [replace(frame, seconds=0.25 * frame.index) for frame in train(config)]
    head = len(frames)
    last: Frame = frames[-1]
    return {
        "id": config.run_id,
        "method": config.method.name,
        "info": {"id": config.run_id, "status": "finished", "outcome": "trained", "epoch": last.epoch},
        "json": orjson.loads(json_columns(config.run_id, "finished", head, head, frames)),
        "compact": b64encode(compact_columns(config.run_id, "finished", head, head, frames)).decode(),
        "data": data_columns(config),
        "stages": stages(config, frames),
        "plateaus": plateaus(config, frames),
        "forecasts": {frame.index: forecast_columns(config, frame) for frame in frames[::60]},
        "candidates": {frame.index: candidate_columns(config, frame) for frame in frames[::40]},
        "rates": {
            stage: rate_columns(config, list(group))
            for stage, group in groupby(frames, key=lambda frame: frame.stage)
        },
    }


def language() -> dict[str, Any]:
    """What panels may ask for, in alphabetical order."""
    tables = {name: sorted(TABLES[name]) for name in sorted(TABLES)}
    return {"tables": tables, "looks": LOOKS, "axes": sorted(AXES), "hovers": sorted(HOVERS)}


def groups() -> list[dict[str, Any]]:
    """The colour group of each neuron by its initial bias, for networks of many widths."""
    starts = [[float(j * 7 % width) for j in range(width)] for width in (1, 2, 3, 5, 12, 13, 24, 25, 60, 301)]
    starts.append([0.5, -0.5, 0.5, 0.25, -0.5])
    return [{"b": b, "groups": neuron_groups(np.array(b))} for b in starts]


FIXTURES: dict[str, Callable[[], Any]] = {
    "numbers": numbers,
    "networks": networks,
    "race": race,
    "panels": lambda: specification("light"),
    "language": language,
    "groups": groups,
}


def written(name: str) -> bytes:
    """One file, as it should be."""
    options = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(FIXTURES[name](), option=options, default=asdict)


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in FIXTURES:
        (FOLDER / f"{name}.json").write_bytes(written(name))


if __name__ == "__main__":
    main()
