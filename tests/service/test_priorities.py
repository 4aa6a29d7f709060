"""Who goes first where there are fewer cores than work: the web, runs, background queries, studies."""

import os
import subprocess
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
SESSION = Path("/proc/self/autogroup")
TOLD = """
import time
from pathlib import Path
from core.service.workers.child import go_behind
for others in (True, False):
    go_behind(others)
    print(Path("/proc/self/autogroup").read_text().strip())
    time.sleep(0.2)  # Linux listens ten times a second
"""


def stepped_back(*, own_session: bool) -> list[str]:
    """What Linux says of the session, behind others and not; nothing, of one that began with the system."""
    told = subprocess.check_output([sys.executable, "-c", TOLD], text=True, start_new_session=own_session)
    return told.splitlines()


def test_the_order() -> None:
    assert all(first < second for first, second in pairwise((0, FOR_RUNS, FOR_ANSWERS, FOR_STUDIES)))


@pytest.mark.skipif(not SESSION.exists(), reason="no sessions of that kind")
def test_a_session_of_its_own_goes_behind_others_and_comes_back() -> None:
    assert [line.split()[-1] for line in stepped_back(own_session=True)] == ["10", "0"]


@pytest.mark.skipif(not SESSION.exists(), reason="no sessions of that kind")
def test_a_session_that_others_are_in_is_left_alone() -> None:
    before = SESSION.read_text().strip()
    assert stepped_back(own_session=False) == [before, before]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="told by Linux")
def test_a_query_worker_goes_after_training(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, library=tmp_path / "none")
    Database(tmp_path)
    worker = WorkerProcess(settings, Troubles("test"), lambda *_: None, lambda *_: None, kind="query")
    try:
        wanted = min(19, os.nice(0) + FOR_ANSWERS)
        wait_for(lambda: os.getpriority(os.PRIO_PROCESS, worker.pid) == wanted)
    finally:
        worker.end()
