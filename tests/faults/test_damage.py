"""Damaged and full disks: a prefix of the truth, or an error; never other numbers."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import core.service.lifecycle as lifecycle
from app import main
from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service.files.database import FILE, Database
from core.service.files.file_store import FileStore
from core.service.files.home import find_damage, prepare_home
from core.service.run_record import RunState
from core.service.store import StorageFullError
from tests.effort import cases
from tests.service.samples import RUN, frame, payloads, place, put, request, state_of, timeless, truth
from tests.service.services import ALICE, ROOT, at_once, compute
from tests.service.test_compute import Interruption

FRAMES = 12
STEP = cases(11, of=1)
"""Bytes from one damaged place to the next: of every kind of field there is one."""
Reading = list[bytes]


@pytest.fixture
def sample(tmp_path: Path) -> tuple[Path, bytes, Reading]:
    """A stored run: where, its bytes, its frames."""
    store = FileStore(tmp_path)
    place(store, RUN, request())
    written = payloads(0, FRAMES)
    with store.claim(RUN) as claim:
        claim.append(written)
    path = tmp_path / "runs" / RUN / "frames.rec"
    return path, path.read_bytes(), written


def read(home: Path) -> Reading:
    return FileStore(home).payloads(RUN, 0, 10**6)


def test_truncated_anywhere(sample: tuple[Path, bytes, Reading], tmp_path: Path) -> None:
    path, data, written = sample
    whole = 0
    lengths = [*range(0, len(data), STEP), len(data)]
    for length in lengths:
        path.write_bytes(data[:length])
        found = read(tmp_path)
        assert found == written[: len(found)] and len(found) >= whole
        whole = len(found)
    print(f"\n{len(lengths)} truncations: always a prefix")
    assert whole == FRAMES


def test_any_byte_flipped(sample: tuple[Path, bytes, Reading], tmp_path: Path) -> None:
    path, data, written = sample
    positions = range(0, len(data), STEP)
    for position in positions:
        damaged = bytearray(data)
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        found = read(tmp_path)
        assert found == written[: len(found)] and len(found) < FRAMES
    print(f"\n{len(positions)} flipped bytes: none passed on")


def test_bytes_that_change_under_a_reader_are_not_passed_on(
    sample: tuple[Path, bytes, Reading], tmp_path: Path
) -> None:
    path, data, written = sample
    store = FileStore(tmp_path)
    assert store.count(RUN) == FRAMES
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 1
    path.write_bytes(damaged)
    found = store.payloads(RUN, 0, FRAMES)
    assert found == written[: len(found)] and len(found) < FRAMES


def test_a_writer_goes_on_behind_the_last_whole_record(
    sample: tuple[Path, bytes, Reading], tmp_path: Path
) -> None:
    path, data, written = sample
    for cut in (1, 10, 200, len(data) - 5):
        path.write_bytes(data[:-cut] + b"garbage" * (cut % 3))
        store = FileStore(tmp_path)
        with store.claim(RUN) as claim:
            claim.append(written[claim.frames :])
        assert store.payloads(RUN, 0, 99) == written == read(tmp_path)


def test_a_damaged_record_never_tells_other_numbers(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    place(store, RUN, request())
    state = RunState(status="finished", loss=0.125, epoch=7.0, frames=FRAMES)
    with store.claim(RUN) as claim:
        claim.append(payloads(0, FRAMES))
    put(store, RUN, state)
    ((data,),) = store.database.read("SELECT document FROM runs")
    last = frame(FRAMES - 1)
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0x41
        with store.database.transaction() as connection:
            connection.execute("UPDATE runs SET document = ?", (bytes(damaged),))
        found = store.record(RUN)
        assert found is not None and found.request == request()
        told = found.state
        assert (told.status, told.loss, told.epoch) == ("paused", last.loss, last.epoch)


RUNS = [f"{number:032x}" for number in range(60)]


def small_home(home: Path) -> None:
    """Sixty runs that have ended, with frames."""
    store = FileStore(home)
    for number, run_id in enumerate(RUNS):
        place(store, run_id, request(epochs=1e3 + number))
        with store.claim(run_id) as claim:
            claim.append(payloads(0, 2))
        put(store, run_id, RunState(status="finished", outcome="budget", loss=number / 8, frames=2))
    store.datasets.keep("0,1\n1,2\n")
    store.close()


def is_as_written(home: Path) -> tuple[int, int]:
    """Every run is told as it was, or as its frames tell it: how many of each."""
    store, last = FileStore(home), frame(1)
    exact = 0
    assert sorted(store.runs()) == RUNS
    for number, run_id in enumerate(RUNS):
        found = store.record(run_id)
        assert found is not None and found.request == request(epochs=1e3 + number), run_id
        assert store.payloads(run_id, 0, 9) == payloads(0, 2)
        if found.status == "finished":
            assert found.state.loss == number / 8 and found.state.outcome == "budget"
            exact += 1
        else:
            assert (found.status, found.state.loss, found.state.epoch) == ("paused", last.loss, last.epoch)
    for name in store.datasets:
        with suppress(KeyError):
            assert store.datasets[name] == "0,1\n1,2\n"
    store.close()
    return exact, len(RUNS) - exact


def test_a_database_with_a_flipped_byte_is_repaired_at_the_start(tmp_path: Path) -> None:
    """Anywhere in the file: what cannot be read is told from frames, and nothing is told wrong."""
    whole, home = tmp_path / "whole", tmp_path / "home"
    small_home(whole)
    data = (whole / FILE).read_bytes()
    rebuilt, flips = 0, cases(20, of=600)
    for position in range(0, len(data), max(1, len(data) // flips)):
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(whole, home)
        damaged = bytearray(data)
        damaged[position] ^= 0xFF
        (home / FILE).write_bytes(damaged)
        prepare_home(home)
        rebuilt += is_as_written(home)[1]
    print(f"\n{flips} flipped bytes: {rebuilt} of {flips * len(RUNS)} records told from frames")


@pytest.mark.parametrize(
    "size", [0, 100, *(pytest.param(size, marks=pytest.mark.long) for size in (1, 4_096, 30_000))]
)
def test_a_database_that_is_cut_short_or_gone_is_made_anew(tmp_path: Path, size: int) -> None:
    small_home(tmp_path)
    with (tmp_path / FILE).open("r+b") as file:
        file.truncate(size)
    prepare_home(tmp_path)
    is_as_written(tmp_path)
    (tmp_path / FILE).unlink()
    prepare_home(tmp_path)
    assert is_as_written(tmp_path) == (0, len(RUNS))


def test_what_was_acknowledged_outlives_the_kill_of_its_writer(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from core.service.files.database import Database\n"
        "database, number = Database(Path(sys.argv[1])), int(sys.argv[2])\n"
        "while True:\n"
        "    number += 1\n"
        "    with database.transaction() as connection:\n"
        "        connection.execute('INSERT INTO uploads VALUES (?, ?, 0)', (str(number), b'x' * 9_000))\n"
        "    print(number, flush=True)\n"
    )
    last = 0
    for _ in range(cases(2, of=40)):
        command = [sys.executable, "-c", program, str(tmp_path), str(last)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert writer.stdout is not None
        for _ in range(5):
            last = int(writer.stdout.readline())
        writer.kill()
        rest, _ = writer.communicate()
        last = max([last, *map(int, rest.split())])
        database = Database(tmp_path)
        found = {int(name) for (name,) in database.read("SELECT name FROM uploads")}
        assert set(range(1, last + 1)) <= found and database.read("PRAGMA integrity_check") == [("ok",)]
        last = max(found)


def test_a_backup_of_a_server_that_goes_on_is_whole(tmp_path: Path) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy"
    small_home(home)
    (copy / "runs").mkdir(parents=True)
    using = FileStore(home)
    assert main(["--home", str(home), "--backup", str(copy / FILE)]) == 0
    assert main(["--home", str(home), "--backup", str(copy / FILE)]) == 2, "nothing is overwritten"
    using.delete(RUNS[0])
    using.close()
    shutil.copytree(home / "runs", copy / "runs", dirs_exist_ok=True)
    assert sorted(FileStore(copy).runs()) == RUNS and find_damage(copy) == ""


CLOSES = """
import sys, threading
from pathlib import Path
from core.service.files.database import Database
from core.service.store import StoreError
sys.setswitchinterval(1e-5)

def closed(*_):
    raise StoreError("closed")

for _ in range(int(sys.argv[2])):
    database, begun = Database(Path(sys.argv[1])), threading.Barrier(5)

    def use(database=database, begun=begun):
        database.read("SELECT 1")
        begun.wait()
        try:
            while True:
                database.read("SELECT count(*) FROM runs")
        except StoreError:
            pass

    users = [threading.Thread(target=use) for _ in range(4)]
    for user in users:
        user.start()
    begun.wait()
    database._connect = closed
    database.close()
    for user in users:
        user.join()
"""


def test_a_database_is_not_closed_under_who_reads_it(tmp_path: Path) -> None:
    """As when a server is told to end while it answers: SQLite ended the process (SIGSEGV)."""
    program = [sys.executable, "-c", CLOSES, str(tmp_path), str(cases(100, of=1_000))]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_committed_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.service.files.database.SYNCHRONOUS", "FULL")
    database = Database(tmp_path)
    assert database.read("PRAGMA journal_mode") == [("truncate",)]
    assert database.read("PRAGMA synchronous") == [(2,)]


def test_damaged_checkpoints_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["core.run.train"], "STEP_SECONDS", 0.0)  # interrupted after one call
    config = RunConfig.from_query("target=five&epochs=1000")
    store = FileStore(tmp_path)
    place(store, config.run_id, request())
    with store.claim(config.run_id) as claim:
        compute(store, claim, config.run_id, Interruption(1), LIMITS)
    path = tmp_path / "runs" / config.run_id / "checkpoints.rec"
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    assert state_of(store, config.run_id).status == "queued"
    with store.claim(config.run_id) as claim:
        assert claim.checkpoints() == []
        assert compute(store, claim, config.run_id, Interruption(), LIMITS).status == "finished"
    assert [timeless(payload) for payload in store.payloads(config.run_id, 0, 10**6)] == truth(config)


def full_after(limit: int, write: Callable[[int, bytes], int]) -> Callable[[int, bytes], int]:
    """os.write on a disk with so many bytes left: first a short write, then an error."""
    left = [limit]

    def scarce(handle: int, data: bytes) -> int:
        if left[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write(handle, data[: left[0]])
        left[0] -= done
        return done

    return scarce


@pytest.mark.parametrize("room", [0, 1, 150, 700, 2_000, 10_000])
def test_a_full_disk_fails_the_run_and_keeps_whole_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    service, _, store = at_once(tmp_path)
    healthy = RunConfig.from_query("target=five&epochs=1000&seed=2")
    service.submit(healthy, ALICE)
    unlucky = RunConfig.from_query("target=five&epochs=1000&seed=3")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_after(room, os.write))
        with pytest.raises(StorageFullError, match="No space"):
            service.submit(unlucky, ALICE)
    found = [timeless(payload) for payload in store.payloads(unlucky.run_id, 0, 10**6)]
    assert found == truth(unlucky)[: len(found)] and len(found) < len(truth(unlucky))
    assert [timeless(p) for p in store.payloads(healthy.run_id, 0, 10**6)] == truth(healthy)
    # With room again a start finds that no worker has it, and it can be completed.
    store.change(unlucky.run_id, lambda known: lifecycle.recover(known) if known else None)
    service.submit(unlucky, ALICE)
    assert [timeless(p) for p in store.payloads(unlucky.run_id, 0, 10**6)] == truth(unlucky)
