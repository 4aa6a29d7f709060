"""How Redis is reached, what its keys are called, and how long one waits for it."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from core.service.store import NAME, NoRoomError, StoreError

PREFIX = "plateau:"
RUNS, SIZES, UPLOADS = f"{PREFIX}runs", f"{PREFIX}sizes", f"{PREFIX}uploads"
READER_PATIENCE = 1.0
"""So long a web process waits for a Redis that is away."""
WRITER_PATIENCE = 30.0
"""So long a worker waits for a Redis that is away before it gives its run up."""

Answer = TypeVar("Answer")


def connection(url: str) -> "redis.Redis":
    """A client that says at once when Redis is away; `patiently` decides how long to wait."""
    return redis.Redis.from_url(
        url,
        socket_timeout=10,
        socket_connect_timeout=2,
        retry=Retry(NoBackoff(), 0),
        health_check_interval=15,
    )


def patiently(call: Callable[[], Answer], patience: float) -> Answer:
    """Repeat a call while Redis is away or still loading its data."""
    end = time.monotonic() + patience
    while True:
        try:
            return call()
        except (redis.ConnectionError, redis.TimeoutError) as error:
            if time.monotonic() > end:
                raise StoreError("The Redis server that keeps the runs cannot be reached.") from error
            time.sleep(0.1)
        except redis.OutOfMemoryError as error:
            raise NoRoomError("The Redis server that keeps the runs has no memory left.") from error
        except redis.RedisError as error:
            raise StoreError(f"Redis refuses to work: {error}") from error


class PatientClient:
    """A client each of whose commands waits so long for a Redis that is away."""

    def __init__(self, client: Any, patience: float) -> None:
        self._client, self._patience = client, patience

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)
        return lambda *told, **named: patiently(lambda: method(*told, **named), self._patience)


def key(run_id: str, part: str) -> str:
    """The Redis key of one part of a run."""
    if not NAME.fullmatch(run_id):
        raise StoreError("A run is named by 32 hexadecimal digits.")
    return f"{PREFIX}run:{run_id}:{part}"
