"""Workers that no longer answer, stopped or stuck: noticed within ten seconds; their runs go on elsewhere."""

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.service.queries.query import BackgroundQuery
from core.service.service import RunService
from core.service.settings import Settings
from core.service.workers.process import WorkerProcess
from tests.service.samples import timeless, truth
from tests.service.services import ALICE, BOB, end_group, start_celery, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
LONG = [RunConfig.from_query(f"target=sin5&width=30&epochs=6e6&seed={seed}") for seed in (1003, 1004)]
"""Some seconds each."""
NOTICED_SECONDS = 10.0


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RunService]:
    made = RunService(Settings(home=tmp_path, workers=2, study_workers=1, library=tmp_path / "none"))
    made.start()
    yield made
    made.close()


def pool_of(service: RunService) -> list[WorkerProcess]:
    return service.pool.workers("run")


def stop(pid: int) -> float:
    """Stop a process; when."""
    os.kill(pid, signal.SIGSTOP)
    return time.monotonic()


def silence(told: str) -> float:
    """How long the pool has waited before it ended a worker, as it says itself: in seconds of its own clock,
    or of the processor where the worker computes. A busy machine does not count."""
    seconds = re.search(r"for (\d+) s", told)
    assert seconds is not None, told
    return float(seconds[1])


def rate(service: RunService, run_id: str) -> float:
    info = service.info(run_id)
    assert info is not None
    return info.rate


def test_a_stopped_worker_of_runs(service: RunService) -> None:
    wait_for(lambda: service.workers == 2, 240)
    for config in LONG:
        service.submit(config, ALICE)
    wait_for(lambda: all(rate(service, config.run_id) > 0 for config in LONG))
    victim = next(worker for worker in pool_of(service) if LONG[0].run_id in worker.jobs)
    since = stop(victim.pid)
    wait_for(lambda: service.workers < 2)
    assert rate(service, LONG[0].run_id) == 0, "its rate is not what it was"
    wait_for(lambda: victim not in pool_of(service))
    noticed = time.monotonic() - since
    wait_for(lambda: all(service.status(config.run_id) == "finished" for config in LONG), 240)
    for config in LONG:
        assert [timeless(p) for p in service._store.payloads(config.run_id, 0, 10**6)] == truth(config)
    print(f"\na stopped worker of runs is noticed after {noticed:.1f} s; both runs finished, bit by bit")
    assert noticed < NOTICED_SECONDS


@pytest.mark.long
def test_a_worker_stuck_in_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck_worker = partial(WorkerProcess, module="tests.faults.stuck_worker")
    monkeypatch.setattr("core.service.workers.pool.WorkerProcess", stuck_worker)
    service = RunService(Settings(home=tmp_path, workers=1, library=tmp_path / "none"))
    service.start()
    try:
        wait_for(lambda: service.workers == 1, 240)
        stuck, other = (RunConfig.from_query(f"target=five&epochs=1e5&seed={seed}") for seed in (13, 14))
        service.submit(stuck, ALICE)
        service.submit(other, BOB)
        wait_for(lambda: service.status(other.run_id) == "finished", 240)
        assert [timeless(p) for p in service._store.payloads(other.run_id, 0, 10**6)] == truth(other)
        wait_for(lambda: service.status(stuck.run_id) == "failed", 240)
        info = service.info(stuck.run_id)
        assert info is not None
        assert "died 3 times (it did not answer while it computed" in info.reason
        assert silence(info.reason) < NOTICED_SECONDS
    finally:
        service.close()


@pytest.mark.long
def test_a_stopped_worker_of_studies(service: RunService) -> None:
    study = service.studies.submit("target=sin5&width=30&method=gd&epochs=1e6&seed=0..5", "a", "a")[0].id

    def done() -> int:
        found = service.studies.info(study)
        assert found is not None
        return found.done

    wait_for(lambda: done() > 0, 240)
    (victim,) = service.pool.workers("portion")
    since = stop(victim.pid)
    wait_for(lambda: victim not in service.pool.workers("portion"))
    noticed = time.monotonic() - since
    wait_for(lambda: done() == 6, 240)
    places = [record[:4] for record in service.studies.records(study, 0, 10)]
    print(f"\na stopped worker of studies is noticed after {noticed:.1f} s; 6 of 6 rows")
    assert len(set(places)) == 6 and noticed < NOTICED_SECONDS


@pytest.mark.long
def test_a_stopped_worker_of_queries(service: RunService) -> None:
    run = RunConfig.from_query("target=five&method=gd&epochs=1000&seed=3")
    service.submit(run, ALICE)
    wait_for(lambda: service.status(run.run_id) == "finished", 240)
    query = BackgroundQuery("best", run.run_id, 0, service.count(run.run_id), "finished")
    with service.queries.ask(query, "alice", 240.0) as answer:
        first = answer.read()
    (victim,) = service.pool.workers("query")
    since = stop(victim.pid)
    again = BackgroundQuery("stages", run.run_id, 0, service.count(run.run_id), "finished")
    with service.queries.ask(again, "alice", 240.0) as answer:
        assert answer.read() and first
    print(f"\na query that a stopped worker had is answered after {time.monotonic() - since:.1f} s")
    assert victim not in service.pool.workers("query")
    assert victim.stuck.startswith("it was stopped") and silence(victim.stuck) < NOTICED_SECONDS


@pytest.mark.redis
def test_a_stopped_process_of_celery(tmp_path: Path, redis_url: str) -> None:
    settings = Settings(home=tmp_path, redis_url=redis_url, library=tmp_path / "none")
    celery = start_celery(settings, "stopped", tmp_path / "celery.log")
    service = RunService(settings)
    service.start()
    try:
        wait_for(lambda: service.workers == 1, 240)
        service.submit(LONG[0], ALICE)
        wait_for(lambda: rate(service, LONG[0].run_id) > 0, 60)
        (victim,) = map(int, Path(f"/proc/{celery.pid}/task/{celery.pid}/children").read_text().split())
        since = stop(victim)
        wait_for(lambda: not Path(f"/proc/{victim}").exists(), 60)
        noticed = time.monotonic() - since
        wait_for(lambda: service.status(LONG[0].run_id) == "finished", 240)
        stored = [timeless(p) for p in service._store.payloads(LONG[0].run_id, 0, 10**6)]
        assert stored == truth(LONG[0])
        print(f"\na stopped process of Celery is noticed after {noticed:.1f} s; its run finished, bit by bit")
        assert noticed < NOTICED_SECONDS
    finally:
        service.close()
        end_group(celery)
