"""A start looks at the runs that may not have ended, and at no other."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.service.files.file_store import FileStore
from core.service.files.locks import FileLock
from core.service.files.unsaved import PatientFileStore
from core.service.presence import MemoryPresence
from core.service.run_record import Record, RunState
from core.service.settings import Settings
from core.service.store import ClaimedError
from core.service.workers.local_runs import LocalRuns
from core.service.workers.pool import WorkerPool
from tests.service.samples import place, put, request

WAITING, DONE, LONGER, FOREIGN = ("0" * 32, "1" * 32, "2" * 32, "3" * 32)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """What a killed server has left: a run that waited, one that had ended, one that a worker had, and
    one whose record cannot be read."""
    store = FileStore(tmp_path)
    for run_id in (WAITING, DONE, LONGER, FOREIGN):
        place(store, run_id, request())
    put(store, DONE, RunState(status="finished", outcome="budget", epochs=1e3))
    put(store, LONGER, RunState(status="running", outcome="", epoch=1e2))
    with store.database.transaction() as connection:
        connection.execute("UPDATE runs SET document = ? WHERE id = ?", (b'{"x":1}', FOREIGN))
    return tmp_path


def recovered(home: Path) -> tuple[LocalRuns, FileStore]:
    store = PatientFileStore(home)
    settings = Settings(home=home)
    scheduler = LocalRuns(settings, store, MemoryPresence(), WorkerPool(settings))
    store.tidy()
    scheduler.recover()
    return scheduler, store


def test_what_had_not_ended_waits_again(home: Path) -> None:
    scheduler, store = recovered(home)
    assert {scheduler.position(WAITING), scheduler.position(LONGER)} == {0, 1}
    assert scheduler.position(DONE) is None and scheduler.position(FOREIGN) is None
    assert DONE not in store.unfinished()


def test_a_run_that_has_ended_is_not_looked_at_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recovered(home)
    looked: list[str] = []
    read = FileStore._decoded

    def noted(store: FileStore, run_id: str, rows: list[tuple[bytes, int]]) -> Record | None:
        looked.append(run_id)
        return read(store, run_id, rows)

    monkeypatch.setattr(FileStore, "_decoded", noted)
    recovered(home)
    assert set(looked) == {WAITING, LONGER, FOREIGN}


def test_a_run_that_is_woken_is_noted_before_it_goes_on(home: Path) -> None:
    scheduler, store = recovered(home)
    put(store, DONE, RunState(status="queued"))
    scheduler.follow(DONE)
    assert DONE in store.unfinished() and DONE in FileStore(home).unfinished()


def test_tidying_lists_no_ended_run_and_ends_what_was_being_removed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recovered(home)
    (home / "removed" / "half").mkdir()
    (home / "removed" / "half" / "frames.rec").touch()
    listed: list[Path] = []
    names = os.listdir

    def noted(folder: Path) -> list[str]:
        listed.append(folder)
        return names(folder)

    monkeypatch.setattr(os, "listdir", noted)
    FileStore(home).tidy()
    monkeypatch.undo()
    assert home / "runs" not in listed
    assert list((home / "removed").iterdir()) == []


def test_a_removed_run_leaves_no_lock_and_who_waited_for_it_locks_the_new_file(home: Path) -> None:
    store = FileStore(home)
    old = FileLock(home / "locks" / DONE)
    assert old.acquire()
    opened = os.open(home / "locks" / DONE, os.O_RDWR)
    old.remove()
    assert not (home / "locks" / DONE).exists()
    late = FileLock(home / "locks" / DONE)
    assert not late._is_file(opened), "a file that was removed after it was opened is not the lock any more"
    os.close(opened)
    assert late.acquire() and late._is_file(late._handle or 0)
    with pytest.raises(ClaimedError):
        store.delete(DONE)
    late.release()
    store.delete(DONE)
    assert not (home / "locks" / DONE).exists() and not (home / "runs" / DONE).exists()


def test_a_start_loads_no_numerics() -> None:
    """Compiled kernels are loaded by a thread, once the server serves: they take as long as all the rest."""
    program = (
        "import sys, tempfile; from pathlib import Path; from app import create_app; "
        "from core.service import Settings; "
        "app = create_app(Settings(home=Path(tempfile.mkdtemp()))); "
        "assert app.server.test_client().get('/healthz').status_code == 200; "
        "late = {'scipy.linalg', 'components.pages.paper.content', 'numba.np.arraymath'}; "
        "print(sorted(late & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
