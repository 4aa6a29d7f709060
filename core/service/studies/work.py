"""The record of one run of a study: found in the store, or computed.

A short run is computed in memory, and only its row and its curve are kept: who opens it in the Lab has it
again within seconds. A long one is an ordinary run of the store: it goes on from where it was left, whoever
left it, and everybody finds it there when it has ended.
"""

import logging
import time
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...limits import Limits
from ...narrative import Outcome
from ...run.train import Training
from ...study import curve_of, failed_row, row_of
from .. import lifecycle
from ..records import decode_frame, encode_frame
from ..run_record import Request, RunState
from ..store import Checkpoint, ClaimedError, Store, StoreError
from ..workers.compute import own_checkpoints
from ..workers.kernels import load_method
from ..workers.watchdog import limited_step
from .store import pack_record

LONG_SECONDS = 5.0
"""A run that costs more by estimate is kept in the store."""
SAVE_SECONDS = 5.0
_OWNER = "study"
"""Who has asked for a run that only a study wanted."""

log = logging.getLogger(__name__)


class PauseControl(Protocol):
    """How a worker is held back while it computes for a study."""

    def go_on(self) -> bool:
        """Called between steps: waits while single runs need the worker; False to give the portion back."""


def compute_record(
    store: Store, place: int, query: str, limits: Limits, control: PauseControl
) -> bytes | None:
    """The record of a run; None when it was given back unfinished."""
    try:
        config = RunConfig.from_query(query, limits=limits, datasets=store.datasets)
        frames, outcome = _frames(store, config, limits, control)
        if outcome is None:
            return None
        scaled = [frame.in_units(config.scale) for frame in frames]
        return pack_record(place, row_of(config, frames, outcome), curve_of(scaled))
    except (ClaimedError, StoreError):
        raise
    except ValueError as error:
        # Its data are gone, or the limits were lowered since: nothing went wrong here.
        log.warning("a run of a study cannot be computed: %s (%s)", query, error)
        return failed_record(store, place, query, limits)
    except Exception:
        log.exception("a run of a study failed: %s", query)
        return failed_record(store, place, query, limits)


def failed_record(store: Store, place: int, query: str, limits: Limits) -> bytes:
    """The record of a run that cannot be computed."""
    try:
        config: RunConfig | None = RunConfig.undrawn(query, limits=limits, datasets=store.datasets)
    except ValueError:
        # Its data are gone, or the limits were lowered since.
        config = None
    return pack_record(place, failed_row(query, config), np.empty(0, dtype=np.float32))


def _frames(
    store: Store, config: RunConfig, limits: Limits, control: PauseControl
) -> tuple[list[Frame], Outcome | None]:
    """All frames and how the run ended; None when it has not."""
    record = store.record(config.run_id)
    if record is not None and _answers(record.state, config):
        state = record.state
        frames = [decode_frame(payload) for payload in store.payloads(config.run_id, 0, state.frames)]
        present = store.present(config.run_id) if state.outcome == "budget" else None
        shown = frames if present is None else [*frames, decode_frame(present)]
        is_whole = len(frames) == state.frames > 0
        if is_whole and (state.outcome != "budget" or shown[-1].epoch == state.epoch):
            return shown, Outcome(state.outcome, state.reason)  # type: ignore[arg-type]
    # Else the first run of a process would take as long as its kernels take to load: its row would say so,
    # and the time that is left would be reckoned by it.
    load_method(config.method.name)
    is_long = config.estimated_seconds() > LONG_SECONDS
    training, frames = _begin(store, config, is_long)
    saved = time.monotonic()
    spent = 0.0
    while training.outcome is None:
        begun = time.process_time()
        with limited_step(limits.step_seconds):
            frames += training.step()
        spent += time.process_time() - begun
        # A process of Celery's pool computes single runs meanwhile, which are not this run's time.
        on = control.go_on()
        if spent > 2 * limits.cpu_seconds:
            raise TimeoutError(f"more than {2 * limits.cpu_seconds:.0f} s of computing")
        if is_long and (not on or time.monotonic() - saved > SAVE_SECONDS):
            _save(store, config, training, frames)
            saved = time.monotonic()
        if not on and training.outcome is None:
            return frames, None
    if is_long:
        _save(store, config, training, frames)
    return frames if training.present is None else [*frames, training.present], training.outcome


def _answers(state: RunState, config: RunConfig) -> bool:
    """Whether a stored run is the whole answer for this budget."""
    if state.status not in ("finished", "failed") or state.replay_mismatch:
        return False
    if state.outcome == "budget":
        return state.epochs == config.epochs
    return state.outcome in ("trained", "settled", "diverged") and state.epoch <= config.epochs


def _begin(store: Store, config: RunConfig, is_long: bool) -> tuple[Training, list[Frame]]:
    """Training from where a long run was left, else from its start."""
    if is_long and store.record(config.run_id) is not None:
        try:
            with store.claim(config.run_id) as claim:
                checkpoints = own_checkpoints(claim, config)
        except ClaimedError:
            checkpoints = []
        for checkpoint in checkpoints:
            frames = [decode_frame(p) for p in store.payloads(config.run_id, 0, checkpoint.frames)]
            training = Training(config, checkpoint.arrays)
            if len(frames) == checkpoint.frames and training.epoch < config.epochs:
                return training, frames
    return Training(config), []


def _save(store: Store, config: RunConfig, training: Training, frames: Sequence[Frame]) -> None:
    """Into the store, if nobody else has the run and nobody is further; a full store keeps none."""
    run_id, outcome, present = config.run_id, training.outcome, training.present
    request = Request(config.to_query(), config.epochs, _OWNER, _OWNER, time.time())
    reached = RunState(
        "running" if outcome is None else "failed" if outcome.kind == "diverged" else "finished",
        reason=outcome.sentence if outcome else "",
        outcome=outcome.kind if outcome else "",
        epochs=config.epochs,
        epoch=training.epoch,
        loss=(present or frames[-1]).loss,
        frames=len(frames),
        seconds=frames[-1].seconds,
    )
    try:
        # Before there are frames it is on its way, with none.
        begun = reached.but(status="running", reason="", outcome="", frames=0)
        _, known = store.change(run_id, lambda record: record or lifecycle.keep(None, request, begun))
        with store.claim(run_id) as claim:
            if claim.frames > len(frames) or (known is not None and known.request.epochs != config.epochs):
                return
            claim.append([encode_frame(frame) for frame in frames[claim.frames :]])
            claim.save(Checkpoint(training.checkpoint(), len(frames)))
            if present is not None:
                claim.keep_present(encode_frame(present))
            claim.change(lambda record: lifecycle.keep(record, request, reached))
    except (ClaimedError, StoreError, ValueError) as error:
        log.info("a run of a study was not kept: %s", error)
