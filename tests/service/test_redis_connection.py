"""A Redis that goes away for a moment costs time, and nothing else."""

from typing import Any

import pytest
import redis
from redis.client import Pipeline

from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_store import RedisStore
from core.service.store import NoRoomError, StoreError
from tests.service.samples import RUN, order, payloads

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
    store = RedisStore(connection(redis_url))
    failing(monkeypatch, Pipeline, "_execute_transaction", 2)
    store.place(RUN, order())
    assert store.order(RUN) == order() and store.runs() == [RUN]
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
    store.place(RUN, order())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 3))
        client.config_set("maxmemory", 1)
        try:
            with pytest.raises(NoRoomError, match="no memory left"):
                claim.append(payloads(3, 5))
            with pytest.raises(NoRoomError, match="no memory left"):
                store.place(RUN, order(epochs=2e3))
            found = store.order(RUN)
            assert found is not None and found.epochs == 1e3 and store.count(RUN) == 3
        finally:
            client.config_set("maxmemory", 0)
        claim.append(payloads(3, 5))
    assert store.payloads(RUN, 0, 9) == payloads(0, 5)
