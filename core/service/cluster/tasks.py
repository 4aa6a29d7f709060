"""Celery's part: it carries jobs to workers as tasks, keeps their processes, cancels what is not needed.

    plateau.run(run)              a run whose turn it is, for a worker that has nothing to do
    plateau.portion(study, runs)  a part of a study

Whose turn it is, is decided before a task is sent (redis_queue, core.service.studies.scheduler): Celery
orders messages by queue, not by person and address.

Ids of tasks follow from what is stored in Redis, so that any web process can revoke what another has sent. A
worker remembers for hours what was revoked, so that no id is used again once its task may have been: that of
a run has the attempt in it, that of a portion a random part.
"""

from contextlib import suppress
from typing import Any

import redis
from celery import Celery
from kombu.exceptions import OperationalError

from ...config import NUMERICS_VERSION
from ..settings import Settings
from ..store import StoreError
from .redis_connection import PREFIX
from .redis_queue import Tasks

RUN_TASK, PORTION_TASK = "plateau.run", "plateau.portion"
RUN_MESSAGES, PORTION_MESSAGES = f"plateau-runs-{NUMERICS_VERSION}", f"plateau-studies-{NUMERICS_VERSION}"
"""Celery's queues, Redis lists of these names behind the prefix. Workers of another version have others."""
CELERY_ERRORS = (OperationalError, redis.RedisError, OSError)


def celery_for(settings: Settings) -> Celery:
    """The Celery application, the same for those who send and those who work.

    Celery's own retries are these two: a message is acknowledged when the work is done
    (acks_late), and given back when a pool process dies (reject_on_worker_lost). It is
    never fetched ahead (prefetch 1). The visibility timeout, after which Redis would
    deliver a message again, is longer than any run: a run whose whole machine has died is
    revived by its lease within seconds.

    Nothing is retried by autoretry_for. What fails for a while is Redis, and a retry would
    be a message in the same Redis; what is lost then is found by its lease or its expiry.
    """
    app = Celery("plateau", broker=settings.redis_url)
    app.conf.update(
        task_default_queue=RUN_MESSAGES,
        # Single runs first: a process that is free takes from the first queue that has a message.
        task_queues={RUN_MESSAGES: {}, PORTION_MESSAGES: {}},
        task_routes={PORTION_TASK: {"queue": PORTION_MESSAGES}},
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        # A new process compiles its kernels before it reports.
        worker_proc_alive_timeout=120,
        broker_connection_retry_on_startup=True,
        broker_transport_options={
            "visibility_timeout": 6 * int(settings.limits.cpu_seconds) + 3600,
            "socket_keepalive": True,
            "queue_order_strategy": "priority",
            "global_keyprefix": PREFIX,
        },
    )
    return app


def send(app: Celery, task: str, name: str, arguments: list[Any]) -> None:
    """Have a task done, under this id. StoreError when it cannot be sent."""
    try:
        app.send_task(task, args=arguments, task_id=name, retry=False)
    except CELERY_ERRORS as error:
        raise StoreError("The Redis server that carries the work cannot be reached.") from error


def revoke(app: Celery, names: list[str]) -> None:
    """Tasks that no worker need begin with. What has begun looks at its record by itself."""
    with suppress(*CELERY_ERRORS):  # it would find nothing to do
        app.control.revoke(names)


def run_tasks(app: Celery) -> Tasks:
    """How runs are carried."""
    return Tasks(lambda name, run_id: send(app, RUN_TASK, name, [run_id]), lambda name: revoke(app, [name]))
