"""A step that does not come back ends its worker, with a sentence, and only once."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.config import RunConfig
from core.service.accounts import Client
from core.service.service import RunService
from core.service.settings import Settings
from core.service.workers.process import WorkerProcess
from core.service.workers.troubles import Troubles
from core.service.workers.watchdog import ALARM
from tests.service.services import wait_for

pytestmark = pytest.mark.fault

HANGING = """
from numba import njit
from core.service.workers.watchdog import limited

@njit
def hang(n):
    while n > 0:
        n = n + 1 if n < 1000 else 1
    return n

with limited(60.0):
    hang(0)
print("compiled", flush=True)
with limited(0.3):
    hang(1)
"""


def test_compiled_code_that_never_returns_is_ended() -> None:
    done = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, text=True, timeout=120)
    assert done.stdout == "compiled\n"
    assert done.returncode == -ALARM


def test_such_a_run_fails_with_a_sentence_and_is_not_tried_again(tmp_path: Path) -> None:
    service = RunService(Settings(home=tmp_path, workers=1, library=tmp_path / "none"))
    service.start()
    try:
        config = RunConfig.from_query("target=sin5&width=30&epochs=4e8")  # minutes
        service.submit(config, Client("a", "a"))

        def busy() -> int | None:
            with service.pool.lock:
                workers = service.pool.workers("run")
                return next((w.pid for w in workers if w.ready and config.run_id in w.jobs), None)

        # under way: a worker that dies before it has begun is not charged to the run
        wait_for(lambda: busy() is not None and service.count(config.run_id) > 5, 240)
        worker = busy()
        assert worker is not None
        os.kill(worker, signal.SIGALRM)
        wait_for(lambda: getattr(service.info(config.run_id), "status", "") == "failed", 60)
        info = service.info(config.run_id)
        assert info is not None
        assert "A single step of this run took longer than 300 s" in info.reason
        # Somebody else's run goes on with the next worker.
        other = RunConfig.from_query("target=f1&epochs=1e3&seed=5")
        service.submit(other, Client("b", "b"))
        wait_for(lambda: getattr(service.info(other.run_id), "status", "") == "finished", 240)
    finally:
        service.close()


def test_a_worker_that_does_not_read_is_ended_and_nobody_waits_for_it(tmp_path: Path) -> None:
    buried = threading.Event()
    worker = WorkerProcess(Settings(home=tmp_path), Troubles("test"), lambda *_: None, lambda _: buried.set())
    os.kill(worker.pid, signal.SIGSTOP)
    for _ in range(2_000):  # far more than a pipe holds
        worker.send({"do": "give back", "job": "0" * 32, "attempt": 1, "reason": "Nobody is watching."})
    assert buried.wait(60) and worker.hung


def test_a_long_command_for_a_stopped_worker_holds_up_nobody(tmp_path: Path) -> None:
    """Whoever sends it holds the lock of the pool, which every poll needs."""
    heard: list[int] = []
    worker = WorkerProcess(
        Settings(home=tmp_path),
        Troubles("test"),
        lambda _, event: heard.append(event["length"]),
        lambda _: None,
        "tests.service.listener",
    )
    os.kill(worker.pid, signal.SIGSTOP)
    command = {"do": "work", "job": "a portion", "runs": [[place, "x" * 4_000] for place in range(100)]}
    sending = threading.Thread(target=worker.send, args=(command,), daemon=True)
    sending.start()
    sending.join(20)
    assert not sending.is_alive()
    os.kill(worker.pid, signal.SIGCONT)
    wait_for(lambda: heard == [len(json.dumps(command)) + 1], 60)
    worker.end()
    assert worker.left
