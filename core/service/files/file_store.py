"""The embedded store: plain files under one directory, no server to install.

    runs/<id>/order.rec state.rec    documents, replaced by write - sync - rename
    runs/<id>/frames.rec             append-only, see frame_file
    runs/<id>/checkpoint-<n>.rec     the last two
    locks/<id>                       held by the one writer, kept apart so that a run can be removed
    open/<id>                        empty: a run that may not have ended, so that a start looks at no other
    removed/                         runs on their way out
    data/<id>.csv                    uploads, named by content, see uploads

Everything is framed and check-summed. A lost order is rebuilt from the header of the
frames file, a lost state from the frames.
"""

import os
import shutil
import threading
import uuid
from contextlib import suppress
from pathlib import Path

from core.limits import LIMITS, Limits
from core.service.files.file_claim import FileClaim, replace_file
from core.service.files.frame_file import FrameIndex
from core.service.files.locks import FileLock
from core.service.files.uploads import FileUploads
from core.service.records import DOCUMENT, HEADER, DamageError, decode_frame, frame_record, only_record
from core.service.store import (
    NAME,
    ClaimedError,
    Order,
    RunState,
    Store,
    StoreError,
    Uploads,
    from_json,
    to_json,
)


def _names(folder: Path) -> list[str]:
    """What is in a folder, without an object for each: there may be 100,000."""
    return os.listdir(folder)  # noqa: PTH208


class FileStore(Store):
    """A `Store` in a directory. Any number of processes may read and claim."""

    def __init__(self, home: Path, limits: Limits = LIMITS) -> None:
        self._runs, self._locks, self._data = home / "runs", home / "locks", home / "data"
        self._open, self._removed = home / "open", home / "removed"
        for directory in (self._runs, self._locks, self._data, self._open, self._removed):
            directory.mkdir(parents=True, exist_ok=True)
        self._limits = limits
        self._indices: dict[str, FrameIndex] = {}
        self._guard = threading.Lock()
        self.datasets: Uploads = FileUploads(self._data, limits)

    def place(self, run_id: str, order: Order) -> None:
        folder = self._folder(run_id)
        folder.mkdir(exist_ok=True)
        self.note(run_id, has_ended=False)
        self.datasets.hold(run_id, order.query)
        replace_file(folder / "order.rec", frame_record(DOCUMENT, to_json(order)), durable=True)

    def order(self, run_id: str) -> Order | None:
        path = self._folder(run_id) / "order.rec"
        try:
            return from_json(Order, bytes(only_record(path.read_bytes(), DOCUMENT)))
        except (OSError, DamageError):
            index = self._index(run_id)
            index.refresh()
            with suppress(DamageError):
                return from_json(Order, index.header) if index.header else None
            return None

    def state(self, run_id: str) -> RunState:
        path = self._folder(run_id) / "state.rec"
        try:
            return from_json(RunState, bytes(only_record(path.read_bytes(), DOCUMENT)))
        except FileNotFoundError:
            return RunState()
        except (OSError, DamageError):
            frames = self.count(run_id)
            last = [decode_frame(p) for p in self.payloads(run_id, frames - 1, frames)]
            where = {"epoch": last[0].epoch, "loss": last[0].loss} if last else {}
            reason = "Its state was damaged and has been rebuilt from its frames."
            return RunState(status="paused", reason=reason, frames=frames).but(**where)

    def claim(self, run_id: str) -> FileClaim:
        order = self.order(run_id)
        if order is None:
            raise StoreError("No such run.")
        lock = FileLock(self._locks / run_id)
        if not lock.acquire():
            raise ClaimedError(f"run {run_id} is being written by another process")
        try:
            header = frame_record(HEADER, to_json(order))
            return FileClaim(self._folder(run_id), lock, header, self._limits.run_bytes)
        except BaseException:
            lock.release()
            raise

    def count(self, run_id: str) -> int:
        return self._index(run_id).refresh()

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        index = self._index(run_id)
        index.refresh()
        return index.read(first, last)

    def runs(self) -> list[str]:
        return list(filter(NAME.fullmatch, _names(self._runs)))

    def sizes(self) -> dict[str, tuple[int, float]]:
        found = {}
        for run_id in self.runs():
            with suppress(FileNotFoundError):
                status = [entry.stat() for entry in os.scandir(self._runs / run_id)]
                changed = max((each.st_mtime for each in status), default=0.0)
                # What it takes up on the disk, the smallest file a whole block and each an entry of its own.
                found[run_id] = sum(-(-each.st_size // 4_096) * 4_096 + 512 for each in status), changed
        return found

    def note(self, run_id: str, *, has_ended: bool) -> None:
        """Whether a start must look at a run; it may look at one too many."""
        path = self._open / run_id
        with suppress(OSError):
            path.unlink(missing_ok=True) if has_ended else path.touch()

    def unfinished(self) -> list[str]:
        """The runs that may not have ended. A home that notes none yet is looked through once."""
        complete = self._open / "complete"
        if not complete.exists():
            for run_id in self.runs():
                self.note(run_id, has_ended=False)
            complete.touch()
        return [name for name in _names(self._open) if NAME.fullmatch(name)]

    def delete(self, run_id: str) -> None:
        lock = FileLock(self._locks / run_id)
        if not lock.acquire():
            raise ClaimedError(f"run {run_id} is being written")
        try:
            # Renamed first: a reader then finds the whole run or none of it.
            doomed = self._removed / uuid.uuid4().hex
            with suppress(FileNotFoundError):
                self._removed.mkdir(exist_ok=True)
                self._folder(run_id).rename(doomed)
                shutil.rmtree(doomed, ignore_errors=True)
            self.datasets.let_go(run_id)
        finally:
            lock.remove()
        self.note(run_id, has_ended=True)
        with self._guard:
            self._indices.pop(run_id, None)

    def tidy(self) -> None:
        """Remove what killed processes left behind. Only for the one owner of the home directory. Of the runs
        it looks at those that have not ended alone: there may be 100,000 others."""
        scratch = [path for run_id in self.unfinished() for path in self._folder(run_id).glob(".new-*")]
        for path in (*scratch, *self._data.glob(".new-*")):
            path.unlink(missing_ok=True)
        shutil.rmtree(self._removed, ignore_errors=True)
        self._removed.mkdir(exist_ok=True)

    def close(self) -> None:
        """See Store."""

    def _folder(self, run_id: str) -> Path:
        if not NAME.fullmatch(run_id):
            raise StoreError("A run is named by 32 hexadecimal digits.")
        return self._runs / run_id

    def _index(self, run_id: str) -> FrameIndex:
        with self._guard:
            if (known := self._indices.get(run_id)) is not None:
                return known
            if len(self._indices) > 512:
                self._indices.pop(next(iter(self._indices)))
            made = self._indices[run_id] = FrameIndex(self._folder(run_id) / "frames.rec")
            return made
