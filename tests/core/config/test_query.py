"""Queries as text, and the one spelling of a number."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.common import view
from components.pages.study.view import StudyView
from core import RunConfig
from core.config import runs_from_query
from core.config.fields import ALSO_CALLED
from core.config.query import STUDY_VIEW_KEYS, VIEW_KEYS, join_query, split_query
from core.spelling import format_number, read_number

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite)
def test_numbers_survive_their_spelling(value: float) -> None:
    text = format_number(value)
    assert read_number(text) == value
    assert format_number(read_number(text)) == text
    assert "+" not in text
    assert len(text) <= len(repr(value)) + 1


def slow_spelling(value: float) -> str:
    """The rule as it is stated: the power of ten wherever it saves two characters."""
    digits = Decimal(repr(value)).normalize()
    mantissa, _, exponent = f"{digits:e}".partition("e")
    power, plain = f"{mantissa}e{int(exponent)}", f"{digits:f}"
    return power if len(power) <= len(plain) - 2 else plain


short = st.tuples(st.integers(-9999, 9999), st.integers(-12, 12)).map(lambda pair: pair[0] * 10.0 ** pair[1])


@given(finite | short)
def test_powers_of_ten_where_they_save_two_characters(value: float) -> None:
    assert format_number(value) == slow_spelling(value + 0.0)


@given(st.integers(0, 10**12))
def test_integers_are_written_out(value: int) -> None:
    assert format_number(value) == str(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e8, "1e8"), (0.001, "0.001"), (1e-4, "1e-4"), (1000.0, "1000"), (-0.0, "0"), (-2.5e-7, "-2.5e-7"),
     (1e23, "1e23"), (0.1, "0.1"), (123456.0, "123456"), (1.5e9, "1.5e9"), (5e-324, "5e-324")],
)  # fmt: skip
def test_spellings(value: float, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "-inf", "1e999", "1_000", "0x10", "1e", "e5", "1,5", "١", "1 2", "--1", "."]
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="number"):
        read_number(text)


keys = st.text("abcdefghij_", min_size=1, max_size=9)
texts = st.text(max_size=20).map(lambda text: f"-{text}-")


@given(st.dictionaries(keys, texts, max_size=5))
def test_split_undoes_join(values: dict[str, str]) -> None:
    try:
        query = join_query(values)
    except UnicodeEncodeError:  # lone surrogates are no text
        return
    assert split_query(query, 10**6) == values
    assert query.isascii()


def test_plus_means_plus_and_a_question_mark_may_lead() -> None:
    assert split_query("?target=x+1&&domain=-1,+1", 100) == {"target": "x+1", "domain": "-1,+1"}
    assert split_query("target=x%2B1%20", 100) == {"target": "x+1"}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("a=1&a=2", "a: given more than once"),
        ("a", "a: no value"),
        ("a=", "a: no value"),
        ("a=%20", "a: no value"),
        ("a=%ff", "not percent-encoded UTF-8"),
        ("a=" + "1" * 99, "101 bytes, at most 100"),
        ("a=\ud800" + "1" * 99, "bytes, at most 100"),
    ],
)
def test_refusals(query: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        split_query(query, 100)


def test_a_pasted_address_is_its_query() -> None:
    query = "target=sin(pi*x)&seed=3"
    for address in (
        f"http://127.0.0.1:8050/?{query}",
        f"https://lab.example.edu/study?{query}#rows",
        f"?{query}",
    ):
        assert RunConfig.from_query(address).run_id == RunConfig.from_query(query).run_id


def test_what_an_address_says_of_the_page_is_left_out() -> None:
    query = "target=sin(pi*x)&seed=3"
    for address in (f"http://h:8050/?at=1000&{query}&panels=fit", f"/?{query}&theme=dark", f"?{query}&at=3"):
        assert RunConfig.from_query(address).run_id == RunConfig.from_query(query).run_id
    found = runs_from_query("http://h/study?seed=0..2&group=seed&level=0.1&across=loss&up=epochs")
    assert found.query == runs_from_query("seed=0..2").query


def test_keys_of_the_page_are_called_so() -> None:
    assert view.VIEW_KEYS == VIEW_KEYS
    assert set(StudyView._fields) == STUDY_VIEW_KEYS
    for key in ("at", "group"):
        with pytest.raises(ValueError, match=f"^{key}: it says how a page shows the run; leave it out$"):
            RunConfig.from_query(f"target=f1&{key}=1000")


def test_what_others_call_a_key_is_understood_as_a_question() -> None:
    for name, meant in ALSO_CALLED.items():
        with pytest.raises(ValueError, match=f"^{name}: unknown key; did you mean {meant}\\?$"):
            RunConfig.from_query(f"{name}=1")
    with pytest.raises(ValueError, match=r"'ANLS' is not allowed; .* did you mean anls\?$"):
        RunConfig.from_query("method=ANLS")
