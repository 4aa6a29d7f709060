"""The right to write one run of the embedded store, and how its files are replaced."""

import os
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.service.files.disk import refusal_of
from core.service.files.frame_file import FrameWriter
from core.service.files.locks import FileLock
from core.service.records import DOCUMENT, encode_arrays, frame_record
from core.service.store import (
    ENDED,
    KEPT_CHECKPOINTS,
    Checkpoint,
    Claim,
    ClaimedError,
    RunState,
    to_json,
    usable,
)


class FileClaim(Claim):
    """See Claim. The lock ends with the process, so a dead worker's claim is free at once."""

    def __init__(self, folder: Path, lock: FileLock, header: bytes, largest: int) -> None:
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

    def write(self, state: RunState) -> None:
        self._check()
        record = frame_record(DOCUMENT, to_json(state))
        replace_file(self._folder / "state.rec", record, durable=state.status in (*ENDED, "paused"))

    def clear(self) -> None:
        self._check()
        self._writer.close()
        for path in self._checkpoint_files():
            path.unlink(missing_ok=True)
        (self._folder / "frames.rec").unlink(missing_ok=True)
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


def replace_file(path: Path, data: bytes, *, durable: bool) -> None:
    """Write, sync, rename: a reader sees the old file or the new one, also after a power cut."""
    new = path.with_name(f".new-{uuid.uuid4().hex}")
    try:
        with new.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise refusal_of(error, f"{path.name} could not be written") from error
    if durable and os.name == "posix":
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
