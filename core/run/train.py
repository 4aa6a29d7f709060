"""The one driver loop: from a configuration to frames, in chunks that can be cut anywhere.

`Training` owns what is common to all methods: the schedule of frames, the stage
counter, the diagnostics that a frame carries, and the checkpoint. It knows no
method by name. Everything that decides the next frame is in the checkpoint, so a
run that is stopped after any chunk and resumed gives the same frames bit by bit;
only the wall-clock column differs.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from core.config.run_config import RunConfig
from core.methods.contract import Outcome, OutcomeKind, State
from core.model.changes import KINDS, Change
from core.model.loss import mean_loss, prediction_error
from core.model.pattern import Pattern
from core.run.frames import Frame, has_room, has_token, next_frame_epoch
from core.theory.floor import floor
from core.theory.stationarity import critical_error

STEP_SECONDS = 0.1
"""Wall-clock after which `Training.step` hands back; one call of a method may add as much."""
STATE = "state_"
"""Prefix of the method's own keys in a checkpoint."""


class Training:
    """One run of one method, advanced chunk by chunk.

    The clock is an argument because it must decide nothing but how many calls of
    the method one `step` bundles, and the `seconds` column.
    """

    def __init__(
        self,
        config: RunConfig,
        checkpoint: Mapping[str, NDArray[Any]] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = config
        self.data = config.training_data()
        self.outcome: Outcome | None = None
        self._clock = clock
        self._state: State | None = None
        self._index = 0
        self._stage = 0
        self._tokens = 0
        """frames that stage changes have taken from the bucket"""
        self._anchor = 0.0
        """last scheduled epoch: the bucket's level is fixed between two of them, however the way is cut"""
        self._frame_epoch = -1.0
        self._changes: tuple[Change, ...] = ()
        """what happened at the last stage change that no frame lists yet"""
        self._pattern: Pattern | None = None
        self._floor = float("nan")
        self._seconds = 0.0
        if checkpoint is not None:
            self._restore(checkpoint)

    @property
    def epoch(self) -> float:
        """Epochs done so far."""
        return 0.0 if self._state is None else float(self._state["epoch"])

    def step(self, seconds: float | None = None) -> list[Frame]:
        """Advance for so long, STEP_SECONDS if nothing is said; the new frames, maybe none. Nothing is done
        after the outcome."""
        frames: list[Frame] = []
        longest = STEP_SECONDS if seconds is None else seconds
        before, start = self._seconds, self._clock()
        while self.outcome is None:
            due = self._advance()
            self._seconds = before + (self._clock() - start)
            if due:
                frames += self._record()
            if self._clock() - start >= longest:
                break
        return frames

    def _advance(self) -> bool:
        """One call of the method; whether the state reached is to be recorded."""
        method, budget = self.config.method, float(self.config.epochs)
        if self._state is None:
            self._state = method.init(self.data, *self.config.initial())
            return True
        scheduled = next_frame_epoch(self.epoch, method.frame_every_epoch)
        room = has_room(self._index)
        stop = room and has_token(self._anchor, self._tokens, method.frame_every_epoch)
        if self.epoch < budget:
            result = method.advance(self.data, self._state, min(scheduled, budget), stop_at_change=stop)
            self._state = result.state
            self._stage += result.stages
            self._changes = result.changes or self._changes
            self.outcome = result.outcome
            if self.outcome is not None:
                return self.outcome.kind != "diverged"
            if self.epoch >= scheduled:
                self._anchor = scheduled
                return room
            if stop and result.stages and self.epoch < budget:
                self._tokens += 1
                return True
        if self.epoch < budget:
            return False
        remark = method.remark(self.data, self._state)
        self.outcome = Outcome("budget", f"The budget of {budget:,g} epochs is used up. {remark}".strip())
        return True

    def _record(self) -> list[Frame]:
        """The frame of the present state, unless there is one already; never one that is not finite."""
        assert self._state is not None
        if self.epoch <= self._frame_epoch:
            return []
        b, c, gap, pin = (frozen_copy(self._state[key]) for key in ("b", "c", "gap", "pin"))
        loss = mean_loss(self.data, b, c)
        if not (np.isfinite(loss) and np.isfinite(b).all() and np.isfinite(c).all()):
            self.outcome = Outcome("diverged", "The loss is no longer a finite number.")
            return []
        pattern = Pattern(gap, pin)
        if pattern != self._pattern:
            self._pattern, self._floor = pattern, floor(self.data, pattern)
        frame = Frame(
            index=self._index,
            epoch=self.epoch,
            loss=loss,
            b=b,
            c=c,
            gap=gap,
            pin=pin,
            stage=self._stage,
            floor=self._floor,
            stationarity=critical_error(self.data, pattern, b, c)[0],
            prediction_error=prediction_error(self.data, b, c),
            seconds=self._seconds,
            gradients=int(self._state["gradients"]),
            solves=int(self._state["solves"]),
            changes=self._changes,
            points=self.data.m,
        )
        self._index += 1
        self._frame_epoch = self.epoch
        self._changes = ()
        return [frame]

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that decides what comes next, as plain arrays (no objects), ready for `np.savez`."""
        kind, sentence = (self.outcome.kind, self.outcome.sentence) if self.outcome else ("", "")
        saved: dict[str, NDArray[Any]] = {
            "index": np.array(self._index),
            "stage": np.array(self._stage),
            "tokens": np.array(self._tokens),
            "anchor": np.array(self._anchor),
            "frame_epoch": np.array(self._frame_epoch),
            "seconds": np.array(self._seconds),
            "outcome": np.array([kind, sentence]),
            "change_epoch": np.array([change.epoch for change in self._changes], dtype=np.float64),
            "change": np.array(
                [(change.neuron, KINDS.index(change.kind), change.datum) for change in self._changes],
                dtype=np.int64,
            ).reshape(-1, 3),
        }
        for key, value in (self._state or {}).items():
            saved[STATE + key] = np.array(value)
        return saved

    def _restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        self._index = int(saved["index"])
        self._stage = int(saved["stage"])
        self._tokens = int(saved["tokens"])
        self._anchor = float(saved["anchor"])
        self._frame_epoch = float(saved["frame_epoch"])
        self._seconds = float(saved["seconds"])
        self._changes = tuple(
            Change(float(epoch), int(neuron), KINDS[kind], int(datum))
            for epoch, (neuron, kind, datum) in zip(saved["change_epoch"], saved["change"], strict=True)
        )
        state = {key.removeprefix(STATE): np.array(v) for key, v in saved.items() if key.startswith(STATE)}
        self._state = state or None
        kind, sentence = (str(text) for text in saved["outcome"])
        if kind and not (kind == "budget" and self.epoch < self.config.epochs):
            self.outcome = Outcome(cast(OutcomeKind, kind), sentence)


def frozen_copy(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that nobody can change."""
    copy = np.array(array)
    copy.setflags(write=False)
    return copy


def train(config: RunConfig) -> Iterator[Frame]:
    """The frames of a run, from frame 0 to the budget or the method's own end."""
    training = Training(config)
    while training.outcome is None:
        yield from training.step()
