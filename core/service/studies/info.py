"""What is said of a study, and its table as a file."""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import orjson

from ...study import COLUMNS
from ..remaining import Ends
from .store import StudyOrder, record_row

StudyStatus = Literal["running", "stopped", "finished"]
_BLOCK = 500


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
    remaining: Ends
    """Seconds that are left, at least and at most, by the estimates and the pace that was seen."""
    starter: str
    placed: float


def describe(study_id: str, order: StudyOrder, done: int, remaining: Ends, workers: int) -> StudyInfo:
    """What is known."""
    status: StudyStatus = "stopped" if order.wanted == "stop" else "running"
    return StudyInfo(
        id=study_id,
        query=order.query,
        status="finished" if done >= order.runs else status,
        runs=order.runs,
        done=done,
        differing=order.differing,
        estimate=order.seconds / workers,
        remaining=remaining if done < order.runs else (0.0, 0.0),
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
