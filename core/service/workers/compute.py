"""From a claimed run to frames in the store: what every worker does, on any back end.

A run resumes from its newest usable checkpoint. Frames that were stored after that
checkpoint are computed once more and compared with what the store has, bit by bit
(the wall-clock column aside): a frame that a reader has been given is never lost and
never changed. If a comparison fails, the run says so instead of going on.
"""

import logging
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, fields
from typing import Literal, Protocol

from core.config.run_config import RunConfig
from core.limits import LIMITS, Limits
from core.run.frames import Frame
from core.run.train import Training
from core.service.events import tell
from core.service.records import encode_frame, same_frame
from core.service.store import (
    Checkpoint,
    Claim,
    ClaimedError,
    NoRoomError,
    Order,
    RunState,
    Store,
    StoreError,
)
from core.service.workers.kernels import note_compiled
from core.service.workers.watchdog import limited_step, too_large

Wish = Literal["", "stop", "pause", "exit"]

FLUSH_SECONDS = 0.2
CHECKPOINT_SECONDS = 1.0
REPORT_SECONDS = 0.5
ROUND_SECONDS = 0.25
"""All runs that take turns on a worker should have had theirs within this time."""
AT_ONCE_SECONDS = 1.0
"""Frames of a run's first second are written as they come, so that viewers see it start."""

BOUNDLESS = Limits(**{one.name: type(getattr(LIMITS, one.name))(1 << 50) for one in fields(Limits)})
"""For what was accepted before, whatever the limits are now."""

log = logging.getLogger(__name__)

Turns = Generator[None, None, RunState]
"""A run cut into chunks; the state that it is left in is returned."""
Share = Callable[[], float | None]
"""How long the next chunk may take; None: as usual."""


@dataclass(frozen=True)
class Progress:
    """How far a running run is, more often than frames come."""

    epoch: float
    rate: float
    """Epochs a second, lately."""
    epochs: float = 0.0
    """Epochs computed since the last report,"""
    frames: int = 0
    """and frames stored."""


class Control(Protocol):
    """The worker's ears and mouth while it computes."""

    def wish(self, run_id: str) -> tuple[Wish, str]:
        """What a run shall do instead of going on, and a sentence why."""

    def report(self, run_id: str, progress: Progress) -> None:
        """Called about twice a second, and once more when it ends."""


class SpoiltError(Exception):
    """A recomputed frame differs from the stored one."""


def config_of(order: Order, store: Store) -> RunConfig:
    """The run that an order asks for, which was within the limits when it was placed."""
    return RunConfig.from_query(order.query, limits=BOUNDLESS, datasets=store.datasets)


def share_of(others: int) -> float | None:
    """How long a turn may be: the shorter the more other runs wait for theirs; None where there are none."""
    return ROUND_SECONDS / (others + 1) if others else None


def turns(
    store: Store, claim: Claim, run_id: str, control: Control, limits: Limits, share: Share = lambda: None
) -> Turns:
    """Work on a claimed run until it ends or shall stop, chunk by chunk, since a worker may have several; the
    state that it is left in is already written."""
    before = store.state(run_id)
    running = before.but(status="running", reason="", outcome="", updated=time.time())
    try:
        if before.spoilt:
            claim.clear()
            running = running.but(spoilt=False, seconds=0.0)
        claim.write(running)
        tell("run begins", run=run_id, frames=claim.frames, deaths=before.deaths)
        state = yield from Session(store, claim, run_id, control, limits, running).run(share)
    except (ClaimedError, NoRoomError):
        # Whoever looks after the worker has the run go on later.
        raise
    except SpoiltError as error:
        state = running.but(status="failed", reason=str(error), spoilt=True)
    except StoreError as error:
        state = running.but(status="failed", reason=str(error))
    except MemoryError:
        state = running.but(status="failed", reason=too_large(limits.memory_bytes))
    except Exception as error:
        log.exception("run %s failed", run_id)
        state = running.but(status="failed", reason=f"The computation failed: {error}")
    state = state.but(frames=claim.frames, updated=time.time())
    how, seconds = f"{state.status}: {state.reason}", round(state.seconds, 3)
    tell("run ends", run=run_id, how=how, frames=state.frames, epoch=state.epoch, seconds=seconds)
    try:
        claim.write(state)
    except StoreError:
        # The caller still has the state and passes it on; the disk may be full.
        log.warning("the state of run %s could not be stored", run_id)
    return state


class Session:
    """One worker's go at one run."""

    def __init__(
        self, store: Store, claim: Claim, run_id: str, control: Control, limits: Limits, state: RunState
    ) -> None:
        self._store, self._claim, self._run_id = store, claim, run_id
        self._control, self._limits, self._state = control, limits, state
        order = store.order(run_id)
        if order is None:
            raise StoreError("No such run.")
        self._config = config_of(order, store)
        if self._config.run_id != run_id:
            raise StoreError("It was begun by another version of the numerics. Run it again to start afresh.")
        self._training, self._made = self._resume()
        self._epochs, self._stored = self._training.epoch, 0
        self._pending: list[bytes] = []
        self._loss = state.loss
        self._seconds = state.seconds
        self._start = self._flushed = self._saved = self._reported = time.monotonic()
        self._cpu = time.process_time()

    def run(self, share: Share) -> Turns:
        """Chunk by chunk until something ends it."""
        if (ended := self._wished()) is not None:
            return ended
        while True:
            with limited_step(self._limits.step_seconds):
                frames = self._training.step(share())
            for frame in frames:
                self._take(frame)
            now = time.monotonic()
            if now - self._start < AT_ONCE_SECONDS or now - self._flushed >= FLUSH_SECONDS:
                self._flush(now)
            if self._training.outcome is not None and not self._extended():
                return self._finish()
            if (ended := self._wished()) is not None:
                return ended
            if now - self._saved >= CHECKPOINT_SECONDS:
                self._save(now)
            if now - self._reported >= REPORT_SECONDS:
                self._report(now)
            # what others compute meanwhile is not this run's time
            self._seconds = self._spent()
            yield
            self._cpu = time.process_time()

    def _spent(self) -> float:
        return self._seconds + time.process_time() - self._cpu

    def _resume(self) -> tuple[Training, int]:
        """Training from the newest usable checkpoint, else from the start, and its frames so far."""
        for checkpoint in self._claim.checkpoints():
            return Training(self._config, checkpoint.arrays), checkpoint.frames
        return Training(self._config), 0

    def _take(self, frame: Frame) -> None:
        payload = encode_frame(frame)
        self._made = frame.index + 1
        stored = self._claim.frames
        if frame.index < stored:
            if not same_frame(payload, self._claim.payload(frame.index)):
                raise SpoiltError(
                    f"Frame {frame.index} came out differently when it was recomputed after an interruption; "
                    "the stored frames are kept. Run it again to start afresh."
                )
            return
        if frame.index != stored + len(self._pending):
            raise SpoiltError(
                f"Frame {stored + len(self._pending)} is missing; run it again to start afresh."
            )
        self._pending.append(payload)
        self._loss = frame.loss

    def _flush(self, now: float) -> None:
        if self._pending:
            self._claim.append(self._pending)
            self._stored += len(self._pending)
            self._pending.clear()
        self._flushed = now

    def _save(self, now: float) -> None:
        self._flush(now)
        self._claim.save(Checkpoint(self._training.checkpoint(), self._made))
        self._saved = now
        if self._state.deaths:
            # It has got further than where workers died: what killed them was not this run, or is behind it.
            self._state = self._state.but(deaths=0)
            self._claim.write(self._state)

    def _report(self, now: float) -> None:
        epoch, since = self._training.epoch, max(1e-6, now - self._reported)
        new = epoch - self._epochs
        self._control.report(self._run_id, Progress(epoch, new / since, new, self._stored))
        self._epochs, self._stored, self._reported = epoch, 0, now

    def _extended(self) -> bool:
        """Go on when somebody has asked for a longer budget in the meantime."""
        order = self._store.order(self._run_id)
        outcome = self._training.outcome
        if (
            order is None
            or outcome is None
            or outcome.kind != "budget"
            or order.epochs <= self._config.epochs
        ):
            return False
        self._save(time.monotonic())
        self._config = config_of(order, self._store)
        self._training = Training(self._config, self._training.checkpoint())
        return True

    def _wished(self) -> RunState | None:
        wish, reason = self._control.wish(self._run_id)
        if not wish and self._spent() > 2 * self._limits.cpu_seconds:
            wish, reason = (
                "stop",
                f"It reached the limit of {2 * self._limits.cpu_seconds:.0f} s of computing.",
            )
        if not wish:
            return None
        self._close()
        status: dict[str, Literal["stopped", "paused", "queued"]]
        status = {"stop": "stopped", "pause": "paused", "exit": "queued"}
        return self._now().but(status=status[wish], reason=reason)

    def _finish(self) -> RunState:
        outcome = self._training.outcome
        assert outcome is not None
        self._close()
        note_compiled(self._config.method.name)
        status: Literal["failed", "finished"] = "failed" if outcome.kind == "diverged" else "finished"
        return self._now().but(
            status=status, reason=outcome.sentence, outcome=outcome.kind, epochs=self._config.epochs
        )

    def _close(self) -> None:
        now = time.monotonic()
        self._save(now)
        self._report(now)

    def _now(self) -> RunState:
        return self._state.but(
            epoch=self._training.epoch,
            loss=self._loss,
            frames=self._claim.frames,
            seconds=self._spent(),
        )
