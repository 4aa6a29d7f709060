"""How Redis is reached, what its keys are called, and how long one waits for it."""

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.retry import Retry

from ..store import NAME, StorageFullError, StoreError
from . import redis_scripts as scripts

PREFIX = "plateau:"
RUNS, SIZES, UPLOADS = f"{PREFIX}runs", f"{PREFIX}sizes", f"{PREFIX}uploads"
READER_PATIENCE = 1.0
"""So long a web process waits for a Redis that is away."""
WRITER_PATIENCE = 30.0
"""So long a worker waits for a Redis that is away before it gives its run up."""

Answer = TypeVar("Answer")


class PatientRedis(redis.Redis):
    """Repeats a command while Redis is away or still loading its data; StoreError when that takes long."""

    patience = READER_PATIENCE

    def execute_command(self, *words: Any, **options: Any) -> Any:
        """See redis.Redis."""
        command: Any = super().execute_command
        return patiently(lambda: command(*words, **options), self.patience)

    def pipeline(self, transaction: Any = True, shard_hint: Any = None) -> "PatientPipeline":
        """See redis.Redis."""
        made = PatientPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        made.patience = self.patience
        return made


class PatientPipeline(Pipeline):
    """The same for several commands in one piece. One that failed would otherwise be repeated empty."""

    patience = READER_PATIENCE

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """See redis.client.Pipeline."""
        commands, execute = self.command_stack, super().execute

        def again() -> list[Any]:
            self.command_stack = commands
            return execute(raise_on_error)

        return patiently(again, self.patience)


def connection(url: str, patience: float = READER_PATIENCE) -> PatientRedis:
    """A client of the server at this address."""
    retry = Retry(NoBackoff(), 0)
    client = PatientRedis.from_url(
        url, socket_timeout=10, socket_connect_timeout=2, retry=retry, health_check_interval=15
    )
    assert isinstance(client, PatientRedis)
    client.patience = patience
    return client


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
            raise StorageFullError("The Redis server that keeps the runs has no memory left.") from error
        except redis.RedisError as error:
            raise StoreError(f"Redis refuses to work: {error}") from error


ONCE_SECONDS = 2 * int(WRITER_PATIENCE)
"""Longer than anybody repeats a command."""


def add_once(client: Any, name: str, amounts: Mapping[str, float]) -> float:
    """Add to fields of a hash, once, however often the command has to be repeated; what the last comes to."""
    seen = f"{PREFIX}once:{secrets.token_hex(8)}"
    words = [word for pair in amounts.items() for word in pair]
    return float(client.eval(scripts.ONCE, 1, seen, ONCE_SECONDS, name, *words))


def key(run_id: str, part: str) -> str:
    """The Redis key of one part of a run."""
    if not NAME.fullmatch(run_id):
        raise StoreError("A run is named by 32 hexadecimal digits.")
    return f"{PREFIX}run:{run_id}:{part}"
