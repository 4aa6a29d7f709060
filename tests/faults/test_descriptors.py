"""No descriptor left in the web process: its threads live on, and its runs once there are some again."""

import errno
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.service.service import RunService
from core.service.settings import Settings
from tests.faults.programs import App, processes_of
from tests.service.samples import timeless, truth
from tests.service.services import ALICE, BOB, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc lists")
RUN = RunConfig.from_query("target=sin5&width=30&epochs=6e6&seed=1002")
"""Some seconds."""


@contextmanager
def no_descriptors() -> Iterator[None]:
    """Every descriptor that this process may have is in use."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = max(int(entry.name) for entry in Path("/proc/self/fd").iterdir())
    taken: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 8, hard))
    try:
        with pytest.raises(OSError) as refused:
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        assert refused.value.errno == errno.EMFILE
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for one in taken:
            os.close(one)


def test_a_worker_that_dies_while_there_are_none_is_replaced_as_soon_as_there_are(tmp_path: Path) -> None:
    expected = truth(RUN)
    service = RunService(Settings(home=tmp_path, workers=1, library=tmp_path / "none"))
    service.start()
    try:
        wait_for(lambda: service.workers == 1, 240)
        service.submit(RUN, ALICE)
        wait_for(lambda: service.count(RUN.run_id) > 20)
        (worker,) = service.pool.workers("run")
        with no_descriptors():
            os.kill(worker.pid, signal.SIGKILL)
            wait_for(lambda: any("cannot start workers" in one for one in service.troubles()))
            wait_for(lambda: service.workers == 0)
        wait_for(lambda: service.status(RUN.run_id) == "finished", 240)
        assert [timeless(p) for p in service._store.payloads(RUN.run_id, 0, 10**6)] == expected
        wait_for(lambda: service.troubles() == [])
        other = RunConfig.from_query("target=five&epochs=1000&seed=9")
        service.submit(other, BOB)
        wait_for(lambda: service.status(other.run_id) == "finished", 60)
    finally:
        service.close()


@pytest.mark.long
def test_connections_leave_descriptors_for_a_worker_that_must_be_started(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app._command = ("sh", "-c", f"ulimit -n 400; exec {sys.executable} app.py")
        app.start()
        wait_for(lambda: app.get("/healthz")["workers"] == 1, 240)
        started = app.post("/api/runs", {"query": RUN.to_query()})
        wait_for(lambda: app.get(f"/api/runs/{started['id']}")["frames"] > 20, 60)
        (worker,) = workers_of(app.home)
        idle = [socket.create_connection(("127.0.0.1", app.port), timeout=60) for _ in range(350)]
        try:
            os.kill(worker, signal.SIGKILL)
            wait_for(lambda: workers_of(app.home) - {worker}, 60)
        finally:
            for one in idle:
                one.close()
        wait_for(lambda: app.get(f"/api/runs/{started['id']}")["status"] == "finished", 240)
        assert "Too many open files" not in app.log.read_text()


def workers_of(home: Path) -> set[int]:
    return {pid for pid, what in processes_of(home).items() if b"core.service.worker\0run" in what}
