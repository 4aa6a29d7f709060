"""The right to write one run in Redis: a number that Redis compares on every write."""

from collections.abc import Callable, Sequence
from typing import Any

from ..records import FRAME, check_follows, encode_arrays, frame_record
from ..run_record import Record
from ..store import (
    KEPT_CHECKPOINTS,
    Changed,
    Checkpoint,
    Claim,
    ClaimedError,
    Store,
    StoreError,
    Transition,
    Worked,
    too_many_bytes,
    usable,
)
from . import redis_scripts as scripts
from .redis_connection import SIZES, key


class RedisClaim(Claim):
    """See Claim. Holds a number that Redis compares on every write."""

    def __init__(
        self,
        store: Store,
        change: Callable[[str, Transition, str, str], Changed],
        client: Any,
        run_id: str,
        token: int,
        lease: int,
        largest: int,
    ) -> None:
        self._store, self._change, self._client = store, change, client
        self._run_id, self._token, self._lease, self._largest = run_id, token, lease, largest
        self._released = False
        self._frames = store.count(run_id)

    @property
    def frames(self) -> int:
        return self._frames

    def append(self, payloads: Sequence[bytes]) -> None:
        check_follows(payloads, self._frames)
        records = [frame_record(FRAME, payload) for payload in payloads]
        arguments = [self._frames, self._largest, self._run_id, *records]
        answer = self._eval(scripts.APPEND, [self._key("frames"), SIZES], arguments)
        if answer == -2:
            # The answer to a first try was lost, or the store has forgotten frames: begin anew from it.
            stored = self._store.payloads(self._run_id, self._frames, self._frames + len(payloads))
            if stored != list(payloads):
                raise ClaimedError("the stored frames are not those that were written")
        if answer == -3:
            raise too_many_bytes(self._largest)
        self._frames += len(payloads)

    def payload(self, index: int) -> bytes:
        (payload,) = self._store.payloads(self._run_id, index, index + 1)
        return payload

    def save(self, checkpoint: Checkpoint) -> None:
        record, name = encode_arrays(checkpoint.arrays, checkpoint.frames), self._key("checkpoints")
        self._fenced(["LPUSH", name, record], ["LTRIM", name, 0, KEPT_CHECKPOINTS - 1])

    def checkpoints(self) -> list[Checkpoint]:
        return usable(self._client.lrange(self._key("checkpoints"), 0, -1), self.frames)

    def keep_present(self, payload: bytes) -> None:
        self._fenced(["SET", self._key("present"), frame_record(FRAME, payload)])

    def change(self, transition: Worked) -> Record:
        if self._released:
            raise ClaimedError("the claim has been given up")
        script, token = scripts.SMALL + scripts.CHANGE, str(self._token)
        _, new = self._change(self._run_id, lambda old: transition(old) if old else None, token, script)
        if new is None:
            raise StoreError("No such run.")
        return new

    def clear(self) -> None:
        forgotten = [self._key(part) for part in ("frames", "checkpoints", "present")]
        self._fenced(["DEL", *forgotten], ["HDEL", SIZES, self._run_id])
        self._frames = 0

    def renew(self) -> None:
        """Say that the holder is alive."""
        self._fenced(["SET", self._key("lease"), self._token, "PX", self._lease])

    def release(self) -> None:
        if not self._released:
            try:
                self._fenced(["DEL", self._key("lease")])
            except ClaimedError:
                pass
            finally:
                self._released = True

    def _fenced(self, *commands: list[Any]) -> None:
        """All of them in one piece, or none."""
        words = [word for command in commands for word in (len(command), *command)]
        self._eval(scripts.FENCED, [], words)

    def _eval(self, script: str, keys: list[str], arguments: list[Any]) -> int:
        if self._released:
            raise ClaimedError("the claim has been given up")
        names = [self._key("token"), *keys]
        answer: int = self._client.eval(script, len(names), *names, self._token, *arguments)
        if answer == -1:
            raise ClaimedError(f"run {self._run_id} has been taken over by another worker")
        return answer

    def _key(self, part: str) -> str:
        return key(self._run_id, part)
