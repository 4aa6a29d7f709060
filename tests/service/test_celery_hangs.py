"""Runs that do not come back on a cluster: ended, told, not tried again; records that cannot be read."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from core.service.cluster.celery_portions import CeleryPortions
from core.service.cluster.celery_watchdog import PoolWatchdog
from core.service.cluster.redis_connection import key
from core.service.cluster.redis_studies import RedisStudies
from core.service.cluster.shared_queue import QUEUE
from core.service.lifecycle import start_attempt, stop
from core.service.records import DOCUMENT, DamageError, frame_record
from core.service.run_record import Request, RunState
from core.service.store import StoreError, from_json, to_json
from core.service.studies.store import RequestedStudy, pack_record
from tests.service.samples import request, state_of
from tests.service.services import wait_for
from tests.service.test_celery_turns import Parts, parts, silence

__all__ = ["parts"]
STUDY = "ab" * 16


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: found.append((pid, number)))
    return found


@pytest.mark.redis
@pytest.mark.parametrize("kind", ["too long", "stop", "neither"])
def test_a_step_that_hangs_is_ended_from_outside(
    parts: Parts, killed: list[tuple[int, int]], kind: str
) -> None:
    runs, _, store, taken = parts
    runs._look()
    runs.take_turn()
    run_id = taken[0]
    age = {"too long": 301.0, "stop": 3.0, "neither": 3.0}[kind]
    runs._step = run_id, time.monotonic() - age
    if kind == "stop":
        store.change(run_id, lambda known: stop(known) if known else None)
    runs.end_hanging()
    state = state_of(store, run_id)
    if kind == "neither":
        assert not killed and state.status == "running"
        return
    assert killed == [(os.getpid(), signal.SIGKILL)]
    assert state.status == ("stopped" if kind == "stop" else "failed")
    assert kind == "stop" or "not tried again" in state.reason
    assert run_id not in store.client.get(QUEUE).decode(), "nobody is charged for it any more"


@pytest.mark.redis
@pytest.mark.parametrize("kind", ["ended from outside", "at one tick", "one tick earlier", "one tick later"])
def test_the_other_runs_of_a_worker_that_hung_are_not_charged(
    parts: Parts, killed: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Whenever the lease of each runs out, and whoever removes the run that hung."""
    runs, queue, store, taken = parts
    monkeypatch.setattr("core.service.cluster.redis_queue._AWAY_LEASES", 0)
    runs._look()
    runs._look()
    for _ in range(5):
        runs.take_turn()
    hung, others = taken[-1], set(queue._queue.read().running) - {taken[-1]}
    assert others and state_of(store, hung).status == "running"
    if kind == "ended from outside":
        runs._step = hung, time.monotonic() - 301.0
        runs.end_hanging()
        assert killed
    ticks = {"one tick earlier": [{hung}, others], "one tick later": [others, {hung}]}
    for silent in ticks.get(kind, [{hung} | others]):
        for run_id in silent:
            silence(store, run_id)
        queue.tick()
    assert {run_id: state_of(store, run_id).deaths for run_id in others} == dict.fromkeys(others, 0)
    assert {state_of(store, run_id).status for run_id in others} == {"queued"}
    assert state_of(store, hung).deaths == 1


@pytest.mark.redis
def test_a_record_that_cannot_be_read_keeps_nobody_waiting(parts: Parts) -> None:
    runs, queue, store, _ = parts
    runs._look()
    runs._look()
    under_way = list(queue._queue.read().running)
    store.client.set(key(under_way[0], "record"), frame_record(DOCUMENT, b'{"what": 1}'))
    for run_id in under_way:
        silence(store, run_id)
    queue.tick()
    waiting = set(queue._queue.read().runs())
    assert waiting >= set(under_way[1:])


@pytest.mark.redis
@pytest.mark.parametrize("what", ["cannot be computed", "cannot be stored", "is damaged"])
def test_a_portion_that_could_not_go_on_is_not_taken_for_a_death(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Redis is away, or somebody else has the run: as often as that happens, it is tried again. A run that is
    damaged is given up."""
    runs, queue, store, _ = parts
    studies = RedisStudies(store.client)
    studies.place(STUDY, RequestedStudy("seed=0", "starter", "quota", 1.0, 1, ("seed",), 1.5))
    portions = CeleryPortions(
        runs._settings, store, studies, queue, store.client, lambda: None, lambda: False, "here:2"
    )
    row = pack_record(0, {"loss": 1.0}, np.empty(0, dtype=np.float32))
    monkeypatch.setattr("core.service.cluster.celery_portions.compute_record", lambda *_: row)
    monkeypatch.setattr("core.service.cluster.celery_portions.is_compiled", lambda _: True)

    def fails(*_: object) -> bytes:
        raise StoreError("no") from (DamageError("damaged") if what == "is damaged" else None)

    with monkeypatch.context() as trouble:
        if what == "cannot be stored":
            trouble.setattr(studies, "add", fails)
        else:
            trouble.setattr("core.service.cluster.celery_portions.compute_record", fails)
        for _ in range(runs._settings.deaths):
            portions.work(f"{STUDY}:0:once", STUDY, [(0, "seed=0")])
    assert studies.count(STUDY) == 0
    portions.work(f"{STUDY}:0:once", STUDY, [(0, "seed=0")])
    (kept,) = studies.records(STUDY, 0, 2)
    assert (kept == row) == (what != "is damaged")


@pytest.mark.redis
def test_a_redis_that_was_away_is_no_death(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, queue, store, _ = parts
    runs._look()
    (name,) = queue._queue.read().running
    for uptime, deaths in ((3, 0), (3_000, 1)):
        store.change(name, lambda known: start_attempt(known) if known else None)
        silence(store, name)
        monkeypatch.setattr(store.client, "info", lambda _, up=uptime: {"uptime_in_seconds": up})
        queue.tick()
        assert state_of(store, name).deaths == deaths
        assert queue.take("there") == name, "it waits again, before the others"


def test_a_silent_process_of_the_pool_is_ended() -> None:
    stopped, well = (subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) for _ in "ab")
    told: dict[int, float] = {}
    watchdog = PoolWatchdog(lambda: told)

    def look() -> dict[int, str]:
        told.update({stopped.pid: 1.0, well.pid: time.monotonic()})
        return watchdog.look()

    try:
        assert look() == {}
        os.kill(stopped.pid, signal.SIGSTOP)
        wait_for(look, 30)
        assert list(look()) == [stopped.pid] and "stopped" in look()[stopped.pid]
        watchdog._greetings = away
        with pytest.raises(OSError, match="away"):
            watchdog.look()
        watchdog._greetings = lambda: told
        assert look() == {}, "nobody could be heard: nobody is to blame"
    finally:
        for process in (stopped, well):
            process.kill()
            process.communicate()


def away() -> dict[int, float]:
    raise OSError("away")


def test_a_record_of_another_version_is_read_as_far_as_it_goes() -> None:
    newer = to_json(request()).replace(b'{"query"', b'{"priority": 3, "query"')
    assert from_json(Request, newer) == request()
    older = b'{"status": "finished", "frames": 3, "mood": "good"}'
    assert from_json(RunState, older).status == "finished" and from_json(RunState, older).deaths == 0
    for wrong in (b'{"query": "x"}', b"[]", b"7", b"{"):
        with pytest.raises(DamageError):
            from_json(Request, wrong)
