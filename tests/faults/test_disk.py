"""The disk full or gone under a running server: a sentence, runs that rest and go on, nothing corrupt."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service.files import disk
from core.service.people import MemoryPeople
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import NoRoomError
from core.service.workers import waiting
from core.service.workers.waiting import Waiting
from tests.service.samples import timeless, truth
from tests.service.services import ALICE, BOB, wait_for
from tests.service.sites import QUERY, Site

RUN = RunConfig.from_query("target=sin5&width=30&epochs=6e6&seed=1001")
"""Some seconds."""


@pytest.fixture(params=["full", "gone"])
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
            file.write(bytes(1 << 14))


def test_a_run_rests_and_goes_on_by_itself(home: tuple[Path, str], tmp_path: Path) -> None:
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
        else:
            folder.rename(away)
            folder.mkdir()  # an empty one in its place, as an unmounted disk leaves it
        wait_for(lambda: RUN.run_id in service._dispatcher._queue._starved)  # type: ignore[attr-defined]
        if kind == "full":
            info = service.info(RUN.run_id)
            assert info is not None and info.status == "paused" and "goes on by itself" in info.reason
            seen = [timeless(p) for p in service._store.payloads(RUN.run_id, 0, 10**6)]
            assert seen == truth_of_run[: len(seen)]
            with pytest.raises(NoRoomError, match="No space"):
                service.submit(RunConfig.from_query(QUERY), BOB)
            (folder / "ballast").unlink()
        else:
            shutil.rmtree(folder)
            away.rename(folder)
        wait_for(lambda: service.status(RUN.run_id) == "finished", 120)
        assert [timeless(p) for p in service._store.payloads(RUN.run_id, 0, 10**6)] == truth_of_run
    finally:
        service.close()


def test_runs_are_not_woken_before_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "ROOM_SECONDS", -1.0)
    queue = Waiting(LIMITS, MemoryPeople(), list)
    queue.push("run", "me@here")
    assert queue.pop(8) == "run"
    queue.starve("run")
    assert "run" in queue and len(queue) == 0 and queue.position("run") is None
    assert queue.fed(tmp_path) == [] and "run" in queue, "no runs were ever kept there"
    (tmp_path / "runs").mkdir()
    monkeypatch.setattr(disk, "ROOM_BYTES", 1 << 62)
    assert queue.fed(tmp_path) == []
    monkeypatch.undo()
    monkeypatch.setattr(waiting, "ROOM_SECONDS", -1.0)
    assert queue.fed(tmp_path) == ["run"] and queue.pop(8) == "run"
    queue.starve("run")
    assert queue.remove("run") and "run" not in queue


def test_visitors_are_told_in_a_sentence(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = site.client()
    browser.get("/")
    shutil.rmtree(site.service.settings.home)
    answer = browser.post("/api/runs", json={"query": QUERY})
    assert answer.status_code == 503 and answer.json is not None
    assert "cannot use its disk" in answer.json["error"] or "could not be written" in answer.json["error"]
    assert browser.get(f"/api/runs/{'0' * 32}").status_code == 404
    for part in ("runs", "locks", "data"):
        (site.service.settings.home / part).mkdir(parents=True)
    assert browser.post("/api/runs", json={"query": QUERY}).status_code == 201
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert not disk.disk_has_room(site.service.settings.home)
