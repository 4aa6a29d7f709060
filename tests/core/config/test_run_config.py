"""The query of a link and its meaning: round trips, names, refusals, and independence of the parts."""

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import RunConfig
from core.limits import Limits
from core.methods import METHODS
from core.model.initial import INITIALISATIONS
from core.problem.csv import dataset_id
from core.problem.gallery import TARGETS
from core.spelling import format_number


def read(query: str) -> RunConfig:
    return RunConfig.from_query(query)


def test_the_documented_example() -> None:
    config = read("target=sin(pi*x)&points=100&width=10&method=gd&seed=0&epochs=1e8")
    data = config.training_data()
    np.testing.assert_array_equal(data.x, np.linspace(-1, 1, 100))
    np.testing.assert_allclose(data.y, np.sin(np.pi * data.x), rtol=0, atol=1e-15)
    assert config.epochs == 1e8
    assert config.method == METHODS["gd"]()
    assert config.to_query() == "epochs=1e8&target=sin(pi*x)"
    assert len(config.run_id) == 32
    assert int(config.run_id, 16) >= 0


def test_an_empty_query_is_a_run() -> None:
    config = read("")
    assert (config.target, config.points, config.width, config.seed) == ("f1", 100, 10, 0)
    assert config.epochs == METHODS["gd"].default_epochs
    assert config.to_query() == ""


def test_run_ids_are_stable() -> None:
    """Links and stored runs outlive releases: these change only together with NUMERICS_VERSION."""
    assert read("").run_id == "db56929042272ddc756dad498b555ce6"
    assert read("target=sin(pi*x)&seed=7").run_id == "ca31cea893f99ce5f73c8294444db807"


def test_spelling_order_and_budget_do_not_change_the_name() -> None:
    names = {
        read(query).run_id
        for query in (
            "target=x+1&points=50&noise=0.1",
            "noise=1e-1&points=5e1&target=x%20%2B%201.0",
            "?target=x+1&points=50&noise=.1&epochs=10&seed=0&width=10&method=gd&sampling=equidistant&domain=-1,1",
        )
    }
    assert len(names) == 1


@pytest.mark.parametrize(
    "change",
    ["seed=1", "noise=0.1", "width=11", "points=99", "learning_rate=1e-4", "init=uniform", "sampling=uniform",
     "domain=-1,2", "target=sin(pi*x)", "data=0:1;1:2", "biases=0,1", "coefficients=0,1"],
)  # fmt: skip
def test_everything_else_changes_the_name(change: str) -> None:
    assert read(change).run_id != read("").run_id
    assert read(change) != read("")


number = st.floats(-100, 100).map(format_number)
numbers = st.lists(number, min_size=4, max_size=4).map(",".join)
inline = st.lists(st.tuples(number, number).map(":".join), min_size=2, max_size=20).map(";".join)
queries = st.fixed_dictionaries(
    {},
    optional={
        "target": st.sampled_from([*TARGETS, "sin(pi*x)", "x+1", "where(x>=0, x**2, -1)", "  1E-3*X "]),
        "data": inline,
        "points": st.integers(2, 40).map(str),
        "sampling": st.sampled_from(["equidistant", "uniform"]),
        "noise": st.floats(0, 2).map(repr),
        "domain": st.tuples(st.integers(-9, 0), st.integers(1, 9)).map("{0[0]},{0[1]}".format),
        "width": st.sampled_from(["4", "4.0", "5", "10", "300"]),
        "init": st.sampled_from(sorted(INITIALISATIONS)),
        "biases": numbers,
        "coefficients": numbers,
        "seed": st.integers(0, 2**32 - 1).map(str),
        "method": st.just("gd"),
        "learning_rate": st.sampled_from(["0.001", "1e-3", "2.5e-4"]),
        "epochs": st.sampled_from(["0", "1", "1e6", "12345", "1e9"]),
    },
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(queries)
def test_reading_undoes_writing(values: dict[str, str]) -> None:
    try:
        config = read("&".join(f"{key}={value}" for key, value in values.items()))
    except ValueError as error:
        # fixed points and explicit lists are the only reasons, and named
        assert str(error).split(":")[0] in {"points", "sampling", "domain", "biases", "coefficients", "data"}
        return
    datasets = dict([config.dataset]) if config.dataset else {}
    again = RunConfig.from_query(config.to_query(), datasets=datasets)
    assert again == config
    assert again.run_id == config.run_id
    assert again.to_query() == config.to_query()
    np.testing.assert_array_equal(again.training_data().y, config.training_data().y)
    for first, second in zip(again.initial(), config.initial(), strict=True):
        np.testing.assert_array_equal(first, second)
        assert first.shape == (config.width,)


@given(st.text(max_size=40) | st.text("targetdamohpinsw=&%+x0123456789.,:;@-e()", max_size=60))
def test_any_query_is_read_or_refused(query: str) -> None:
    try:
        config = read(query)
    except ValueError as error:
        assert ":" in str(error)
    else:
        assert read(config.to_query()) == config


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("pionts=3", "pionts: unknown key; did you mean points"),
        ("q=3", "q: unknown key; known are target, data, .*epochs"),
        ("points=1", "points: '1' is not allowed; allowed are whole numbers from 2 to 10000"),
        ("points=10001", "points: '10001' .* 2 to 10000"),
        ("points=2.5", "points: '2.5' .*whole numbers"),
        ("points=many", "points: 'many'"),
        ("width=0", "width: '0' .* 1 to 1024"),
        ("width=1025", "width: '1025' .* 1 to 1024"),
        ("noise=nan", "noise: 'nan' .*from 0 to 1000"),
        ("noise=-1", "noise: '-1'"),
        ("seed=-1", "seed: '-1' .* 0 to 4294967295"),
        ("sampling=random", "sampling: 'random' .*equidistant, uniform"),
        ("init=big", "init: 'big' .*he"),
        ("method=rmsprop", "method: 'rmsprop' .*gd"),
        ("method=gd,gd", "method: gd,gd names a method twice"),
        ("epochs=1e10", "epochs: '1e10' .* 0 to 1e9"),
        ("epochs=-1", "epochs: '-1'"),
        ("epochs=1.5", "epochs: 1.5 is not a whole number"),
        ("epochs=1,2", "epochs: 2 values for 1 method;"),
        ("learning_rate=0", "learning_rate: '0' .*from"),
        ("domain=1,-1", "domain: 1,-1 is empty"),
        ("domain=1,1.0000001", "domain: .*at least"),
        ("domain=1", "domain: '1' .*such as -1,1"),
        ("domain=1,2,3", "domain: '1,2,3'"),
        ("domain=0,2e6", "domain: '2e6'"),
        ("target=x 2", "target: 'x 2' at character 3: an operator is missing"),
        ("target=sin6", "target: 'sin6' is neither a formula in x nor one of f1, sin5"),
        ("target=1/x&points=3", "target: the value at x = 0 is not finite"),
        ("target=five&points=7", "points: target five has 5 fixed points"),
        ("target=five&domain=0,1", "domain: target five"),
        ("target=five&sampling=uniform", "sampling: target five"),
        ("biases=0,1&width=3", r"biases: 2 numbers do not fit width \(3\)"),
        ("biases=0,1&coefficients=1", r"biases: 2 numbers do not fit coefficients \(1\)"),
        ("biases=0,,1", "biases: '' is not allowed"),
        ("biases=0,inf", "biases: 'inf'"),
        ("data=0:1", "data: 1 distinct x"),
        ("data=@abc", "data: '@abc' is not @ and 32"),
        ("data=@" + "0" * 32, "data: there is no data set @0{32} here"),
        ("target=" + "x" * 4100, "query: 4107 bytes, at most 4096"),
        ("target=x&target=x", "target: given more than once"),
    ],
)
def test_refusals_name_key_value_and_range(query: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        read(query)


def test_limits_are_an_argument() -> None:
    small = Limits(width=5, points=20, epochs=100.0)
    config = RunConfig.from_query("points=20&width=5", limits=small)
    assert config.epochs == 100.0
    assert RunConfig.from_query(config.to_query(limits=small), limits=small) == config
    for query in ("points=21&width=5", "points=20&width=6", "points=20&width=5&epochs=101"):
        with pytest.raises(ValueError, match="is not allowed"):
            RunConfig.from_query(query, limits=small)
    with pytest.raises(ValueError, match="biases: 6 numbers; allowed are 1 to 5"):
        RunConfig.from_query("points=20&biases=1,2,3,4,5,6", limits=small)
    large = Limits(formula_nodes=200, formula_length=500, formula_depth=40)
    formula = "x" + "*x" * 60
    assert RunConfig.from_query(f"target={formula}", limits=large).training_data().m == 100


def test_canonical_spelling_must_fit_a_link() -> None:
    with pytest.raises(ValueError, match=r"query: .* bytes in its canonical spelling"):
        read("biases=" + ",".join([".5"] * 1024))


def test_he_draws_come_from_their_own_streams() -> None:
    b, c = read("seed=4&width=6").initial()
    np.testing.assert_array_equal(b, np.random.default_rng([4, 2]).normal(0.0, np.sqrt(2.0), 6))
    np.testing.assert_array_equal(c, np.random.default_rng([4, 3]).normal(0.0, np.sqrt(2.0 / 6), 6))
    np.testing.assert_array_equal(read("seed=4&width=6&noise=1&sampling=uniform").initial()[0], b)


def test_explicit_lists_replace_the_draw() -> None:
    config = read("biases=0.5,-0.5,0")
    assert config.width == 3
    assert config.initial()[0].tolist() == [0.5, -0.5, 0.0]
    np.testing.assert_array_equal(config.initial()[1], read("width=3").initial()[1])
    config = read("coefficients=1,2&width=2")
    assert config.initial()[1].tolist() == [1.0, 2.0]
    np.testing.assert_array_equal(config.initial()[0], read("width=2").initial()[0])


def test_a_targets_own_biases_yield_to_any_word_on_the_network() -> None:
    assert read("target=seven").biases == TARGETS["seven"].defaults["biases"]
    for query, width in (("width=5", 5), ("init=he", 10), ("coefficients=1,2", 2)):
        config = read(f"target=seven&{query}")
        assert config.biases == ()
        assert config.width == width
        assert read(config.to_query()) == config


def test_cached_results_are_shared_and_read_only() -> None:
    config = read("")
    assert config.training_data() is config.training_data()
    with pytest.raises(ValueError, match="read-only"):
        config.initial()[0][0] = 1.0


def test_survives_pickling() -> None:
    config = read("target=where(x>0,1,x)&noise=0.1")
    config.training_data()
    again = pickle.loads(pickle.dumps(config))
    assert again == config
    assert again.run_id == config.run_id


def test_own_data_override_the_target() -> None:
    config = read("data=2:5;0:1;2:7&target=f2&points=50&sampling=uniform&domain=-3,3")
    data = config.training_data()
    assert (data.x.tolist(), data.y.tolist()) == ([0.0, 2.0], [1.0, 6.0])
    assert data.domain == (0.0, 2.0)
    assert data.truth is None
    assert data.notes == ("1 duplicate x averaged, with their weight",)
    assert config.to_query() == "data=0:1;2:6:2"
    assert (config.points, config.width, config.target) == (2, 10, "")


def test_long_data_are_linked_by_their_name() -> None:
    text = "".join(f"{k},{k % 7}\n" for k in range(1000))
    name = dataset_id(text)
    config = RunConfig.from_query(f"data=@{name}", datasets={name: text})
    assert config.points == 1000
    assert config.to_query() == f"data=@{name}"
    assert config.dataset == (name, text)
    assert RunConfig.from_query(config.to_query(), datasets={name: text}) == config


def test_short_uploads_travel_in_the_link() -> None:
    text = "0,1\n1,0\n"
    config = RunConfig.from_query(f"data=@{dataset_id(text)}", datasets={dataset_id(text): text})
    assert config.to_query() == "data=0:1;1:0"
    assert config.run_id == read("data=0:1;1:0").run_id
