"""The view half of a link: a codec that loses nothing, refuses nonsense and never collides with a field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.common.view import (
    DEFAULT_VIEW,
    THEMES,
    TIMES,
    VIEW_KEYS,
    View,
    join_query,
    split_query,
    view_pairs,
)
from components.panels import PANELS
from core.config.fields import FIELDS
from core.config.run_config import race_from_query, race_to_query

NAMES = st.sampled_from(sorted(PANELS))
VIEWS = st.builds(
    View,
    panels=st.lists(NAMES, unique=True).map(tuple),
    tab=NAMES | st.just(""),
    enlarged=NAMES | st.just(""),
    xaxis=st.sampled_from(tuple(TIMES)),
    at=st.none() | st.integers(0, 10**7).map(float) | st.sampled_from([1e8, 2.31e6, 0.5, 1e12]),
    neuron=st.none() | st.integers(1, 999_999),
    focus=st.sampled_from(["", "gd", "anls_plus"]),
    stages=st.booleans(),
    theme=st.sampled_from(["", *THEMES]),
    present=st.booleans(),
    embed=st.booleans(),
    lesson=st.sampled_from(["", "what-is-a-plateau"]),
    step=st.none() | st.integers(1, 99),
)


@given(VIEWS)
def test_what_is_joined_is_split_again(view: View) -> None:
    assert split_query(join_query("epochs=1e6&target=sin(pi*x)%2B1", view)) == (
        "epochs=1e6&target=sin(pi*x)%2B1",
        view,
    )


@given(VIEWS)
def test_a_joined_query_is_canonical(view: View) -> None:
    joined = join_query("seed=3&target=f2", view)
    assert joined.split("&") == sorted(joined.split("&"))
    assert join_query(*split_query(joined)) == joined


def test_defaults_are_left_out() -> None:
    assert view_pairs(DEFAULT_VIEW) == {}
    assert join_query("seed=1", DEFAULT_VIEW) == "seed=1"
    assert split_query("") == ("", DEFAULT_VIEW)


def test_a_link_of_an_earlier_version_shows_what_it_showed() -> None:
    config, view = split_query("seed=3&ghost=0123abcd&target=f2")
    assert (config, view.previous) == ("seed=3&target=f2", "0123abcd")
    assert join_query(config, view) == "previous=0123abcd&seed=3&target=f2"


def test_no_view_key_is_a_field_of_the_configuration() -> None:
    assert not VIEW_KEYS & {spec.name for spec in FIELDS}


def test_the_configuration_reads_what_is_left() -> None:
    config, view = split_query("?at=2.31e6&method=gd,anls&panels=fit,loss&seed=4&theme=dark")
    assert race_to_query(race_from_query(config)) == "method=gd,anls&seed=4"
    assert view == View(at=2.31e6, panels=("fit", "loss"), theme="dark")


def test_a_plus_sign_in_a_formula_survives() -> None:
    assert split_query("target=x+1&at=5") == ("target=x+1", View(at=5.0))


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("xaxis=parsecs", "xaxis"),
        ("at=-1", "at"),
        ("at=nan", "at"),
        ("at=later", "at"),
        ("neuron=0", "neuron"),
        ("neuron=1.5", "neuron"),
        ("theme=sepia", "theme"),
        ("present=yes", "present"),
        ("panels=loss,<script>", "panels"),
        ("enlarged=" + "x" * 100, "enlarged"),
        ("step=-2", "step"),
    ],
)
def test_nonsense_is_refused_by_name(query: str, key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key} = .*allowed") as refusal:
        split_query(query)
    assert len(str(refusal.value)) < 160
