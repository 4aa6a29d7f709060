"""Runs that do not come back on a cluster: ended, told, not tried again; records that cannot be read."""

import os
import signal
import time

import pytest

from core.service.cluster import celery_warden
from core.service.cluster.celery_warden import Warden
from core.service.cluster.redis_connection import key
from core.service.cluster.redis_queue import OWNERS, RUNNING
from core.service.records import DOCUMENT, DamageError, frame_record
from core.service.store import Order, RunState, from_json, to_json
from core.service.workers.dispatcher import STOPPED
from tests.service.samples import order
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
    runs, queue, store, taken = parts
    runs._look()
    runs._take_turn()
    run_id = taken[0]
    age = {"too long": 301.0, "stop": 3.0, "neither": 3.0}[kind]
    runs._step = run_id, time.monotonic() - age
    if kind == "stop":
        queue.wish(run_id, "stop", STOPPED)
    runs.end_hanging()
    state = store.state(run_id)
    if kind == "neither":
        assert not killed and state.status == "running"
        return
    assert killed == [(os.getpid(), signal.SIGKILL)]
    assert state.status == ("stopped" if kind == "stop" else "failed")
    assert kind == "stop" or "not tried again" in state.reason
    assert store.client.zscore(RUNNING, run_id) is None and not store.client.hexists(OWNERS, run_id)


@pytest.mark.redis
def test_an_order_that_cannot_be_read_keeps_nobody_waiting(parts: Parts) -> None:
    runs, queue, store, _ = parts
    runs._look()
    runs._look()
    under_way = [name.decode() for name in store.client.zrange(RUNNING, 0, -1)]
    store.client.set(key(under_way[0], "order"), frame_record(DOCUMENT, b'{"what": 1}'))
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
        store.client.delete(key(name, "lease"))
        monkeypatch.setattr(store.client, "info", lambda _, up=uptime: {"uptime_in_seconds": up})
        queue._revive(name)
        assert store.state(name).deaths == deaths


def test_a_silent_process_of_the_pool_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[int, float] = {11: 1.0, 12: 1.0}
    warden = Warden(lambda: told)
    assert warden.look(0.0) == []
    told[11] = 2.0
    assert warden.look(15.0) == []
    assert warden.look(celery_warden.SILENT_SECONDS + 1) == [12]
    assert warden.look(celery_warden.SILENT_SECONDS + 2) == [], "said once, until it is heard again"

    def away() -> dict[int, float]:
        raise OSError("away")

    monkeypatch.setattr(warden, "_greetings", away)
    assert warden.look(1_000.0) == [] and not warden._heard


def test_a_record_of_another_version_is_read_as_far_as_it_goes() -> None:
    newer = to_json(order()).replace(b'{"query"', b'{"priority": 3, "query"')
    assert from_json(Order, newer) == order()
    older = b'{"status": "finished", "frames": 3, "mood": "good"}'
    assert from_json(RunState, older).status == "finished" and from_json(RunState, older).deaths == 0
    for wrong in (b'{"query": "x"}', b"[]", b"7", b"{"):
        with pytest.raises(DamageError):
            from_json(Order, wrong)
