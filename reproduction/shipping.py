"""What ships with the app: the figures' runs, whole where they are small, as curves where they are not.

A curve has a few hundred points of a run, chosen so that every bucket of log time keeps its first,
lowest and highest loss, and the network at the end. It is all that the panels over time and the
final fit need, at a thousandth of the size.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from components.common.view import split_query
from components.pages.lab.first_visit import RACE
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import shown_queries
from core.config import NUMERICS_VERSION, RunConfig, race_from_query
from core.frames import Frame
from core.portable import functions as portable
from core.run import Training
from core.service import (
    Checkpoint,
    DamageError,
    Request,
    RunState,
    data_columns,
    read_volume,
    same_frame,
    write_volume,
)
from reproduction.figures import FIGURES
from reproduction.measures import Numbers

CURVE_POINTS = 390
CURVE_COLUMNS = (
    "epoch",
    "loss",
    "floor",
    "stage",
    "stationarity",
    "prediction_error",
    "seconds",
    "gradients",
    "solves",
)

HERE = Path(__file__).resolve().parent
LIBRARY, DATA = HERE / "library", HERE / "data"
RUNS, KNOWN, RUNTIMES = DATA / "runs.csv.gz", DATA / "explored.csv.gz", DATA / "runtimes.csv"
"""One row per run, to be downloaded: what it gave, what was known before, and how long it took."""
SECOND = DATA / "second_confirmation.json"
"""What other seeds say of every claim, drawn later (`reproduction.second`)."""
LESSONS = HERE.parent / "lessons"


@dataclass(frozen=True)
class ShippedRun:
    """One run of a figure, to be shipped whole or as a curve."""

    query: str
    whole: bool

    @property
    def config(self) -> RunConfig:
        """The run."""
        return RunConfig.from_query(self.query)

    @property
    def path(self) -> Path:
        """The file that ships it."""
        return LIBRARY / f"{self.config.run_id}.xz" if self.whole else DATA / f"{self.config.run_id}.json"


def shipped_runs() -> list[ShippedRun]:
    """Every run of every figure and lesson, and of the first visit, once; whole wherever one wants it so."""
    whole: dict[str, ShippedRun] = {}
    curves: dict[str, ShippedRun] = {}
    for figure in FIGURES.values():
        for config in figure.race():
            curve = config.method.name in figure.curves_only
            (curves if curve else whole)[config.run_id] = ShippedRun(config.to_query(), not curve)
        for config in figure.unpicked_race():
            curve = config.method.name in figure.unpicked_curves
            (curves if curve else whole)[config.run_id] = ShippedRun(config.to_query(), not curve)
    for config in (*race_from_query(RACE), *_lesson_runs()):
        longest = whole.get(config.run_id)
        if longest is None or longest.config.epochs < config.epochs:
            whole[config.run_id] = ShippedRun(config.to_query(), True)
    return [*whole.values(), *(entry for name, entry in curves.items() if name not in whole)]


def _lesson_runs() -> Iterator[RunConfig]:
    """The runs that lessons open."""
    for lesson in LessonFolder(LESSONS).lessons().values():
        for query in shown_queries(lesson):
            yield from race_from_query(split_query(query)[0])


def ship(entry: ShippedRun) -> Numbers:
    """Train one run and write its file; where it ended."""
    training = Training(entry.config)
    frames = training.run()
    entry.path.parent.mkdir(parents=True, exist_ok=True)
    new = entry.path.with_suffix(".new")
    if entry.whole:
        _write_run(new, entry.config, training, frames)
    else:
        new.write_text(json.dumps(curve(entry.config, frames), separators=(",", ":")))
    same = _same_run if entry.whole else _same_curve
    if entry.path.exists() and same(new, entry.path):
        new.unlink()
    else:
        new.replace(entry.path)
    return {"loss": frames[-1].loss, "epoch": frames[-1].epoch, "frames": float(len(frames))}


def _write_run(path: Path, config: RunConfig, training: Training, frames: Sequence[Frame]) -> None:
    outcome = training.outcome
    assert outcome is not None
    if training.present is not None:
        raise ValueError(f"{config.to_query()}: a shipped run must end with a frame of its sequence")
    state = RunState(
        status="failed" if outcome.kind == "diverged" else "finished",
        reason=outcome.sentence,
        outcome=outcome.kind,
        epochs=config.epochs,
        epoch=training.epoch,
        loss=frames[-1].loss,
        frames=len(frames),
        seconds=frames[-1].seconds,
    )
    request = Request(config.to_query(), config.epochs, starter="", quota="", placed=0.0)
    write_volume(path, request, state, Checkpoint(training.checkpoint(), len(frames)), frames)


def _same_run(new: Path, old: Path) -> bool:
    """Whether two shipped runs differ in nothing but the seconds that they took."""
    try:
        one, other = read_volume(new), read_volume(old)
    except (OSError, DamageError):
        return False
    if replace(one.record.state, seconds=0.0) != replace(other.record.state, seconds=0.0):
        return False
    first, second = one.checkpoint.arrays, other.checkpoint.arrays
    kept = first.keys() - {"seconds"}
    return (
        all(same_frame(a, b) for a, b in zip(one.payloads, other.payloads, strict=True))
        and first.keys() == second.keys()
        and all(first[name].tobytes() == second[name].tobytes() for name in kept)
    )


def _same_curve(new: Path, old: Path) -> bool:
    """The same of two curves."""
    one, other = (json.loads(path.read_text()) for path in (new, old))
    for each in (one, other):
        each["columns"]["seconds"] = None
    return bool(one == other)


def curve(config: RunConfig, frames: Sequence[Frame]) -> dict[str, Any]:
    """A run as a curve and its last network."""
    kept = [frames[i] for i in thinned(frames)]
    last = frames[-1]
    columns = {name: [_short(getattr(frame, name)) for frame in kept] for name in CURVE_COLUMNS}
    return {
        "id": config.run_id,
        "method": config.method.name,
        "query": config.to_query(),
        "numerics": NUMERICS_VERSION,
        "frames": len(frames),
        "loss": last.loss,
        "columns": columns,
        "last": {
            name: [_short(v, 9) for v in getattr(last, name).tolist()] for name in ("b", "c", "gap", "pin")
        },
        "data": _data(config),
    }


def _data(config: RunConfig) -> dict[str, Any]:
    columns = data_columns(config)
    truth = columns["truth"]
    return {
        "x": [_short(v, 9) for v in columns["x"].tolist()],
        "y": [_short(v, 6) for v in columns["y"].tolist()],
        "domain": list(columns["domain"]),
        "truth": truth
        and {key: [_short(v, 6) for v in np.asarray(truth[key]).tolist()] for key in ("x", "y")},
    }


def _short(value: float, digits: int = 6) -> float | int | None:
    if isinstance(value, int):
        return value
    return float(f"{value:.{digits}g}") if np.isfinite(value) else None


def thinned(frames: Sequence[Frame], most: int = CURVE_POINTS) -> list[int]:
    """Indices of the frames that a curve keeps: of each bucket of log time the first, lowest and "
    "highest loss."""
    if len(frames) <= most:
        return list(range(len(frames)))
    time = portable.log10(np.maximum([frame.epoch for frame in frames], 0.5))
    buckets = max(1, (most - 2) // 3)
    place = np.minimum(((time - time[0]) / (time[-1] - time[0]) * buckets).astype(int), buckets - 1)
    loss = np.array([frame.loss for frame in frames])
    kept = {0, len(frames) - 1}
    for bucket in np.unique(place):
        inside = np.flatnonzero(place == bucket)
        kept |= {int(inside[0]), int(inside[np.argmin(loss[inside])]), int(inside[np.argmax(loss[inside])])}
    return sorted(kept)


def definition(entry: ShippedRun) -> str:
    """Names what a file was made from."""
    return sha256(f"{NUMERICS_VERSION}\n{entry.query}\n{entry.whole}\n{CURVE_POINTS}".encode()).hexdigest()[
        :16
    ]
