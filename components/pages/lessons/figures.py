"""The figure of each step of a lesson, for paper: the panel that the step speaks of, at its moment.

A step that asks what comes next must not show it: its curves end at the moment.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import orjson
from dash import html

from components.common.theme import NEURON_COLOURS, method_colour, method_dash, neuron_groups
from components.common.view import split_query
from components.figures.printed import Axes, Curve, picture
from components.pages.lessons.parser import Lesson, Question, Step
from core.config import RunConfig, race_from_query
from core.methods import METHODS
from core.model import evaluate
from core.narrative import number
from core.service import TABLES, BackgroundQuery, Reader, RunService, stored_config

_MOST_FRAMES = 240
_KINDS = ("loss", "fit", "biases", "stationarity")
_DATA = "#333"
Figures = Mapping[str, Any]


def register_lesson_figures() -> None:
    """Let query workers read them."""
    TABLES.update(lesson_figures=_read)


def figures_of(lesson: Lesson, service: RunService, client: str) -> list[html.Figure | None]:
    """One figure per step; None for runs that this server does not have. A query worker reads the runs;
    NotYetError and others as the query service raises them."""
    asked = [_asked(step, service) for step in lesson.steps]
    known = [one for one in asked if one]
    if not known:
        return [None] * len(asked)
    names = dict.fromkeys(run for one in known for run in one["runs"])
    head = sum(service.count(name) for name in names)
    query = BackgroundQuery("lesson_figures", ",".join(names), head=head, more=orjson.dumps(known).decode())
    answers = iter(service.queries.table(query, client))
    return [_figure(one, next(answers)) if one else None for one in asked]


def _asked(step: Step, service: RunService) -> dict[str, Any] | None:
    config, view = split_query(step.query)
    race = race_from_query(config, limits=service.settings.limits, datasets=service.datasets)
    if any(service.info(run.run_id) is None for run in race):
        return None
    wanted = (*view.highlight, *view.panels, "loss")
    kind = next(name for name in wanted if name in _KINDS)
    focus = next((run for run in race if run.method.name == view.focus), race[0])
    hides = any(isinstance(block, Question) for block in step.blocks)
    return {
        "kind": kind,
        "runs": [run.run_id for run in (race if kind in ("loss", "fit", "stationarity") else (focus,))],
        "at": view.at,
        "until": view.at if hides and view.at is not None else None,
        "ends": [run.epochs for run in race],
    }


def _read(reader: Reader, query: BackgroundQuery) -> object:
    return [_columns(reader, one) for one in orjson.loads(query.more)]


def _columns(reader: Reader, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """What the figure of a step needs of each of its runs."""
    found = []
    for run_id, end in zip(asked["runs"], asked["ends"], strict=False):
        config = stored_config(reader, run_id)
        last = min(end, asked["until"]) if asked["until"] is not None else end
        frames = [frame for frame in reader.frames(run_id) if frame.epoch <= last]
        moment = frames[-1] if asked["at"] is None else [f for f in frames if f.epoch <= asked["at"]][-1]
        thin = frames[:: max(1, len(frames) // _MOST_FRAMES)]
        kept = thin if thin[-1] is frames[-1] else [*thin, frames[-1]]
        told: dict[str, Any] = {"method": config.method.name, "epoch": moment.epoch}
        if asked["kind"] == "fit":
            told |= _fit(config, moment.b, moment.c)
        elif asked["kind"] == "biases":
            told["biases"] = [[[f.epoch, float(f.b[j])] for f in kept] for j in range(config.width)]
            told["data"] = config.training_data().x.tolist()
        else:
            told["curve"] = [[f.epoch, float(getattr(f, asked["kind"]))] for f in kept]
        found.append(told)
    return found


def _fit(config: RunConfig, b: Any, c: Any) -> dict[str, Any]:
    data = config.training_data()
    low, high = data.domain
    x = np.union1d(np.linspace(low, high, 200), b[(b > low) & (b < high)])
    return {
        "data": [[float(p), float(q)] for p, q in zip(data.x, data.y, strict=True)],
        "network": [[float(p), float(q)] for p, q in zip(x, evaluate(b, c, x), strict=True)],
    }


def _figure(asked: dict[str, Any], runs: Sequence[Figures]) -> html.Figure:
    kind, moment = asked["kind"], max(run["epoch"] for run in runs)
    names = [_title(run) for run in runs]
    said = {
        "loss": f"Loss of {' and '.join(names)}",
        "fit": f"Data and network at epoch {number(moment)}",
        "biases": f"Biases of {names[0]}, by the number of the neuron",
        "stationarity": f"How far {' and '.join(names)} is from fully trained",
    }[kind]
    if asked["until"] is not None and kind != "fit":
        said += f", up to epoch {number(asked['until'])}"
    curves, axes = {"fit": _fit_curves, "biases": _bias_curves}.get(kind, _histories)(runs, kind, asked)
    return html.Figure([picture(curves, axes, said), html.Figcaption(f"{said}.")], className="handout-figure")


def _title(run: Figures) -> str:
    return METHODS[run["method"]].title


def _histories(runs: Sequence[Figures], kind: str, asked: dict[str, Any]) -> tuple[list[Curve], Axes]:
    curves = [
        Curve(_title(run), method_colour("light", run["method"]), run["curve"], method_dash(run["method"]))
        for run in runs
    ]
    return curves, Axes(y="loss" if kind == "loss" else "distance from fully trained", end=max(asked["ends"]))


def _fit_curves(runs: Sequence[Figures], _: str, _asked: dict[str, Any]) -> tuple[list[Curve], Axes]:
    data = Curve("data", _DATA, runs[0]["data"], dots=True)
    networks = [
        Curve(_title(run), method_colour("light", run["method"]), run["network"], method_dash(run["method"]))
        for run in runs
    ]
    return [data, *networks], Axes(x="x", y="y", log_x=False, log_y=False)


def _bias_curves(runs: Sequence[Figures], _: str, asked: dict[str, Any]) -> tuple[list[Curve], Axes]:
    colours = NEURON_COLOURS["light"]
    end = asked["ends"][0]
    data = [
        Curve("data point" if k == 0 else "", _DATA, [(0.0, x), (end, x)], "1,4")
        for k, x in enumerate(runs[0]["data"] if len(runs[0]["data"]) <= 20 else [])
    ]
    neurons = runs[0]["biases"]
    groups = neuron_groups(np.array([points[0][1] for points in neurons]))
    lines = [Curve(str(j + 1), colours[groups[j]], points) for j, points in enumerate(neurons)]
    return [*data, *lines], Axes(y="bias", log_y=False, end=end)
