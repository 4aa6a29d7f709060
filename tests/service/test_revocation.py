"""What one web process has sent, another can revoke: no worker begins with it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.config import RunConfig
from core.service.cluster.celery_portions import CeleryPortionWorkers
from core.service.cluster.redis_connection import PREFIX, connection
from core.service.cluster.redis_queue import task_id
from core.service.cluster.redis_store import RedisStore
from core.service.cluster.tasks import PORTION_MESSAGES, RUN_MESSAGES, RUN_TASK, celery_for
from core.service.service import RunService
from core.service.settings import Settings
from core.service.studies.scheduler import Portion
from tests.service.services import ALICE, end_group, start_celery, wait_for

pytestmark = [pytest.mark.redis, pytest.mark.slow]


@pytest.fixture
def webs(redis_url: str, tmp_path: Path) -> Iterator[tuple[RunService, RunService]]:
    """Two web processes as far as anything is concerned that they do, and one worker with one process."""
    settings = Settings(home=tmp_path, redis_url=redis_url, runs_per_worker=1)
    worker = start_celery(settings, "only", tmp_path / "celery.log")
    services = RunService(settings), RunService(settings)
    wait_for(lambda: services[0].workers == 1, 240)
    yield services
    for service in services:
        service.close()
    end_group(worker)


def test_a_task_that_waits_is_revoked_by_another_web_process(webs: tuple[RunService, RunService]) -> None:
    here, there = webs
    settings = here.settings
    client: Any = connection(settings.redis_url)
    store, app = RedisStore(client, settings.limits, settings.lease_seconds), celery_for(settings)
    first, second = (
        RunConfig.from_query(f"method=gd&points=50&width=30&epochs=1e9&seed={seed}") for seed in (1, 2)
    )
    here.submit(first, ALICE)
    wait_for(lambda: here.status(first.run_id) == "running")
    # A worker that has nothing to do is expected to take it; there is none, so that the message waits.
    here._scheduler.greet("elsewhere:1", at_study=False)  # type: ignore[attr-defined]
    here.submit(second, ALICE)
    assert client.llen(PREFIX + RUN_MESSAGES) == 1
    sent = task_id(second.run_id, store.record(second.run_id))
    stopped = there.stop(second.run_id, ALICE)
    assert stopped is not None and stopped.status == "stopped"

    def revoked() -> set[str]:
        return {name for names in (app.control.inspect().revoked() or {}).values() for name in names}

    wait_for(lambda: sent in revoked())
    queue = here._scheduler
    one, other = (CeleryPortionWorkers(queue, client, celery_for(settings)) for _ in range(2))  # type: ignore[arg-type]
    one.hand(Portion("ab" * 16, 0, ((0, "seed=0"),)))
    assert other.out() == {("ab" * 16, 0)}
    other.drop("ab" * 16)
    assert one.out() == set(), "a study that is resumed would wait for it"
    wait_for(lambda: any(name.startswith("ab" * 16) for name in revoked()))
    there.stop(first.run_id, ALICE)
    wait_for(lambda: client.llen(PREFIX + RUN_MESSAGES) + client.llen(PREFIX + PORTION_MESSAGES) == 0)
    (statistics,) = (app.control.inspect().stats() or {}).values()
    assert statistics["total"] == {RUN_TASK: 1}, "the others were begun, though they were revoked"
