"""Runs in one process of Celery's pool take turns, and each gives the frames that it gives alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.limits import LIMITS
from core.service.cluster.celery_runs import CeleryRuns
from core.service.cluster.redis_backend import RedisPresence
from core.service.cluster.redis_connection import connection, key
from core.service.cluster.redis_queue import REAPER, RedisQueue, Tasks
from core.service.cluster.redis_store import RedisStore
from core.service.settings import Settings
from tests.service.samples import place, request, state_of, timeless, truth
from tests.service.test_turns import CONFIGS

pytestmark = pytest.mark.redis
WORKER = "here:1"
Parts = tuple[CeleryRuns, RedisQueue, RedisStore, list[str]]


@pytest.fixture
def parts(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Parts]:
    """A process that finds three runs in the queue, with chunks of one call each; whose turns it were."""
    monkeypatch.setattr("core.service.workers.run_turns.share_of", lambda _: 0.0)
    monkeypatch.setattr("core.service.cluster.celery_runs.LOOK_SECONDS", 0.0)
    client = connection(redis_url)
    client.flushall()
    settings = Settings(home=tmp_path, redis_url=redis_url)
    store = RedisStore(client, LIMITS, settings.lease_seconds)
    queue = RedisQueue(settings, store, RedisPresence(store), Tasks(print, print))
    for config in CONFIGS:
        place(store, config.run_id, request(config.to_query(), config.epochs))
        queue.enqueue(config.run_id, "quota")
    runs, taken = CeleryRuns(settings, store, queue, lambda: False, WORKER), list[str]()
    once = runs.take_turn

    def noted() -> None:
        taken.append(next(iter(runs._chunks)))
        once()

    monkeypatch.setattr(runs, "take_turn", noted)
    yield runs, queue, store, taken
    for chunks in runs._chunks.values():
        chunks.close()
    client.close()


def silence(store: RedisStore, run_id: str) -> None:
    """Whoever has a run says no more that it lives."""
    store.client.delete(key(run_id, "lease"), key(run_id, "taken"), REAPER)


def test_all_curves_grow_together_and_are_those_of_single_runs(parts: Parts) -> None:
    runs, queue, store, taken = parts
    runs.work()
    names = {config.run_id for config in CONFIGS}
    assert set(taken[:5]) == names, "the others are taken while the first is under way"
    last = {name: max(place for place, run in enumerate(taken) if run == name) for name in names}
    assert min(last.values()) > len(names) and len(taken) > 3 * len(names)
    for config in CONFIGS:
        assert state_of(store, config.run_id).status == "finished"
        assert [timeless(p) for p in store.payloads(config.run_id, 0, 10**6)] == truth(config)
    assert queue.busy() == 0


def test_a_run_that_another_worker_has_is_given_up_and_the_others_go_on(parts: Parts) -> None:
    runs, _, store, taken = parts
    runs._look()
    runs._look()
    runs.take_turn()
    lost = taken[0]
    store.client.delete(f"plateau:run:{lost}:lease")
    with store.claim(lost):
        runs.renew()
        assert runs.lost == {lost}
        runs.work()
    assert not runs.lost
    statuses = {config.run_id: state_of(store, config.run_id).status for config in CONFIGS}
    assert statuses.pop(lost) == "running" and set(statuses.values()) == {"finished"}


def test_only_the_run_whose_turn_it_was_has_cost_a_worker(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, queue, store, taken = parts
    monkeypatch.setattr("core.service.cluster.redis_queue._AWAY_LEASES", 0)
    runs._look()
    runs._look()
    for _ in range(5):
        runs.take_turn()
    under_way = [config for config in CONFIGS if state_of(store, config.run_id).status == "running"]
    assert len(under_way) > 1 and taken[-1] in {config.run_id for config in under_way}
    for config in under_way:  # the process dies: its leases run out
        silence(store, config.run_id)
    queue.tick()
    deaths = {config.run_id: state_of(store, config.run_id).deaths for config in under_way}
    assert deaths.pop(taken[-1]) == 1 and set(deaths.values()) == {0}
    assert queue.waiting() == len(under_way)
