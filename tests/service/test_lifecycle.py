"""Every transition of a run's record, one by one and in any order."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.service import lifecycle
from core.service.lifecycle import LateError
from core.service.run_record import ENDED, Record, Request, RunState, RunStatus

ASKED = Request("target=five&epochs=1000", 1_000.0, "alice", "alice@here", 1.0)
MORE = Request("target=five&epochs=5000", 5_000.0, "bob", "bob@there", 2.0)
GIVEN_BACK = RunState("running", epoch=70.0, loss=0.6, frames=3, seconds=0.1)
USED_UP = RunState(
    "finished",
    reason="It has used up its budget.",
    outcome="budget",
    epochs=1_000.0,
    epoch=1_000.0,
    loss=0.5,
    frames=9,
    seconds=1.5,
)


def record(status: RunStatus = "queued", **state: object) -> Record:
    return Record(ASKED, RunState(status=status, **state), 7)  # type: ignore[arg-type]


def test_a_new_run_waits_for_a_worker() -> None:
    new = lifecycle.submit(None, ASKED)
    assert new == Record(ASKED) and new.status == "queued" and new.state.attempt == 1
    taken = lifecycle.start_attempt(new)
    assert taken.status == "running" and taken.state.attempt == 1
    ended = lifecycle.end_attempt(taken, 1, USED_UP)
    assert ended.status == "finished" and ended.state.epochs == 1_000 and ended.state.frames == 9


@pytest.mark.parametrize("status", ["running", "paused", *ENDED])
def test_only_a_queued_run_is_taken(status: RunStatus) -> None:
    with pytest.raises(LateError):
        lifecycle.start_attempt(record(status))


def test_more_of_a_run_under_way_is_charged_to_who_asks_and_stays_its_starters() -> None:
    for status in ("queued", "running"):
        raised = lifecycle.submit(record(status), MORE)
        assert raised.request == replace(MORE, starter="alice", placed=1.0)
        assert raised.state == record(status).state
        less = lifecycle.submit(raised, ASKED)
        assert less is raised, "nothing to write"


def test_what_is_raised_in_the_moment_of_the_end_goes_on() -> None:
    raised = lifecycle.submit(lifecycle.start_attempt(record()), MORE)
    went_on = lifecycle.end_attempt(raised, 1, USED_UP)
    assert (went_on.status, went_on.state.attempt, went_on.state.outcome) == ("queued", 2, "")
    assert lifecycle.end_attempt(lifecycle.stop(raised), 1, USED_UP).status == "stopped"
    assert lifecycle.end_attempt(lifecycle.pause(raised), 1, USED_UP).status == "paused"


def test_a_stop_hits_its_attempt_alone() -> None:
    running = lifecycle.start_attempt(record())
    stopping = lifecycle.stop(running)
    assert (stopping.status, stopping.state.command) == ("running", "stop") and stopping.state.attempt == 1
    assert lifecycle.end_attempt(stopping, 1, USED_UP).status == "finished", (
        "it was done before the stop reached it"
    )
    stopped = lifecycle.end_attempt(stopping, 1, GIVEN_BACK)
    assert stopped.status == "stopped" and stopped.state.epoch == 70 and stopped.state.reason
    again = lifecycle.start_attempt(lifecycle.submit(stopped, ASKED))
    assert (again.state.attempt, again.state.command) == (2, "")
    with pytest.raises(LateError):
        lifecycle.end_attempt(again, 1, GIVEN_BACK)
    assert lifecycle.die(again, 1, guilty=True, most=1, reason="") is again


def test_a_submit_after_a_stop_withdraws_it_and_its_sender_is_the_starter() -> None:
    stopping = lifecycle.stop(lifecycle.start_attempt(record(deaths=2)))
    withdrawn = lifecycle.submit(stopping, replace(MORE, epochs=1_000.0))
    assert withdrawn.state.command == "" and withdrawn.request.starter == "bob"
    assert withdrawn.state.deaths == 0
    gone_on = lifecycle.end_attempt(withdrawn, 1, GIVEN_BACK)
    assert (gone_on.status, gone_on.state.attempt) == ("queued", 2)


@pytest.mark.parametrize("status", ["queued", "paused"])
def test_what_no_worker_has_is_stopped_at_once(status: RunStatus) -> None:
    stopped = lifecycle.stop(record(status, parked=status == "paused"))
    assert stopped.status == "stopped" and not stopped.state.parked
    assert lifecycle.stop(stopped) is stopped


@pytest.mark.parametrize("status", ["queued", "running", *ENDED])
def test_looking_wakes_a_paused_run_and_no_other(status: RunStatus) -> None:
    unlike = record(status, command="pause" if status == "running" else "")
    assert lifecycle.wake(unlike, "bob") is unlike
    parked = record("paused", parked=True)
    assert lifecycle.wake(parked, "bob") is parked
    woken = lifecycle.wake(record("paused", epoch=5.0), "bob")
    assert woken.request == replace(ASKED, quota="bob") and woken.status == "queued"


def test_a_paused_run_stays_its_starters_and_an_ended_one_is_whose_asks() -> None:
    for status, starter in (("paused", "alice"), ("stopped", "bob"), ("failed", "bob")):
        found = lifecycle.submit(record(status, deaths=2), MORE)  # type: ignore[arg-type]
        assert found.request == replace(MORE, starter=starter, placed=1.0)
        assert (found.status, found.state.deaths, found.state.attempt) == ("queued", 0, 2)


@pytest.mark.parametrize(
    "done",
    [
        record("finished", outcome="budget", epochs=1_000.0),
        record("finished", outcome="trained", epoch=40.0),
        record("failed", outcome="diverged", epoch=40.0),
        record("stopped", epoch=1_000.0),
    ],
)
def test_what_is_done_is_not_done_again(done: Record) -> None:
    assert lifecycle.submit(done, replace(ASKED, starter="bob")) is done


@pytest.mark.parametrize("outcome", ["trained", "settled", "diverged"])
def test_more_of_what_has_ended_for_good_is_noted(outcome: str) -> None:
    """Its files name the budget: they must be those of a server that was asked for it at once."""
    done = record("finished", outcome=outcome, epoch=40.0)
    asked = lifecycle.submit(done, MORE)
    assert asked.state == done.state
    assert asked.request == replace(ASKED, query=MORE.query, epochs=MORE.epochs)


def test_the_third_death_is_too_many_and_only_of_the_guilty() -> None:
    dying = record()
    for deaths in (1, 2):
        taken = lifecycle.start_attempt(dying)
        attempt = taken.state.attempt
        innocent = lifecycle.die(taken, attempt, guilty=False, most=1, reason="")
        assert (innocent.status, innocent.state.deaths) == ("queued", deaths - 1)
        dying = lifecycle.die(taken, attempt, guilty=True, most=3, reason="")
        assert (dying.status, dying.state.deaths, dying.state.attempt) == ("queued", deaths, attempt + 1)
    taken = lifecycle.start_attempt(dying)
    lost = lifecycle.die(taken, 3, guilty=True, most=3, reason="{deaths} times")
    assert (lost.status, lost.state.reason) == ("failed", "3 times")
    assert lifecycle.die(lifecycle.stop(taken), 3, guilty=True, most=3, reason="").status == "stopped"
    assert lifecycle.progressed(taken, 3).state.deaths == 0


def test_a_full_disk_parks_and_space_unparks() -> None:
    for before in (record(), lifecycle.start_attempt(record())):
        parked = lifecycle.park(before)
        assert parked.status == "paused" and "until there is space" in parked.state.reason
        assert lifecycle.submit(parked, MORE).state == parked.state, "it waits for space, not for a visitor"
        assert lifecycle.stop(parked).status == "stopped"
        back = lifecycle.unpark(parked)
        assert (back.status, back.state.attempt) == ("queued", 2)
    assert lifecycle.park(lifecycle.stop(lifecycle.start_attempt(record()))).status == "stopped"
    assert lifecycle.unpark(record("paused")) == record("paused")


def test_a_start_finds_no_worker() -> None:
    running = lifecycle.start_attempt(record())
    assert lifecycle.recover(running).status == "queued"
    assert lifecycle.recover(lifecycle.stop(running)).status == "stopped"
    assert lifecycle.recover(lifecycle.pause(running)).status == "paused"


def test_a_study_keeps_what_it_computes_and_revives_nothing() -> None:
    way, done = replace(GIVEN_BACK, epochs=0.0), USED_UP
    assert lifecycle.keep(None, ASKED, way).status == "paused"
    assert lifecycle.keep(record("paused"), ASKED, way).state.epoch == 70
    for status in ("queued", "running", *ENDED):
        assert lifecycle.keep(record(status), ASKED, way) == record(status)
    assert lifecycle.keep(record("stopped"), ASKED, done).status == "finished"
    assert lifecycle.keep(record("running"), ASKED, done).status == "running"
    assert lifecycle.keep(record("stopped"), MORE, done) == record("stopped"), "of another budget"


def test_damage_is_seen_and_submit_mends_it() -> None:
    done = record("finished", outcome="budget", epochs=1_000.0, frames=9)
    assert lifecycle.damaged(done, 9) is done
    seen = lifecycle.damaged(done, 4)
    assert seen.status == "failed" and "frame 4" in seen.state.reason
    assert lifecycle.submit(seen, ASKED).status == "queued"


TRANSITIONS: dict[str, Callable[[Record, int], Record]] = {
    "submit": lambda r, n: lifecycle.submit(r, replace(ASKED, epochs=float(n))),
    "stop": lambda r, _: lifecycle.stop(r),
    "pause": lambda r, _: lifecycle.pause(r),
    "wake": lambda r, _: lifecycle.wake(r, "bob"),
    "take": lambda r, _: lifecycle.start_attempt(r),
    "finish": lambda r, _: lifecycle.end_attempt(
        r, r.state.attempt, replace(USED_UP, epochs=r.request.epochs)
    ),
    "give back": lambda r, _: lifecycle.end_attempt(r, r.state.attempt, GIVEN_BACK),
    "die": lambda r, _: lifecycle.die(r, r.state.attempt, guilty=True, most=3, reason=""),
    "late": lambda r, _: lifecycle.end_attempt(r, r.state.attempt - 1, USED_UP),
    "park": lambda r, _: lifecycle.park(r),
    "unpark": lambda r, _: lifecycle.unpark(r),
    "recover": lambda r, _: lifecycle.recover(r),
}


@given(st.lists(st.tuples(st.sampled_from(sorted(TRANSITIONS)), st.integers(1, 9)), max_size=30))
def test_whatever_happens_budgets_grow_attempts_count_and_stopped_is_stopped(
    steps: list[tuple[str, int]],
) -> None:
    now = lifecycle.submit(None, replace(ASKED, epochs=1.0))
    for name, number in steps:
        before = now
        try:
            now = TRANSITIONS[name](now, number)
        except LateError:
            assert name in ("take", "finish", "give back", "late")
            continue
        state = now.state
        assert now.request.epochs >= before.request.epochs
        if name == "submit" and state.status in ("queued", "running"):
            assert now.request.epochs >= number and state.command == ""
        became_queued = state.status == "queued" and before.status != "queued"
        assert state.attempt == before.state.attempt + became_queued
        assert state.command == "" or state.status == "running"
        assert not state.parked or state.status == "paused"
        assert before.status not in ENDED or now is before or name == "submit"
        if state.status == "stopped" and before.status != "stopped":
            assert "stop" in (name, before.state.command)
