"""A run as a file: CSV, JSON or NPZ; and what to cite, for everything that leaves the page.

The same run gives the same bytes on every server. So the seconds that its frames took, which only the clock
knows, are a column for those who ask for it.
"""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..problem.tables.dates import format_days
from .encoding import COLUMNS, ROWS, SCALARS, json_column

TITLE = (
    "Plateau Phenomenon in Gradient Descent Training of ReLU networks: "
    "Explanation, Quantification and Avoidance"
)
DOI = "10.1137/20M1353010"
PAPER = (
    f"M. Ainsworth and Y. Shin. {TITLE}. SIAM J. Sci. Comput. 43(5), A3438–A3468, 2021. doi:{DOI}. "
    "Preprint: arXiv:2007.07213, 2020."
)

BIBTEX = """@article{ainsworth2021plateau,
  title   = {Plateau Phenomenon in Gradient Descent Training of {ReLU} networks:
             Explanation, Quantification and Avoidance},
  author  = {Ainsworth, Mark and Shin, Yeonjong},
  journal = {SIAM Journal on Scientific Computing},
  volume  = {43},
  number  = {5},
  pages   = {A3438--A3468},
  year    = {2021},
  doi     = {10.1137/20M1353010},
  note    = {Preprint: arXiv:2007.07213}
}"""

_BLOCK = 256


CLOCK = "seconds"


def _columns(names: Sequence[str], seconds: bool) -> list[str]:
    """Those of a file."""
    return [name for name in names if seconds or name != CLOCK]


def csv_lines(
    width: int, blocks: Iterable[Sequence[Frame]], *, dates: bool = False, seconds: bool = False
) -> Iterator[str]:
    """One line per frame, one column per neuron (counted from 1) and quantity; biases as dates if x are."""
    scalars = _columns(SCALARS, seconds)
    names = [*scalars, *(f"{name}{j + 1}" for name in ROWS for j in range(width))]
    yield ",".join(names) + "\n"
    for frames in blocks:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for frame in frames:
            rows = [value for name in ROWS for value in getattr(frame, name).tolist()]
            if dates:
                rows[:width] = (format_days(day, time=True) for day in rows[:width])
            writer.writerow([*(getattr(frame, name) for name in scalars), *rows])
        yield text.getvalue()


def file_stem(title: str) -> str:
    """What files of a run are called, by the name of its data: that of somebody's file without its ending."""
    name = re.sub(r"\.\w{1,4}$", "", title)
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "plateau"


def write_npz(
    path: Path, config: RunConfig, read: Callable[[], Iterable[Sequence[Frame]]], *, seconds: bool = False
) -> None:
    """Columns as arrays, with the data and the query; read it with numpy.load. One column at a time."""
    data, scale = config.training_data(), config.scale
    points = {"x": scale.x(data.x), "y": scale.y(data.y), "w": data.w}
    kinds = [("frame", "i8"), ("epoch", "f8"), ("neuron", "i8"), ("kind", "U9"), ("datum", "i8")]

    def column(name: str) -> NDArray[Any]:
        return np.array([getattr(frame, name) for frames in read() for frame in frames])

    def changes() -> NDArray[Any]:
        found = (frame for frames in read() for frame in frames)
        return np.array(
            [(f.index, x.epoch, x.neuron, x.kind, x.datum) for f in found for x in f.changes], kinds
        )

    entries: dict[str, Callable[[], NDArray[Any]]] = {
        **{name: partial(np.asarray, values) for name, values in points.items()},
        "query": partial(np.array, config.to_query()),
        "cite": partial(np.array, PAPER),
        "changes": changes,
        **{name: partial(column, name) for name in _columns((*SCALARS, *ROWS), seconds)},
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, make in entries.items():
            # Without the date of today: the same arrays are the same bytes.
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, make(), allow_pickle=False)


def json_parts(
    config: RunConfig,
    status: str,
    head: int,
    recorded: int,
    read: Callable[[], Iterable[Sequence[Frame]]],
    *,
    seconds: bool = False,
) -> Iterator[bytes]:
    """The columns of the frames route, with the data and the query in front; one column after the other."""
    (x, y, w), scale = config.training_data().points, config.scale
    points = {"x": scale.x(x).tolist(), "y": scale.y(y).tolist(), "w": w.tolist()}
    if scale.y_origin:
        points["base"] = scale.y_origin  # the height of the network left of all its biases
    names = {"title": scale.title, "x_name": scale.x_name, "y_name": scale.y_name, "dates": scale.dates}
    front = {"query": config.to_query(), "cite": PAPER, **{k: v for k, v in names.items() if v}, **points}
    front |= {"id": config.run_id, "status": status, "head": head, "recorded": recorded}
    yield orjson.dumps(front)[:-1]
    for name in _columns(COLUMNS, seconds):
        yield b',"%s":[' % name.encode()
        begun = False
        for frames in read():
            if frames:
                yield b"," * begun
                yield orjson.dumps(json_column(name, frames), option=orjson.OPT_SERIALIZE_NUMPY)[1:-1]
                begun = True
        yield b"]"
    yield b"}"


def blocks(read: Callable[[int, int], list[Frame]], count: int) -> Iterator[list[Frame]]:
    """All frames, a few hundred at a time; `read` takes (after, last)."""
    for first in range(0, count, _BLOCK):
        yield read(first - 1, min(first + _BLOCK, count) - 1)
