"""What is said of a study, and its table as a file."""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import orjson
from pydantic import Field

from ...study import COLUMNS
from ..remaining import Ends
from .store import RequestedStudy, record_row

StudyStatus = Literal["running", "stopped", "finished"]
_BLOCK = 500


@dataclass(frozen=True)
class StudyInfo:
    """All there is to say of a study except its rows; the API answers with these fields."""

    id: str
    query: str
    status: StudyStatus
    runs: int
    done: Annotated[int, Field(description="How many of them have a row.")]
    differing: Annotated[tuple[str, ...], Field(description="The keys that tell its runs apart.")]
    estimate: Annotated[float, Field(description="Seconds from beginning to end, by estimate.")]
    remaining: Ends
    """Seconds that are left, at least and at most, by the estimates and the pace that was seen."""
    starter: Annotated[str, Field(description="Public handle of the browser that may stop it.")]
    placed: Annotated[float, Field(description="When it was first asked for, in seconds since 1970.")]


def describe(study_id: str, request: RequestedStudy, done: int, remaining: Ends, workers: int) -> StudyInfo:
    """What is known."""
    status: StudyStatus = "stopped" if request.command == "stop" else "running"
    return StudyInfo(
        id=study_id,
        query=request.query,
        status="finished" if done >= request.runs else status,
        runs=request.runs,
        done=done,
        differing=request.differing,
        estimate=request.seconds / workers,
        remaining=remaining if done < request.runs else (0.0, 0.0),
        starter=request.starter,
        placed=request.placed,
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
