"""The tables that fill the traces of a panel, computed in Python; on the page the browser computes them.

Each is a function of a run and of the moment, with columns as `components.panels.tables.TABLES` names them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from components.common.theme import NEURON_COLOURS, neuron_groups
from components.figures.runs import Run
from core.frames import Frame, stages_of
from core.model import evaluate
from core.types import FloatArray

Columns = Mapping[str, Any]
SMALLEST = 1e-33
"""What a loss of 0 stands at on a logarithmic axis."""
MAX_DATA_LINES = 60


@dataclass(frozen=True)
class View:
    """What the runs of a picture share: the moment, where epoch 0 stands, the range of epochs, the theme."""

    epoch: float
    zero: float
    end: float
    theme: str

    def times(self, epochs: Any) -> FloatArray:
        """Epochs on a logarithmic axis: 0 stands half a decade left of the first."""
        told = np.asarray(epochs, dtype=np.float64)
        return np.where(told > 0.0, told, self.zero)

    def frame(self, run: Run) -> Frame:
        """The last frame of a run that is not later than the moment."""
        return [run.frames[0], *(frame for frame in run.frames if frame.epoch <= self.epoch)][-1]


Table = Callable[[Run, View], Columns]
GroupTable = Callable[[Run, View, int], Columns]


def view_of(runs: list[Run], theme: str, epoch: float | None = None) -> View:
    """The view that has all of some runs in it, at their end or at an epoch."""
    epochs = np.concatenate([run.column("epoch") for run in runs])
    end = float(epochs.max())
    positive = epochs[epochs > 0.0]
    first = float(positive.min()) if len(positive) else 1.0
    return View(end if epoch is None else float(epoch), first / np.sqrt(10.0), max(end, 2.0 * first), theme)


def _curve(run: Run, view: View) -> Columns:
    columns: dict[str, Any] = {"x": view.times(run.column("epoch"))}
    for name in ("loss", "floor", "stationarity", "prediction_error"):
        values = run.column(name)
        columns[name] = np.where(values >= 0.0, np.maximum(values, SMALLEST), np.nan)
    return columns | {"width": 1.75}


def _spans(run: Run, view: View) -> list[tuple[float, float, float]]:
    """Begin, end and floor of each stage."""
    stages = stages_of(run.frames)
    times = view.times([[stage.start, stage.end] for stage in stages])
    return [
        (float(begin), float(end), stage.floor) for (begin, end), stage in zip(times, stages, strict=True)
    ]


def _floors(run: Run, view: View) -> Columns:
    told = [span for span in _spans(run, view) if span[2] > SMALLEST]
    x = [value for begin, end, _ in told for value in (begin, end, np.nan)]
    y = [value for *_, floor in told for value in (floor, floor, np.nan)]
    return {"x": x, "y": y}


def _stages(run: Run, view: View) -> Columns:
    odd = _spans(run, view)[1::2]
    x = [value for begin, end, _ in odd for value in (begin, begin, end, end)]
    return {"x": x, "y": [value for _ in odd for value in (-1.0, 1.0, 1.0, -1.0)]}


def _ticks(run: Run, view: View) -> Columns:
    later = _spans(run, view)[1:]
    x = [begin for begin, *_ in later for _ in range(3)]
    return {"x": x, "y": [value for _ in later for value in (-1.0, 0.03, -1.0)]}


def _trajectories(run: Run, view: View, keep: Callable[[Frame, int], bool], neurons: list[int]) -> Columns:
    """Paths of neurons with gaps where `keep` says no."""
    x = view.times(run.column("epoch"))
    paths: dict[str, list[float]] = {"x": [], "b": [], "c": []}
    for neuron in neurons:
        for time, frame in zip(x, run.frames, strict=True):
            # A method that drops or adds neurons has frames without some of them.
            kept = neuron < len(frame.b) and keep(frame, neuron)
            paths["x"].append(float(time))
            paths["b"].append(float(frame.b[neuron]) if kept else np.nan)
            paths["c"].append(float(frame.c[neuron]) if kept else np.nan)
        for path in paths.values():
            path.append(np.nan)
    return paths


def _members(run: Run, group: int | None = None) -> list[int]:
    groups = neuron_groups(run.frames[0].b)
    return [neuron for neuron, its in enumerate(groups) if group is None or its == group]


def _is_dead(frame: Frame, neuron: int) -> bool:
    return bool(frame.gap[neuron] >= frame.points)


def _width(run: Run) -> float:
    width = len(run.frames[0].b)
    return 1.75 if width <= 20 else 1.25 if width <= 60 else 0.8


def _neurons(run: Run, view: View, group: int) -> Columns:
    lines = _trajectories(run, view, lambda f, j: not _is_dead(f, j), _members(run, group))
    return {**lines, "width": _width(run), "pinned_width": 2.2 * _width(run)}


def _pinned(run: Run, view: View, group: int) -> Columns:
    lines = _trajectories(run, view, lambda f, j: bool(f.pin[j] >= 0), _members(run, group))
    return {**lines, "width": _width(run), "pinned_width": 2.2 * _width(run)}


def _dead(run: Run, view: View) -> Columns:
    return _trajectories(run, view, _is_dead, _members(run))


def _marks(*kinds: str) -> Table:
    def table(run: Run, view: View) -> Columns:
        colours, groups = NEURON_COLOURS[view.theme], neuron_groups(run.frames[0].b)
        found = [(frame, change) for frame in run.frames for change in frame.changes if change.kind in kinds]
        found = [(frame, change) for frame, change in found if change.neuron < len(frame.b)]
        at = [
            float(frame.b[change.neuron])
            if change.kind == "moved" or change.datum < 0
            else float(run.x[change.datum])
            for frame, change in found
        ]
        return {
            "x": view.times([frame.epoch for frame, _ in found]),
            "b": at,
            "colour": [colours[groups[change.neuron]] for _, change in found],
            "size": 8 if len(found) <= 30 else 6 if len(found) <= 120 else 4,
        }

    return table


def _data_lines(run: Run, view: View) -> Columns:
    lines = run.x[:: -(-len(run.x) // MAX_DATA_LINES)]
    x = [value for _ in lines for value in (view.zero, view.end, np.nan)]
    y = [value for line in lines for value in (line, line, np.nan)]
    return {"x": x, "y": y, "opacity": 0.45 if len(run.x) > 30 else 0.7}


def _data(run: Run, _: View) -> Columns:
    m = len(run.data.x)
    size = 8 if m <= 30 else 6 if m <= 200 else 4
    opacity = 1.0 if m <= 200 else 0.5
    return {"x": run.x, "y": run.data.scale.y(run.data.y), "size": size, "opacity": opacity}


def grid_of(run: Run) -> FloatArray:
    return np.linspace(*run.data.domain, 400)


def _truth(run: Run, _: View) -> Columns:
    if run.data.truth is None:
        return {"x": [], "y": []}
    x, scale = grid_of(run), run.data.scale
    return {"x": scale.x(x), "y": scale.y(run.data.truth(x))}


def _network(run: Run, view: View) -> Columns:
    """The network's corners are among its points, so that its lines are straight."""
    frame, scale = view.frame(run), run.data.scale
    grid = np.asarray(scale.x(grid_of(run)))
    x = np.union1d(grid, frame.b[(frame.b > grid[0]) & (frame.b < grid[-1])])
    return {"x": x, "y": scale.y_origin + evaluate(frame.b, frame.c, x), "width": 2.0}


def _crosses(kind: str) -> Table:
    def table(run: Run, view: View) -> Columns:
        frame, colours, groups = view.frame(run), NEURON_COLOURS[view.theme], neuron_groups(run.frames[0].b)
        kinds = [
            "dead" if _is_dead(frame, j) else "pinned" if frame.pin[j] >= 0 else "free"
            for j in range(len(frame.b))
        ]
        mine = [j for j, one in enumerate(kinds) if one == kind]
        return {
            "x": frame.b[mine],
            "y": [0.03] * len(mine),
            "colour": [colours[groups[j]] if j < len(groups) else colours[-1] for j in mine],
            "neuron": [j + 1 for j in mine],
        }

    return table


def _levels(run: Run, view: View) -> list[tuple[FloatArray, FloatArray]]:
    """The data of each set U_l at the moment, l = 0, 1, ..."""
    edges = [0, *sorted(view.frame(run).gap.tolist()), len(run.x)]
    y = np.asarray(run.data.scale.y(run.data.y))
    return [(run.x[first:end], y[first:end]) for first, end in pairwise(edges)]


def _lines(run: Run, view: View) -> Columns:
    """The regression line of each set of two or more data, a tenth longer on both sides."""
    x, y = list[float](), list[float]()
    for at, heights in _levels(run, view):
        if len(at) < 2:
            continue
        middle, over = at.mean(), at - at.mean()
        slope = float(over @ heights / (over @ over))
        more = 0.1 * (at[-1] - at[0])
        ends = (float(at[0] - more), float(at[-1] + more))
        x += [*ends, np.nan]
        y += [*(float(heights.mean() + slope * (end - middle)) for end in ends), np.nan]
    return {"x": x, "y": y}


def _macroscopic(run: Run, view: View) -> Columns:
    """The mean of each set that has data."""
    means = [(float(x.mean()), float(y.mean())) for x, y in _levels(run, view) if len(x)]
    size = 9 if len(means) <= 30 else 6 if len(means) <= 120 else 4
    return {"x": [x for x, _ in means], "y": [y for _, y in means], "size": size}


TABLES: Mapping[str, Table] = {
    "curve": _curve,
    "floors": _floors,
    "stages": _stages,
    "ticks": _ticks,
    "dead": _dead,
    "pins": _marks("pinned"),
    "hops": _marks("hopping"),
    "crossings": _marks("crossed", "moved", "relocated"),
    "data_lines": _data_lines,
    "data": _data,
    "truth": _truth,
    "network": _network,
    "lines": _lines,
    "macroscopic": _macroscopic,
    "crosses_dead": _crosses("dead"),
    "crosses_free": _crosses("free"),
    "crosses_pinned": _crosses("pinned"),
}
GROUP_TABLES: Mapping[str, GroupTable] = {"neurons": _neurons, "pinned": _pinned}
