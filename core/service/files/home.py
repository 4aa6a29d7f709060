"""The home of an embedded server before it is used: made, taken over from version 2, checked and repaired.

Called by the one process that owns the home, before anything else reads it. A database that SQLite cannot
read is set aside, and what can still be read of it is copied row by row into a new one; a run whose record is
lost is listed again from its frames file, which says what was asked and how far it is.
"""

import logging
import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from ..run_record import Record
from ..store import NAME, StoreError
from .database import FILE, SCHEMA, Database, DatabaseDamagedError, checksum, text_of
from .file_store import FileStore, run_row
from .locks import FileLock
from .version_2 import has_files_of_version_2, take_over

log = logging.getLogger(__name__)

_CHECKED = {
    "runs": "id",
    "present_frames": "run",
    "histories": "handle",
    "tokens": "handle",
    "studies": "id",
    "study_rows": "study || ':' || place",
}
"""Tables whose rows have a checksum, and the name that it is of."""


def prepare_home(home: Path) -> None:
    """Make, take over, check, repair. Nothing is done while another server uses the home."""
    home.mkdir(parents=True, exist_ok=True)
    lock = FileLock(home / "lock")
    if not lock.acquire():
        return
    try:
        _prepare(home)
    finally:
        lock.release()


def _prepare(home: Path) -> None:
    is_new = not (home / FILE).exists()
    damage = "" if is_new else find_damage(home)
    if damage:
        salvage(home, damage)
    store = FileStore(home)
    try:
        store.database.complete()
        if has_files_of_version_2(home):
            take_over(store)
        if is_new or damage:
            list_unlisted_runs(store)
        drop_damaged_rows(store)
    finally:
        store.close()


def back_up(home: Path, target: Path) -> None:
    """Copy the database as it is at this moment; a server that uses it goes on.

    Raises
    ------
    StoreError
        When there is no database, or there is a file of that name already.
    """
    if not (home / FILE).exists():
        raise StoreError(f"There is no database in {home}.")
    if target.exists():
        raise StoreError(f"{target} exists already.")
    database = Database(home, create=False)
    try:
        database.back_up(target)
    finally:
        database.close()


def find_damage(home: Path) -> str:
    """What SQLite finds wrong with its file; empty when it is sound."""
    database = Database(home, create=False)
    try:
        found = [str(row[0]) for row in database.read("PRAGMA integrity_check(3)")]
        database.read("SELECT count(*) FROM runs WHERE is_open")
        return "" if found == ["ok"] else "; ".join(found[:3])
    except DatabaseDamagedError as error:
        return str(error.__cause__)
    except StoreError as error:
        if isinstance(error.__cause__, sqlite3.OperationalError) and "no such" in str(error.__cause__):
            return str(error.__cause__)
        raise
    finally:
        database.close()


def salvage(home: Path, damage: str) -> None:
    """Set a damaged database aside, and copy what can be read of it."""
    aside = home / f"{FILE}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    log.warning("the database is damaged (%s); it is kept as %s, and a new one is made", damage, aside.name)
    with suppress(FileNotFoundError):
        (home / f"{FILE}-journal").rename(aside.with_name(f"{aside.name}-journal"))
    (home / FILE).rename(aside)
    database = Database(home)
    old = sqlite3.connect(f"file:{aside}?mode=ro&immutable=1", uri=True)
    old.text_factory = text_of
    tables = [line.split()[5] for line in SCHEMA.splitlines() if line.startswith("CREATE TABLE")]
    for table in tables:
        rows = _readable(old, table)
        with suppress(StoreError), database.transaction() as connection:
            for row in rows:
                with suppress(sqlite3.Error):
                    places = ", ".join("?" * len(row))
                    connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({places})", row)
        log.warning("%d rows of the table %s were read from the damaged database", len(rows), table)
    old.close()
    database.close()


def _readable(old: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    """The rows before the first page that cannot be read, and those behind the last one."""
    found: dict[object, tuple[object, ...]] = {}
    for order in ("", "DESC"):
        with suppress(sqlite3.Error):
            for rowid, *row in old.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid {order}"):
                if rowid in found:
                    break
                found[rowid] = tuple(row)
    return [found[rowid] for rowid in sorted(found, key=lambda number: int(str(number)))]


def drop_damaged_rows(store: FileStore) -> None:
    """Forget documents that are not what was written; runs are listed again from their frames."""
    database, lost = store.database, list[str]()
    for table, name in _CHECKED.items():
        rows = database.iterate(f"SELECT rowid, {name}, document, checksum FROM {table}")
        bad = [row[:2] for row in rows if not _is_whole(*row[1:])]
        if not bad:
            continue
        log.warning("%d damaged rows of the table %s are dropped", len(bad), table)
        with database.transaction() as connection:
            connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(rowid,) for rowid, _ in bad])
        lost += [str(run) for _, run in bad] if table == "runs" else []
    if lost:
        # A name may be among what was damaged: then it is not known which runs are missing.
        list_unlisted_runs(store)


def _is_whole(name: object, document: object, sum_: object) -> bool:
    return isinstance(name, str) and isinstance(document, bytes) and checksum(name, document) == sum_


def list_unlisted_runs(store: FileStore) -> None:
    """Runs that have frames and no record get the record that their frames tell of."""
    known, found = set(store.runs()), list[tuple[str, Record]]()
    for run_id in os.listdir(store.home / "runs"):  # noqa: PTH208
        if NAME.fullmatch(run_id) and run_id not in known:
            record = store.rebuilt(run_id)
            if record is not None:
                found.append((run_id, record))
    if found:
        log.warning("%d runs are listed again from their frames", len(found))
    with store.database.transaction() as connection:
        for run_id, record in found:
            row = run_row(run_id, record, store.size(run_id))
            connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?)", row)
            store.datasets.hold_in(connection, run_id, record.request.query)
