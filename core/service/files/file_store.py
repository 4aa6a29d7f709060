"""The embedded store: plain files under one directory, no server to install.

    runs/<id>/record.rec             the record, replaced by write - sync - rename
    runs/<id>/frames.rec             append-only, see frame_file
    runs/<id>/checkpoint-<n>.rec     the last two
    runs/<id>/present.rec            the frame of the state in which it was left, replaced likewise
    locks/<id>                       held by the one writer, kept apart so that a run can be removed
    locks/record-<hh>                held for the moment in which a record is changed
    open/<id>                        empty: a run that may not have ended, so that a start looks at no other
    removed/                         runs on their way out
    data/<id>.csv                    uploads, named by content, see uploads

Everything is framed and check-summed. A lost record is rebuilt from the header of the frames file and from
the frames. Runs of version 2 (order.rec, state.rec) are read as they are; the first change writes a record.
"""

import os
import shutil
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ...limits import LIMITS, Limits
from ..records import (
    DOCUMENT,
    FRAME,
    HEADER,
    DamageError,
    decode_frame,
    frame_index,
    frame_record,
    only_record,
)
from ..run_record import ENDED, Record, Request, RunState
from ..store import (
    NAME,
    Changed,
    ClaimedError,
    Store,
    StoreError,
    Transition,
    Uploads,
    from_json,
    record_from_json,
    record_of_version_2,
    stamped,
    to_json,
)
from .disk import refusal_of
from .durable import make_folder, make_mark, replace_file, sync_folder
from .file_claim import PRESENT, FileClaim
from .frame_file import FrameIndex
from .locks import FileLock, RecordLocks
from .uploads import FileUploads

_SCRATCH = ("data", "logbooks", "studies/*")
"""Beside the runs: where files are replaced."""
OLD = ("order.rec", "state.rec")
"""What version 2 kept instead of a record."""


def _names(folder: Path) -> list[str]:
    """What is in a folder, without an object for each: there may be 100,000."""
    return os.listdir(folder)  # noqa: PTH208


class FileStore(Store):
    """A `Store` in a directory. Any number of processes may read and claim."""

    def __init__(self, home: Path, limits: Limits = LIMITS) -> None:
        self._runs, self._locks, self._data = home / "runs", home / "locks", home / "data"
        self._open, self._removed = home / "open", home / "removed"
        for directory in (self._runs, self._locks, self._data, self._open, self._removed):
            make_folder(directory)
        self._limits = limits
        self._indices: dict[str, FrameIndex] = {}
        self._guard = threading.Lock()
        self._record_locks = RecordLocks(self._locks)
        self.datasets: Uploads = FileUploads(self._data, limits)

    def record(self, run_id: str) -> Record | None:
        return self._read(run_id)

    def change(self, run_id: str, transition: Transition) -> Changed:
        with self._changing(run_id):
            old = self._read(run_id)
            new = transition(old)
            if new is None or new == old:
                return old, old
            new = stamped(old, new, time.time())
            try:
                self._write(run_id, old, new)
            except OSError as error:
                raise refusal_of(error, "The run's record could not be written") from error
            return old, new

    @contextmanager
    def _changing(self, run_id: str) -> Iterator[None]:
        """Nobody else changes or removes the run's record meanwhile. Readers need no lock."""
        self._folder(run_id)
        with ExitStack() as held:
            try:
                held.enter_context(self._record_locks.hold(run_id))
            except TimeoutError as error:
                raise StoreError("Another process holds this run's record; try again in a while.") from error
            except OSError as error:
                raise refusal_of(error, "The run's record could not be written") from error
            yield

    def _read(self, run_id: str) -> Record | None:
        folder = self._folder(run_id)
        try:
            return record_from_json(bytes(only_record((folder / "record.rec").read_bytes(), DOCUMENT)))
        except FileNotFoundError:
            return self._read_version_2(run_id, folder)
        except (OSError, DamageError):
            header = self._header(run_id)
            return Record(from_json(Request, header), self._rebuilt(run_id)) if header else None

    def _read_version_2(self, run_id: str, folder: Path) -> Record | None:
        """What an earlier version has left; None when there is nothing that can be read."""
        try:
            order = bytes(only_record((folder / "order.rec").read_bytes(), DOCUMENT))
            from_json(Request, order)
        except (OSError, DamageError):
            order = self._header(run_id)
        try:
            state = from_json(RunState, bytes(only_record((folder / "state.rec").read_bytes(), DOCUMENT)))
        except FileNotFoundError:
            state = None
        except (OSError, DamageError):
            state = self._rebuilt(run_id)
        return record_of_version_2(order, state) if order else None

    def _header(self, run_id: str) -> bytes:
        """The request that the frames file begins with; empty when there is none."""
        index = self._index(run_id)
        index.refresh()
        with suppress(DamageError):
            from_json(Request, index.header)
            return index.header
        return b""

    def _rebuilt(self, run_id: str) -> RunState:
        frames = self.count(run_id)
        last = [decode_frame(p) for p in self.payloads(run_id, frames - 1, frames)]
        where = {"epoch": last[0].epoch, "loss": last[0].loss} if last else {}
        reason = "Its record was damaged and has been rebuilt from its frames."
        return RunState(status="paused", reason=reason, frames=frames).but(**where)

    def _write(self, run_id: str, old: Record | None, new: Record) -> None:
        """Durable when it returns: the folder's own entry, the mark that a start looks for, the record."""
        folder = self._folder(run_id)
        ended = new.status in ENDED or new.wakes
        make_folder(folder)
        if not ended:
            self.note(run_id, has_ended=False)
        if old is None or old.request.query != new.request.query:
            self.datasets.hold(run_id, new.request.query)
        replace_file(folder / "record.rec", frame_record(DOCUMENT, to_json(new)), durable=True)
        if ended:
            self.note(run_id, has_ended=True)
        if old is not None and old.version == 0:
            for name in OLD:
                (folder / name).unlink(missing_ok=True)

    def claim(self, run_id: str) -> FileClaim:
        record = self.record(run_id)
        if record is None:
            raise StoreError("No such run.")
        lock = FileLock(self._locks / run_id)
        if not lock.acquire():
            raise ClaimedError(f"run {run_id} is being written by another process")
        try:
            header = frame_record(HEADER, to_json(record.request))
            return FileClaim(self, run_id, self._folder(run_id), lock, header, self._limits.run_bytes)
        except BaseException:
            lock.release()
            raise

    def count(self, run_id: str) -> int:
        return self._index(run_id).refresh()

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        index = self._index(run_id)
        index.refresh()
        return index.read(first, last)

    def present(self, run_id: str) -> bytes | None:
        try:
            payload = bytes(only_record((self._folder(run_id) / PRESENT).read_bytes(), FRAME))
        except (OSError, DamageError):
            return None
        return payload if frame_index(payload) == self.count(run_id) else None

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
            path.unlink(missing_ok=True) if has_ended else make_mark(path)

    def unfinished(self) -> list[str]:
        """The runs that may not have ended. A home that notes none yet is looked through once."""
        complete = self._open / "complete"
        if not complete.exists():
            for run_id in self.runs():
                (self._open / run_id).touch()
            sync_folder(self._open)
            make_mark(complete)
        return [name for name in _names(self._open) if NAME.fullmatch(name)]

    def delete(self, run_id: str, version: int | None = None) -> None:
        lock = FileLock(self._locks / run_id)
        if not lock.acquire():
            raise ClaimedError(f"run {run_id} is being written")
        with self._changing(run_id):
            self._delete(run_id, lock, version)
        with self._guard:
            self._indices.pop(run_id, None)

    def _delete(self, run_id: str, lock: FileLock, version: int | None) -> None:
        try:
            known = self._read(run_id)
            if version is not None and known is not None and known.version != version:
                raise ClaimedError(f"run {run_id} has changed")
            # Renamed first: a reader then finds the whole run or none of it.
            doomed = self._removed / uuid.uuid4().hex
            with suppress(FileNotFoundError):
                self._removed.mkdir(exist_ok=True)
                self._folder(run_id).rename(doomed)
                sync_folder(self._runs)
                shutil.rmtree(doomed, ignore_errors=True)
            self.datasets.let_go(run_id)
            self.note(run_id, has_ended=True)
        finally:
            lock.remove()

    def tidy(self) -> None:
        """Remove what killed processes left behind. Only for the one owner of the home directory. Of the runs
        it looks at those that have not ended alone: there may be 100,000 others."""
        scratch = [path for run_id in self.unfinished() for path in self._folder(run_id).glob(".new-*")]
        home = self._runs.parent
        for path in (*scratch, *(p for part in _SCRATCH for p in home.glob(f"{part}/.new-*"))):
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
