"""Threads that must live: whatever their steps raise, they go on, say so once, and are seen in /readyz."""

import errno
import logging
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

from core.config.run_config import RunConfig
from core.service.health import Health
from core.service.queries.query import BackgroundQuery
from core.service.queries.service import NotYetError
from core.service.service import RunService
from core.service.settings import Settings
from core.service.workers import process, troubles
from core.service.workers.process import WorkerProcess
from core.service.workers.troubles import Troubles
from tests.service.services import ALICE, at_once, wait_for

RUN = RunConfig.from_query("target=five&method=gd&epochs=1000&seed=3")
STUDY = "target=f1&points=20&seed=0..1&method=anls&epochs=50"
CAUSES = [
    OSError(errno.EAGAIN, "Resource temporarily unavailable"),
    OSError(errno.EMFILE, "Too many open files"),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    MemoryError(),
    RuntimeError("can't start new thread"),
    ValueError("a mistake of this program"),
]


class Scarcity:
    """A machine on which no process can be started, until there is room again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cause: Exception | None = None
        self.refused = 0
        started = subprocess.Popen

        def start(*arguments: Any, **options: Any) -> Any:
            if self.cause is not None:
                self.refused += 1
                raise self.cause
            return started(*arguments, **options)

        monkeypatch.setattr(subprocess, "Popen", start)


@pytest.fixture
def scarcity(monkeypatch: pytest.MonkeyPatch) -> Scarcity:
    monkeypatch.setattr(troubles, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr("core.service.workers.pool.TICK_SECONDS", 0.05)
    return Scarcity(monkeypatch)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RunService]:
    settings = Settings(home=tmp_path, workers=1, study_workers=1, library=tmp_path / "none")
    first, _, _ = at_once(tmp_path, settings)
    first.submit(RUN, ALICE)
    first.close()
    made = RunService(settings)
    yield made
    made.close()


def ready(service: RunService) -> tuple[int, dict[str, str]]:
    answer = Health(service).readyz()
    return answer.status_code, orjson.loads(answer.get_data())


@pytest.mark.slow
def test_runs_queries_and_studies_outlive_a_machine_that_starts_no_process(
    service: RunService, scarcity: Scarcity, caplog: pytest.LogCaptureFixture
) -> None:
    run = RunConfig.from_query("target=five&method=gd&epochs=1000&seed=4")
    query = BackgroundQuery("best", RUN.run_id, 0, service.count(RUN.run_id), "finished")
    scarcity.cause = CAUSES[0]
    service.start()
    service.submit(run, ALICE)
    study = service.studies.submit(STUDY, ALICE.handle, ALICE.quota)[0].id
    with pytest.raises(NotYetError):
        service.queries.ask(query, "alice", 0.0)
    jobs = ("start workers (run)", "start workers (query)", "start workers (portion)")
    for cause in CAUSES:
        scarcity.cause = cause
        for job in jobs:
            wait_for(partial(_told, service, job, type(cause).__name__))
        status, words = ready(service)
        assert status == 503 and " since 20" in words["threads"] and service.status(run.run_id) == "queued"
    before = scarcity.refused
    logged = len(caplog.records)
    wait_for(lambda: scarcity.refused > before + 9)
    assert len(caplog.records) == logged, "once per cause, however often it is tried"
    scarcity.cause = None
    wait_for(lambda: service.status(run.run_id) == "finished", 240)
    wait_for(lambda: getattr(service.studies.info(study), "status", "") == "finished", 240)
    with service.queries.ask(query, "alice", 60.0) as answer:
        assert answer.read()
    assert ready(service) == (200, ready(service)[1]) and ready(service)[1]["threads"] == "all at work"


def _told(service: RunService, *words: str) -> bool:
    return any(all(word in sentence for word in words) for sentence in service.troubles())


@pytest.mark.slow
def test_what_a_worker_says_is_taken_in_when_the_store_can_be_read_again(
    service: RunService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(troubles, "RETRY_SECONDS", 0.02)
    run = RunConfig.from_query("target=five&method=gd&epochs=1000&seed=5")
    scheduler: Any = service._scheduler
    record, broken = scheduler._store.record, threading.Event()

    def read(run_id: str) -> Any:
        if broken.is_set() and threading.current_thread().name.startswith("Thread"):
            raise OSError(errno.EMFILE, "Too many open files")
        return record(run_id)

    monkeypatch.setattr(scheduler._store, "record", read)
    service.start()
    wait_for(lambda: service.workers == 1, 240)
    broken.set()
    service.submit(run, ALICE)
    wait_for(lambda: _told(service, "take in what process", "Too many open files"), 240)
    broken.clear()
    wait_for(lambda: service.status(run.run_id) == "finished", 60)
    wait_for(lambda: service.troubles() == [] and run.run_id not in service.under_way())


ECHO = "tests.service.echo"


def test_a_process_whose_events_cannot_be_taken_in_is_ended_and_its_end_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "UNHEARD_SECONDS", 0.1)
    told, ended = Troubles("test", pause=0.01), threading.Event()
    tries: list[int] = []

    def hear(_: WorkerProcess, event: dict[str, Any]) -> None:
        tries.append(event["number"])
        raise KeyError("poison")

    def bury(_: WorkerProcess) -> None:
        if not ended.is_set():
            ended.set()
            raise KeyError("once")
        buried.set()

    buried = threading.Event()
    worker = WorkerProcess(Settings(home=tmp_path), told, hear, bury, ECHO)
    assert buried.wait(60) and worker.ending == "signal 9"
    assert tries.count(0) > 1
    wait_for(lambda: told.sentences() == [])


def test_without_a_thread_to_hear_it_no_process_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    started: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: _listed(started, popen(*a, **k)))
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError):
        WorkerProcess(Settings(home=tmp_path), Troubles("test"), lambda *_: None, lambda _: None, ECHO)
    (one,) = started
    assert one.poll() == -9 and one.stdout is not None and one.stdout.closed


def test_a_failing_step_is_logged_once_per_cause_and_left_alone_for_a_while(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.WARNING)
    now = [100.0]
    monkeypatch.setattr("core.service.workers.troubles.time.monotonic", lambda: now[0])
    made, tries = Troubles("scheduler", pause=1.0), list[Exception]()

    def fail() -> None:
        tries.append(CAUSES[len(tries) // 2])
        raise tries[-1]

    for _ in range(40):
        assert not made.attempt("start workers", fail)
        now[0] += 0.3
    assert len(tries) == 10 and len(caplog.records) == 5
    assert "cannot start workers since" in made.sentences()[0]
    now[0] += 2.0
    assert made.attempt("start workers", lambda: None) and made.sentences() == []
    assert "again" in caplog.records[-1].message


def test_a_thread_that_does_not_come_round_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("core.service.workers.troubles.time.monotonic", lambda: now[0])
    made = Troubles("scheduler")
    assert made.sentences() == []
    made.comes_round()
    now[0] += troubles.STALLED_SECONDS + 1
    (sentence,) = made.sentences()
    assert sentence.startswith("The scheduler hangs since")
    made.ends()
    assert made.sentences() == []


def _listed(found: list[subprocess.Popen[str]], one: subprocess.Popen[str]) -> subprocess.Popen[str]:
    found.append(one)
    return one


def test_workers_know_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_SECRET", "signs-the-cookies" * 3)
    monkeypatch.setenv("PLATEAU_ADMIN_TOKEN", "opens-the-admin-page")
    settings = Settings.from_environment(home=tmp_path, port=8123)
    ended, begun = threading.Event(), threading.Event()
    worker = WorkerProcess(
        settings, Troubles("test"), lambda *_: begun.set(), lambda _: ended.set(), "tests.service.echo"
    )
    try:
        assert begun.wait(60)
        told = Path(f"/proc/{worker.pid}/environ").read_bytes()
        assert b"PLATEAU_PORT=8123" in told
        assert b"signs-the-cookies" not in told and b"opens-the-admin-page" not in told
    finally:
        worker.kill()
        assert ended.wait(60)
