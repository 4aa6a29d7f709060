"""Workers and the server die in the middle of a study: every row is there once, with the same bits."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from core import study
from core.service.service import RunService
from core.service.settings import Settings
from core.service.studies.info import StudyInfo
from core.service.studies.store import record_place, record_row
from tests.faults.programs import App, assert_no_orphan, processes_of
from tests.service.services import end_group, start_celery, wait_for
from tests.service.test_studies import timeless

QUERY = "target=f1&points=50&method=gd,anls&epochs=1e6,50&seed=0..11"


@pytest.fixture(scope="module")
def truth() -> Iterator[list[dict[str, Any]]]:
    """The same rows without any service."""
    yield [timeless(row) for row in study(QUERY)]


def info(service: RunService, name: str) -> StudyInfo:
    found = service.studies.info(name)
    assert found is not None
    return found


@pytest.mark.redis
@pytest.mark.long
def test_one_of_two_celery_workers_is_killed(
    redis_url: str, tmp_path: Path, truth: list[dict[str, Any]]
) -> None:
    settings = Settings(home=tmp_path, redis_url=redis_url, library=tmp_path / "none", lease_seconds=1.5)
    service = RunService(settings)
    service.start()
    workers = [start_celery(settings, name, tmp_path / f"{name}.log") for name in ("first", "second")]
    try:
        wait_for(lambda: service.workers == 2, 240)
        name = service.studies.submit(QUERY, "me", "me")[0].id
        wait_for(lambda: info(service, name).done >= 3, 120)
        end_group(workers[0])
        left = info(service, name).runs - info(service, name).done
        wait_for(lambda: info(service, name).status == "finished", 240)
        print(f"\nkilled with {left} of {len(truth)} runs to do")
        records = service.studies.records(name, 0, 1_000)
        assert sorted(map(record_place, records)) == list(range(len(truth)))
        for record in records:
            assert timeless(orjson.loads(record_row(record))) == truth[record_place(record)]
    finally:
        service.close()
        for worker in workers:
            end_group(worker)


@pytest.mark.long
def test_worker_and_server_are_killed_in_turn(tmp_path: Path, truth: list[dict[str, Any]]) -> None:
    home = tmp_path / "home"
    with App(home, PLATEAU_STUDY_WORKERS="1") as app:
        app.start()
        name = app.post("/api/studies", {"query": QUERY})["id"]
        path = f"/api/studies/{name}"
        wait_for(lambda: app.get(path)["done"] >= 2, 120)
        (worker,) = [pid for pid, line in processes_of(home).items() if line.endswith(b"portion\0")]
        os.kill(worker, signal.SIGKILL)
        before = app.get(path)["done"]
        wait_for(lambda: app.get(path)["done"] > before, 120)
        app.kill()
        app.start()
        wait_for(lambda: app.get(path)["status"] == "finished", 240)
        rows = app.get(path)["rows"]
        assert app.terminate()[0] == 0
    assert_no_orphan(home)
    by_id = {row["id"]: timeless(row) for row in rows}
    assert len(rows) == len(by_id) == len(truth)
    assert all(by_id[row["id"]] == row for row in truth)
