"""A run as a file: CSV, JSON or NPZ."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import orjson

from core.config.run_config import RunConfig
from core.run.frames import Frame
from core.service.citation import PAPER
from core.service.encoding import ROWS, SCALARS, json_columns

_BLOCK = 256


def csv_lines(width: int, blocks: Iterable[Sequence[Frame]]) -> Iterator[str]:
    """One line a frame, one column a neuron (counted from 1) and quantity."""
    names = [*SCALARS, *(f"{name}{j + 1}" for name in ROWS for j in range(width))]
    yield ",".join(names) + "\n"
    for frames in blocks:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for frame in frames:
            rows = (value for name in ROWS for value in getattr(frame, name).tolist())
            writer.writerow([*(getattr(frame, name) for name in SCALARS), *rows])
        yield text.getvalue()


def npz_bytes(config: RunConfig, frames: Sequence[Frame]) -> bytes:
    """Columns as arrays, with the data and the query; read it with numpy.load."""
    data = config.training_data()
    arrays = {name: np.array([getattr(frame, name) for frame in frames]) for name in (*SCALARS, *ROWS)}
    changes = [(f.index, x.epoch, x.neuron, x.kind, x.datum) for f in frames for x in f.changes]
    kinds = [("frame", "i8"), ("epoch", "f8"), ("neuron", "i8"), ("kind", "U9"), ("datum", "i8")]
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        x=data.x,
        y=data.y,
        w=data.w,
        query=np.array(config.to_query()),
        cite=np.array(PAPER),
        changes=np.array(changes, dtype=kinds),
        **arrays,  # type: ignore[arg-type]
    )
    return buffer.getvalue()


def json_bytes(config: RunConfig, status: str, frames: Sequence[Frame]) -> bytes:
    """The columns of the frames route, with the data and the query in front."""
    data = config.training_data()
    columns = json_columns(config.run_id, status, len(frames), frames)
    points = {name: column.tolist() for name, column in data.points._asdict().items()}
    front = orjson.dumps({"query": config.to_query(), "cite": PAPER, **points})
    return front[:-1] + b"," + columns[1:]


def blocks(read: Callable[[int, int], list[Frame]], count: int) -> Iterator[list[Frame]]:
    """All frames, a few hundred at a time; `read` takes (after, last)."""
    for first in range(0, count, _BLOCK):
        yield read(first - 1, min(first + _BLOCK, count) - 1)
