"""What whoever looks after the server sees: runs, queue, workers, disk, presentations."""

import shutil
from contextlib import suppress
from dataclasses import dataclass

from .service import RunInfo, RunService
from .studies.info import StudyInfo


@dataclass(frozen=True)
class Overview:
    """The server at one moment."""

    runs: list[RunInfo]
    """Under way, then waiting in the order of their turns."""
    studies: list[StudyInfo]
    """Under way."""
    workers: int
    queries: dict[str, float]
    stored: int
    bytes: int | None
    """What the stored runs took up when they were last looked at."""
    bound: int
    free: int | None
    """Bytes that the disk has left, where runs are on this machine's."""
    presentations: list[str]


def overview(service: RunService) -> Overview:
    """Look once."""
    found = [info for info in map(service.info, service.under_way()) if info is not None]
    stored, taken = service.stored()
    free = None
    if not service.settings.redis_url:
        with suppress(OSError):
            free = shutil.disk_usage(service.settings.home).free
    return Overview(
        runs=sorted(found, key=lambda info: (info.position is not None, info.position or 0, info.placed)),
        studies=service.studies.active(),
        workers=service.workers,
        queries=service.queries.figures(),
        stored=stored,
        bytes=taken,
        bound=service.settings.limits.total_bytes,
        free=free,
        presentations=service.presentations.names(),
    )
