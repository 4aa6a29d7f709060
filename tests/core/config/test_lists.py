"""Lists in every key: the runs are the product, spelled in one way, within bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.config import RunConfig, race_from_query, runs_from_query
from core.limits import Limits


def queries(text: str) -> list[str]:
    return [config.to_query() for config in runs_from_query(text).configs]


def test_a_query_without_lists_is_its_run() -> None:
    found = runs_from_query("target=five&seed=3&method=anls")
    assert found.configs == (RunConfig.from_query("target=five&seed=3&method=anls"),)
    assert found.lists == {}
    assert found.differing == ()
    assert found.query == found.configs[0].to_query()


def test_a_race_is_a_special_case() -> None:
    text = "method=gd,anls&epochs=3e4,300&seed=1&learning_rate=1e-2"
    found = runs_from_query(text)
    assert found.configs == race_from_query(text)
    assert found.differing == ("method",)
    assert (
        runs_from_query(found.query).query
        == found.query
        == "epochs=3e4,300&learning_rate=0.01&method=gd,anls&seed=1"
    )


def test_the_runs_are_the_product_with_methods_innermost() -> None:
    assert queries("seed=1..2&width=20,5&method=gd,anls&epochs=100") == [
        f"epochs=100{method}&seed={seed}&width={width}"
        for seed in (1, 2)
        for width in (5, 20)
        for method in ("", "&method=anls")
    ]


def test_a_parameter_multiplies_the_methods_that_have_it() -> None:
    found = runs_from_query("learning_rate=1e-2,1e-3&method=gd,anls&epochs=10")
    assert [(c.method.name, getattr(c.method, "learning_rate", None)) for c in found.configs] == [
        ("gd", 1e-3),
        ("gd", 1e-2),
        ("anls", None),
    ]
    assert found.differing == ("learning_rate", "method")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("seed=3,1,2,2,9", "seed=1..3,9"),
        ("seed=0..10..5", "seed=0,5,10"),
        ("seed=4,5", "seed=4,5"),
        ("width=10,5", "width=5,10"),
        ("target=sin5,f1", "target=sin5,f1"),
        ("target=min(x,1/2),2x", "target=min(x,1/2),2*x"),
        ("domain=0,2;-1,1", "domain=-1,1;0,2"),
        ("sampling=uniform,equidistant", "sampling=uniform,equidistant"),
        ("noise=0.1,0", "noise=0,0.1"),
        ("width=10&target=f1,f2", "target=f1,f2&width=10"),
    ],
)
def test_one_spelling(text: str, canonical: str) -> None:
    found = runs_from_query(text)
    assert found.query == canonical
    assert runs_from_query(canonical) == found


def test_defaults_stay_those_of_each_target() -> None:
    assert [config.width for config in runs_from_query("target=f1,f2").configs] == [10, 300]
    assert [config.width for config in runs_from_query("target=f1,f2&width=10").configs] == [10, 10]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("seed=1,,2", "seed: '1,,2' has an empty place"),
        ("seed=5..1", "seed: '5..1' is not a range"),
        ("seed=a..b", "seed: 'a..b' is not a range"),
        ("seed=0..0.5", "seed: '0..0.5' is not a range"),
        ("seed=0..1e9", "seed: 0..1e9 has more than 10,000 values"),
        ("seed=0..199&width=1..100", "query: its lists describe 20,000 runs; allowed are 10,000"),
        ("width=5,0", "width: '0' is not allowed"),
        ("width=1..3,x", "width: 'x' is not allowed"),
        ("epochs=1,2,3&method=gd,anls", "epochs: 3 values for 2 methods"),
        ("epochs=1,2&seed=1,2", "epochs: 2 values for 1 method;"),
        ("sede=1,2", "sede: unknown key; did you mean seed"),
        ("offset=1e-8,1e-7&method=gd", "offset: gd does not use it"),
        ("target=sin(x),cos(", "target: 'cos\\('"),
    ],
)
def test_refusals_name_the_key(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        runs_from_query(text)


def test_the_bound_is_the_limits() -> None:
    assert len(runs_from_query("seed=0..4", limits=Limits(study_runs=5)).configs) == 5
    with pytest.raises(ValueError, match="allowed are 5"):
        runs_from_query("seed=0..2&width=1,2", limits=Limits(study_runs=5))


@pytest.mark.parametrize(
    "text",
    [
        "data=0:1;1:2;2:0&target=f1,f2&points=5,6&seed=1,2&noise=0,0.1",
        "target=f1,sin(x),five&seed=3,1&width=5,10&method=anls,gd&learning_rate=1e-3,1e-2&epochs=9,7",
        "weights=1,2&biases=0,1&coefficients=1,1&seed=0,4294967295&domain=-1,1;0,2",
    ],
)
def test_every_run_is_that_of_its_own_query_and_there_once(text: str) -> None:
    found = runs_from_query(text)
    assert len(found) == len(found.configs) == len({config.run_id for config in found.configs})
    for place, config in enumerate(found.configs):
        assert found.run(place) == config == RunConfig.from_query(config.to_query())
    assert list(found.seconds()) == [config.estimated_seconds() for config in found.configs]


def test_many_runs_share_what_is_read_once() -> None:
    """Ten thousand of them are laid out in the page's request."""
    found = runs_from_query("seed=0..2499&width=5,10&method=gd,anls")
    assert len(found) == 10_000 and len(found.problems) == 2 and len(found.variants) == 2
    assert found.run(9_999) == RunConfig.from_query("seed=2499&width=10&method=anls")


def test_a_formula_that_is_not_finite_on_its_points_is_refused() -> None:
    with pytest.raises(ValueError, match="target: the value at x = 0 is not finite"):
        runs_from_query("target=x,1/x&points=4,5")


values = st.lists(st.integers(0, 30), min_size=1, max_size=6)


@given(values, st.lists(st.integers(1, 12), min_size=1, max_size=4), st.permutations(["gd", "lsq", "anls"]))
def test_canonical_text_is_a_fixed_point(seeds: list[int], widths: list[int], methods: list[str]) -> None:
    chosen = methods[: 1 + len(seeds) % 3]
    text = f"seed={','.join(map(str, seeds))}&width={','.join(map(str, widths))}&method={','.join(chosen)}"
    found = runs_from_query(text)
    assert len(found.configs) == len(set(seeds)) * len(set(widths)) * len(chosen)
    again = runs_from_query(found.query)
    assert again.query == found.query
    assert again.configs == found.configs
