"""Where a run is, and how that is saved: a checkpoint is a dictionary of plain arrays.

It names the run that it belongs to. A method's state alone would not tell: that of another problem has the
same keys, and training would go on with the wrong network.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..config.run_config import RunConfig
from ..methods.contract import End, EndKind, State
from ..model.pattern.changes import KINDS, Change

FORMAT = 3
"""Raised when the keys of a checkpoint, or of a method's state, change: an older one is then not used."""
STATE = "state_"
"""Prefix of the method's own keys."""


class Position(NamedTuple):
    """Where a run is. It is replaced as a whole, so that an interruption finds the old one or the new one."""

    state: State | None = None
    frames: int = 0
    """Frames of the sequence so far."""
    stage: int = 0
    change_frames: int = 0
    """Frames that stage changes have taken (core.frames.frame.has_token)."""
    scheduled: float = 0.0
    """Last scheduled epoch: how many they may take is fixed between two of them, however the way is cut."""
    frame_epoch: float = -1.0
    changes: tuple[Change, ...] = ()
    """What happened at the last stage change that no frame lists yet."""
    seconds: float = 0.0
    end: End | None = None

    @property
    def epoch(self) -> float:
        """Epochs done so far."""
        return 0.0 if self.state is None else float(self.state["epoch"])


def saved(config: RunConfig, now: Position) -> dict[str, NDArray[Any]]:
    """The checkpoint of a run at a position."""
    end = now.end or ("", "")
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT),
        "run": np.array(config.run_id),
        "index": np.array(now.frames),
        "stage": np.array(now.stage),
        "tokens": np.array(now.change_frames),
        "anchor": np.array(now.scheduled),
        "frame_epoch": np.array(now.frame_epoch),
        "seconds": np.array(now.seconds),
        "end": np.array(end),
        "change_epoch": np.array([change.epoch for change in now.changes], dtype=np.float64),
        "change": np.array(
            [(change.neuron, KINDS.index(change.kind), change.datum) for change in now.changes],
            dtype=np.int64,
        ).reshape(-1, 3),
    }
    for key, value in (now.state or {}).items():
        arrays[STATE + key] = np.array(value)
    return arrays


def restored(config: RunConfig, saved: Mapping[str, NDArray[Any]]) -> Position:
    """The position that a checkpoint holds; ValueError if it is that of another run or version."""
    if not belongs(config, saved):
        raise ValueError(
            "The checkpoint belongs to another run or version: "
            "its data, start, method, numerics or format differ."
        )
    state = {key.removeprefix(STATE): np.array(v) for key, v in saved.items() if key.startswith(STATE)}
    position = Position(
        state=state or None,
        frames=int(saved["index"]),
        stage=int(saved["stage"]),
        change_frames=int(saved["tokens"]),
        scheduled=float(saved["anchor"]),
        frame_epoch=float(saved["frame_epoch"]),
        changes=tuple(
            Change(float(epoch), int(neuron), KINDS[kind], int(datum))
            for epoch, (neuron, kind, datum) in zip(saved["change_epoch"], saved["change"], strict=True)
        ),
        seconds=float(saved["seconds"]),
    )
    kind, reason = (str(text) for text in saved["end"])
    if not kind or (kind == "budget" and position.epoch < config.epochs):
        return position
    return position._replace(end=End(cast(EndKind, kind), reason))


def belongs(config: RunConfig, saved: Mapping[str, NDArray[Any]]) -> bool:
    """Whether a checkpoint is one of this run, as this version writes it."""
    return {"run", "format"} <= saved.keys() and (str(saved["run"]), int(saved["format"])) == (
        config.run_id,
        FORMAT,
    )
