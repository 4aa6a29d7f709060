"""Who goes first where there are fewer cores than work: the web, runs, background queries, studies."""

import os
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from core.service.files.database import Database
from core.service.settings import Settings
from core.service.workers.child import FOR_ANSWERS, FOR_RUNS, FOR_STUDIES
from core.service.workers.process import WorkerProcess
from core.service.workers.troubles import Troubles
from tests.service.services import wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="priorities of Windows are classes")


def test_the_order() -> None:
    assert all(first < second for first, second in pairwise((0, FOR_RUNS, FOR_ANSWERS, FOR_STUDIES)))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="told by Linux")
def test_a_query_worker_goes_after_training(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, library=tmp_path / "none")
    Database(tmp_path)
    worker = WorkerProcess(
        settings, Troubles("test"), lambda *_: None, lambda *_: None, kind="query", niceness=FOR_ANSWERS
    )
    try:
        wanted = min(19, os.nice(0) + FOR_ANSWERS)
        wait_for(lambda: os.getpriority(os.PRIO_PROCESS, worker.pid) == wanted)
        assert os.getsid(worker.pid) == os.getsid(0), "in a session of its own its priority would say nothing"
        assert os.getpgid(worker.pid) == worker.pid, "Ctrl-C in a terminal is not for the workers"
    finally:
        worker.end()
