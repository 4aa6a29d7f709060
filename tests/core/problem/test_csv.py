"""CSV text in every dialect, one canonical text, content addresses, and the inline form."""

import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.limits import Limits
from core.problem.csv import (
    canonical_csv,
    dataset_id,
    decode_inline,
    encode_inline,
    merge,
    parse_csv,
    read_canonical,
)
from core.problem.data import Points
from core.problem.tables.dialect import split_rows

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
    points = parse_csv(text).points
    assert points.x.tolist() == [0.0, 0.5, 1.0]
    assert points.y.tolist() == [1.0, 2.0, 3.0]
    assert points.w.tolist() == [1.0, 1.0, 1.0]
    assert dataset_id(canonical_csv(points)) == dataset_id("0,1\n0.5,2\n1,3\n")


def test_a_quoted_cell_behind_a_blank_is_one_cell() -> None:
    assert split_rows('x, "y, in m"\n0, 1\n1, 2').cells == [["x", "y, in m"], ["0", "1"], ["1", "2"]]


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
        ("0,1\n1", "line 2 has only one column"),
        ("0,1,2,3\n1,2,3,4", "line 1 has 4 columns"),
        ("0,1,2\n1,2,0", "line 2: the weight 0 is not allowed; 1e-9 is the least"),
        ("0,1,2\n1,2,-1", "line 2: the weight -1 is not allowed"),
        ("1,5 2,5\n2,5 3,5", "line 1: '5 2' is not a number"),
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
        points, notes = parse_csv("\n".join(rows))
        assert notes == ("4 duplicate x averaged, with their weight",)
        texts.add(canonical_csv(points))
    assert len(texts) == 1
    points = read_canonical(texts.pop())
    assert points.y.tolist() == [0.5, 1e-9 / 3, 5.0]
    assert points.w.tolist() == [3.0, 3.0, 1.0]


def test_a_third_column_holds_weights() -> None:
    points, notes = parse_csv("x,y,weight\n0,1,1\n1,2,2.5\n1,9,0.5\n2,5,4")
    assert notes == ("line 1 was read as a header", "1 duplicate x averaged, with their weight")
    assert points.y.tolist() == [1.0, (2.0 * 2.5 + 9.0 * 0.5) / 3.0, 5.0]
    assert points.w.tolist() == [1.0, 3.0, 4.0]
    assert canonical_csv(points) == f"0,1\n1,{(5.0 + 4.5) / 3.0!r},3\n2,5,4\n"
    assert encode_inline(canonical_csv(points)).endswith(";2:5:4")


@pytest.mark.parametrize("distance", [2e-16, 1e-12, 9e-10])
def test_what_the_span_cannot_tell_apart_is_one_datum(distance: float) -> None:
    points, notes = decode_inline(f"0:0;0.5:1;{0.5 + distance!r}:2;1:0")
    assert points.x.tolist() == [0.0, 0.5, 1.0]
    assert points.y.tolist() == [0.0, 1.5, 0.0]
    assert points.w.tolist() == [1.0, 2.0, 1.0]
    assert notes == ("1 x within 1e-9 of the span of another, taken together",)


def test_what_it_can_tell_apart_is_not() -> None:
    points, notes = decode_inline("0:0;0.5:1;0.500000002:2;1:0")
    assert (len(points.x), notes) == (4, ())


@given(st.lists(st.tuples(values, values, st.sampled_from([1.0, 2.0, 0.25])), min_size=2, max_size=12))
def test_merging_again_changes_nothing(rows: list[tuple[float, float, float]]) -> None:
    points, _ = merge(rows)
    again, notes = merge(list(zip(*(column.tolist() for column in points), strict=True)))
    assert notes == ()
    assert canonical_csv(again) == canonical_csv(points)


def test_header_is_reported() -> None:
    assert parse_csv("x,y\n0,1\n1,2").notes == ("line 1 was read as a header",)


def merged(table: list[tuple[float, float]]) -> Points:
    return merge([(x, y, 1.0) for x, y in table])[0]


@given(tables)
def test_text_and_arrays_are_the_same_data(table: list[tuple[float, float]]) -> None:
    points = merged(table)
    assume(len(points.x) >= 2)
    text = canonical_csv(points)
    for read in (read_canonical(text), parse_csv(text).points, decode_inline(encode_inline(text)).points):
        for ours, theirs in zip(read, points, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert canonical_csv(read) == text
    assert parse_csv(text).notes == ()


@given(tables, st.sampled_from([";", "\t", ",", " "]), st.booleans())
def test_every_separator_gives_the_same_set(
    table: list[tuple[float, float]], separator: str, header: bool
) -> None:
    assume(len(merged(table).x) >= 2)
    text = "\n".join(f"{x!r}{separator}{y!r}" for x, y in table)
    points = parse_csv(f"a{separator}b\n{text}" if header else text).points
    assert canonical_csv(points) == canonical_csv(merged(table))


@given(st.text(max_size=60) | st.text(alphabet="0123456789.,;:\t \n-e", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse_csv, decode_inline):
        try:
            points = read(text).points
        except ValueError as error:
            assert str(error).startswith("data: ")
        else:
            assert (np.diff(points.x) > 0).all()
            assert np.isfinite(points.y).all()
            assert (points.w > 0).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:2", "1 distinct x"),
        ("1:2;3", "point 2, '3', is not of the form x:y or x:y:weight"),
        ("1:2;3:nan", "point 2: 'nan' is not a number"),
        ("1:2;3:4:5:6", "point 2"),
        ("1:2;3:4:0", "point 2: the weight 0 is not allowed"),
        ("1:2;3:2e9", "point 2: 3:2e9 is beyond ±1e9"),
    ],
)
def test_inline_refusals_name_the_point(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^data: {message}"):
        decode_inline(text)


def test_inline_averages_too() -> None:
    points, notes = decode_inline("1:3;0:0;1:4;")
    assert [column.tolist() for column in points] == [[0.0, 1.0], [0.0, 3.5], [1.0, 2.0]]
    assert notes == ("1 duplicate x averaged, with their weight",)
