"""Frames and checkpoints as bytes: length- and checksum-framed records, no pickle.

A run's file is a sequence of records

    length   uint32   bytes of the payload
    kind     uint8    HEADER, FRAME, CHECKPOINT, DOCUMENT
    payload
    crc      uint32   CRC-32 of length, kind and payload

all little-endian. A process killed in mid-write leaves a torn last record; a
reader stops at the last whole one, so that it sees a prefix of the truth. CRC-32
finds every single flipped byte, and a frame carries its own index, so that a
record lost or repeated in the middle is noticed as well.
"""

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..frames.frame import Frame
from ..model.pattern.changes import KINDS, Change

HEADER, FRAME, CHECKPOINT, DOCUMENT = 1, 2, 3, 4

_LEAD = struct.Struct("<IB")
_CRC = struct.Struct("<I")
OVERHEAD = _LEAD.size + _CRC.size
INDEX = struct.Struct("<q")
"""What every FRAME payload begins with."""

_SCALARS = struct.Struct("<qddqddddqqIII")
"""index, epoch, loss, stage, floor, stationarity, prediction_error, seconds, gradients, solves, points,
width, number of changes"""
_POINT = struct.Struct("<qdd")
_SECONDS = slice(56, 64)
"""Where the wall-clock column stands: the one thing that a recomputed frame may differ in."""
_CHANGE = struct.Struct("<diBi")


class DamageError(Exception):
    """Stored bytes are not what was written."""


def frame_record(kind: int, payload: bytes) -> bytes:
    """One whole record around `payload`."""
    body = _LEAD.pack(len(payload), kind) + payload
    return body + _CRC.pack(zlib.crc32(body))


def scan(data: bytes | memoryview, position: int = 0) -> Iterator[tuple[int, int, memoryview]]:
    """(end position, kind, payload) of each whole record from `position`, up to the first that is not."""
    view = memoryview(data)
    while position + OVERHEAD <= len(view):
        length, kind = _LEAD.unpack_from(view, position)
        end = position + OVERHEAD + length
        if end > len(view):
            return
        body = view[position : end - _CRC.size]
        if zlib.crc32(body) != _CRC.unpack_from(view, end - _CRC.size)[0]:
            return
        yield end, kind, body[_LEAD.size :]
        position = end


def only_record(data: bytes, kind: int) -> memoryview:
    """The payload of data that is exactly one record of this kind."""
    for end, found, payload in scan(data):
        if end == len(data) and found == kind:
            return payload
        break
    raise DamageError("a stored record is incomplete or altered")


def encode_frame(frame: Frame) -> bytes:
    """The payload of a FRAME record."""
    scalars = _SCALARS.pack(
        frame.index, frame.epoch, frame.loss, frame.stage, frame.floor, frame.stationarity,
        frame.prediction_error, frame.seconds, frame.gradients, frame.solves, frame.points, len(frame.b),
        len(frame.changes),
    )  # fmt: skip
    arrays = (
        np.asarray(frame.b, dtype="<f8"),
        np.asarray(frame.c, dtype="<f8"),
        np.asarray(frame.gap, dtype="<i4"),
        np.asarray(frame.pin, dtype="<i4"),
    )
    changes = (_CHANGE.pack(x.epoch, x.neuron, KINDS.index(x.kind), x.datum) for x in frame.changes)
    return b"".join((scalars, *(array.tobytes() for array in arrays), *changes))


def frame_index(payload: bytes | memoryview) -> int:
    """The index that a FRAME payload carries in front."""
    return int(INDEX.unpack_from(payload)[0])


def frame_point(payload: bytes | memoryview) -> tuple[float, float]:
    """Epoch and loss of a FRAME payload."""
    _, epoch, loss = _POINT.unpack_from(payload)
    return epoch, loss


def check_follows(payloads: Sequence[bytes], frames: int) -> None:
    """ValueError unless these are the frames that come next."""
    for number, payload in enumerate(payloads, frames):
        if frame_index(payload) != number:
            raise ValueError(f"frame {frame_index(payload)} does not follow frame {number - 1}")


def decode_frame(payload: bytes | memoryview) -> Frame:
    """The frame of a FRAME payload; its arrays are read-only views of the payload."""
    (index, epoch, loss, stage, floor, stationarity, error, seconds, gradients, solves, m, n, count) = (
        _SCALARS.unpack_from(payload)
    )
    start = _SCALARS.size
    b = np.frombuffer(payload, "<f8", n, start)
    c = np.frombuffer(payload, "<f8", n, start + 8 * n)
    gap = np.frombuffer(payload, "<i4", n, start + 16 * n)
    pin = np.frombuffer(payload, "<i4", n, start + 20 * n)
    start += 24 * n
    if len(payload) != start + count * _CHANGE.size:
        raise DamageError(f"frame {index} has the wrong length")
    changes = tuple(
        Change(when, neuron, KINDS[kind], datum)
        for when, neuron, kind, datum in _CHANGE.iter_unpack(bytes(payload[start:]))
    )
    return Frame(
        index=index, epoch=epoch, loss=loss, b=b, c=c, gap=gap.astype(np.int64), pin=pin.astype(np.int64),
        stage=stage, floor=floor, stationarity=stationarity, prediction_error=error, seconds=seconds,
        gradients=gradients, solves=solves, changes=changes, points=m,
    )  # fmt: skip


def same_frame(first: bytes | memoryview, second: bytes | memoryview) -> bool:
    """Whether two FRAME payloads agree in every bit, the wall-clock column aside."""
    a, b = bytearray(first), bytearray(second)
    a[_SECONDS] = b[_SECONDS] = bytes(8)
    return a == b


def encode_arrays(arrays: dict[str, NDArray[Any]], frames: int) -> bytes:
    """A CHECKPOINT record: a method's state, and how many frames had been made by then."""
    plain = {name: np.asarray(array) for name, array in arrays.items()}
    for name, array in plain.items():
        if array.dtype.hasobject:
            raise TypeError(f"checkpoint entry {name!r} is not a plain array")
    manifest = json.dumps(
        {
            "frames": frames,
            "arrays": [[k, a.dtype.newbyteorder("<").str, list(a.shape)] for k, a in plain.items()],
        }
    ).encode()
    bodies = (a.astype(a.dtype.newbyteorder("<"), order="C").tobytes() for a in plain.values())
    return frame_record(CHECKPOINT, b"".join((_CRC.pack(len(manifest)), manifest, *bodies)))


def decode_arrays(record: bytes) -> tuple[dict[str, NDArray[Any]], int]:
    """The state and the frame count of a CHECKPOINT record."""
    payload = only_record(record, CHECKPOINT)
    (length,) = _CRC.unpack_from(payload)
    position = _CRC.size + length
    manifest = json.loads(bytes(payload[_CRC.size : position]))
    arrays: dict[str, NDArray[Any]] = {}
    for name, code, shape in manifest["arrays"]:
        dtype = np.dtype(code)
        count = prod(shape)
        arrays[name] = np.frombuffer(payload, dtype, count, position).reshape(shape).copy()
        position += count * dtype.itemsize
    return arrays, int(manifest["frames"])


def join_frames(payloads: Sequence[bytes]) -> bytes:
    """Frame payloads as consecutive whole records."""
    return b"".join(frame_record(FRAME, payload) for payload in payloads)
