"""What every back end promises, with its real worker processes."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.config.run_config import RunConfig
from core.limits import Limits
from core.service.accounts import Client
from core.service.queue import QueueFullError
from core.service.service import RunInfo, RunService
from core.service.settings import Settings
from tests.service.samples import timeless, truth
from tests.service.services import ALICE, BOB, redis_of, wait_for, with_real_workers

pytestmark = pytest.mark.slow  # real processes, which load the compiled kernels
LIMITS = Limits(running_per_client=1, queued_per_client=2, queued=4)
ENDLESS = "target=sin5&width=30&method=gd&epochs=4e8"


@pytest.fixture(scope="module", params=["embedded", pytest.param("redis", marks=pytest.mark.redis)])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    home = tmp_path_factory.mktemp("home")
    settings = Settings(home=home, workers=1, runs_per_worker=1, limits=LIMITS, library=home / "none")
    with with_real_workers(settings, redis_of(request), "one") as made:
        yield made


def config(seed: int, epochs: float = 2e4) -> RunConfig:
    return RunConfig.from_query(f"target=f1&method=gd&seed={seed}").with_epochs(epochs)


def info(service: RunService, run: RunConfig) -> RunInfo:
    found = service.info(run.run_id)
    assert found is not None
    return found


def ended(service: RunService, run: RunConfig) -> bool:
    return info(service, run).status in ("finished", "failed", "stopped")


def bits(service: RunService, run: RunConfig) -> list[bytes]:
    return [timeless(payload) for payload in service._store.payloads(run.run_id, 0, 10**6)]


def test_a_run_is_computed_in_another_process(service: RunService) -> None:
    run = config(1)
    first, new = service.submit(run, ALICE)
    assert new and first.status in ("queued", "running")
    wait_for(lambda: service.count(run.run_id) > 0)
    wait_for(lambda: ended(service, run))
    assert info(service, run).status == "finished" and bits(service, run) == truth(run)
    assert service.done == (run.epochs, len(truth(run)))


def test_a_longer_budget_goes_on_whenever_it_comes(service: RunService) -> None:
    run = config(2, 3e6)
    service.submit(run.with_epochs(1e4), ALICE)
    service.submit(run.with_epochs(3e4), ALICE)
    wait_for(lambda: ended(service, run) and info(service, run).epoch >= 3e4)
    service.submit(run, BOB)
    wait_for(lambda: ended(service, run) and info(service, run).epoch >= 3e6)
    assert bits(service, run) == truth(run)


def test_progress_shows_between_frames_and_stop_is_prompt(service: RunService) -> None:
    run = RunConfig.from_query(ENDLESS + "&seed=3")
    service.submit(run, ALICE)
    wait_for(lambda: info(service, run).rate > 0)
    assert info(service, run).status == "running" and info(service, run).epoch > 0
    service.stop(run.run_id, ALICE)
    took = wait_for(lambda: ended(service, run))
    stopped = info(service, run)
    print(f"\nstopped within {took:.2f} s")
    assert stopped.status == "stopped" and stopped.frames == service.count(run.run_id) and stopped.epoch > 0
    # What is there is a prefix of the truth; it can be gone on with.
    service.submit(run, BOB)
    wait_for(lambda: service.count(run.run_id) > stopped.frames or info(service, run).epoch > stopped.epoch)
    service.stop(run.run_id, BOB)
    wait_for(lambda: ended(service, run))


def test_clients_take_turns_and_have_limits(service: RunService) -> None:
    busy = {who: RunConfig.from_query(f"{ENDLESS}&seed={seed}") for who, seed in ((ALICE, 4), (BOB, 12))}
    for who, run in busy.items():  # somebody who has nothing under way would not have to wait
        service.submit(run, who)
        wait_for(lambda run=run: info(service, run).status == "running")  # type: ignore[misc]
    mine = [config(seed, 1e4) for seed in (5, 6, 7)]
    theirs = [config(seed, 1e4) for seed in (8, 9, 10)]
    service.submit(mine[0], ALICE)
    service.submit(mine[1], ALICE)
    with pytest.raises(QueueFullError):
        service.submit(mine[2], ALICE)
    service.submit(theirs[0], BOB)
    service.submit(theirs[1], BOB)
    with pytest.raises(QueueFullError):
        service.submit(theirs[2], BOB)
    assert service.info(mine[2].run_id) is None and service.info(theirs[2].run_id) is None
    places = [info(service, run).position for run in (mine[0], theirs[0], mine[1], theirs[1])]
    assert places == [0, 1, 2, 3]
    service.stop(mine[0].run_id, ALICE)
    assert info(service, mine[0]).status == "stopped"
    for who, run in busy.items():
        service.stop(run.run_id, who)
    for run in (*theirs[:2], mine[1]):
        wait_for(lambda run=run: info(service, run).status == "finished")  # type: ignore[misc]


def test_a_run_that_nobody_watches_is_paused_until_somebody_looks(
    service: RunService, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RunConfig.from_query(ENDLESS + "&seed=11")
    service.submit(run, ALICE)
    wait_for(lambda: service.count(run.run_id) > 10)
    queue = getattr(service._scheduler, "_queue", None)
    for part in (service._scheduler, queue):
        if hasattr(part, "_settings"):
            monkeypatch.setattr(part, "_settings", replace(service.settings, pause_after_seconds=0.0))
    wait_for(lambda: service.status(run.run_id) == "paused")
    paused = info(service, run)
    assert "somebody looks" in paused.reason and paused.frames == service.count(run.run_id)
    monkeypatch.undo()
    time.sleep(0.5)
    assert service.status(run.run_id) == "paused"
    service.watch(run.run_id, Client("viewer", "viewer"))
    wait_for(lambda: info(service, run).status == "running" and info(service, run).epoch > paused.epoch)
    service.stop(run.run_id, ALICE)
    wait_for(lambda: ended(service, run))


def test_uploads_reach_the_worker(service: RunService) -> None:
    name, _ = service.upload("".join(f"{i},{(-1) ** i}\n" for i in range(9)), ALICE)
    run = RunConfig.from_query(f"data=@{name}&epochs=1e3", datasets=service.datasets)
    service.submit(run, ALICE)
    wait_for(lambda: ended(service, run))
    assert info(service, run).status == "finished"
