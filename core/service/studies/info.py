"""What is said of a study, and its table as a file."""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import fsum
from typing import Literal

import orjson

from core.service.studies.store import StudyOrder, record_row
from core.study import COLUMNS

StudyStatus = Literal["running", "stopped", "finished"]
_BLOCK = 500
_ROW_SECONDS = 1e-3


@dataclass(frozen=True)
class StudyInfo:
    """All there is to say of a study except its rows."""

    id: str
    query: str
    status: StudyStatus
    runs: int
    done: int
    differing: tuple[str, ...]
    """The keys that tell its runs apart."""
    estimate: float
    """Seconds that it takes from beginning to end, by the estimates of its runs."""
    remaining: float
    """Seconds that are left, by the estimates and what the runs that are done have taken."""
    starter: str
    placed: float


def describe(study_id: str, order: StudyOrder, records: list[bytes], done: int, workers: int) -> StudyInfo:
    """What is known; `records` are the last of those that are done, which tell how long the others take."""
    taken = [orjson.loads(record_row(record))["seconds"] or 0.0 for record in records]
    # Beside its own steps a run costs its row; without a measurement the estimate stands.
    each = fsum(taken) / len(taken) + _ROW_SECONDS if taken else order.seconds / order.runs
    status: StudyStatus = "stopped" if order.wanted == "stop" else "running"
    return StudyInfo(
        id=study_id,
        query=order.query,
        status="finished" if done >= order.runs else status,
        runs=order.runs,
        done=done,
        differing=order.differing,
        estimate=order.seconds / workers,
        remaining=each * (order.runs - done) / workers,
        starter=order.starter,
        placed=order.placed,
    )


def csv_blocks(read: Callable[[int, int], list[bytes]], count: int) -> Iterator[str]:
    """One line a run, some hundred at a time; what never happened is empty."""
    yield ",".join(COLUMNS) + "\n"
    for first in range(0, count, _BLOCK):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for record in read(first, min(first + _BLOCK, count)):
            row = orjson.loads(record_row(record))
            writer.writerow([row.get(column) for column in COLUMNS])
        yield text.getvalue()
