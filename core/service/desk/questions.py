"""What can be asked of a run that takes a while to answer, and how each is answered.

Tables are JSON, compressed once for everybody. Files are written as they come, a few hundred frames at a
time, and never held as a whole.
"""

import gzip
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import orjson

from core.config.run_config import RunConfig
from core.run.frames import Frame
from core.service.export import blocks, csv_lines, json_parts, write_npz
from core.service.history import plateaus, stages
from core.service.pictures import (
    best_known_columns,
    candidate_columns,
    forecast_columns,
    rate_columns,
    record_columns,
)
from core.service.store import StoreError
from core.service.workers.compute import BOUNDLESS
from core.service.workers.estimates import try_out
from core.service.workers.reading import Reader


@dataclass(frozen=True)
class Question:
    """One answer for everybody who asks the same."""

    kind: str
    run: str
    number: int = 0
    """of the frame or of the stage that it is about"""
    head: int = 0
    """number of frames that the answer is made from"""
    status: str = ""
    more: str = ""
    """whatever else an answer needs, as JSON"""

    @property
    def key(self) -> str:
        """A name, for queues and caches."""
        return f"{self.kind}:{self.run}:{self.number}:{self.head}:{self.status}:{self.more}"


def write_answer(reader: Reader, question: Question, path: Path) -> None:
    """Answer into a file; StoreError when the run is not there any more."""
    if question.kind in TABLES:
        document = TABLES[question.kind](reader, question)
        plain = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)
        path.write_bytes(gzip.compress(plain, 6, mtime=0))
    else:
        FILES[question.kind](reader, question, path)


def stored_config(reader: Reader, run_id: str) -> RunConfig:
    """The question of a run; StoreError when it is not there any more."""
    config = reader.config(run_id)
    if config is None:
        raise StoreError("The run is not there any more.")
    return config


def _all(reader: Reader, question: Question) -> list[Frame]:
    return reader.frames(question.run, -1, question.head - 1)


def _one(reader: Reader, question: Question) -> Frame:
    found = reader.frames(question.run, question.number - 1, question.number)
    if not found:
        raise StoreError("The run is not there any more.")
    return found[0]


def _stages(reader: Reader, question: Question) -> object:
    config, frames = stored_config(reader, question.run), _all(reader, question)
    return {"id": question.run, "stages": stages(config, frames), "plateaus": plateaus(config, frames)}


def _plateaus(reader: Reader, question: Question) -> object:
    return plateaus(stored_config(reader, question.run), _all(reader, question))


def _rates(reader: Reader, question: Question) -> object:
    chosen = [frame for frame in _all(reader, question) if frame.stage == question.number]
    rates = rate_columns(stored_config(reader, question.run), chosen)
    return {"id": question.run, "stage": question.number, **rates}


def _best(reader: Reader, question: Question) -> object:
    return {"id": question.run, **best_known_columns(stored_config(reader, question.run))}


def _candidates(reader: Reader, question: Question) -> object:
    config = stored_config(reader, question.run)
    return {"id": question.run, **candidate_columns(config, _one(reader, question))}


def _forecast(reader: Reader, question: Question) -> object:
    config = stored_config(reader, question.run)
    return {"id": question.run, **forecast_columns(config, _one(reader, question))}


def _forecasts(reader: Reader, question: Question) -> object:
    config = stored_config(reader, question.run)
    return {"id": question.run, **record_columns(config, _all(reader, question))}


def _cost(reader: Reader, question: Question) -> object:
    """Of a run that need not be stored: what is asked is its query."""
    return asdict(
        try_out(RunConfig.from_query(question.more, limits=BOUNDLESS, datasets=reader.datasets))
    )


TABLES: dict[str, Callable[[Reader, Question], object]] = {
    "stages": _stages,
    "plateaus": _plateaus,
    "rates": _rates,
    "best": _best,
    "candidates": _candidates,
    "forecast": _forecast,
    "forecasts": _forecasts,
    "cost": _cost,
}
"""The pages add the panels that Python draws."""


def _blocks(reader: Reader, question: Question) -> Iterator[list[Frame]]:
    return blocks(partial(reader.frames, question.run), question.head)


def _write(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(parts)


def _csv(reader: Reader, question: Question, path: Path) -> None:
    config = stored_config(reader, question.run)
    _write(path, (line.encode() for line in csv_lines(config.width, _blocks(reader, question))))


def _json(reader: Reader, question: Question, path: Path) -> None:
    config = stored_config(reader, question.run)
    read = partial(_blocks, reader, question)
    _write(path, json_parts(config, question.status, question.head, read))


def _npz(reader: Reader, question: Question, path: Path) -> None:
    write_npz(path, stored_config(reader, question.run), partial(_blocks, reader, question))


FILES: dict[str, Callable[[Reader, Question, Path], None]] = {
    "csv": _csv,
    "json": _json,
    "npz": _npz,
}
"""The pages add those that they make of whole races."""
EXPORTS = tuple(FILES)
"""What a single run can be exported as."""
