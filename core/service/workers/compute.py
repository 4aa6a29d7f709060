"""From a claimed run to frames in the store: what every worker does, on any back end.

A run resumes from its newest usable checkpoint. Frames that were stored after that
checkpoint are computed once more and compared with what the store has, bit by bit
(the wall-clock column aside): a frame that a reader has been given is never lost and
never changed. If a comparison fails, the run says so instead of going on.
"""

import logging
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...limits import LIMITS, Limits
from ...run.checkpoint import belongs
from ...run.train import Training
from .. import lifecycle
from ..events import log_event
from ..lifecycle import LateError
from ..records import encode_frame, same_frame
from ..run_record import Record, Request, RunState, RunStatus
from ..store import Checkpoint, Claim, ClaimedError, StorageFullError, Store, StoreError
from .kernels import is_interpreted
from .watchdog import limited_step, too_large

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

Turns = Generator[None, None, Record]
"""A run cut into chunks; the record that it is left with is returned."""
Share = Callable[[], float | None]
"""How long the next chunk may take; None: as usual."""


@dataclass(frozen=True)
class Progress:
    """How far a running run is, more often than frames come."""

    epoch: float
    rate: float
    """Epochs per second, lately; 0 until a whole stretch of them was seen."""
    is_interpreted: bool = False
    """Its rate says nothing of how long the run takes: it goes on compiled."""
    epochs: float = 0.0
    """Epochs computed since the last report,"""
    frames: int = 0
    """and frames stored."""


class Control(Protocol):
    """The worker's ears and mouth while it computes."""

    def shall_end(self, run_id: str, attempt: int) -> bool:
        """Whether a run shall be given back: there is a command for this attempt, or the worker ends."""

    def report(self, run_id: str, progress: Progress) -> None:
        """Called about twice a second, and once more when it ends."""


class ReplayMismatchError(Exception):
    """A recomputed frame differs from the stored one."""


def config_of(request: Request, store: Store) -> RunConfig:
    """The run that is asked for, which was within the limits when it was."""
    return RunConfig.from_query(request.query, limits=BOUNDLESS, datasets=store.datasets)


def own_checkpoints(claim: Claim, config: RunConfig) -> list[Checkpoint]:
    """The checkpoints of a claimed run, newest first. What version 2 stored is forgotten: its checkpoints do
    not say whose they are, and the end of a budget may be among its frames."""
    checkpoints = claim.checkpoints()
    if not all(belongs(config, checkpoint.arrays) for checkpoint in checkpoints):
        claim.clear()
        return []
    return checkpoints


def share_of(others: int) -> float | None:
    """How long a turn may be: the shorter the more other runs wait for theirs; None where there are none."""
    return ROUND_SECONDS / (others + 1) if others else None


def turns(
    store: Store, claim: Claim, run_id: str, control: Control, limits: Limits, share: Share = lambda: None
) -> Turns:
    """Work on a claimed run until it ends or is given back, chunk by chunk, since a worker may have several;
    the record that it is left with is already written. LateError when it waits for no worker."""
    record = claim.change(lifecycle.start_attempt)
    attempt, known = record.state.attempt, record.state
    failed = known.but(status="failed", replay_mismatch=False)
    try:
        if known.replay_mismatch:
            claim.clear()
            record = claim.change(lambda now: lifecycle.begin_anew(now, attempt))
        log_event("run begins", run=run_id, frames=claim.frames, attempt=attempt, deaths=known.deaths)
        reached = yield from Session(store, claim, run_id, control, limits, record).run(share)
    except (ClaimedError, LateError, StorageFullError):
        # Whoever looks after the worker has the run go on later.
        raise
    except ReplayMismatchError as error:
        reached = failed.but(reason=str(error), replay_mismatch=True)
    except StoreError as error:
        reached = failed.but(reason=str(error))
    except MemoryError:
        reached = failed.but(reason=too_large(limits.memory_bytes))
    except Exception as error:
        log.exception("run %s failed", run_id)
        reached = failed.but(reason=f"The computation failed: {error}")
    reached = reached.but(frames=claim.frames)
    ended = claim.change(lambda now: lifecycle.end_attempt(now, attempt, reached)).state
    how, seconds = f"{ended.status}: {ended.reason}", round(ended.seconds, 3)
    log_event("run ends", run=run_id, how=how, frames=ended.frames, epoch=ended.epoch, seconds=seconds)
    return replace(record, state=ended)


class Session:
    """One worker's go at one run."""

    def __init__(
        self, store: Store, claim: Claim, run_id: str, control: Control, limits: Limits, record: Record
    ) -> None:
        self._store, self._claim, self._run_id = store, claim, run_id
        self._control, self._limits = control, limits
        self._state = state = record.state
        self._attempt, self._deaths = state.attempt, state.deaths
        self._config = config_of(record.request, store)
        if self._config.run_id != run_id:
            raise StoreError("It was begun by another version of the numerics. Run it again to start afresh.")
        self._training, self._made = self._resume()
        self._epochs, self._stored = self._training.epoch, 0
        self._pending: list[bytes] = []
        self._loss = state.loss
        self._seconds = state.seconds
        self._start = self._flushed = self._saved = self._reported = time.monotonic()
        self._is_loading = True
        """Until the first epochs were computed, which takes the time to load the kernels as well."""
        self._cpu = time.process_time()

    def run(self, share: Share) -> Generator[None, None, RunState]:
        """Chunk by chunk until something ends it; how far it has got."""
        if (ended := self._given_back()) is not None:
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
            if (ended := self._given_back()) is not None:
                return ended
            if now - self._saved >= CHECKPOINT_SECONDS:
                self._save(now)
            has_loaded = self._is_loading and self._training.epoch > self._epochs
            if has_loaded or now - self._reported >= REPORT_SECONDS:
                self._report(now)
            # what others compute meanwhile is not this run's time
            self._seconds = self._spent()
            yield
            self._cpu = time.process_time()

    def _spent(self) -> float:
        return self._seconds + time.process_time() - self._cpu

    def _resume(self) -> tuple[Training, int]:
        """Training from the newest usable checkpoint, else from the start, and its frames so far."""
        for checkpoint in own_checkpoints(self._claim, self._config):
            return Training(self._config, checkpoint.arrays), checkpoint.frames
        return Training(self._config), 0

    def _take(self, frame: Frame) -> None:
        payload = encode_frame(frame)
        self._made = frame.index + 1
        stored = self._claim.frames
        if frame.index < stored:
            if not same_frame(payload, self._claim.payload(frame.index)):
                raise ReplayMismatchError(
                    f"Frame {frame.index} came out differently when it was recomputed after an interruption; "
                    "the stored frames are kept. Run it again to start afresh."
                )
            return
        if frame.index != stored + len(self._pending):
            raise ReplayMismatchError(
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
        if self._deaths:
            # It has got further than where workers died: what killed them was not this run, or is behind it.
            self._deaths = 0
            self._claim.change(lambda now: lifecycle.progressed(now, self._attempt))

    def _report(self, now: float) -> None:
        epoch, since = self._training.epoch, max(1e-6, now - self._reported)
        new = epoch - self._epochs
        rate = 0.0 if self._is_loading else new / since
        self._control.report(self._run_id, Progress(epoch, rate, is_interpreted(), new, self._stored))
        self._is_loading = self._is_loading and new <= 0.0
        self._epochs, self._stored, self._reported = epoch, 0, now

    def _extended(self) -> bool:
        """Go on when somebody has asked for a longer budget in the meantime."""
        record = self._store.record(self._run_id)
        outcome = self._training.outcome
        if (
            record is None
            or outcome is None
            or outcome.kind != "budget"
            or record.request.epochs <= self._config.epochs
        ):
            return False
        self._save(time.monotonic())
        self._config = config_of(record.request, self._store)
        self._training = Training(self._config, self._training.checkpoint())
        return True

    def _given_back(self) -> RunState | None:
        """How it ends when it shall not go on; what becomes of it then, its record decides."""
        if self._control.shall_end(self._run_id, self._attempt):
            self._close()
            return self._reached("running")
        if self._spent() > 2 * self._limits.cpu_seconds:
            self._close()
            reason = f"It reached the limit of {2 * self._limits.cpu_seconds:.0f} s of computing."
            return self._reached("stopped", reason=reason)
        return None

    def _finish(self) -> RunState:
        outcome = self._training.outcome
        assert outcome is not None
        self._close()
        status: RunStatus = "failed" if outcome.kind == "diverged" else "finished"
        return self._reached(
            status, reason=outcome.sentence, outcome=outcome.kind, epochs=self._config.epochs
        )

    def _close(self) -> None:
        now = time.monotonic()
        self._save(now)
        if self._training.present is not None:
            self._claim.keep_present(encode_frame(self._training.present))
        self._report(now)

    def _reached(self, status: RunStatus, **more: Any) -> RunState:
        present, seconds = self._training.present, self._spent()
        loss = self._loss if present is None else present.loss
        return self._state.but(status=status, epoch=self._training.epoch, loss=loss, seconds=seconds, **more)
