"""What every back end promises of studies, with its real worker processes."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import orjson
import pytest

from core import study
from core.config.run_config import RunConfig
from core.service.service import RunService
from core.service.settings import Settings
from core.service.studies.info import StudyInfo
from core.service.studies.service import Studies
from core.service.studies.store import record_curve, record_place, record_row
from core.study import COLUMNS, GRID
from tests.service.services import ALICE, BOB, redis_of, wait_for, with_real_workers

pytestmark = pytest.mark.slow  # real processes, which load the compiled kernels
SHORT = "target=f1&points=20&seed=0..7&width=5,10&method=anls,gd&epochs=200"
LONG = "target=sin5&width=30&method=gd&epochs=3e6&seed=0..40"
"""Runs of most of a second."""


@pytest.fixture(scope="module", params=["embedded", pytest.param("redis", marks=pytest.mark.redis)])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    home = tmp_path_factory.mktemp("home")
    settings = Settings(home=home, workers=1, study_workers=1, library=home / "none")
    with with_real_workers(settings, redis_of(request), "studies") as made:
        yield made


def info(studies: Studies, study_id: str) -> StudyInfo:
    found = studies.info(study_id)
    assert found is not None
    return found


def rows_of(studies: Studies, study_id: str) -> list[dict[str, Any]]:
    return [orjson.loads(record_row(record)) for record in studies.records(study_id, 0, 10**6)]


def timeless(row: dict[str, Any]) -> dict[str, Any]:
    """A row without its wall clock."""
    return {key: value for key, value in row.items() if not key.startswith("seconds")}


def test_the_rows_are_those_of_the_single_runs(service: RunService) -> None:
    studies = service.studies
    first, new = studies.submit(SHORT, ALICE.handle, ALICE.quota)
    assert new and first.runs == 32 and first.differing == ("seed", "width", "method")
    again, new = studies.submit("epochs=200&method=anls,gd&points=20&seed=0..7&width=5,10", BOB.handle, "bob")
    assert not new and again.id == first.id and again.starter == ALICE.handle
    wait_for(lambda: info(studies, first.id).status == "finished", 120)
    records = studies.records(first.id, 0, 100)
    assert sorted(map(record_place, records)) == list(range(32))
    found = {record_place(r): timeless(orjson.loads(record_row(r))) for r in records}
    assert [found[place] for place in range(32)] == [timeless(row) for row in study(SHORT)]
    for record in records:
        row, curve = orjson.loads(record_row(record)), record_curve(record)
        assert len(curve) == 1 + sum(epoch < row["epochs"] for epoch in GRID)
        assert curve[-1] == np.float32(row["loss"])
    lines = "".join(studies.csv(first.id)).splitlines()
    assert lines[0] == ",".join(COLUMNS) and len(lines) == 33


def test_stop_and_resume_lose_nothing(service: RunService) -> None:
    studies = service.studies
    begun, _ = studies.submit(LONG, ALICE.handle, ALICE.quota)
    wait_for(lambda: info(studies, begun.id).done > 0, 120)
    with pytest.raises(PermissionError):
        studies.stop(begun.id, BOB.handle)
    studies.stop(begun.id, ALICE.handle)
    time.sleep(1.5)
    stopped = info(studies, begun.id)
    assert stopped.status == "stopped" and 0 < stopped.done < stopped.runs
    time.sleep(1.0)
    assert info(studies, begun.id).done == stopped.done
    studies.resume(begun.id, ALICE.handle)
    wait_for(lambda: info(studies, begun.id).done > stopped.done, 60)
    assert min(info(studies, begun.id).remaining) > 0
    studies.stop(begun.id, ALICE.handle)
    places = [record_place(record) for record in studies.records(begun.id, 0, 100)]
    assert len(places) == len(set(places))


def test_single_runs_and_other_peoples_studies_go_first(service: RunService) -> None:
    studies = service.studies
    begun, _ = studies.submit(LONG.replace("0..40", "100..140"), ALICE.handle, ALICE.quota)
    wait_for(lambda: info(studies, begun.id).done > 0, 120)
    run = RunConfig.from_query("target=f1&method=gd&seed=77&epochs=2e6")
    service.submit(run, BOB)
    wait_for(lambda: service.status(run.run_id) == "finished", 60)
    other, _ = studies.submit("target=f1&method=anls&seed=500..502", BOB.handle, BOB.quota)
    wait_for(lambda: info(studies, other.id).status == "finished", 60)
    assert info(studies, begun.id).status == "running"
    studies.stop(begun.id, ALICE.handle)


def test_a_run_that_the_store_has_is_not_computed_again(service: RunService) -> None:
    run = RunConfig.from_query("target=f1&method=gd&seed=78&epochs=1e5")
    service.submit(run, ALICE)
    wait_for(lambda: service.status(run.run_id) == "finished", 60)
    begun, _ = service.studies.submit(run.to_query(), ALICE.handle, ALICE.quota)
    wait_for(lambda: info(service.studies, begun.id).status == "finished", 60)
    # To the last bit of the clock: it is the same run.
    assert rows_of(service.studies, begun.id)[0]["seconds"] == service.frames(run.run_id)[-1].seconds
