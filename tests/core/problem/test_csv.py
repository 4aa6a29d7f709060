"""CSV text in every dialect, one canonical text, content addresses, and the inline form."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.limits import Limits
from core.problem.csv import (
    canonical_csv,
    dataset_id,
    decode_inline,
    encode_inline,
    parse_csv,
    read_canonical,
)
from core.types import FloatArray

values = st.floats(-1e9, 1e9)
tables = st.lists(st.tuples(values, values), min_size=2, unique_by=lambda row: row[0] + 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "0,1\n0.5,2\n1,3",
        "x,y\r\n0,1\r\n0.5,2\r\n1,3\r\n",
        "\ufeffx;y\n0;1\n0,5;2\n1;3\n",
        "0\t1\n0,5\t2\n1\t3",
        "0 1\n  0.5   2\n1 3\n\n",
        "# measured\ntime, value\n 0, 1\n 0.5, 2\n 1, 3",
        '"x","y"\n"0","1"\n"0.5","2"\n"1","3"',
        "1,3\n0,1\n.5,2e0",
        "0,1\r0.5,2\r1,3",
    ],
)
def test_dialects(text: str) -> None:
    x, y, _ = parse_csv(text)
    assert x.tolist() == [0.0, 0.5, 1.0]
    assert y.tolist() == [1.0, 2.0, 3.0]
    assert dataset_id(canonical_csv(x, y)) == dataset_id("0,1\n0.5,2\n1,3\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("\n \n# only a remark", "empty"),
        ("x,y", "0 distinct x"),
        ("0,1", "1 distinct x; allowed are 2 to 10000"),
        ("0,1\n0,2", "1 distinct x"),
        ("0,1\n1,nan", "line 2: 'nan' is not a number"),
        ("nan,nan\n1,2\n2,3", "line 1: 'nan'"),
        ("x,y\n\n0,1\n1,-inf", "line 4: '-inf'"),
        ("0,1\n1,two", "line 2: 'two'"),
        ("x,y\nx,y\n0,1\n1,2", "line 2: 'x'"),
        ("0,1\n1", "line 2 has 1 columns"),
        ("0,1,2\n1,2,3", "line 1 has 3 columns"),
        ("1,5 2,5\n2,5 3,5", "line 1 has 3 columns"),
        ("0,1\n1,1e400", "line 2: 1e400 is too large"),
        ("0,1\n1,1e10", "line 2: 1e10 is beyond ±1e9"),
        ("0,1\n1,", "line 2: '' is not a number"),
        ("1,foo\n2,3", "line 1: 'foo'"),
    ],
)
def test_refusals_name_the_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^data: .*{message}"):
        parse_csv(text)


def test_limits() -> None:
    limits = Limits(points=3, upload_bytes=20)
    parse_csv("0,1\n1,2\n2,3\n2,5", limits)
    with pytest.raises(ValueError, match="4 distinct x; allowed are 2 to 3"):
        parse_csv("0,1\n1,2\n2,3\n3,5", limits)
    with pytest.raises(ValueError, match="21 bytes, at most 20"):
        parse_csv("0,1\n1,2\n" + " " * 13, limits)


def test_duplicates_are_averaged_and_reported_in_any_order() -> None:
    rows = ["0,0.25", "0,0.5", "0,0.75", "1,1e9", "1,-1e9", "1,1e-9", "2,5"]
    texts = set()
    for seed in range(10):
        random.Random(seed).shuffle(rows)
        x, y, notes = parse_csv("\n".join(rows))
        assert notes == ("4 duplicate x averaged",)
        texts.add(canonical_csv(x, y))
    assert len(texts) == 1
    assert read_canonical(texts.pop())[1].tolist() == [0.5, 1e-9 / 3, 5.0]


def test_header_is_reported() -> None:
    assert parse_csv("x,y\n0,1\n1,2")[2] == ("line 1 was read as a header",)


def as_arrays(table: list[tuple[float, float]]) -> tuple[FloatArray, FloatArray]:
    x, y = np.array(sorted(table)).T
    return x, y


@given(tables)
def test_text_and_arrays_are_the_same_data(table: list[tuple[float, float]]) -> None:
    x, y = as_arrays(table)
    text = canonical_csv(x, y)
    for a, b in (read_canonical(text), parse_csv(text)[:2], decode_inline(encode_inline(text))[:2]):
        np.testing.assert_array_equal(a, x)
        np.testing.assert_array_equal(b, y)
        assert canonical_csv(a, b) == text
    assert parse_csv(text)[2] == ()


@given(tables, st.sampled_from([";", "\t", ",", " "]), st.booleans())
def test_every_separator_gives_the_same_set(
    table: list[tuple[float, float]], separator: str, header: bool
) -> None:
    text = "\n".join(f"{x!r}{separator}{y!r}" for x, y in table)
    x, y, _ = parse_csv(f"a{separator}b\n{text}" if header else text)
    assert canonical_csv(x, y) == canonical_csv(*as_arrays(table))


@given(st.text(max_size=60) | st.text(alphabet="0123456789.,;:\t \n-e", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse_csv, decode_inline):
        try:
            x, y, _ = read(text)
        except ValueError as error:
            assert str(error).startswith("data: ")
        else:
            assert (np.diff(x) > 0).all()
            assert np.isfinite(y).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:2", "1 distinct x"),
        ("1:2;3", "point 2, '3', is not of the form x:y"),
        ("1:2;3:nan", "point 2: 'nan' is not a number"),
        ("1:2;3:4:5", "point 2"),
        ("1:2;3:2e9", "point 2: 3:2e9 is beyond ±1e9"),
    ],
)
def test_inline_refusals_name_the_point(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^data: {message}"):
        decode_inline(text)


def test_inline_averages_too() -> None:
    x, y, notes = decode_inline("1:3;0:0;1:4;")
    assert (x.tolist(), y.tolist(), notes) == ([0.0, 1.0], [0.0, 3.5], ("1 duplicate x averaged",))
