"""A Redis that goes away for a moment costs time, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
import redis
from redis.client import Pipeline

from core.config.run_config import RunConfig
from core.service.cluster.redis_connection import add_once, connection
from core.service.cluster.redis_store import RedisStore
from core.service.run_record import RunState
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import StorageFullError, StoreError
from tests.service.samples import RUN, payloads, place, put, request, request_of
from tests.service.services import ALICE, BOB

pytestmark = pytest.mark.redis


def failing(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, times: int) -> None:
    """The first calls of a method end as if the server had gone away in the middle."""
    call, left = getattr(owner, name), [times]

    def scarce(*arguments: Any, **options: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise redis.ConnectionError("gone")
        return call(*arguments, **options)

    monkeypatch.setattr(owner, name, scarce)


def test_a_pipeline_is_repeated_with_all_of_its_commands(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = connection(redis_url)
    failing(monkeypatch, Pipeline, "_execute_transaction", 2)
    pipeline = client.pipeline()
    pipeline.set("plateau:one", 1)
    pipeline.set("plateau:two", 2)
    pipeline.execute()
    assert client.mget(["plateau:one", "plateau:two"]) == [b"1", b"2"]
    client.close()


def deaf(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The first commands reach the server, and their answers are lost."""
    call: Any = redis.Redis._execute_command
    left = [times]

    def done(*arguments: Any, **options: Any) -> Any:
        answer = call(*arguments, **options)
        if left[0]:
            left[0] -= 1
            raise redis.ConnectionError("gone")
        return answer

    monkeypatch.setattr(redis.Redis, "_execute_command", done)


def test_what_is_counted_is_counted_once_however_often_it_is_repeated(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = connection(redis_url)
    deaf(monkeypatch, 3)
    assert add_once(client, "plateau:sums", {"frames": 5, "epochs": 2.5}) == 2.5
    assert client.hgetall("plateau:sums") == {b"frames": b"5", b"epochs": b"2.5"}
    assert add_once(client, "plateau:sums", {"frames": 5}) == 10
    client.close()


def test_a_change_whose_answer_is_lost_is_made_once(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = RedisStore(connection(redis_url))
    place(store, RUN, request())
    deaf(monkeypatch, 4)
    place(store, RUN, request(epochs=2e3))
    record = store.record(RUN)
    assert record is not None and record.request.epochs == 2e3 and record.version == 2
    store.close()


def test_commands_are_repeated_until_patience_ends(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    client = connection(redis_url, 0.3)
    failing(monkeypatch, redis.Redis, "_execute_command", 2)
    client.set("plateau:word", "here")
    assert client.get("plateau:word") == b"here"
    failing(monkeypatch, redis.Redis, "_execute_command", 10**6)
    with pytest.raises(StoreError, match="cannot be reached"):
        client.get("plateau:word")
    client.close()


def test_what_redis_refuses_is_not_repeated(redis_url: str) -> None:
    client = connection(redis_url, 60.0)
    client.set("plateau:word", "here")
    with pytest.raises(StoreError, match="refuses to work"):
        client.lpush("plateau:word", "there")
    client.close()


def test_a_redis_without_memory_says_so_and_goes_on_when_it_has_some(redis_url: str) -> None:
    client = connection(redis_url)
    store = RedisStore(client)
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 3))
        client.config_set("maxmemory", 1)
        try:
            with pytest.raises(StorageFullError, match="no memory left"):
                claim.append(payloads(3, 5))
            with pytest.raises(StorageFullError, match="no memory left"):
                place(store, RUN, request(epochs=2e3))
            found = request_of(store, RUN)
            assert found is not None and found.epochs == 1e3 and store.count(RUN) == 3
        finally:
            client.config_set("maxmemory", 0)
        claim.append(payloads(3, 5))
    assert store.payloads(RUN, 0, 9) == payloads(0, 5)


def test_on_a_redis_without_memory_runs_can_be_looked_at_and_stopped(redis_url: str, tmp_path: Path) -> None:
    """As on a full disk; two runs that wait, since no worker is there."""
    settings = Settings(home=tmp_path, library=tmp_path / "none", redis_url=redis_url)
    first, service = RunService(settings), RunService(settings)
    stopped, paused = (RunConfig.from_query(f"target=five&epochs=1000&seed={seed}") for seed in (1, 2))
    for config in (stopped, paused):
        first.submit(config, ALICE)
    put(first._store, paused.run_id, RunState(status="paused"))
    client = connection(redis_url)
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(StorageFullError, match="no memory left"):
            service.submit(RunConfig.from_query("target=five&epochs=1000&seed=3"), BOB)
        for config in (stopped, paused):
            service.watch(config.run_id, BOB)
            assert service.info(config.run_id) is not None and service.count(config.run_id) == 0
        assert service.status(paused.run_id) == "paused", "nothing can be woken now"
        info = service.stop(stopped.run_id, ALICE)
        assert info is not None and info.status == "stopped"
    finally:
        client.config_set("maxmemory", 0)
    assert service.status(stopped.run_id) == "stopped" and stopped.run_id not in service.under_way()
    client.close()
    first.close()
    service.close()
