"""The right to write one run of the embedded store."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..records import FRAME, encode_arrays, frame_record
from ..run_record import Record
from ..store import (
    KEPT_CHECKPOINTS,
    Checkpoint,
    Claim,
    ClaimedError,
    Store,
    StoreError,
    Worked,
    usable,
)
from .durable import replace_file, sync_folder
from .frame_file import FrameWriter
from .locks import FileLock

PRESENT = "present.rec"


class FileClaim(Claim):
    """See Claim. The lock ends with the process, so a dead worker's claim is free at once."""

    def __init__(
        self, store: Store, run_id: str, folder: Path, lock: FileLock, header: bytes, largest: int
    ) -> None:
        self._store, self._run_id = store, run_id
        self._folder, self._lock, self._header, self._largest = folder, lock, header, largest
        self._writer = FrameWriter(folder / "frames.rec", header, largest)

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
        files = self._checkpoint_files()
        serial = int(files[-1].stem.partition("-")[2]) + 1 if files else 0
        record = encode_arrays(checkpoint.arrays, checkpoint.frames)
        replace_file(self._folder / f"checkpoint-{serial:08d}.rec", record, durable=True)
        for old in files[: max(0, len(files) + 1 - KEPT_CHECKPOINTS)]:
            old.unlink(missing_ok=True)

    def checkpoints(self) -> list[Checkpoint]:
        return usable(map(_bytes_of, reversed(self._checkpoint_files())), self.frames)

    def keep_present(self, payload: bytes) -> None:
        self._check()
        replace_file(self._folder / PRESENT, frame_record(FRAME, payload), durable=True)

    def change(self, transition: Worked) -> Record:
        self._check()
        _, new = self._store.change(self._run_id, lambda old: transition(old) if old else None)
        if new is None:
            raise StoreError("No such run.")
        return new

    def clear(self) -> None:
        self._check()
        self._writer.close()
        for path in self._checkpoint_files():
            path.unlink(missing_ok=True)
        (self._folder / PRESENT).unlink(missing_ok=True)
        (self._folder / "frames.rec").unlink(missing_ok=True)
        # Else a checkpoint that was removed may come back beside frames that it is not of.
        sync_folder(self._folder)
        self._writer = FrameWriter(self._folder / "frames.rec", self._header, self._largest)

    def release(self) -> None:
        if self._lock.held:
            self._writer.close()
            self._lock.release()

    def _check(self) -> None:
        if not self._lock.held:
            raise ClaimedError("the claim has been given up")

    def _checkpoint_files(self) -> list[Path]:
        return sorted(self._folder.glob("checkpoint-*.rec"))


def _bytes_of(path: Path) -> bytes:
    """Nothing where it cannot be read."""
    with suppress(OSError):
        return path.read_bytes()
    return b""
