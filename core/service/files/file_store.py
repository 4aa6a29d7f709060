"""The embedded store: one database for documents, two files for each run, no server to install.

    plateau.db                       records, present frames, uploads, ...; see core.service.files.database
    runs/<id>/frames.rec             append-only, see frame_file
    runs/<id>/checkpoints.rec        the last two, replaced by write - sync - rename
    locks/<id>                       there while a worker writes the run
    removed/                         runs on their way out

Everything is check-summed. A record that is lost is rebuilt from the header of the frames file and from the
frames.
"""

import shutil
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path

from ...limits import LIMITS, Limits
from ..records import HEADER, DamageError, decode_frame, frame_index, frame_record
from ..run_record import ENDED, Record, Request, RunState
from ..store import (
    NAME,
    Changed,
    ClaimedError,
    Store,
    StoreError,
    Transition,
    from_json,
    record_from_json,
    stamped,
    to_json,
)
from .database import Database, checksum
from .disk import refusal_of
from .durable import make_folder, sync_folder
from .file_claim import CHECKPOINTS, FRAMES, FileClaim
from .frame_file import FrameIndex
from .locks import FileLock
from .uploads import DatabaseUploads

_INDICES = 512
"""Runs whose frames files are known by position."""
_REBUILT = "Its record was damaged and has been rebuilt from its frames."


class FileStore(Store):
    """A `Store` in a directory. Any number of processes may read and claim."""

    def __init__(self, home: Path, limits: Limits = LIMITS, *, create: bool = True) -> None:
        self.home, self._limits = home, limits
        self._runs, self._locks, self._removed = home / "runs", home / "locks", home / "removed"
        if create:
            for directory in (self._runs, self._locks, self._removed):
                make_folder(directory)
        self.database = Database(home, create=create)
        self._indices: dict[str, FrameIndex] = {}
        self._guard = threading.Lock()
        self.datasets = DatabaseUploads(self.database, limits)

    def record(self, run_id: str) -> Record | None:
        self._folder(run_id)
        found = self.database.read("SELECT document, checksum FROM runs WHERE id = ?", run_id)
        return self._decoded(run_id, found)

    def change(self, run_id: str, transition: Transition) -> Changed:
        self._folder(run_id)
        with self.database.transaction() as connection:
            rows = connection.execute("SELECT document, checksum FROM runs WHERE id = ?", (run_id,))
            old = self._decoded(run_id, rows.fetchall())
            new = transition(old)
            if new is None or new == old:
                return old, old
            new = stamped(old, new, time.time())
            if old is None or old.request.query != new.request.query:
                self.datasets.hold_in(connection, run_id, new.request.query)
            row = run_row(run_id, new, self.size(run_id))
            connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)", row)
            return old, new

    def _decoded(self, run_id: str, rows: list[tuple[bytes, int]]) -> Record | None:
        """The record of a row, or what the frames tell of one that is damaged."""
        if not rows:
            return None
        ((document, sum_),) = rows
        with suppress(DamageError):
            if checksum(run_id, document) == sum_:
                return record_from_json(document)
        return self.rebuilt(run_id)

    def rebuilt(self, run_id: str) -> Record | None:
        """The record of a run as its frames tell it; None when they do not say what was asked."""
        index = self._index(run_id)
        frames = index.refresh()
        try:
            request = from_json(Request, index.header)
        except DamageError:
            return None
        last = [decode_frame(payload) for payload in index.read(frames - 1, frames)]
        where = {"epoch": last[0].epoch, "loss": last[0].loss} if last else {}
        return Record(request, RunState(status="paused", reason=_REBUILT, frames=frames).but(**where))

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
            lock.remove()
            raise

    def count(self, run_id: str) -> int:
        return self._index(run_id).refresh()

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        index = self._index(run_id)
        index.refresh()
        return index.read(first, last)

    def present(self, run_id: str) -> bytes | None:
        found = self.database.read("SELECT document, checksum FROM present_frames WHERE run = ?", run_id)
        for payload, sum_ in found:
            if checksum(run_id, payload) == sum_ and frame_index(payload) == self.count(run_id):
                return bytes(payload)
        return None

    def set_present(self, run_id: str, payload: bytes | None) -> None:
        """Keep the present frame of a run, or none."""
        with self.database.transaction() as connection:
            if payload is None:
                connection.execute("DELETE FROM present_frames WHERE run = ?", (run_id,))
            else:
                values = run_id, payload, checksum(run_id, payload)
                connection.execute("INSERT OR REPLACE INTO present_frames VALUES (?, ?, ?)", values)

    def runs(self) -> list[str]:
        return [run_id for (run_id,) in self.database.read("SELECT id FROM runs")]

    def sizes(self) -> dict[str, tuple[int, float]]:
        rows = self.database.read("SELECT id, is_open, bytes, updated FROM runs")
        # One that may be written now has grown since its record was.
        return {run: (self.size(run) if is_open else size, updated) for run, is_open, size, updated in rows}

    def size(self, run_id: str) -> int:
        """Bytes that the files of a run take up, and its row."""
        total = 1_024
        for name in (FRAMES, CHECKPOINTS):
            with suppress(FileNotFoundError):
                total += -(-(self._runs / run_id / name).stat().st_size // 4_096) * 4_096 + 512
        return total

    def unfinished(self) -> list[str]:
        """The runs that may not have ended."""
        return [run_id for (run_id,) in self.database.read("SELECT id FROM runs WHERE is_open")]

    def delete(self, run_id: str, version: int | None = None) -> None:
        folder, lock = self._folder(run_id), FileLock(self._locks / run_id)
        if not lock.acquire():
            raise ClaimedError(f"run {run_id} is being written")
        try:
            with self.database.transaction() as connection:
                rows = connection.execute("SELECT document, checksum FROM runs WHERE id = ?", (run_id,))
                known = self._decoded(run_id, rows.fetchall())
                if version is not None and known is not None and known.version != version:
                    raise ClaimedError(f"run {run_id} has changed")
                self._remove_files(folder)
                connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
                connection.execute("DELETE FROM present_frames WHERE run = ?", (run_id,))
                connection.execute("DELETE FROM upload_holders WHERE holder = ?", (run_id,))
        except OSError as error:
            raise refusal_of(error, "The run could not be removed") from error
        finally:
            lock.remove()
        with self._guard:
            self._indices.pop(run_id, None)

    def _remove_files(self, folder: Path) -> None:
        """Renamed first: a reader then finds all frames or none."""
        doomed = self._removed / uuid.uuid4().hex
        with suppress(FileNotFoundError):
            self._removed.mkdir(exist_ok=True)
            folder.rename(doomed)
            sync_folder(self._runs)
            shutil.rmtree(doomed, ignore_errors=True)

    def tidy(self) -> None:
        """Remove what killed processes left behind. Only for the one owner of the home directory. Of the runs
        it looks at those that have not ended alone: there may be 100,000 others."""
        for run_id in self.unfinished():
            for path in (self._runs / run_id).glob(".new-*"):
                path.unlink(missing_ok=True)
        shutil.rmtree(self._removed, ignore_errors=True)
        self._removed.mkdir(exist_ok=True)
        for path in self._locks.iterdir():
            path.unlink(missing_ok=True)

    def close(self) -> None:
        self.database.close()

    def _folder(self, run_id: str) -> Path:
        if not NAME.fullmatch(run_id):
            raise StoreError("A run is named by 32 hexadecimal digits.")
        return self._runs / run_id

    def _index(self, run_id: str) -> FrameIndex:
        with self._guard:
            if (known := self._indices.get(run_id)) is not None:
                return known
            if len(self._indices) > _INDICES:
                self._indices.pop(next(iter(self._indices)))
            made = self._indices[run_id] = FrameIndex(self._folder(run_id) / FRAMES)
            return made


def run_row(run_id: str, record: Record, size: int) -> tuple[str, bytes, int, bool, int, float]:
    """A record as a row of the table."""
    document = to_json(record)
    is_open = not (record.status in ENDED or record.wakes)
    return run_id, document, checksum(run_id, document), is_open, size, record.state.updated
