"""The right to write one run of the embedded store."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from ..records import CHECKPOINT, OVERHEAD, encode_arrays, frame_record, scan
from ..run_record import Record
from ..store import (
    KEPT_CHECKPOINTS,
    Checkpoint,
    Claim,
    ClaimedError,
    StoreError,
    Transition,
    Worked,
    usable,
)
from .durable import make_folder, replace_file, sync_folder
from .frame_file import FrameWriter
from .locks import FileLock

FRAMES, CHECKPOINTS = "frames.rec", "checkpoints.rec"


class Documents(Protocol):
    """What a claim writes into the database."""

    def change(self, run_id: str, transition: Transition) -> tuple[Record | None, Record | None]:
        """See Store."""

    def set_present(self, run_id: str, payload: bytes | None) -> None:
        """Keep the present frame of a run, or none."""


class FileClaim(Claim):
    """See Claim. The lock ends with the process, so a dead worker's claim is free at once."""

    def __init__(
        self, store: Documents, run_id: str, folder: Path, lock: FileLock, header: bytes, largest: int
    ) -> None:
        self._store, self._run_id = store, run_id
        self._folder, self._lock, self._header, self._largest = folder, lock, header, largest
        make_folder(folder)
        self._writer = FrameWriter(folder / FRAMES, header, largest)

    @property
    def frames(self) -> int:
        return self._writer.frames

    def append(self, payloads: Sequence[bytes]) -> None:
        self._check()
        self._writer.append(payloads)

    def payload(self, index: int) -> bytes:
        return self._writer.read(index)

    def save(self, checkpoint: Checkpoint) -> None:
        self._check()
        self._writer.sync()
        newest = encode_arrays(checkpoint.arrays, checkpoint.frames)
        kept = [newest, *self._checkpoint_records()][:KEPT_CHECKPOINTS]
        replace_file(self._folder / CHECKPOINTS, b"".join(kept), durable=True)

    def checkpoints(self) -> list[Checkpoint]:
        return usable(self._checkpoint_records(), self.frames)

    def keep_present(self, payload: bytes) -> None:
        self._check()
        self._store.set_present(self._run_id, payload)

    def change(self, transition: Worked) -> Record:
        self._check()
        _, new = self._store.change(self._run_id, lambda old: transition(old) if old else None)
        if new is None:
            raise StoreError("No such run.")
        return new

    def clear(self) -> None:
        self._check()
        self._store.set_present(self._run_id, None)
        self._writer.close()
        for name in (CHECKPOINTS, FRAMES):
            (self._folder / name).unlink(missing_ok=True)
        # Else checkpoints that were removed may come back beside frames that they are not of.
        sync_folder(self._folder)
        self._writer = FrameWriter(self._folder / FRAMES, self._header, self._largest)

    def release(self) -> None:
        if self._lock.held:
            self._writer.close()
            self._lock.remove()

    def _check(self) -> None:
        if not self._lock.held:
            raise ClaimedError("the claim has been given up")

    def _checkpoint_records(self) -> list[bytes]:
        """The whole ones of the file, newest first. One that is damaged does not hide the one behind it."""
        data = b""
        with suppress(OSError):
            data = (self._folder / CHECKPOINTS).read_bytes()
        found = []
        for start in _starts(data):
            for _, kind, payload in scan(data, start):
                if kind == CHECKPOINT:
                    found.append(frame_record(CHECKPOINT, bytes(payload)))
                break
        return found


def _starts(data: bytes) -> list[int]:
    """Where records begin, as far as their lengths can be believed."""
    starts, position = [], 0
    while position + OVERHEAD <= len(data):
        starts.append(position)
        position += OVERHEAD + int.from_bytes(data[position : position + 4], "little")
    return starts
