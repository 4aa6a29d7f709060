"""Homes of version 2, which kept every document in a file of its own, taken over into the database.

    runs/<id>/order.rec, state.rec   what was asked of a run, and what became of it
    open/, locks/                    marks of runs that had not ended, and of writers
    data/<name>.csv, <name>.<id>     uploads, and who holds them
    logbooks/<handle>.json           what a browser has run
    studies/<id>/order.rec, rows.rec

Frames stay where they are. Checkpoints are removed: those of version 2 do not say whose they are, and the end
of a budget may be among its frames, so a run that goes on is computed from the start.
"""

import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection

from ..records import DOCUMENT, INDEX, DamageError, only_record
from ..run_record import Record, RunState
from ..store import NAME, StoreError, from_json, record_from_json, record_of_version_2
from .database import checksum
from .file_store import FileStore, run_row
from .frame_file import FrameIndex
from .uploads import name_of

log = logging.getLogger(__name__)

_DOCUMENTS = ("record.rec", "order.rec", "state.rec", "present.rec")
_FOLDERS = ("open", "data", "logbooks", "studies")
_BATCH = 1_000


def has_files_of_version_2(home: Path) -> bool:
    """Whether there is anything to take over; one that was interrupted is gone on with."""
    return any((home / name).exists() for name in _FOLDERS)


def take_over(store: FileStore) -> None:
    """Copy all documents into the database, then remove their files."""
    home, begin = store.home, time.monotonic()
    log.warning("the home %s is of version 2 and is taken over", home)
    runs = [path for path in (home / "runs").iterdir() if NAME.fullmatch(path.name)]
    for first in range(0, len(runs), _BATCH):
        with store.database.transaction() as connection:
            for folder in runs[first : first + _BATCH]:
                _take_run(store, connection, folder)
    with store.database.transaction() as connection:
        _take_uploads(connection, home / "data")
        for path in (home / "logbooks").glob("*.json"):
            document = path.read_bytes()
            row = path.stem, document, checksum(path.stem, document), path.stat().st_mtime
            connection.execute("INSERT OR IGNORE INTO histories VALUES (?, ?, ?, ?)", row)
        for folder in (home / "studies").glob("*"):
            _take_study(connection, folder)
    # Only now, and the folders that say that there is something to take over last.
    for folder in runs:
        for path in (*(folder / name for name in _DOCUMENTS), *folder.glob("checkpoint-*")):
            path.unlink(missing_ok=True)
    for name in _FOLDERS:
        shutil.rmtree(home / name, ignore_errors=True)
    log.warning("%d runs were taken over in %.0f s", len(runs), time.monotonic() - begin)


def _take_run(store: FileStore, connection: Connection, folder: Path) -> None:
    record = _record(folder) or store.rebuilt(folder.name)
    if record is not None:
        row = run_row(folder.name, record, store.size(folder.name))
        connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?)", row)
        store.datasets.hold_in(connection, folder.name, record.request.query)


def _record(folder: Path) -> Record | None:
    """None where it must be told from the frames."""
    with suppress(OSError, DamageError):
        return record_from_json(_document(folder / "record.rec"))
    try:
        order, state = _document(folder / "order.rec"), None
        if (folder / "state.rec").exists():
            state = from_json(RunState, _document(folder / "state.rec"))
        found = record_of_version_2(order, state)
    except (OSError, DamageError):
        return None
    return found.but(replay_mismatch=True)


def _document(path: Path) -> bytes:
    return bytes(only_record(path.read_bytes(), DOCUMENT))


def _take_uploads(connection: Connection, folder: Path) -> None:
    for path in folder.glob("*"):
        if path.suffix == ".csv":
            text = path.read_bytes()
            with suppress(UnicodeDecodeError):
                if name_of(text.decode()) == path.stem:
                    row = path.stem, text, path.stat().st_mtime
                    connection.execute("INSERT OR IGNORE INTO uploads VALUES (?, ?, ?)", row)
        elif path.suffix:
            held = path.stem, path.suffix[1:]
            connection.execute("INSERT OR IGNORE INTO upload_holders VALUES (?, ?)", held)


def _take_study(connection: Connection, folder: Path) -> None:
    study = folder.name
    with suppress(OSError, DamageError, StoreError):
        order = _document(folder / "order.rec")
        connection.execute(
            "INSERT OR IGNORE INTO studies VALUES (?, ?, ?)", (study, order, checksum(study, order))
        )
        for row in _study_rows(folder / "rows.rec"):
            place = int.from_bytes(row[:4], "little")
            found = study, place, row, checksum(f"{study}:{place}", row)
            connection.execute("INSERT OR IGNORE INTO study_rows VALUES (?, ?, ?, ?)", found)


def _study_rows(path: Path) -> Iterator[bytes]:
    index = FrameIndex(path)
    return (payload[INDEX.size :] for payload in index.read(0, index.refresh()))
