"""Nobody waits for the compiler: what is asked too early begins interpreted and goes on compiled."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from core import kernel_cache
from core.config.run_config import RunConfig
from core.methods import METHODS
from core.service.queries.query import BackgroundQuery
from core.service.service import RunInfo, RunService
from core.service.settings import Settings
from core.service.workers import kernels
from core.service.workers.deaths import Death
from core.service.workers.kernel_jobs import KernelJobs
from core.service.workers.kernels import (
    BEST,
    all_compiled,
    is_compiled,
    kernel_sets,
    method_of,
    note_compiled,
    tables_of,
)
from core.service.workers.pool import WorkerPool
from core.service.workers.process import INTERPRETED, worker_environment
from core.tables.pictures import candidate_columns, forecast_columns, rate_columns
from core.tables.summaries import plateaus
from tests.service.samples import timeless, truth
from tests.service.services import ALICE, ROOT, at_once, end_group, start_celery, wait_for

LONG = RunConfig.from_query("target=five&method=gd&epochs=1e9&seed=3")
WEB = """
import json, sys
sys.argv = ["app.py", "--help"]
{load}
from core.portable.sums import total
print(json.dumps(hasattr(total, "py_func")))
"""


@pytest.fixture
def compiled_kernels() -> None:
    """Here it matters which are there."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where kernels are kept, empty as after an installation."""
    monkeypatch.setattr(kernel_cache, "cache_dir", lambda: tmp_path / "kernels")
    (tmp_path / "kernels").mkdir()
    return tmp_path / "kernels"


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The sets of kernels that this process takes for missing, and that nobody compiles."""
    missing = set(kernel_sets())
    for module in ("kernels", "pool", "local_runs", "kernel_jobs"):
        monkeypatch.setattr(f"core.service.workers.{module}.is_compiled", lambda name: name not in missing)
    monkeypatch.setattr("core.service.queries.service.is_compiled", lambda name: name not in missing)
    monkeypatch.setattr("core.service.workers.kernel_jobs.kernel_sets", list)
    yield missing


@pytest.fixture
def service(tmp_path: Path, cold: set[str]) -> Iterator[RunService]:
    """With real workers, none of which has compiled kernels yet."""
    made = RunService(Settings(home=tmp_path, workers=1))
    made.start()
    yield made
    made.close()


def sorts(service: RunService, kind: str) -> list[bool]:
    """Of each worker of a kind whether it is interpreted."""
    return [worker.is_interpreted for worker in service.pool.workers(kind)]


def test_every_method_has_a_set_and_those_of_the_first_page_come_first() -> None:
    assert kernel_sets()[:4] == ["gd", "anls", "gd.tables", "anls.tables"] and kernel_sets()[-1] == BEST
    assert sorted(kernel_sets()) == sorted([*METHODS, *map(tables_of, METHODS), BEST])
    assert [method_of(query) for query in ("", "seed=3&method=anls_plus")] == ["gd", "anls_plus"]


def test_a_mark_says_that_a_set_is_there(place: Path) -> None:
    assert not is_compiled("gd") and not all_compiled()
    note_compiled("gd")
    assert is_compiled("gd") and (place / "gd.compiled").exists()
    note_compiled("adam", kept=False)
    assert is_compiled("adam") and not (place / "adam.compiled").exists()


def test_where_kernels_have_no_place_each_process_compiles_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "cache_dir", lambda: None)
    note_compiled("gd")
    assert all_compiled()


def test_workers_are_compiled_whatever_the_web_process_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(INTERPRETED, "1")
    assert INTERPRETED not in worker_environment(Settings())
    assert worker_environment(Settings(), is_interpreted=True)[INTERPRETED] == "1"


@pytest.mark.parametrize(
    "load",
    [
        "import runpy\ntry: runpy.run_path('app.py', run_name='__main__')\nexcept SystemExit: pass",
        "import wsgi",
    ],
    ids=["app.py", "wsgi.py"],
)
def test_the_web_process_has_nothing_to_compile(load: str, tmp_path: Path) -> None:
    """Its kernels are plain functions, whatever a request asks of it."""
    environment = {name: value for name, value in os.environ.items() if name != INTERPRETED}
    environment |= {"PLATEAU_HOME": str(tmp_path)}
    command = [sys.executable, "-c", WEB.format(load=load)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, text=True)
    assert json.loads(done.stdout.splitlines()[-1]) is False


@pytest.mark.usefixtures("place")
def test_a_run_says_that_it_is_slow_until_its_kernels_are_there(tmp_path: Path) -> None:
    service, scheduler, _ = at_once(tmp_path / "home")
    scheduler.holding = True
    info, _ = service.submit(RunConfig.from_query("epochs=100&target=five"), ALICE)
    assert (info.status, info.reason) == ("queued", "Warming up: full speed in about 40 s.")
    note_compiled("gd")
    after = service.info(info.id)
    assert after is not None and after.reason == ""
    service.close()


@pytest.mark.slow
def test_a_run_begins_interpreted_and_goes_on_compiled_with_the_same_frames(
    service: RunService, cold: set[str]
) -> None:
    info, _ = service.submit(LONG, ALICE)
    wait_for(lambda: service.recorded(info.id) >= 20)
    assert sorts(service, "run") == [True]
    query = BackgroundQuery("stages", info.id, head=10, status="running")
    assert service.queries.table(query, "alice", 60.0)["stages"] and sorts(service, "query") == [True]
    begun = service.info(info.id)
    assert begun is not None and begun.reason.startswith("Warming up")
    cold.clear()
    wait_for(lambda: not service.pool.worker_of("run", info.id).is_interpreted, 120)  # type: ignore[union-attr]
    wait_for(lambda: service.recorded(info.id) >= 150)
    service.stop(info.id, ALICE)
    wait_for(lambda: service.status(info.id) == "stopped")
    after = service.info(info.id)
    assert after is not None and after.epoch > begun.epoch
    frames = service.recorded(info.id)
    made = [timeless(payload) for payload in service._store.payloads(info.id, 0, frames)]
    assert made == truth(replace(LONG, epochs=after.epoch))[:frames]


@pytest.mark.slow
def test_what_a_run_still_takes_is_told_of_compiled_epochs_alone(service: RunService, cold: set[str]) -> None:
    """An interpreted rate would promise hours to a run of seconds, and be corrected only slowly."""
    service.submit(LONG, ALICE)
    told: list[RunInfo] = []

    def look() -> RunInfo:
        info = service.info(LONG.run_id)
        assert info is not None
        told.append(info)
        return info

    wait_for(lambda: look().rate > 0.0 and service.recorded(LONG.run_id) >= 20)
    assert sorts(service, "run") == [True]
    cold.clear()
    wait_for(lambda: look().remaining is not None, 120)
    assert not service.pool.worker_of("run", LONG.run_id).is_interpreted  # type: ignore[union-attr]
    low, high = told[-1].remaining or (0.0, 0.0)
    assert low <= (LONG.epochs - told[-1].epoch) / told[-1].rate <= high


@pytest.mark.slow
def test_whatever_is_asked_of_a_run_is_answered_interpreted(service: RunService) -> None:
    """Tables, forecasts and what another run would take, with the numbers of compiled workers."""
    config = RunConfig.from_query("points=30&width=6&seed=5&method=gd&epochs=30")
    service.submit(config, ALICE)
    wait_for(lambda: service.status(config.run_id) == "finished")
    frames = service.frames(config.run_id)
    stage = [frame for frame in frames if frame.stage == frames[-1].stage]
    compiled = {
        "forecast": (frames[-1].index, forecast_columns(config, frames[-1])),
        "candidates": (frames[-1].index, candidate_columns(config, frames[-1])),
        "rates": (stage[0].stage, rate_columns(config, stage)),
        "plateaus": (0, {"plateaus": plateaus(config, frames)}),
    }
    for kind, (number, columns) in compiled.items():
        query = BackgroundQuery(kind, config.run_id, number, len(frames), "finished")
        expected = orjson.loads(orjson.dumps(columns, option=orjson.OPT_SERIALIZE_NUMPY))
        assert expected.items() <= service.queries.table(query, "alice", 60.0).items(), kind
    cost = BackgroundQuery("cost", "", more="target=five&method=anls&epochs=50")
    assert service.queries.table(cost, "alice", 60.0)["frame"] > 0.0
    assert sorts(service, "query") == [True]


class Compiler:
    """What the jobs know of a worker."""

    kind, ending, is_interpreted = "kernels", "signal 9", False

    def __init__(self) -> None:
        self.jobs: dict[str, float] = {}
        self.ready = False

    def send(self, command: dict[str, str]) -> None: ...


def taken(jobs: KernelJobs) -> tuple[Compiler, str]:
    """The next set, given to a worker."""
    worker = Compiler()
    job = jobs.next_job(worker, False)  # type: ignore[arg-type]
    assert job is not None
    worker.jobs[job.name] = job.notes
    return worker, job.name


@pytest.mark.usefixtures("place")
def test_what_somebody_waits_for_is_compiled_next(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = WorkerPool(Settings())
    jobs = KernelJobs(pool)
    assert taken(jobs)[1] == "gd"
    monkeypatch.setattr(pool, "cold_sets", lambda: ["lbfgs"])
    jobs.tick()
    assert [taken(jobs)[1] for _ in range(2)] == ["lbfgs", "anls"]


@pytest.mark.usefixtures("place")
def test_a_worker_that_is_about_to_answer_loads_before_the_compiler() -> None:
    pool = WorkerPool(Settings())
    jobs, loading = KernelJobs(pool), Compiler()
    pool._workers["run"] = [loading]  # type: ignore[list-item]
    assert not jobs.wants_worker(is_interpreted=False)
    loading.ready = True
    assert jobs.wants_worker(is_interpreted=False)


@pytest.mark.usefixtures("place")
def test_a_set_that_takes_workers_with_it_is_left_to_whoever_needs_it() -> None:
    jobs = KernelJobs(WorkerPool(Settings()))
    for _ in range(Settings().deaths):
        assert not is_compiled("gd")
        worker, name = taken(jobs)
        assert name == "gd"
        jobs.on_death(worker, name, Death("signal 9"))  # type: ignore[arg-type]
    assert is_compiled("gd") and taken(jobs)[1] == "anls"


@pytest.mark.usefixtures("place")
def test_the_time_that_is_left_is_told_until_the_set_is_there() -> None:
    jobs = KernelJobs(WorkerPool(Settings()))
    assert jobs.seconds_left("gd") == pytest.approx(40.0, abs=1.0)
    kernels.note_compiled("gd")
    assert jobs.seconds_left("gd") == 0.0 and jobs.warming_up("gd") == ""
    assert jobs.seconds_left(BEST) > 2 * jobs.seconds_left("anls"), "others come first"


@pytest.mark.usefixtures("place")
def test_what_takes_longer_than_expected_is_not_promised_in_seconds() -> None:
    pool = WorkerPool(Settings())
    jobs = KernelJobs(pool)
    worker, name = taken(jobs)
    pool._workers["kernels"] = [worker]  # type: ignore[list-item]
    worker.jobs[name] = time.monotonic() - 300.0
    assert jobs.warming_up("gd") == "Warming up: full speed soon."


@pytest.mark.usefixtures("place")
def test_a_study_counts_the_kernels_that_it_waits_for(tmp_path: Path) -> None:
    service, _, _ = at_once(tmp_path / "home")
    plan = service.studies.plan("seed=0..9&epochs=100")
    cold = service.studies.seconds(plan)
    low, high = service.studies.submit(plan.query, ALICE.handle, ALICE.quota)[0].remaining
    assert low < cold < high
    note_compiled("gd")
    assert cold - service.studies.seconds(plan) == pytest.approx(40.0, abs=1.0)
    service.close()


@pytest.mark.slow
@pytest.mark.redis
def test_a_worker_of_a_cluster_begins_interpreted_too(tmp_path: Path, redis_url: str) -> None:
    """Its kernel cache is empty: a process of its own has the run, until it ends or its kernels are there."""
    settings = Settings(home=tmp_path, redis_url=redis_url)
    celery = start_celery(settings, "cold", tmp_path / "log", cache=tmp_path / "cache")
    made = RunService(settings)
    made.start()
    try:
        wait_for(lambda: made.workers == 1)
        config = RunConfig.from_query("points=30&width=6&seed=5&method=anls&epochs=5")
        made.submit(config, ALICE)
        wait_for(lambda: made.status(config.run_id) == "finished")
        assert not list((tmp_path / "cache").rglob("*.compiled")), "it has not waited for the compiler"
        stored = made._store.payloads(config.run_id, 0, 100)
        assert [timeless(payload) for payload in stored] == truth(config)[: len(stored)] and len(stored) > 3
    finally:
        made.close()
        end_group(celery)
