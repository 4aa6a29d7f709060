"""What can be asked of a run that takes a while to answer, and how each is answered.

Tables are JSON, compressed once for everybody. Files are written as they come, a few hundred frames at a
time, and never held as a whole.
"""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...limits import Limits
from ...problem.csv import canonical_csv, parse_csv
from ...problem.tables import import_document
from ...run.train import Training
from ...spelling import FieldError
from ...tables import (
    best_known_columns,
    candidate_columns,
    forecast_columns,
    plateaus,
    rate_columns,
    record_columns,
    stages,
)
from ..encoding import json_document
from ..export import CLOCK, blocks, csv_lines, json_parts, write_npz
from ..store import StoreError
from ..workers.compute import BOUNDLESS
from ..workers.estimates import try_out
from ..workers.kernels import BEST, method_of, tables_of
from ..workers.reading import Reader

INCOMING = "incoming"
"""What somebody sends; all other kinds are about runs."""


@dataclass(frozen=True)
class BackgroundQuery:
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


def shipped_path(folder: Path, query: BackgroundQuery) -> Path:
    """Where the answer to a query lies, if it ships: the tables of the first visit do, so that they are there
    before any kernel is compiled. The run's id in its name holds the version of the numerics."""
    return folder / f"{sha256(query.key.encode()).hexdigest()[:32]}.json.gz"


def write_answer(reader: Reader, query: BackgroundQuery, path: Path) -> None:
    """Answer into a file; StoreError when the run is not there any more."""
    if query.kind in TABLES:
        document = TABLES[query.kind](reader, query)
        plain = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)
        path.write_bytes(gzip.compress(plain, 6, mtime=0))
    else:
        FILES[query.kind](reader, query, path)
    if query.present and reader.presents(*query.run.split(",")) != query.present:
        raise StoreError("The run has gone on meanwhile. Ask again.")


def sets_needed(reader: Reader, query: BackgroundQuery) -> tuple[str, ...]:
    """The sets of kernels (core.service.workers.kernels) that an answer needs."""
    if query.kind == "best":
        return (BEST,)
    if query.kind in (INCOMING, *EXPORTS):
        return ()
    if query.kind == "cost":
        return (method_of(query.more),)
    methods = [method_of(text) for run_id in query.run.split(",") if (text := reader.query(run_id))]
    return tuple(methods if query.kind == "end" else map(tables_of, methods))


def stored_config(reader: Reader, run_id: str) -> RunConfig:
    """The query of a run; StoreError when it is not there any more."""
    config = reader.config(run_id)
    if config is None:
        raise StoreError("The run is not there any more.")
    return config


def _all(reader: Reader, query: BackgroundQuery) -> list[Frame]:
    return reader.frames(query.run, -1, query.head - 1)


def _one(reader: Reader, query: BackgroundQuery) -> Frame:
    found = reader.frames(query.run, query.number - 1, query.number)
    if not found:
        raise StoreError("The run is not there any more.")
    return found[0]


def _stages(reader: Reader, query: BackgroundQuery) -> object:
    config, frames = stored_config(reader, query.run), _all(reader, query)
    return {"id": query.run, "stages": stages(config, frames), "plateaus": plateaus(config, frames)}


def _plateaus(reader: Reader, query: BackgroundQuery) -> object:
    return {"id": query.run, "plateaus": plateaus(stored_config(reader, query.run), _all(reader, query))}


def _rates(reader: Reader, query: BackgroundQuery) -> object:
    chosen = [frame for frame in _all(reader, query) if frame.stage == query.number]
    rates = rate_columns(stored_config(reader, query.run), chosen)
    return {"id": query.run, "stage": query.number, **rates}


def _best(reader: Reader, query: BackgroundQuery) -> object:
    return {"id": query.run, **best_known_columns(stored_config(reader, query.run))}


def _candidates(reader: Reader, query: BackgroundQuery) -> object:
    config = stored_config(reader, query.run)
    return {"id": query.run, **candidate_columns(config, _one(reader, query))}


def _forecast(reader: Reader, query: BackgroundQuery) -> object:
    config = stored_config(reader, query.run)
    return {"id": query.run, **forecast_columns(config, _one(reader, query))}


def _forecasts(reader: Reader, query: BackgroundQuery) -> object:
    config = stored_config(reader, query.run)
    return {"id": query.run, **record_columns(config, _all(reader, query))}


def _end(reader: Reader, query: BackgroundQuery) -> object:
    """The frame in which a budget ends, if that is between two others. A run that went on has it no more, so
    it is computed from the start."""
    config = stored_config(reader, query.run).with_epochs(float(query.more), limits=BOUNDLESS)
    training, recorded = Training(config), 0
    while training.outcome is None:
        for frame in training.step():
            recorded = frame.index + 1
    frames = [] if training.present is None else [training.present]
    return json_document(query.run, "finished", recorded + len(frames), recorded, frames)


def _cost(reader: Reader, query: BackgroundQuery) -> object:
    """Of a run that need not be stored: what is asked is its query."""
    return asdict(try_out(RunConfig.from_query(query.more, limits=BOUNDLESS, datasets=reader.datasets)))


def read_points(content: bytes, columns: Sequence[str], limits: Limits) -> dict[str, Any]:
    """The data in what somebody has sent: a file, with these columns as x, y and weight, or, where there are
    none, the text of two or three columns."""
    if columns:
        x, y, weight = columns
        return import_document(content, x, y, weight, limits)
    points, notes = parse_csv(content.decode(errors="surrogatepass"), limits)
    return {"csv": canonical_csv(points), "notes": notes}


def _incoming(reader: Reader, query: BackgroundQuery) -> object:
    """What was sent is in a file, which has then done its duty."""
    path, *columns = json.loads(query.more)
    content = Path(path).read_bytes()
    Path(path).unlink(missing_ok=True)
    try:
        return read_points(content, columns, reader.limits)
    except FieldError as error:
        return {"field": error.field, "refused": error.text}


TABLES: dict[str, Callable[[Reader, BackgroundQuery], object]] = {
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
}
"""The pages add the panels that Python draws."""


def _blocks(reader: Reader, query: BackgroundQuery) -> Iterator[list[Frame]]:
    scale = reader.scale(query.run)
    for found in blocks(partial(reader.frames, query.run), query.head):
        yield [frame.in_units(scale) for frame in found]


def _write(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(parts)


def _csv(reader: Reader, query: BackgroundQuery, path: Path) -> None:
    config = stored_config(reader, query.run)
    lines = csv_lines(
        config.width, _blocks(reader, query), dates=config.scale.dates, seconds=query.more == CLOCK
    )
    _write(path, (line.encode() for line in lines))


def _json(reader: Reader, query: BackgroundQuery, path: Path) -> None:
    config = stored_config(reader, query.run)
    read = partial(_blocks, reader, query)
    recorded = query.head - bool(query.present)
    seconds = query.more == CLOCK
    _write(path, json_parts(config, query.status, query.head, recorded, read, seconds=seconds))


def _npz(reader: Reader, query: BackgroundQuery, path: Path) -> None:
    read = partial(_blocks, reader, query)
    write_npz(path, stored_config(reader, query.run), read, seconds=query.more == CLOCK)


FILES: dict[str, Callable[[Reader, BackgroundQuery, Path], None]] = {
    "csv": _csv,
    "json": _json,
    "npz": _npz,
}
"""The pages add those that they make of whole races."""
EXPORTS = tuple(FILES)
"""What a single run can be exported as."""
