"""Background queries: made elsewhere, once for all, fairly, within limits."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import orjson
import pytest
from flask.testing import FlaskClient

from core import RunConfig
from core.limits import LIMITS
from core.service.queries import service as module
from core.service.queries.query import EXPORTS, INCOMING, TABLES, BackgroundQuery, write_answer
from core.service.queries.service import ASKED, NotYetError, QueryService
from core.service.queue import QueueFullError
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import StoreError
from core.service.workers.kernels import BEST
from core.service.workers.pool import WorkerPool
from core.service.workers.reading import Reader
from tests.service.services import ALICE, ROOT, at_once, wait_for
from tests.service.sites import URL, Site

CONFIG = RunConfig.from_query("target=five&epochs=3000&width=4")
RUN = CONFIG.run_id


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    home = tmp_path_factory.mktemp("home")
    made = at_once(home)[0]
    made.submit(CONFIG, ALICE)
    yield made
    made.close()


def query(kind: str, service: RunService) -> BackgroundQuery:
    more = "9" if kind == "end" else ""
    return BackgroundQuery(kind, RUN, 0, service.count(RUN), "finished", more)


class FakeWorker:
    """See WorkerProcess: does nothing until the test says so."""

    made: list["FakeWorker"]
    overdue = left = False
    ready = answers = True
    ending = "signal 9"
    stuck = turn = ""

    def __init__(self, *given: Any, kind: str, is_interpreted: bool, **_: Any) -> None:
        self.hear, self.bury = given[-2:]
        self.kind, self.heard, self.needed = kind, time.monotonic(), time.monotonic()
        self.jobs: dict[str, Any] = {}
        self.stopping: dict[str, float] = {}
        self.asked: list[str] = []
        self.is_interpreted = is_interpreted
        self.made.append(self)

    def send(self, command: dict[str, Any]) -> None:
        if command["do"] == "work":
            self.asked.append(command["query"]["run"])
            Path(command["path"]).write_bytes(gzip.compress(command["query"]["run"].encode()))

    def answer(self, failure: str = "") -> None:
        (job,) = self.jobs
        self.hear(self, {"event": "ended", "job": job, "failure": failure})

    def kill(self, *, hung: bool = False) -> None: ...

    def end_if_stuck(self) -> None: ...

    def end(self) -> None: ...


@pytest.fixture
def queries(service: RunService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QueryService]:
    FakeWorker.made = []
    monkeypatch.setattr("core.service.workers.pool.WorkerProcess", FakeWorker)
    settings = Settings(home=tmp_path, threads=4)
    pool = WorkerPool(settings)
    made = QueryService(settings, service, pool)
    pool.start()
    yield made
    made.close()
    pool.close()


def ask_in_vain(queries: QueryService, run: str, client: str) -> None:
    with pytest.raises(NotYetError):
        queries.ask(BackgroundQuery("best", run), client, 0.0)


def worker_with(asked: int, made: int = 1) -> FakeWorker:
    wait_for(lambda: len(FakeWorker.made) >= made and len(FakeWorker.made[-1].asked) == asked, 10)
    return FakeWorker.made[-1]


def test_other_processes_are_asked_until_too_many_have_died_of_a_query(queries: QueryService) -> None:
    ask_in_vain(queries, "a0", "alice")
    for number in range(1, Settings().deaths + 1):
        worker = worker_with(1, number)
        worker.ending = "it was stopped for 4 s"
        worker.bury(worker)
    with pytest.raises(StoreError, match="it was stopped for 4 s"):
        queries.ask(BackgroundQuery("best", "a0"), "alice", 10.0)


def test_what_takes_the_interpreter_too_long_waits_for_its_kernels(
    queries: QueryService, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = {BEST}
    monkeypatch.setattr("core.service.queries.service.is_compiled", lambda name: name not in missing)
    ask_in_vain(queries, "a0", "alice")
    slow = worker_with(1)
    assert slow.is_interpreted
    slow.overdue = True
    slow.bury(slow)
    assert not any(queries.wants_worker(is_interpreted=sort) for sort in (True, False)), "it only waits"
    missing.clear()
    queries.tick()
    wait_for(lambda: len(FakeWorker.made) == 2, 10)
    fast = worker_with(1)
    assert not fast.is_interpreted
    fast.answer()
    with queries.ask(BackgroundQuery("best", "a0"), "alice", 5.0) as answer:
        assert gzip.decompress(answer.read()) == b"a0"


def test_clients_take_turns_and_each_question_is_answered_once(queries: QueryService) -> None:
    ask_in_vain(queries, "a0", "alice")
    worker = worker_with(1)
    for k in range(1, 4):
        ask_in_vain(queries, f"a{k}", "alice")
    ask_in_vain(queries, "b0", "bob")
    ask_in_vain(queries, "a1", "carol")
    for asked in range(2, 6):
        worker.answer()
        worker_with(asked)
    assert worker.asked[0] == "a0" and worker.asked.index("b0") <= 2
    assert sorted(worker.asked) == ["a0", "a1", "a2", "a3", "b0"]
    with queries.ask(BackgroundQuery("best", "a0"), "bob", 0.0) as answer:
        assert gzip.decompress(answer.read()) == b"a0"


def test_a_query_of_a_worker_that_has_just_left_is_asked_of_the_next(queries: QueryService) -> None:
    ask_in_vain(queries, "first", "alice")
    old = worker_with(1)
    old.left = True
    old.bury(old)
    wait_for(lambda: len(FakeWorker.made) == 2, 10)
    worker_with(1).answer()
    with queries.ask(BackgroundQuery("best", "first"), "alice", 5.0) as answer:
        assert gzip.decompress(answer.read()) == b"first"


def test_nobody_asks_for_more_than_his_share(queries: QueryService) -> None:
    for k in range(ASKED.person):  # the one that is with the worker counts too
        ask_in_vain(queries, str(k), "alice")
        worker_with(1)
    with pytest.raises(QueueFullError, match=f"You have {ASKED.person} answers"):
        queries.ask(BackgroundQuery("best", "more"), "alice", 0.0)
    ask_in_vain(queries, "other", "bob")


def test_many_cookies_of_one_address_and_all_together_have_limits_too(
    queries: QueryService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ASKED", replace(ASKED, address=5, total=7))
    for k in range(5):
        ask_in_vain(queries, str(k), f"?thrown{k}@1.2.3.4")
    with pytest.raises(QueueFullError, match="from your address"):
        queries.ask(BackgroundQuery("best", "more"), "?next@1.2.3.4", 0.0)
    for k in range(5, 7):
        ask_in_vain(queries, str(k), f"?thrown{k}@1.2.3.{k}")
    with pytest.raises(QueueFullError, match="server has 7 answers"):
        queries.ask(BackgroundQuery("best", "more"), "?next@5.6.7.8", 0.0)
    assert len(queries._jobs) == 7


def test_a_newcomer_whose_worker_dies_waits_in_the_line_of_its_address(queries: QueryService) -> None:
    ask_in_vain(queries, "first", "?new@1.2.3.4")
    worker = worker_with(1)
    worker.left = True
    with queries._pool.lock:
        worker.bury(worker)
        assert queries._queue.lines() == ["1.2.3.4"]


def test_a_query_that_takes_too_long_is_not_tried_again(queries: QueryService) -> None:
    ask_in_vain(queries, "deadly", "alice")
    ask_in_vain(queries, "harmless", "bob")
    worker = worker_with(1)
    worker.overdue = True
    worker.bury(worker)
    wait_for(lambda: len(FakeWorker.made) == 2, 10)
    assert worker_with(1).asked == ["harmless"]
    for _ in range(2):
        with pytest.raises(StoreError, match="longer than 60 s"):
            queries.ask(BackgroundQuery("best", "deadly"), "alice", 0.0)
    assert len(FakeWorker.made) == 2


def test_answers_go_after_a_while(
    queries: QueryService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_in_vain(queries, "one", "alice")
    worker_with(1).answer()
    with queries.ask(BackgroundQuery("best", "one"), "alice", 0.0) as answer:
        monkeypatch.setattr(module, "KEPT_SECONDS", 0.0)
        wait_for(lambda: not list(tmp_path.glob("answers-*/*")), 10)
        assert gzip.decompress(answer.read()) == b"one"  # who has it can still read it


def test_waiting_takes_half_the_threads_at_most(queries: QueryService) -> None:
    queries._waiting = 2
    with pytest.raises(NotYetError):
        queries.ask(BackgroundQuery("best", "one"), "alice", 3600.0)


def test_a_closed_service_leaves_nobody_waiting(queries: QueryService, tmp_path: Path) -> None:
    ask_in_vain(queries, "one", "alice")
    worker_with(1)
    job = queries._jobs[BackgroundQuery("best", "one").key]
    queries.close()
    assert job.done.is_set() and "shutting down" in job.failure
    with pytest.raises(StoreError, match="shutting down"):
        queries.ask(BackgroundQuery("best", "one"), "alice", 60.0)
    assert not list(tmp_path.glob("answers-*"))


def test_answers_need_no_space_on_a_full_disk(
    service: RunService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    settings = replace(service.settings, home=home)
    queries = QueryService(settings, service, WorkerPool(settings))
    free = shutil.disk_usage
    monkeypatch.setattr(
        shutil, "disk_usage", lambda path: free(path)._replace(free=0) if path == home else free(path)
    )
    assert queries.table(query("stages", service), "alice")["id"] == RUN
    elsewhere = queries.scratch("x").parent
    assert list(elsewhere.iterdir()) and not elsewhere.is_relative_to(home)
    monkeypatch.undo()
    assert queries.scratch("x").is_relative_to(home), "and there again once there is space"
    queries.close()
    assert not elsewhere.exists()


@pytest.mark.slow
def test_a_real_worker_says_the_same_and_survives_its_death(service: RunService, tmp_path: Path) -> None:
    settings = replace(service.settings, query_workers=1)
    pool = WorkerPool(settings)
    queries = QueryService(settings, service, pool)
    pool.start()
    try:
        # costs are measured, what people send is no table of a run, what the pages add is tested with them
        own = [kind for kind, table in TABLES.items() if table.__module__.startswith("core.")]
        for kind in (*(one for one in own if one not in ("cost", INCOMING)), *EXPORTS):
            here = tmp_path / kind
            write_answer(service, query(kind, service), here)
            with queries.ask(query(kind, service), "alice", 60.0) as there:
                if kind != "npz":  # a ZIP file tells the time
                    assert there.read() == here.read_bytes(), kind
        measured = queries.table(BackgroundQuery("cost", RUN, more="target=five&epochs=1e6"), "alice", 60.0)
        assert measured["frame"] > 0.0 and measured["epochs"] > 0.0
        (worker,) = pool.workers("query")
        os.kill(worker.pid, signal.SIGKILL)
        wait_for(lambda: not pool.workers("query"), 10)
        queries.ask(BackgroundQuery("stages", RUN, head=3), "alice", 60.0).close()
        with pytest.raises(StoreError, match="not there"):
            queries.ask(BackgroundQuery("best", "0" * 32), "alice", 60.0)
    finally:
        queries.close()
        pool.close()


LIMITED = """
import sys, time
from dataclasses import replace
from pathlib import Path
from core.limits import LIMITS
from core.service.queries import worker
from core.service.settings import Settings
from core.service.workers.watchdog import guard_process
worker.write_answer = lambda *_: {work}
guard_process(1 << 30)
limits = replace(LIMITS, answer_seconds=0.2, memory_bytes=1 << 30)
made = worker.QueryWorker(Settings(limits=limits), None, sys.stdin, sys.stdout)
query = {{"kind": "best", "run": "{run}"}}
made.work(2 * [{{"job": "one", "path": "nowhere", "query": query, "runs": False, "module": ""}}])
"""


def limited(work: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LIMITED.format(work=work, run=RUN)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to both limits")
def test_limits_are_kept_from_outside() -> None:
    assert limited("time.sleep(60)").returncode == -signal.SIGALRM
    done = limited("bytearray(2 << 30)")
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    failures = [event["failure"] for event in events if event["event"] == "ended"]
    assert len(failures) == 2 and all("1.1 GB of memory" in failure for failure in failures)


def test_files_hold_what_the_frames_hold_whatever_the_size_of_a_block(
    service: RunService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = service.frames(RUN)
    whole = tmp_path / "whole"
    write_answer(service, query("json", service), whole)
    document = orjson.loads(whole.read_bytes())
    for name in ("loss", "epoch", "stage"):
        assert document[name] == [getattr(frame, name) for frame in frames]
    assert document["b"] == [frame.b.tolist() for frame in frames]
    assert document["head"] == len(frames) and document["x"] == CONFIG.training_data().x.tolist()
    monkeypatch.setattr("core.service.export._BLOCK", 7)
    for kind in EXPORTS:
        write_answer(service, query(kind, service), tmp_path / kind)
    assert (tmp_path / "json").read_bytes() == whole.read_bytes()
    with np.load(tmp_path / "npz", allow_pickle=False) as arrays:
        assert arrays["c"].tolist() == document["c"] and str(arrays["query"]) == document["query"]
    assert len((tmp_path / "csv").read_text().splitlines()) == len(frames) + 1


def test_a_run_without_frames_has_files_too(service: RunService, tmp_path: Path) -> None:
    for kind in EXPORTS:
        write_answer(Reader(service._store, LIMITS), BackgroundQuery(kind, RUN), tmp_path / kind)
    assert orjson.loads((tmp_path / "json").read_bytes())["loss"] == []


def test_an_answer_that_takes_a_while_is_fetched_later(site: Site, run: FlaskClient) -> None:
    later = [NotYetError(3)]

    def ask(query: BackgroundQuery, client: str) -> BinaryIO:
        if later:
            raise later.pop()
        return QueryService.ask(site.service.queries, query, client)

    site.service.queries.ask = ask  # type: ignore[method-assign,assignment]
    answer = run.get(f"{URL}/stages")
    assert answer.status_code == 202 and answer.headers["Retry-After"] == "1"
    assert answer.json == {"ahead": 3, "retry_after": 1}
    assert run.get(f"{URL}/stages").status_code == 200
