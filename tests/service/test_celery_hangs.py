"""Runs that do not come back on a cluster: ended, told, not tried again; records that cannot be read."""

import os
import signal
import subprocess
import sys
import time

import pytest

from core.service.cluster.celery_watchdog import PoolWatchdog
from core.service.cluster.redis_connection import key
from core.service.cluster.redis_queue import OWNERS, REAPER, RUNNING
from core.service.lifecycle import start_attempt, stop
from core.service.records import DOCUMENT, DamageError, frame_record
from core.service.run_record import Request, RunState
from core.service.store import from_json, to_json
from tests.service.samples import request, state_of
from tests.service.services import wait_for
from tests.service.test_celery_turns import Parts, parts
from tests.service.test_turns import CONFIGS

__all__ = ["parts"]


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
    assert store.client.zscore(RUNNING, run_id) is None and not store.client.hexists(OWNERS, run_id)


@pytest.mark.redis
def test_a_record_that_cannot_be_read_keeps_nobody_waiting(parts: Parts) -> None:
    runs, queue, store, _ = parts
    runs._look()
    runs._look()
    under_way = [name.decode() for name in store.client.zrange(RUNNING, 0, -1)]
    store.client.set(key(under_way[0], "record"), frame_record(DOCUMENT, b'{"what": 1}'))
    for run_id in under_way:
        store.client.zadd(RUNNING, {run_id: 0.0})
        store.client.delete(key(run_id, "lease"))
    for name in store.client.scan_iter("plateau:reaper*"):
        store.client.delete(name)
    queue.tick()
    waiting = {config.run_id for config in CONFIGS if queue.queued(config.run_id)}
    assert waiting >= set(under_way[1:])


@pytest.mark.redis
def test_a_redis_that_was_away_is_no_death(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, queue, store, _ = parts
    runs._look()
    (name,) = [config.run_id for config in CONFIGS if queue.running(config.run_id)]
    for uptime, deaths in ((3, 0), (3_000, 1)):
        store.change(name, lambda known: start_attempt(known) if known else None)
        store.client.zadd(RUNNING, {name: 0.0})
        store.client.delete(key(name, "lease"), REAPER)
        monkeypatch.setattr(store.client, "info", lambda _, up=uptime: {"uptime_in_seconds": up})
        queue.tick()
        assert state_of(store, name).deaths == deaths


def test_a_silent_process_of_the_pool_is_ended() -> None:
    stopped, well = (subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) for _ in "ab")
    told: dict[int, float] = {}
    warden = PoolWatchdog(lambda: told)

    def look() -> dict[int, str]:
        told.update({stopped.pid: 1.0, well.pid: time.monotonic()})
        return warden.look()

    try:
        assert look() == {}
        os.kill(stopped.pid, signal.SIGSTOP)
        wait_for(look, 30)
        assert list(look()) == [stopped.pid] and "stopped" in look()[stopped.pid]
        warden._greetings = away
        with pytest.raises(OSError, match="away"):
            warden.look()
        warden._greetings = lambda: told
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
