"""Frames on the wire, as columns: JSON for people and scripts, a compact form for the page.

Both have the columns

    index epoch loss stage floor stationarity prediction_error seconds gradients solves    one value a frame
    b c gap pin                                                                          one row a frame
    changes                                      one list a frame of [epoch, neuron, kind, datum]

In JSON a number that is not finite is null; `?columns=` chooses some of them, and `next` is what to ask
`after` for those that come.

Beside them stand `head`, the number of frames that the run has to show, and `recorded`, how many of these
belong to its sequence and never change. They differ by one if a run rests between two frames: the frame with
the index `recorded` then shows its present state, and is replaced by others when the run goes on. Whoever
asks for more asks `after` the last recorded frame.

The compact form (`?format=compact`) is one binary body, all little-endian:

    uint32     length of the header in bytes, a multiple of 8 less 4
    header     JSON, padded with spaces: {"id", "status", "first", "count", "head", "recorded",
               "width", "points", "columns": [{"name", "type", "rows", "offset", "bytes"}, ...],
               "changes": [[frame, epoch, neuron, kind, datum], ...]}
    payload    the columns one after the other, `offset` counted from the start of the payload

`first` is the index of the first of `count` frames; the `frame` of a change is a frame's index. `type`
is float64, float32, int32 or int16 (b and c are float32 where that is enough to draw them, |c| < 1000; the
JSON form keeps float64). A column with `rows` = n has all frames of neuron 0, then those of neuron 1, and
so on; `rows` = 1 is a scalar column.

So that gzip finds something to do, each column is stored as differences of bytes: with N = rows *
count items, byte p of item i stands at p * N + i, XORed with the same byte of the item before it in
the same row (the first of a row is XORed with nothing). To decode, with `payload` = 4 + length:

    const types = {float64: Float64Array, float32: Float32Array, int32: Int32Array, int16: Int16Array};
    const items = column.rows * count, size = column.bytes / items, plain = new Uint8Array(column.bytes);
    const coded = new Uint8Array(buffer, payload + column.offset, column.bytes);
    for (let p = 0; p < size; p++)
        for (let i = 0, before = 0; i < items; i++) {
            before = coded[p * items + i] ^ (i % count ? before : 0);
            plain[i * size + p] = before;
        }
    values = new types[column.type](plain.buffer);

Several runs in one answer (`/api/frames`): {"runs": [{"id", "run", "frames"}, ...]}, where `run` is what else
is known of the run and `frames` the answer above; a run that is not here has {"id", "error", "status_code"}.
In the compact form the header is {"runs": [{"id", "run", "bytes"}, ...]}, and the payload their compact
answers one after the other, `bytes` long each.
"""

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from ..frames.frame import Frame

SCALARS = (
    "index", "epoch", "loss", "stage", "floor", "stationarity", "prediction_error", "seconds", "gradients",
    "solves",
)  # fmt: skip
ROWS = ("b", "c", "gap", "pin")


COLUMNS = (*SCALARS, *ROWS, "changes")


def json_column(name: str, frames: Sequence[Frame]) -> list[Any]:
    """One column of the JSON form."""
    if name == "changes":
        return [[[x.epoch, x.neuron, x.kind, x.datum] for x in frame.changes] for frame in frames]
    if name in ROWS:
        return [np.ascontiguousarray(getattr(frame, name)) for frame in frames]
    return [getattr(frame, name) for frame in frames]


def json_document(
    run_id: str,
    status: str,
    head: int,
    recorded: int,
    frames: Sequence[Frame],
    names: Sequence[str] = COLUMNS,
) -> dict[str, Any]:
    """The JSON form, for orjson to write."""
    columns = {name: json_column(name, frames) for name in names}
    return {"id": run_id, "status": status, "head": head, "recorded": recorded, **columns}


def json_columns(
    run_id: str,
    status: str,
    head: int,
    recorded: int,
    frames: Sequence[Frame],
    names: Sequence[str] = COLUMNS,
    after: int | None = None,
) -> bytes:
    """The JSON form; with `after`, of the frames that come after that one, and what to ask next."""
    document = json_document(run_id, status, head, recorded, frames, names)
    if after is not None:
        lasting = [frame.index for frame in frames if frame.index < recorded]
        document["next"] = lasting[-1] if lasting else min(after, recorded - 1)
    return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)


def compact_columns(run_id: str, status: str, head: int, recorded: int, frames: Sequence[Frame]) -> bytes:
    """The compact form."""
    listed, bodies, offset = [], [], 0
    if frames:
        for name, values in _arrays(frames).items():
            body = interleave(values)
            listed.append(
                {
                    "name": name,
                    "type": str(values.dtype),
                    "rows": values.shape[0],
                    "offset": offset,
                    "bytes": len(body),
                }
            )
            bodies.append(body)
            offset += len(body)
    header = {
        "id": run_id,
        "status": status,
        "first": frames[0].index if frames else head,
        "count": len(frames),
        "head": head,
        "recorded": recorded,
        "width": len(frames[0].b) if frames else 0,
        "points": frames[0].points if frames else 0,
        "columns": listed,
        "changes": [[f.index, x.epoch, x.neuron, x.kind, x.datum] for f in frames for x in f.changes],
    }
    return b"".join((_headed(header), *bodies))


def joined_json(headers: Sequence[dict[str, Any]], bodies: Sequence[bytes]) -> bytes:
    """The JSON form of several runs: what is said of each, and its frames where it is here."""
    parts = [
        orjson.dumps({**one, "frames": orjson.Fragment(body)} if body else one)
        for one, body in zip(headers, bodies, strict=True)
    ]
    return b'{"runs":[' + b",".join(parts) + b"]}"


def joined_compact(headers: Sequence[dict[str, Any]], bodies: Sequence[bytes]) -> bytes:
    """The compact form of several runs."""
    listed = [{**one, "bytes": len(body)} for one, body in zip(headers, bodies, strict=True)]
    return b"".join((_headed({"runs": listed}), *bodies))


def _headed(header: dict[str, Any]) -> bytes:
    """A header with its length in front, padded so that what follows is aligned."""
    text = orjson.dumps(header)
    text += b" " * (-(len(text) + 4) % 8)
    return struct.pack("<I", len(text)) + text


def _arrays(frames: Sequence[Frame]) -> dict[str, NDArray[Any]]:
    """Every column as rows x frames, in the smallest type that draws it faithfully."""
    small = np.int16 if frames[0].points < 2**15 else np.int32
    arrays: dict[str, NDArray[Any]] = {}
    for name in SCALARS:
        arrays[name] = np.array([[getattr(frame, name) for frame in frames]], dtype=np.float64)
    # Whole numbers: 4 bytes do for those that cannot grow with the epochs.
    arrays["index"], arrays["stage"] = arrays["index"].astype(np.int32), arrays["stage"].astype(np.int32)
    # Least squares finds pairs of huge opposite coefficients, whose difference single precision loses.
    fine = np.float32 if max(float(np.max(np.abs(frame.c))) for frame in frames) < 1e3 else np.float64
    for name, kind in (("b", fine), ("c", fine), ("gap", small), ("pin", small)):
        arrays[name] = np.array([getattr(frame, name) for frame in frames]).T.astype(kind)
    return arrays


def interleave(values: NDArray[Any]) -> bytes:
    """Rows of items as byte-wise XOR differences, the bytes of equal significance together."""
    plain = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    rows, count = plain.shape
    raw = plain.view(np.uint8).reshape(rows, count, plain.dtype.itemsize)
    coded = raw.copy()
    coded[:, 1:] ^= raw[:, :-1]
    return coded.transpose(2, 0, 1).tobytes()
