"""The disk full or gone under a running server: a sentence, parked runs that go on, nothing corrupt."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.service.files import disk
from core.service.files.database import Database
from core.service.files.file_store import FileStore
from core.service.files.unsaved import PatientFileStore
from core.service.lifecycle import park, stop, submit
from core.service.run_record import RunState
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import StorageFullError
from core.service.studies.table import DatabaseStudies
from core.service.workers import recording
from core.service.workers.recording import Records
from tests.faults.programs import App
from tests.service.samples import RUN as WAITING
from tests.service.samples import place, put, request, state_of, timeless, truth
from tests.service.services import ALICE, BOB, wait_for
from tests.service.sites import QUERY, Site

RUN = RunConfig.from_query("target=sin5&width=30&epochs=6e6&seed=1001")
"""Some seconds."""


@pytest.fixture(params=["full", pytest.param("gone", marks=pytest.mark.long)])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A home on a small disk of its own, or one that can be taken away."""
    folder = tmp_path / "home"
    folder.mkdir()
    if request.param == "gone":
        yield folder, "gone"
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder, "full"
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> None:
    with (folder / "ballast").open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
        while True:
            file.write(bytes(1 << 12))


def test_a_run_is_parked_and_goes_on_by_itself(home: tuple[Path, str], tmp_path: Path) -> None:
    folder, kind = home
    truth_of_run = truth(RUN)
    service = RunService(Settings(home=folder, workers=1, library=tmp_path / "none"))
    service.start()
    try:
        wait_for(lambda: service.workers == 1, 240)
        service.submit(RUN, ALICE)
        wait_for(lambda: service.count(RUN.run_id) > 20)
        away = folder.with_name("away")
        if kind == "full":
            fill(folder)
            wait_for(lambda: service.status(RUN.run_id) == "paused")
            info = service.info(RUN.run_id)
            assert info is not None and "Paused until there is space" in info.reason
            seen = [timeless(p) for p in service._store.payloads(RUN.run_id, 0, 10**6)]
            assert seen == truth_of_run[: len(seen)]
            with pytest.raises(StorageFullError, match="No space"):
                service.submit(RunConfig.from_query(QUERY), BOB)
            assert service.under_way() == [RUN.run_id], "and what was refused has no place in the queue"
            (folder / "ballast").unlink()
        else:
            folder.rename(away)
            folder.mkdir()  # an empty one in its place, as an unmounted disk leaves it
            wait_for(lambda: service._scheduler.progress(RUN.run_id) is None)
            shutil.rmtree(folder)
            away.rename(folder)
        wait_for(lambda: service.status(RUN.run_id) == "finished", 120)
        assert [timeless(p) for p in service._store.payloads(RUN.run_id, 0, 10**6)] == truth_of_run
    finally:
        service.close()


LONG = RunConfig.from_query("target=sin5&width=30&epochs=4e8&seed=1002")
LOOKS = ("", "/frames", "/frames?format=compact", "/stages", "/data")


@pytest.mark.parametrize("home", ["full"], indirect=True)
def test_on_a_full_disk_everything_can_be_looked_at_and_stopped(home: tuple[Path, str]) -> None:
    """Over HTTP, with nothing left to write to: runs under way, paused and ended, and a study."""
    folder, _ = home
    paused = RunConfig.from_query("target=sin5&width=30&epochs=4e8&seed=1003")
    done = RunConfig.from_query("target=five&epochs=100")
    place(FileStore(folder), paused.run_id, request(paused.to_query(), paused.epochs))
    put(FileStore(folder), paused.run_id, RunState(status="paused"))
    with App(folder) as app:
        app.start()
        wait_for(lambda: app.get("/healthz")["workers"] == 1, 240)
        for config in (done, LONG):
            app.post("/api/runs", {"query": config.to_query()})
        study = app.post("/api/studies", {"query": "target=sin5&width=30&epochs=4e6&seed=0..19"})
        study_url = f"/api/studies/{study['id']}"
        url = f"/api/runs/{LONG.run_id}"
        wait_for(lambda: app.get(f"/api/runs/{done.run_id}")["status"] == "finished")
        wait_for(lambda: app.get(url)["frames"] > 5)
        fill(folder)
        wait_for(lambda: app.get(url)["status"] == "paused")
        assert "Paused until there is space" in app.get(url)["reason"]
        for config in (done, paused, LONG):
            for part in LOOKS:
                assert app.fetch(f"/api/runs/{config.run_id}{part}")
        assert app.get(f"/api/runs/{paused.run_id}")["status"] == "paused", "nothing can be woken now"
        assert app.post(f"/api/runs/{LONG.run_id}/stop", {})["status"] == "stopped"
        assert app.get(url)["status"] == "stopped"
        assert app.post(f"{study_url}/stop", {})["status"] == "stopped"
        assert app.get(study_url)["status"] == "stopped"
        (folder / "ballast").unlink()
        wait_for(lambda: _stored_status(folder, LONG) == "stopped")
        wait_for(lambda: _stored_command(folder, study["id"]) == "stop")
        wait_for(lambda: app.get(f"/api/runs/{paused.run_id}")["status"] == "running")
        assert "Traceback" not in app.log.read_text()


def _stored_status(folder: Path, config: RunConfig) -> str:
    record = FileStore(folder).record(config.run_id)
    return record.status if record else ""


def _stored_command(folder: Path, study: str) -> str:
    database = Database(folder)
    asked = DatabaseStudies(database).request(study)
    database.close()
    return asked.command if asked else ""


def test_what_cannot_be_written_is_seen_at_once_and_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PatientFileStore(tmp_path)
    place(store, WAITING, request())

    def full() -> None:
        raise StorageFullError("No space left.")

    with monkeypatch.context() as patch:
        patch.setattr(store.database, "transaction", full)
        with pytest.raises(StorageFullError):
            store.change(WAITING, lambda known: submit(known, request(epochs=2e3)))
        store.insist(WAITING, lambda known: park(known) if known else None)
        store.insist(WAITING, lambda known: stop(known) if known else None)
        seen = store.record(WAITING)
        assert seen is not None and seen.status == "stopped" and seen.request == request()
        store.write_unsaved()
        assert FileStore(tmp_path).record(WAITING) != seen
    store.write_unsaved()
    written = FileStore(tmp_path).record(WAITING)
    assert written is not None and written.status == "stopped" and written == store.record(WAITING)
    store.change(WAITING, lambda known: submit(known, request(epochs=2e3)))
    assert state_of(FileStore(tmp_path), WAITING).status == "queued", "and what was held is held no more"


def test_runs_are_not_woken_before_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "SPACE_SECONDS", -1.0)
    store = PatientFileStore(tmp_path)
    records = Records(store, tmp_path)
    place(store, WAITING, request())
    records.insist(WAITING, park)
    records.park(WAITING, True)
    with monkeypatch.context() as patch:
        patch.setattr(disk, "MIN_FREE_BYTES", 1 << 62)
        assert records.unparked() == [] and state_of(store, WAITING).parked
    assert records.unparked() == [WAITING] and state_of(store, WAITING).status == "queued"


def test_visitors_are_told_in_a_sentence(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = site.client()
    browser.get("/")
    home = site.service.settings.home
    home.rename(home.with_name("away"))
    answer = browser.post("/api/runs", json={"query": QUERY})
    assert answer.status_code == 503 and answer.json is not None
    assert "cannot use its disk" in answer.json["error"] or "could not be written" in answer.json["error"]
    unknown = browser.get(f"/api/runs/{'0' * 32}")
    assert unknown.status_code == 503 and unknown.json is not None and "database" in unknown.json["error"]
    home.with_name("away").rename(home)
    assert browser.get(f"/api/runs/{'0' * 32}").status_code == 404
    assert browser.post("/api/runs", json={"query": QUERY}).status_code == 201
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert not disk.disk_has_space(site.service.settings.home)
