"""Frames on the wire: what is decoded is what was sent, and small."""

import gzip
import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.run.train import train
from core.service.encoding import ROWS, SCALARS, compact_columns, interleave, json_columns
from tests.service.samples import frame


def decode(body: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """The decoder of the docstring, slow and literal."""
    (length,) = struct.unpack_from("<I", body)
    assert (length + 4) % 8 == 0
    header = json.loads(body[4 : 4 + length])
    count, columns = header["count"], {}
    for column in header["columns"]:
        items = column["rows"] * count
        size = column["bytes"] // items
        start = 4 + length + column["offset"]
        coded, plain = body[start : start + column["bytes"]], bytearray(column["bytes"])
        for p in range(size):
            before = 0
            for i in range(items):
                before = coded[p * items + i] ^ (before if i % count else 0)
                plain[i * size + p] = before
        columns[column["name"]] = np.frombuffer(plain, column["type"]).reshape(column["rows"], count)
    return header, columns


@given(
    count=some.integers(1, 9),
    width=some.integers(1, 6),
    first=some.integers(0, 50),
    changes=some.integers(0, 3),
)
def test_the_compact_form_comes_back(count: int, width: int, first: int, changes: int) -> None:
    frames = [frame(first + number, width, changes) for number in range(count)]
    header, columns = decode(compact_columns("id", "running", 77, 77, frames))
    assert (header["first"], header["count"], header["head"], header["width"]) == (first, count, 77, width)
    for name in SCALARS:
        assert np.array_equal(columns[name][0], [getattr(each, name) for each in frames], equal_nan=True)
    for name in ROWS:
        sent = np.array([getattr(each, name) for each in frames]).T
        assert np.array_equal(columns[name], sent.astype(columns[name].dtype))
    assert header["changes"] == [
        [each.index, x.epoch, x.neuron, x.kind, x.datum] for each in frames for x in each.changes
    ]


@pytest.mark.parametrize(("points", "kind"), [(100, "int16"), (2**15 - 1, "int16"), (2**15, "int32")])
def test_gaps_fit_their_type(points: int, kind: str) -> None:
    values = {name: getattr(frame(0), name) for name in Frame.__dataclass_fields__}
    far = Frame(**{**values, "gap": np.full(3, points), "pin": np.full(3, points - 1), "points": points})
    _, columns = decode(compact_columns("id", "running", 1, 1, [far]))
    assert str(columns["gap"].dtype) == kind and (columns["gap"] == points).all()
    assert (columns["pin"] == points - 1).all()


def test_no_frames_are_no_columns() -> None:
    header, columns = decode(compact_columns("id", "queued", 5, 5, []))
    assert (header["count"], header["first"], columns) == (0, 5, {})
    assert json.loads(json_columns("id", "queued", 5, 5, []))["index"] == []


def test_json_keeps_every_digit_and_has_no_nan() -> None:
    frames = [frame(number, changes=number) for number in range(4)]
    document = json.loads(json_columns("id", "running", 4, 4, frames))
    assert document["b"] == [each.b.tolist() for each in frames]
    assert document["gap"] == [each.gap.tolist() for each in frames]
    assert document["prediction_error"] == [0.25, None, 0.25, None]
    assert document["changes"][2] == [[2.5, 0, "crossed", -1], [2.5, 1, "pinned", 0]]


def test_interleaving_puts_slow_bytes_together() -> None:
    values = np.array([[258, 259, 259], [1, 1, 1]], dtype=np.int16)
    assert interleave(values) == bytes([2, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0])


def test_a_run_is_small_on_the_wire() -> None:
    frames = list(train(RunConfig.from_query("target=f1&method=gd&epochs=1e5")))
    packed = gzip.compress(compact_columns("id", "finished", len(frames), len(frames), frames))
    assert len(packed) < 150 * len(frames)
