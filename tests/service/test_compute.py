"""A run that is interrupted anywhere gives the frames of an undisturbed one."""

import sys

import pytest

import core.service.workers.compute as module
from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.run.train import Training
from core.service import lifecycle
from core.service.lifecycle import NOT_WATCHED, STOPPED, LateError
from core.service.run_record import RunState
from core.service.store import Checkpoint, ClaimedError, Store, Worked
from core.service.workers.compute import Progress
from tests.service.samples import payloads, place, put, request, state_of, timeless, truth
from tests.service.services import compute

CONFIG = RunConfig.from_query("target=five&method=gd&epochs=1e3")
RUN = CONFIG.run_id


class Interruption:
    """Wants the run back after so many chunks."""

    def __init__(self, after: int = 10**9) -> None:
        self.left = after
        self.reports: list[Progress] = []

    def shall_end(self, run_id: str, attempt: int) -> bool:  # noqa: ARG002
        self.left -= 1
        return self.left < 0

    def report(self, run_id: str, progress: Progress) -> None:  # noqa: ARG002
        self.reports.append(progress)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of one call each, a checkpoint and a report after each."""
    # By its entry in sys.modules: the package's attribute of this name is the function.
    monkeypatch.setattr(sys.modules["core.run.train"], "STEP_SECONDS", 0.0)
    monkeypatch.setattr(module, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(module, "REPORT_SECONDS", 0.0)


def session(store: Store, control: Interruption | None = None, run_id: str = RUN) -> RunState:
    """The state that a worker leaves; a run that had ended is asked for again."""
    if state_of(store, run_id).status != "queued":
        put(store, run_id, state_of(store, run_id).but(status="queued"))
    with store.claim(run_id) as claim:
        return compute(store, claim, run_id, control or Interruption(), LIMITS).state


def stored(store: Store, run_id: str = RUN) -> list[bytes]:
    return [timeless(payload) for payload in store.payloads(run_id, 0, 10**6)]


def test_an_undisturbed_run_finishes(store: Store) -> None:
    place(store, RUN, request())
    state = session(store)
    assert state.status == "finished" and state.outcome == "budget" and "1,000" in state.reason
    assert state == state_of(store, RUN) and state.epoch == state.epochs == 1e3
    assert stored(store) == truth(CONFIG) and state.frames == len(stored(store))


@pytest.mark.parametrize("every", [0, 3, 40])
def test_interrupted_again_and_again_it_gives_the_same_frames(store: Store, eager: None, every: int) -> None:
    place(store, RUN, request())
    for _ in range(2_000):
        before = stored(store)
        state = session(store, Interruption(every))
        assert stored(store)[: len(before)] == before
        if every == 0:
            # Stopped before it could do anything, it must be able to try again for ever.
            assert state.status == "queued" and store.count(RUN) == 0
            return
        if state.status == "finished":
            break
        assert state.status == "queued" and state.frames == store.count(RUN)
    assert stored(store) == truth(CONFIG)


def test_frames_after_the_checkpoint_are_computed_again_and_kept(store: Store, eager: None) -> None:
    place(store, RUN, request())
    session(store, Interruption(20))
    with store.claim(RUN) as claim:
        early = claim.checkpoints()[-1]
    session(store, Interruption(30))
    ahead = stored(store)
    with store.claim(RUN) as claim:
        claim.save(early)
        claim.save(early)
    assert early.frames < len(ahead)
    assert session(store).status == "finished"
    assert stored(store)[: len(ahead)] == ahead and stored(store) == truth(CONFIG)


def test_without_a_usable_checkpoint_it_starts_again_and_keeps_the_frames(store: Store, eager: None) -> None:
    place(store, RUN, request())
    session(store, Interruption(25))
    with store.claim(RUN) as claim:
        for _ in range(2):
            claim.save(
                Checkpoint(claim.checkpoints()[0].arrays, 10**6)
                if claim.checkpoints()
                else Checkpoint({}, 10**6)
            )
        assert claim.checkpoints() == []
    assert session(store).status == "finished" and stored(store) == truth(CONFIG)


def test_frames_that_contradict_the_computation_are_not_continued(store: Store) -> None:
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 3))
    state = session(store)
    assert state.status == "failed" and state.replay_mismatch and "Frame 0" in state.reason
    assert store.payloads(RUN, 0, 99) == payloads(0, 3)
    assert session(store).status == "finished" and stored(store) == truth(CONFIG)


@pytest.mark.parametrize(
    ("command", "status", "reason"),
    [(lifecycle.stop, "stopped", STOPPED), (lifecycle.pause, "paused", NOT_WATCHED)],
)
def test_a_run_that_is_given_back_ends_by_its_command(
    store: Store, eager: None, command: Worked, status: str, reason: str
) -> None:
    class Commanded(Interruption):
        def shall_end(self, run_id: str, attempt: int) -> bool:
            if self.left == 1:
                store.change(run_id, lambda known: command(known) if known else None)
            return super().shall_end(run_id, attempt)

    place(store, RUN, request())
    state = session(store, Commanded(5))
    assert state == state_of(store, RUN) and (state.status, state.reason) == (status, reason)
    assert session(store).status == "finished" and stored(store) == truth(CONFIG)


def test_a_worker_of_an_attempt_that_is_over_writes_nothing(store: Store, eager: None) -> None:
    class Overtaken(Interruption):
        def shall_end(self, run_id: str, attempt: int) -> bool:
            if self.left == 1:
                put(store, run_id, state_of(store, run_id).but(attempt=attempt + 1))
            return super().shall_end(run_id, attempt)

    place(store, RUN, request())
    with pytest.raises(LateError):
        session(store, Overtaken(5))
    assert state_of(store, RUN).attempt == 2 and state_of(store, RUN).status == "running"


def test_a_longer_budget_goes_on_where_the_shorter_ended(store: Store) -> None:
    place(store, RUN, request("target=five&method=gd&epochs=100", 100.0))
    assert session(store).epochs == 100
    first = stored(store)
    place(store, RUN, request())
    assert session(store).epochs == 1e3
    assert stored(store)[: len(first)] == first and stored(store) == truth(CONFIG)


def test_a_budget_raised_on_the_way_is_noticed(store: Store) -> None:
    class Raising(Interruption):
        def shall_end(self, run_id: str, attempt: int) -> bool:  # noqa: ARG002
            place(store, RUN, request())
            return False

    place(store, RUN, request("target=five&method=gd&epochs=100", 100.0))
    assert session(store, Raising()).epochs == 1e3
    assert stored(store) == truth(CONFIG)


def test_divergence_fails_with_the_reason(store: Store) -> None:
    config = RunConfig.from_query("target=1e4*sin(pi*x)&method=gd&epochs=1e4")
    place(store, config.run_id, request(config.to_query(), 1e4))
    state = session(store, run_id=config.run_id)
    assert (state.status, state.outcome) == ("failed", "diverged")
    assert "is too large" in state.reason


def test_an_error_becomes_a_reason(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    place(store, RUN, request())
    monkeypatch.setattr(Training, "step", breaks)
    state = session(store)
    assert (state.status, state.reason) == ("failed", "The computation failed: by zero")


def test_progress_is_reported(store: Store, eager: None) -> None:
    place(store, RUN, request())
    control = Interruption(50)
    session(store, control)
    epochs = [progress.epoch for progress in control.reports]
    assert len(epochs) >= 40 and epochs == sorted(epochs) and epochs[-1] > 0
    assert all(progress.rate >= 0 for progress in control.reports)


def test_who_has_lost_the_claim_writes_nothing(store: Store) -> None:
    place(store, RUN, request())
    claim = store.claim(RUN)
    claim.release()
    with pytest.raises(ClaimedError):
        compute(store, claim, RUN, Interruption(), LIMITS)
    assert store.count(RUN) == 0 and state_of(store, RUN).status == "queued"
