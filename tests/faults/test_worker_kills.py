"""Many times kill -9 of a worker: nothing is lost, nothing is different, nothing is stuck."""

import os
import random
import signal
import statistics
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.service.accounts import Client
from core.service.run_record import ENDED
from core.service.service import RunInfo, RunService
from core.service.settings import Settings
from tests.effort import cases
from tests.service.samples import timeless, truth
from tests.service.services import wait_for

KILLS = cases(2, of=100)
WORKERS = cases(2, of=4)
STUCK_SECONDS = 60.0
"""A bound for any machine; the number that is printed is the one to look at."""


class Reader:
    """A viewer of every run, who remembers each frame as it was given."""

    def __init__(self, service: RunService) -> None:
        self.service = service
        self.given: dict[str, list[bytes]] = {}

    def look(self, run_id: str) -> RunInfo:
        known = self.given.setdefault(run_id, [])
        found = self.service.info(run_id)
        assert found is not None
        known += map(timeless, self.service._store.payloads(run_id, len(known), 10**6))
        return found


@pytest.mark.long
def test_dead_workers(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, workers=WORKERS, runs_per_worker=1, library=tmp_path / "none")
    service = RunService(settings)
    service.start()
    chance = random.Random(6)
    reader, active, submitted = Reader(service), list[RunConfig](), list[RunConfig]()
    ended: dict[str, RunInfo] = {}
    kills: Counter[str] = Counter()
    bereft: dict[str, float] = {}
    gaps: list[float] = []
    try:
        wait_for(lambda: service.workers == WORKERS, 240)
        while kills.total() < KILLS or active:
            if kills.total() < KILLS and len(active) < WORKERS + 1:
                config = RunConfig.from_query(f"target=f1&epochs=3e6&seed={len(submitted)}")
                submitted.append(config)
                active.append(config)
                service.submit(config, Client(f"c{len(submitted)}", f"c{len(submitted)}"))
            with service.pool.lock:
                busy = {run: w.pid for w in service.pool.workers("run") if w.ready for run in w.jobs}
            for config in list(active):
                run_id = config.run_id
                info = reader.look(run_id)
                if run_id in bereft and (run_id in busy or info.status in ENDED):
                    gaps.append(time.monotonic() - bereft.pop(run_id))
                if info.status in ENDED:
                    ended[run_id] = info
                    active.remove(config)
            # A third death where the second was is not survived: mostly spare those that have had two.
            victims = [run_id for run_id in busy if kills[run_id] < 2 or chance.random() < 0.02]
            if kills.total() < KILLS and victims and chance.random() < 0.5:
                run_id = chance.choice(victims)
                with suppress(ProcessLookupError):
                    os.kill(busy[run_id], signal.SIGKILL)
                    kills[run_id] += 1
                    bereft.setdefault(run_id, time.monotonic())
            time.sleep(chance.random() * 0.1)
            assert all(time.monotonic() - since < STUCK_SECONDS for since in bereft.values())
    finally:
        service.close()
    failed = [info for info in ended.values() if info.status == "failed"]
    print(
        f"\n{kills.total()} kills over {len(submitted)} runs: {len(ended) - len(failed)} finished, "
        f"{len(failed)} given up; computing again after {statistics.median(gaps):.2f} s (median), "
        f"{max(gaps):.2f} s (longest)"
    )
    assert all(info.status == "finished" or "died 3 times" in info.reason for info in ended.values())
    assert len(failed) < len(ended) == len(submitted)
    for config in submitted:
        true = truth(config)
        given = reader.given[config.run_id]
        assert given == true[: len(given)]
        stored = [timeless(p) for p in service._store.payloads(config.run_id, 0, 10**6)]
        assert stored[: len(given)] == given
        assert stored == (true if ended[config.run_id].status == "finished" else true[: len(stored)])
