"""Records come back as they were, or not at all."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from core.frames.frame import Frame
from core.service.records import (
    CHECKPOINT,
    FRAME,
    DamageError,
    decode_arrays,
    decode_frame,
    encode_arrays,
    encode_frame,
    frame_record,
    join_frames,
    only_record,
    same_frame,
    scan,
)
from tests.service.samples import frame, payloads


def equal(first: Frame, second: Frame) -> bool:
    return all(
        np.array_equal(
            getattr(first, field.name), getattr(second, field.name), equal_nan=field.name != "changes"
        )
        if field.name != "changes"
        else first.changes == second.changes
        for field in fields(Frame)
    )


@given(index=some.integers(0, 2**40), width=some.integers(1, 40), changes=some.integers(0, 7))
def test_a_frame_comes_back(index: int, width: int, changes: int) -> None:
    original = frame(index, width, changes)
    assert equal(decode_frame(encode_frame(original)), original)


@given(
    values=some.dictionaries(
        some.text(min_size=1, max_size=8),
        arrays.arrays(
            some.sampled_from([np.dtype(code) for code in ("f8", "i8", "i1", "?", "U5")]),
            arrays.array_shapes(min_dims=0, max_dims=3, min_side=0),
        ),
        max_size=5,
    ),
    frames=some.integers(0, 10**6),
)
def test_a_checkpoint_comes_back(values: dict[str, Any], frames: int) -> None:
    found, count = decode_arrays(encode_arrays(values, frames))
    assert count == frames and found.keys() == values.keys()
    for name, value in values.items():
        assert found[name].dtype == value.dtype and found[name].shape == value.shape
        assert found[name].tobytes() == value.tobytes()


def test_an_object_is_no_checkpoint() -> None:
    with pytest.raises(TypeError, match="plain array"):
        encode_arrays({"state": np.array([{}], dtype=object)}, 0)


def test_every_truncation_gives_whole_records_only() -> None:
    written = payloads(0, 6)
    data = join_frames(written)
    ends = [end for end, _, _ in scan(data)]
    for length in range(len(data) + 1):
        found = [bytes(payload) for _, _, payload in scan(data[:length])]
        assert found == written[: sum(end <= length for end in ends)]


def test_every_flipped_byte_is_noticed() -> None:
    written = payloads(0, 4)
    data = bytearray(join_frames(written))
    for position in range(len(data)):
        for mask in (1, 0x80, 0xFF):
            data[position] ^= mask
            found = [bytes(payload) for _, _, payload in scan(bytes(data))]
            assert found == written[: len(found)] and len(found) < len(written)
            data[position] ^= mask


def test_a_record_of_another_kind_or_with_a_tail_is_refused() -> None:
    record = frame_record(FRAME, b"payload")
    assert bytes(only_record(record, FRAME)) == b"payload"
    for wrong in (b"", record[:-1], record + b"x", frame_record(CHECKPOINT, b"payload")):
        with pytest.raises(DamageError):
            only_record(wrong, FRAME)


def test_zeros_are_no_record() -> None:
    assert list(scan(bytes(4096))) == []


def test_only_the_clock_may_differ() -> None:
    plain = encode_frame(frame(7, changes=2))
    assert same_frame(plain, encode_frame(frame(7, changes=2, seconds=3.5)))
    for position in range(len(plain)):
        other = bytearray(plain)
        other[position] ^= 1
        assert same_frame(plain, bytes(other)) == (56 <= position < 64)
