"""The one driver loop: from a configuration to frames, in chunks that can be cut anywhere.

`Training` owns what is common to all methods: the schedule of frames, the stage counter, the diagnostics that
a frame carries, and the checkpoint. It knows no method by name. Everything that decides the next frame is in
the checkpoint, so a run that is stopped after any chunk and resumed gives the same frames bit by bit; only
the wall-clock column differs.

The sequence of frames belongs to the run and not to its budget: it has the epochs of the schedule, the stage
changes and the method's own end. A budget that ends anywhere else leaves a frame beside the sequence,
`Training.present`, gone when the run goes on. So any chain of budgets gives the frames of the last one.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

from numpy.typing import NDArray

from ..config.run_config import RunConfig
from ..frames.frame import Frame, has_room, has_token, next_frame_epoch
from ..interrupts import interrupts_deferred
from ..methods.contract import End
from ..model.pattern import Pattern
from ..narrative.endings import Outcome, outcome_of
from .checkpoint import Position, restored, saved
from .compiling import compiling_shown
from .measures import measured

STEP_SECONDS = 0.1
"""Wall-clock after which `Training.step` hands back; one call of a method may add as much."""
NOT_FINITE = End("diverged", "not_finite")


class Training:
    """One run of one method, advanced chunk by chunk.

    The clock decides how many calls of the method one `step` bundles, and the `seconds` column, nothing else.

    Parameters
    ----------
    config
        The run; its budget may be longer than that of the checkpoint.
    checkpoint
        What `checkpoint()` gave for the same run.
    clock
        Seconds, for the wall-clock column.

    Raises
    ------
    ValueError
        If the checkpoint is that of another run.
    """

    def __init__(
        self,
        config: RunConfig,
        checkpoint: Mapping[str, NDArray[Any]] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = config
        self.data = config.training_data()
        self._clock = clock
        self._position = Position() if checkpoint is None else restored(config, checkpoint)
        self._floor: tuple[Pattern, float] | None = None
        self._present: tuple[Position, Frame | None] | None = None
        self._outcome: tuple[End, Outcome] | None = None

    @property
    def epoch(self) -> float:
        """Epochs done so far."""
        return self._position.epoch

    @property
    def outcome(self) -> Outcome | None:
        """Why the run has ended; None if it goes on."""
        end, state = self._position.end, self._position.state
        if end is None:
            return None
        if self._outcome is None or self._outcome[0] is not end:
            assert state is not None
            self._outcome = end, outcome_of(self.config, end, state)
        return self._outcome[1]

    @property
    def has_ended(self) -> bool:
        """Whether there is an outcome."""
        return self._position.end is not None

    @property
    def present(self) -> Frame | None:
        """The frame of the present state, with the index that the next frame of the sequence will have. None
        if the last frame of the sequence shows this state already, or the run diverged."""
        position = self._position
        if position.state is None or position.epoch <= position.frame_epoch:
            return None
        if position.end is not None and position.end.kind == "diverged":
            return None
        if self._present is None or self._present[0] is not position:
            self._present = position, self._frame(position)
        return self._present[1]

    def step(self, seconds: float | None = None, frames: list[Frame] | None = None) -> list[Frame]:
        """Advance for so long, STEP_SECONDS if nothing is said. Nothing is done after the outcome.

        The new frames of the sequence, maybe none, are appended to `frames` as they are made. A step that is
        interrupted has lost nothing: the next one with the same list goes on.
        """
        made: list[Frame] = [] if frames is None else frames
        with interrupts_deferred():
            self._step(STEP_SECONDS if seconds is None else seconds, made)
        return made

    def _step(self, longest: float, made: list[Frame]) -> None:
        before, start = self._position.seconds, self._clock()
        while self._position.end is None:
            position, due = self._advanced(self._position)
            position = position._replace(seconds=before + (self._clock() - start))
            if due and position.epoch > position.frame_epoch:
                frame = self._frame(position)
                if frame is None:
                    position = position._replace(end=NOT_FINITE)
                else:
                    if not made or made[-1].index < frame.index:
                        made.append(frame)
                    position = position._replace(
                        frames=position.frames + 1, frame_epoch=position.epoch, changes=()
                    )
            self._position = position
            if self._clock() - start >= longest:
                break

    def run(self) -> list[Frame]:
        """Advance to the end: the new frames, and the present one last if it is not among them."""
        frames: list[Frame] = []
        while self._position.end is None:
            self.step(frames=frames)
        return frames if self.present is None else [*frames, self.present]

    def _advanced(self, now: Position) -> tuple[Position, bool]:
        """One call of the method; whether the state reached belongs to the sequence of frames."""
        method, budget = self.config.method, float(self.config.epochs)
        if now.state is None:
            return now._replace(state=method.init(self.data, *self.config.initial())), True
        epoch, due, judged = now.epoch, False, None
        if epoch < budget:
            scheduled = next_frame_epoch(epoch, method.frame_every_epoch)
            room = has_room(now.frames)
            stop = room and has_token(now.scheduled, now.change_frames, method.frame_every_epoch)
            result = method.advance(self.data, now.state, min(scheduled, budget), stop_at_change=stop)
            epoch, judged = float(result.state["epoch"]), result.judged
            on_schedule = epoch >= scheduled
            by_change = not on_schedule and stop and result.stages > 0
            end = result.met or (judged if on_schedule else None)
            now = now._replace(
                state=result.state,
                stage=now.stage + result.stages,
                change_frames=now.change_frames + by_change,
                scheduled=scheduled if on_schedule else now.scheduled,
                changes=result.changes or now.changes,
                end=end,
            )
            due = by_change or (on_schedule and room)
            if end is not None:
                return now, end.kind != "diverged"
        if epoch >= budget:
            now = now._replace(end=End("budget", "budget" if judged is None else judged.reason))
        return now, due

    def _frame(self, position: Position) -> Frame | None:
        """The frame of a position; None if its numbers are not finite."""
        assert position.state is not None
        b, c, gap, pin = (frozen_copy(position.state[key]) for key in ("b", "c", "gap", "pin"))
        pattern = Pattern(gap, pin)
        known = self._floor[1] if self._floor is not None and self._floor[0] == pattern else None
        found = measured(self.data, pattern, b, c, known)
        if found is None:
            return None
        self._floor = pattern, found.floor
        return Frame(
            index=position.frames,
            epoch=position.epoch,
            loss=found.loss,
            b=b,
            c=c,
            gap=gap,
            pin=pin,
            stage=position.stage,
            floor=found.floor,
            stationarity=found.stationarity,
            prediction_error=found.prediction_error,
            seconds=position.seconds,
            gradients=int(position.state["gradients"]),
            solves=int(position.state["solves"]),
            changes=position.changes,
            points=self.data.m,
        )

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that decides what comes next, as plain arrays (no objects), ready for `np.savez`."""
        return saved(self.config, self._position)


def frozen_copy(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that nobody can change."""
    copy = array.copy()
    copy.setflags(write=False)
    return copy


class Run(Iterator[Frame]):
    """The frames of a run, computed as they are asked for; `train` makes it.

    An interruption (Ctrl-C) loses nothing: `frames` has all frames so far, and iterating again goes on.
    """

    def __init__(self, training: Training) -> None:
        self._training = training
        self._frames: list[Frame] = []
        self._given = 0
        self._warned = False

    @property
    def config(self) -> RunConfig:
        """The run in question."""
        return self._training.config

    @property
    def frames(self) -> list[Frame]:
        """All frames so far; if the budget is used up, the last one shows the state at its end."""
        present = self._training.present if self._training.has_ended else None
        return self._frames.copy() if present is None else [*self._frames, present]

    @property
    def present(self) -> Frame | None:
        """See `Training.present`."""
        return self._training.present

    @property
    def outcome(self) -> Outcome | None:
        """Why the run has ended; None if it goes on."""
        return self._training.outcome

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """What `Training(config, checkpoint)` goes on from, also with a longer budget."""
        return self._training.checkpoint()

    def __repr__(self) -> str:
        done = f"epoch {self._training.epoch:g} of {self.config.epochs:g}, {len(self.frames)} frames"
        return f"<Run: {self.config.method.title}, {done}>"

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        while self._given >= len(self._frames) and not self._training.has_ended:
            with compiling_shown():
                self._training.step(frames=self._frames)
        frames = self._frames if self._given < len(self._frames) else self.frames
        if self._given < len(frames):
            self._given += 1
            return frames[self._given - 1]
        self._warn()
        raise StopIteration

    def _warn(self) -> None:
        outcome = self.outcome
        if outcome is not None and outcome.kind == "diverged" and not self._warned:
            self._warned = True
            warnings.warn(outcome.sentence, RuntimeWarning, stacklevel=3)


def train(config: RunConfig) -> Run:
    """The frames of a run, from frame 0 to the budget or the method's own end.

    Parameters
    ----------
    config
        The problem, the start, the method and the budget.

    Returns
    -------
    Run
        An iterator of frames. It also has `frames` (all so far), `outcome` (kind and sentence) and
        `checkpoint()`. A run that diverges ends with a RuntimeWarning.

    Examples
    --------
    >>> from core import RunConfig
    >>> run = train(RunConfig.from_query("target=f1&method=anls&epochs=5"))
    >>> [int(frame.epoch) for frame in run]
    [0, 1, 2, 3, 4, 5]
    >>> run.outcome.kind
    'budget'
    """
    return Run(Training(config))
