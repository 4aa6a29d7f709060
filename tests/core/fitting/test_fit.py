"""`fit` takes data as people have them and answers in their units; what is wrong is refused by name."""

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import METHODS, TARGETS, RunConfig, __version__, fit, train
from core.model.network import evaluate
from core.narrative import caution

X = np.linspace(-1.0, 1.0, 30)
Y = np.abs(X)


def naive(result: Any, x: np.ndarray) -> np.ndarray:
    """The network as the sum that it is, in the data's own units, y's origin found at the far left."""
    left = result.predict(min(float(np.min(x)), float(result.b.min())) - 1.0)
    return left + (np.maximum(x[:, None] - result.b, 0.0) * result.c).sum(axis=1)


@given(
    st.floats(-1e4, 1e4), st.floats(1e-3, 1e4), st.floats(-1e4, 1e4), st.floats(1e-3, 1e4), st.integers(0, 9)
)
def test_everything_comes_back_in_the_datas_own_units(
    x0: float, dx: float, y0: float, dy: float, seed: int
) -> None:
    x, y = x0 + dx * X, y0 + dy * Y
    result = fit(x, y, width=6, method="anls", epochs=5, seed=seed)
    predicted = result.predict(x)
    span = float(np.ptp(y)) + abs(y0) * 1e-9
    assert np.allclose(predicted, naive(result, x), rtol=0, atol=1e-6 * span)
    assert result.loss == pytest.approx(float(np.mean((predicted - y) ** 2)), rel=1e-6, abs=1e-9 * span**2)
    assert np.array_equal(result.b, result.history["b"][-1])
    assert np.array_equal(result.c, result.history["c"][-1])


def test_order_and_containers_make_no_difference() -> None:
    shuffled = np.random.default_rng(0).permutation(len(X))
    same = [
        fit(x, y, width=5, method="anls", epochs=10)
        for x, y in (
            (X, Y),
            (X[shuffled], Y[shuffled]),
            (X.tolist(), tuple(Y)),
            (pd.Series(X), pd.Series(Y, index=range(5, 35))),
        )
    ]
    assert len({result.b.tobytes() for result in same}) == 1
    assert len({result.config.run_id for result in same}) == 1


def test_weights_count_as_repetitions() -> None:
    twice = fit(np.append(X, X[:7]), np.append(Y, Y[:7]), width=4, method="anls", epochs=10)
    weights = np.where(np.arange(30) < 7, 2.0, 1.0)
    assert np.array_equal(twice.b, fit(X, Y, weights=weights, width=4, method="anls", epochs=10).b)


def test_dates_are_days() -> None:
    days = pd.date_range("2020-01-01", periods=40)
    result = fit(days, np.arange(40.0) ** 2, width=4, method="anls")
    assert result.predict(days[:3]).shape == (3,)
    assert result.config.calendar == "yes"
    assert days[0].timestamp() / 86_400 <= np.median(result.b) <= days[-1].timestamp() / 86_400


def test_dates_may_be_objects_and_numbers_may_be_text() -> None:
    days = pd.date_range("2020-01-01", periods=9)
    same = [
        fit(x, np.arange(9.0) ** 2, width=3, method="lsq")
        for x in (days, list(days), [day.to_pydatetime() for day in days], [day.date() for day in days])
    ]
    assert len({result.config.run_id for result in same}) == 1
    assert all(result.predict(list(days)).tobytes() == same[0].predict(days).tobytes() for result in same)
    text = fit([str(x) for x in X], Y, width=3, method="lsq")
    assert text.config.run_id == fit(X, Y, width=3, method="lsq").config.run_id
    with pytest.raises(ValueError, match=r"x: .*is not a list of numbers"):
        text.predict([object()])  # type: ignore[arg-type]


def test_names_of_series_label_the_link() -> None:
    result = fit(pd.Series(X, name="year"), pd.Series(Y, name="flow"), width=3, method="lsq")
    assert (result.config.scale.x_name, result.config.scale.y_name) == ("year", "flow")


def test_the_query_names_the_run() -> None:
    result = fit(X[:6], Y[:6], width=3, method="gd", epochs=100)
    config = RunConfig.from_query(result.query)
    assert config.run_id == result.config.run_id
    frames = list(train(config))
    assert np.array_equal(result.history["loss"], [frame.in_units(config.scale).loss for frame in frames])
    many = fit(np.linspace(0, 60, 200), np.sin(np.linspace(0, 60, 200)), width=3, method="lsq")
    ((name, text),) = many.dataset.items()
    assert f"data=@{name}" in many.query
    assert RunConfig.from_query(many.query, datasets={name: text}).run_id == many.config.run_id


def test_a_link_is_trained_as_it_says() -> None:
    """The page's address, with all that it says of the page, or a query."""
    query = "target=five&method=gd&learning_rate=0.01&epochs=50"
    frames = list(train(RunConfig.from_query(query)))
    for link in (f"http://127.0.0.1:8050/?at=7&panels=fit,loss&{query}", f"/?{query}", f"?{query}", query):
        assert np.array_equal(fit(link).b, frames[-1].b)
    changed = fit(f"http://h/?{query}", method="lsq", learning_rate=None, epochs=None, seed=1)
    assert changed.query == "method=lsq&seed=1&target=five"
    steep = "target=f1&points=1000&width=30&loss=half_sum&epochs=100"
    with pytest.warns(RuntimeWarning):
        assert fit(steep).outcome.kind == "diverged", "no other learning rate is chosen than the link's"
    x = np.linspace(0, 60, 300)
    own = fit(x, np.sin(x), method="lsq")
    assert fit(own.query, datasets=own.dataset).loss == own.loss


def test_none_leaves_a_setting_out_and_a_method_may_be_a_class() -> None:
    plain = fit("f1", method="anls", epochs=3)
    assert fit("f1", method=METHODS["anls"], epochs=3, learning_rate=None, width=None).query == plain.query


def test_starts_are_given_in_the_datas_own_units() -> None:
    result = fit(60.0 * X, 10.0 * Y, biases=[-30.0, 0.0, 30.0], coefficients=[1.0, 0.5, -1.0], epochs=0)
    assert np.allclose(result.b, [-30.0, 0.0, 30.0]) and np.allclose(result.c, [1.0, 0.5, -1.0])


def test_a_stable_step_is_chosen_unless_one_is_told() -> None:
    x = np.linspace(0.0, 1000.0, 50)
    chosen = fit(x, np.sin(x / 100.0), width=20, epochs=200)
    assert chosen.outcome.kind != "diverged" and caution(chosen.config) == ""
    with pytest.warns(RuntimeWarning, match="use a learning rate below|Use a learning rate below"):
        told = fit(X, Y, width=10, method="gd", learning_rate=10.0, epochs=1000)
    assert told.outcome.kind == "diverged" and told.predict(X).shape == X.shape
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steep = fit("f1", points=1000, width=30, method="gd", epochs=100, loss="half_sum")
    assert isinstance(steep.config.method, METHODS["gd"]) and steep.outcome.kind == "budget"
    assert "learning_rate=" in steep.query


@pytest.mark.parametrize(
    ("arguments", "settings", "words"),
    [
        ((X, Y), {"widht": 3}, ["widht", "did you mean width"]),
        ((X, Y), {"width": 0}, ["width", "1 to 1024"]),
        ((X, Y), {"width": 2.5}, ["width", "2.5", "whole numbers"]),
        ((X, Y), {"width": True}, ["width", "True"]),
        ((X, Y), {"method": "anl"}, ["method", "'anl'", "did you mean anls"]),
        ((X, Y), {"method": "lsq", "learning_rate": 0.1}, ["learning_rate", "lsq does not use it"]),
        ((X, Y), {"points": 5}, ["points", "leave it out"]),
        ((X, Y), {"noise": 5}, ["noise", "leave it out"]),
        ((X, Y), {"on_interrupt": "stop"}, ["on_interrupt", "'stop'", "return", "raise"]),
        ((1e12 + X, Y), {}, ["x[0]", "1e9", "larger unit"]),
        ((["2020-01-01", "2020-01-02"], [1.0, 2.0]), {}, ["x", "text", "pandas.to_datetime"]),
        ((X, Y[:5]), {}, ["y", "30", "5"]),
        ((X, np.append(Y[:-1], np.nan)), {}, ["y[29]", "nan"]),
        ((X, 1e12 * Y), {}, ["y[0]", "1e9"]),
        ((X, Y), {"weights": -Y - 1}, ["weights[0]"]),
        (([[0.0], [0.0, 1.0]], [1.0, 2.0]), {}, ["x", "is not a list of numbers"]),
        (([0.0, 0.0], [1.0, 2.0]), {}, ["1 distinct x"]),
        ((X,), {}, ["y", "missing"]),
        ((np.exp,), {}, ["domain"]),
        ((lambda x: 1.0 / (x - x[0]),), {"domain": (0, 1)}, ["not finite", "x = 0"]),
        (("sin(pi*x)", Y), {}, ["y", "formula"]),
        (("runbe",), {}, ["target", "did you mean runge"]),
        (("f1",), {"domain": (1, 0)}, ["domain"]),
        (("f1",), {"epochs": "many"}, ["epochs", "'many'"]),
        (("f1",), {"epochs": [1, 2]}, ["epochs"]),
        (("f1",), {"target": "f2"}, ["target"]),
        ((X, Y), {"lr": 0.1}, ["lr", "did you mean learning_rate"]),
        ((X, Y), {"method": "ANLS"}, ["'ANLS'", "did you mean anls"]),
        ((X, Y), {"width": object()}, ["width", "whole numbers from 1"]),
        ((X + 1j, Y), {}, ["x", "complex"]),
        ((lambda x: f"{x}!",), {"domain": (0, 1)}, ["the function gives '0.0!' at x = 0"]),
        (("target=f1", Y), {}, ["y", "link"]),
        (("target=f1&method=gd,anls",), {}, ["method", "race of 2 runs"]),
        (("target=f1&data=@" + "0" * 32,), {}, ["data", "datasets=result.dataset"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(
    arguments: tuple[Any, ...], settings: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(ValueError) as caught, np.errstate(divide="ignore"):
        fit(*arguments, **settings)
    for word in words:
        assert word in str(caught.value)


def test_history_has_a_row_per_frame() -> None:
    result = fit("f1", method="gd", epochs=1000, width=4)
    history = result.history
    rows = len(history["epoch"])
    assert {"epoch", "loss", "floor", "stage", "b", "c", "seconds", "pinned", "dead"} <= set(history)
    assert all(len(history[name]) == rows for name in history)
    table = result.to_pandas()
    assert len(table) == rows and {"loss", "b1", "b4", "c4"} <= set(table.columns)
    assert (np.diff(history["epoch"]) > 0).all()


def test_stages_and_plateaus_are_told_in_the_datas_own_units() -> None:
    plain, scaled = (
        fit(X, factor * Y, width=5, method="gd", epochs=2000, units=(0, 1, 0, factor)) for factor in (1, 10)
    )
    for one, other in zip(plain.stages(), scaled.stages(), strict=True):
        assert other.floor == pytest.approx(100.0 * one.floor)
        assert other.loss_at_end == pytest.approx(100.0 * one.loss_at_end)
    for flat, other_flat in zip(plain.plateaus(), scaled.plateaus(), strict=True):
        assert other_flat.loss_begin == pytest.approx(100.0 * flat.loss_begin)
    assert scaled.forecast().future.loss[0] == pytest.approx(100.0 * plain.forecast().future.loss[0])


def test_short_words_for_people() -> None:
    result = fit(X, Y, width=4, method="anls")
    assert len(repr(result).splitlines()) <= 5 and "loss" in repr(result)
    assert len(repr(result.history)) < 300
    assert "<table" in str(result.history._repr_html_()) and "b4" in str(result.history._repr_html_())
    assert result._repr_html_().startswith("<") and result.outcome.sentence in result._repr_html_()
    everything = (
        result.forecast(),
        result.forecast().future,
        result.frames[-1],
        result.config,
        result.history,
        train(result.config),
    )
    for shown in map(repr, everything):
        assert len(shown) < 300 and "array(" not in shown
    x = np.linspace(-30.0, 70.0, 300)
    long = fit(x, np.sin(x), width=3, method="lsq")
    assert len(long._repr_html_()) < 1_500 and len(repr(long.config)) < 300
    evil = fit(pd.Series(X, name="<script>"), pd.Series(Y, name="b"), width=2, method="lsq")
    assert "<script>" not in evil._repr_html_()


def test_one_is_counted_in_the_singular() -> None:
    assert "after 1 iteration (" in repr(fit("f1", method="anls", epochs=1))
    assert "after 2 iterations (" in repr(fit("f1", method="anls", epochs=2))
    with pytest.raises(ValueError, match=r"2 values for 1 method;"):
        fit("f1", epochs=[10, 20])


def test_a_column_that_is_not_there_is_told_with_a_near_miss() -> None:
    with pytest.raises(KeyError, match=r"'los' is no column; did you mean loss\?"):
        fit("f1", method="lsq").history["los"]
    with pytest.raises(KeyError, match="'zzz' is no column; there are epoch, loss"):
        fit("f1", method="lsq").history["zzz"]


def test_predict_has_the_shape_of_its_argument() -> None:
    result = fit(X, Y, width=4, method="anls")
    assert result.predict(0.5).shape == ()
    assert result.predict([[0.1, 0.2], [0.3, 0.4]]).shape == (2, 2)
    assert np.array_equal(result.predict([0.4, -0.4]), evaluate(result.b, result.c, np.array([0.4, -0.4])))


def test_where_x_is_unknown_so_is_the_value() -> None:
    result = fit(X, Y, width=4, method="anls")
    assert np.isnan(result.predict(np.nan)) and np.isnan(result.predict([np.nan])).all()
    mixed = result.predict([[0.5, np.nan]])
    assert np.isnan(mixed).tolist() == [[False, True]] and mixed[0, 0] == result.predict(0.5)
    days = pd.date_range("2020-01-01", periods=9)
    dated = fit(days, np.arange(9.0), width=2, method="anls")
    assert np.isnan(dated.predict(pd.DatetimeIndex([days[0], pd.NaT]))).tolist() == [False, True]
    for nothing in (None, [0.5, None]):
        with pytest.raises(ValueError, match="x: None is not allowed"):
            result.predict(nothing)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"x: .*text.*pandas\.to_datetime"):
        dated.predict("2020-01-01")


def test_series_are_paired_by_labels_that_both_have() -> None:
    x, y = pd.Series(X), pd.Series(Y, index=range(30))
    same = fit(x, y, width=4, method="lsq").config.run_id
    weights = pd.Series(np.ones(30))
    assert fit(x, y[::-1], weights=weights[::-1], width=4, method="lsq").config.run_id == same
    by_position = fit(x, pd.Series(Y, index=range(5, 35)), width=4, method="lsq")
    assert by_position.config.run_id == same
    repeated = fit(pd.Series(X, index=[0] * 30), pd.Series(Y, index=[0] * 30), width=4, method="lsq")
    assert repeated.config.run_id == same


def test_the_network_is_the_sum_of_its_docstring() -> None:
    result = fit(10.0 * X, 500.0 + 3.0 * Y, width=4, method="anls")
    at = np.array([-20.0, 3.0])
    said = result.y0 + (np.maximum(at[:, None] - result.b, 0.0) * result.c).sum(axis=1)
    assert np.allclose(result.predict(at), said)


def test_a_column_that_is_misspelled_is_answered_with_those_there_are() -> None:
    history = fit("f1", method="lsq").history
    with pytest.raises(KeyError, match=r"'los'.*did you mean loss"):
        history["los"]
    assert "los" not in history


def test_a_result_can_be_pickled() -> None:
    result = fit(X, Y, width=4, method="anls", epochs=3)
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.predict(X), result.predict(X)) and again.resume(20).epochs >= 3


def test_resume_needs_more_epochs() -> None:
    result = fit("f1", method="gd", epochs=100)
    with pytest.raises(ValueError, match=r"epochs.*100"):
        result.resume(epochs=50)
    assert result.resume(epochs=200).epochs == 200 and result.epochs == 100
    assert result.resume(epochs="1e3").epochs == 1000  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="epochs: 'many' is not allowed; allowed are numbers"):
        result.resume(epochs="many")  # type: ignore[arg-type]


def test_a_bar_shows_the_progress(capsys: pytest.CaptureFixture[str]) -> None:
    half = fit("f1", method="gd", epochs=500, progress=True)
    assert "500/500" in capsys.readouterr().err
    half.resume(epochs=1000)
    resumed = capsys.readouterr().err
    assert "500/1000" in resumed and "1000/1000" in resumed
    moves = fit("f1", method="anls", progress=True).epochs
    assert f"{moves:.0f}/{moves:.0f} " in capsys.readouterr().err, "it is done before its budget of 1,000"


def test_the_face_of_the_package() -> None:
    assert METHODS["anls"].title == "ANLS" and TARGETS["f1"].formula == "sin(pi*x)"
    assert __version__.count(".") >= 2
