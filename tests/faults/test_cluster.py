"""Two web processes and two Celery workers on one Redis: kill a worker, restart Redis."""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.service.accounts import Client
from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_store import RedisStore
from core.service.lifecycle import start_attempt
from core.service.run_record import ENDED
from core.service.service import RunInfo, RunService
from core.service.settings import Settings
from core.service.store import ClaimedError
from tests.faults.programs import App
from tests.service.conftest import RedisServer
from tests.service.samples import RUN, payloads, place, request, state_of, timeless, truth
from tests.service.services import end_group, start_celery, wait_for

pytestmark = pytest.mark.redis
CLIENT = Client("starter", "starter")


def run_of(seed: int, epochs: str = "1e7") -> RunConfig:
    """A run of some two seconds; with 3e7 epochs of six, so that a second worker can join it meanwhile.

    Seeds 0, 1 and 4 stay stable; 2 and 3 get to the edge of stability, where every epoch crosses data.
    """
    return RunConfig.from_query(f"target=sin5&width=30&epochs={epochs}&seed={1_000 + seed}")


@pytest.fixture
def settings(redis_url: str, tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, redis_url=redis_url, library=tmp_path / "none")


@pytest.fixture
def webs(settings: Settings, tmp_path: Path) -> Iterator[tuple[RunService, RunService]]:
    """The run services of two web processes."""
    made = RunService(settings), RunService(replace(settings, home=tmp_path / "other"))
    for service in made:
        service.start()
    yield made
    for service in made:
        service.close()


def info(service: RunService, run: RunConfig) -> RunInfo:
    found = service.info(run.run_id)
    assert found is not None
    return found


def bits(service: RunService, run: RunConfig) -> list[bytes]:
    return [timeless(payload) for payload in service._store.payloads(run.run_id, 0, 10**6)]


def finish(service: RunService, run: RunConfig) -> None:
    wait_for(lambda: info(service, run).status in ENDED, 240)
    assert info(service, run).status == "finished", info(service, run).reason
    assert bits(service, run) == truth(run)


def test_another_worker_goes_on(
    webs: tuple[RunService, RunService], settings: Settings, tmp_path: Path
) -> None:
    here, there = webs
    run = run_of(1, "3e7")
    first = start_celery(settings, "first", tmp_path / "first.log")
    second = None
    try:
        wait_for(lambda: here.workers == 1, 240)
        here.submit(run, CLIENT)
        wait_for(lambda: there.count(run.run_id) > 200)
        second = start_celery(settings, "second", tmp_path / "second.log")
        wait_for(lambda: there.workers == 2, 240)
        assert info(there, run).status == "running"
        end_group(first)
        seen, start = bits(there, run), time.monotonic()
        # Its lease must run out before anybody may touch the run.
        wait_for(lambda: there.count(run.run_id) > len(seen), 120)
        print(f"\nthe other worker went on {time.monotonic() - start:.1f} s after the kill")
        finish(there, run)
        assert bits(here, run)[: len(seen)] == seen
        there.watch(run.run_id, Client("a", "a"))
        here.watch(run.run_id, Client("b", "b"))
        assert info(here, run).watching >= 2 and here.secret == there.secret
    finally:
        for process in (first, second):
            if process is not None:
                end_group(process)


def test_redis_is_restarted_in_mid_run(
    webs: tuple[RunService, RunService], settings: Settings, redis_server: RedisServer, tmp_path: Path
) -> None:
    here, _ = webs
    run = run_of(0)
    worker = start_celery(settings, "only", tmp_path / "only.log")
    try:
        wait_for(lambda: here.workers == 1, 240)
        here.submit(run, CLIENT)
        wait_for(lambda: here.count(run.run_id) > 200)
        redis_server.stop()
        time.sleep(1.0)
        redis_server.start()
        finish(here, run)
        # The queue lives as well.
        after = run_of(3).with_epochs(1e4)
        here.submit(after, CLIENT)
        finish(here, after)
    finally:
        end_group(worker)


@pytest.mark.long
def test_a_polite_end_hands_the_run_over(
    webs: tuple[RunService, RunService], settings: Settings, tmp_path: Path
) -> None:
    here, _ = webs
    run = run_of(4, "3e7")
    first = start_celery(settings, "first", tmp_path / "first.log")
    second = None
    try:
        wait_for(lambda: here.workers == 1, 240)
        here.submit(run, CLIENT)
        wait_for(lambda: here.count(run.run_id) > 100)
        first.terminate()
        first.wait(60)
        wait_for(lambda: info(here, run).status == "queued", 30)
        second = start_celery(settings, "second", tmp_path / "second.log")
        finish(here, run)
        assert state_of(here._store, run.run_id).deaths == 0
    finally:
        for process in (first, second):
            if process is not None:
                end_group(process)


def test_who_was_believed_dead_is_refused(redis_url: str) -> None:
    store = RedisStore(connection(redis_url), lease_seconds=0.05)
    place(store, RUN, request())
    slow = store.claim(RUN)
    slow.append(payloads(0, 2))
    time.sleep(0.2)
    # Nobody has come: it may still write.
    slow.append(payloads(2, 3))
    with store.claim(RUN) as quick:
        assert quick.frames == 3
        with pytest.raises(ClaimedError):
            slow.append(payloads(3, 4))
        with pytest.raises(ClaimedError):
            slow.change(start_attempt)
        with pytest.raises(ClaimedError):
            slow.renew()
        slow.release()
        with pytest.raises(ClaimedError):
            RedisStore(connection(redis_url)).claim(RUN)
        quick.append(payloads(3, 5))
    assert store.payloads(RUN, 0, 99) == payloads(0, 5)
    store.close()


@pytest.mark.long
def test_the_whole_app_over_gunicorn(settings: Settings, tmp_path: Path) -> None:
    """The commands of the manual: two web processes behind one port, one worker, one Redis."""
    worker = start_celery(settings, "worker", tmp_path / "worker.log")
    app = App(
        tmp_path / "web",
        command=(
            sys.executable,
            "-m",
            "gunicorn",
            "-w",
            "2",
            "--threads",
            "4",
            "wsgi:application",
        ),
        PLATEAU_REDIS_URL=settings.redis_url,
    )
    try:
        with app:
            app.start()
            wait_for(lambda: app.get("/healthz")["workers"] == 1, 240)
            run = run_of(5).with_epochs(1e5)
            started = app.post("/api/runs", {"query": run.to_query()})
            url = f"/api/runs/{started['id']}"
            wait_for(lambda: app.get(url)["status"] == "finished")
            assert len(app.get(f"{url}/frames")["index"]) == len(truth(run))
            assert "Traceback" not in app.log.read_text()
            app.terminate()
    finally:
        end_group(worker)
    for log in (app.log, tmp_path / "worker.log"):
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        assert all({"time", "level", "process"} <= line.keys() for line in lines), log
        assert {"run asked for", "run ends"} & {line.get("event") for line in lines}, log
