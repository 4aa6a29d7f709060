"""A run that is interrupted anywhere gives the frames of an undisturbed one."""

import sys

import pytest

import core.service.workers.compute as module
from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.methods.contract import Outcome
from core.run.frames import Frame
from core.run.train import Training
from core.service.store import Checkpoint, ClaimedError, RunState, Store
from core.service.workers.compute import Progress, Wish
from tests.service.samples import order, payloads, timeless, truth
from tests.service.services import compute

CONFIG = RunConfig.from_query("target=five&method=gd&epochs=1e3")
RUN = CONFIG.run_id


class Interruption:
    """Asks for something after so many chunks."""

    def __init__(self, after: int = 10**9, wish: Wish = "exit", reason: str = "") -> None:
        self.left, self.asked, self.reason = after, wish, reason
        self.reports: list[Progress] = []

    def wish(self, run_id: str) -> tuple[Wish, str]:  # noqa: ARG002
        self.left -= 1
        return (self.asked, self.reason) if self.left < 0 else ("", "")

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
    with store.claim(run_id) as claim:
        return compute(store, claim, run_id, control or Interruption(), LIMITS)


def stored(store: Store, run_id: str = RUN) -> list[bytes]:
    return [timeless(payload) for payload in store.payloads(run_id, 0, 10**6)]


def test_an_undisturbed_run_finishes(store: Store) -> None:
    store.place(RUN, order())
    state = session(store)
    assert state.status == "finished" and state.outcome == "budget" and "1,000" in state.reason
    assert state == store.state(RUN) and state.epoch == state.epochs == 1e3
    assert stored(store) == truth(CONFIG) and state.frames == len(stored(store))


@pytest.mark.parametrize("every", [0, 3, 40])
def test_interrupted_again_and_again_it_gives_the_same_frames(store: Store, eager: None, every: int) -> None:
    store.place(RUN, order())
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
    store.place(RUN, order())
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
    store.place(RUN, order())
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
    store.place(RUN, order())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 3))
    state = session(store)
    assert state.status == "failed" and state.spoilt and "Frame 0" in state.reason
    assert store.payloads(RUN, 0, 99) == payloads(0, 3)
    assert session(store).status == "finished" and stored(store) == truth(CONFIG)


@pytest.mark.parametrize(("wish", "status"), [("stop", "stopped"), ("pause", "paused")])
def test_a_wish_is_obeyed_with_its_reason(store: Store, eager: None, wish: Wish, status: str) -> None:
    store.place(RUN, order())
    state = session(store, Interruption(5, wish, "Because."))
    assert state == store.state(RUN) and (state.status, state.reason) == (status, "Because.")
    assert session(store).status == "finished" and stored(store) == truth(CONFIG)


def test_a_longer_budget_goes_on_where_the_shorter_ended(store: Store) -> None:
    store.place(RUN, order("target=five&method=gd&epochs=100", 100.0))
    assert session(store).epochs == 100
    first = stored(store)
    store.place(RUN, order())
    assert session(store).epochs == 1e3
    assert stored(store)[: len(first)] == first and stored(store) == truth(CONFIG)


def test_a_budget_raised_on_the_way_is_noticed(store: Store) -> None:
    class Raising(Interruption):
        def wish(self, run_id: str) -> tuple[Wish, str]:  # noqa: ARG002
            store.place(RUN, order())
            return "", ""

    store.place(RUN, order("target=five&method=gd&epochs=100", 100.0))
    assert session(store, Raising()).epochs == 1e3
    assert stored(store) == truth(CONFIG)


def test_divergence_fails_with_the_reason(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def explodes(training: Training, _: float | None) -> list[Frame]:
        training.outcome = Outcome("diverged", "The step was too large.")
        return []

    store.place(RUN, order())
    monkeypatch.setattr(Training, "step", explodes)
    state = session(store)
    assert (state.status, state.outcome, state.reason) == ("failed", "diverged", "The step was too large.")


def test_an_error_becomes_a_reason(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    store.place(RUN, order())
    monkeypatch.setattr(Training, "step", breaks)
    state = session(store)
    assert (state.status, state.reason) == ("failed", "The computation failed: by zero")


def test_progress_is_reported(store: Store, eager: None) -> None:
    store.place(RUN, order())
    control = Interruption(50)
    session(store, control)
    epochs = [progress.epoch for progress in control.reports]
    assert len(epochs) >= 40 and epochs == sorted(epochs) and epochs[-1] > 0
    assert all(progress.rate >= 0 for progress in control.reports)


def test_who_has_lost_the_claim_writes_nothing(store: Store) -> None:
    store.place(RUN, order())
    claim = store.claim(RUN)
    claim.release()
    with pytest.raises(ClaimedError):
        compute(store, claim, RUN, Interruption(), LIMITS)
    assert store.count(RUN) == 0 and store.state(RUN) == RunState()
