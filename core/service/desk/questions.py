"""What can be asked of a run that takes a while to answer, and how each is answered.

Tables are JSON, compressed once for everybody. Files are written as they come, a few hundred frames at a
time, and never held as a whole.
"""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import orjson

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...problem.csv import canonical_csv, parse_csv
from ...problem.tables import import_document
from ...run.train import Training
from ...spelling import FieldError
from ..encoding import json_document
from ..export import blocks, csv_lines, json_parts, write_npz
from ..history import plateaus, stages
from ..pictures import (
    best_known_columns,
    candidate_columns,
    forecast_columns,
    rate_columns,
    record_columns,
)
from ..store import StoreError
from ..workers.compute import BOUNDLESS
from ..workers.estimates import try_out
from ..workers.reading import Reader

INCOMING = "incoming"
IMPORT = "import"
"""What somebody sends; the others are about runs."""


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
    present: str = ""
    """the epochs of the present frames that the answer is made from, which the runs may leave behind"""

    @property
    def key(self) -> str:
        """A name, for queues and caches."""
        return f"{self.kind}:{self.run}:{self.number}:{self.head}:{self.status}:{self.more}:{self.present}"


def write_answer(reader: Reader, question: Question, path: Path) -> None:
    """Answer into a file; StoreError when the run is not there any more."""
    if question.kind in TABLES:
        document = TABLES[question.kind](reader, question)
        plain = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)
        path.write_bytes(gzip.compress(plain, 6, mtime=0))
    else:
        FILES[question.kind](reader, question, path)
    if question.present and reader.presents(*question.run.split(",")) != question.present:
        raise StoreError("The run has gone on meanwhile. Ask again.")


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


def _end(reader: Reader, question: Question) -> object:
    """The frame in which a budget ends, if that is between two others. A run that went on has it no more, so
    it is computed from the start."""
    config = stored_config(reader, question.run).with_epochs(float(question.more), limits=BOUNDLESS)
    training, recorded = Training(config), 0
    while training.outcome is None:
        for frame in training.step():
            recorded = frame.index + 1
    frames = [] if training.present is None else [training.present]
    return json_document(question.run, "finished", recorded + len(frames), recorded, frames)


def _cost(reader: Reader, question: Question) -> object:
    """Of a run that need not be stored: what is asked is its query."""
    return asdict(try_out(RunConfig.from_query(question.more, limits=BOUNDLESS, datasets=reader.datasets)))


def _incoming(reader: Reader, question: Question) -> object:
    """Of data that somebody has sent; the text is in a file, which has then done its duty."""
    file = Path(question.more)
    text = file.read_bytes().decode(errors="surrogatepass")
    file.unlink(missing_ok=True)
    try:
        points, notes = parse_csv(text, reader.limits)
    except FieldError as error:
        return {"field": error.field, "refused": error.text}
    return {"csv": canonical_csv(points), "notes": notes}


def _imported(reader: Reader, question: Question) -> object:
    """Of a file that somebody has sent, with the columns that were chosen in it."""
    path, x, y, weight = json.loads(question.more)
    file = Path(path)
    content = file.read_bytes()
    file.unlink(missing_ok=True)
    try:
        return import_document(content, x, y, weight, reader.limits)
    except FieldError as error:
        return {"field": error.field, "refused": error.text}


TABLES: dict[str, Callable[[Reader, Question], object]] = {
    "stages": _stages,
    "plateaus": _plateaus,
    "rates": _rates,
    "best": _best,
    "candidates": _candidates,
    "forecast": _forecast,
    "forecasts": _forecasts,
    "end": _end,
    "cost": _cost,
    INCOMING: _incoming,
    IMPORT: _imported,
}
"""The pages add the panels that Python draws."""


def _blocks(reader: Reader, question: Question) -> Iterator[list[Frame]]:
    scale = reader.scale(question.run)
    for found in blocks(partial(reader.frames, question.run), question.head):
        yield [frame.told(scale) for frame in found]


def _write(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(parts)


def _csv(reader: Reader, question: Question, path: Path) -> None:
    config = stored_config(reader, question.run)
    _write(
        path,
        (
            line.encode()
            for line in csv_lines(config.width, _blocks(reader, question), dates=config.scale.dates)
        ),
    )


def _json(reader: Reader, question: Question, path: Path) -> None:
    config = stored_config(reader, question.run)
    read = partial(_blocks, reader, question)
    recorded = question.head - bool(question.present)
    _write(path, json_parts(config, question.status, question.head, recorded, read))


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
