"""`fit` takes data as people have them and answers in their units; what is wrong is refused by name."""

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


def test_names_of_series_label_the_link() -> None:
    result = fit(pd.Series(X, name="year"), pd.Series(Y, name="flow"), width=3, method="lsq")
    assert (result.config.scale.x_name, result.config.scale.y_name) == ("year", "flow")


def test_the_query_names_the_run() -> None:
    result = fit(X[:6], Y[:6], width=3, method="gd", epochs=100)
    config = RunConfig.from_query(result.query)
    assert config.run_id == result.config.run_id
    frames = list(train(config))
    assert np.array_equal(result.history["loss"], [frame.told(config.scale).loss for frame in frames])
    many = fit(np.linspace(0, 60, 200), np.sin(np.linspace(0, 60, 200)), width=3, method="lsq")
    ((name, text),) = many.dataset.items()
    assert f"data=@{name}" in many.query
    assert RunConfig.from_query(many.query, datasets={name: text}).run_id == many.config.run_id


def test_starts_are_given_in_the_datas_own_units() -> None:
    result = fit(60.0 * X, 10.0 * Y, biases=[-30.0, 0.0, 30.0], coefficients=[1.0, 0.5, -1.0], epochs=0)
    assert np.allclose(result.b, [-30.0, 0.0, 30.0]) and np.allclose(result.c, [1.0, 0.5, -1.0])


def test_a_stable_step_is_chosen_unless_one_is_told() -> None:
    x = np.linspace(0.0, 1000.0, 50)
    chosen = fit(x, np.sin(x / 100.0), width=20, epochs=200)
    assert chosen.outcome.kind != "diverged" and caution(chosen.config) == ""
    with pytest.warns(RuntimeWarning, match="largest stable step"):
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
        ((X, Y[:5]), {}, ["y", "30", "5"]),
        ((X, np.append(Y[:-1], np.nan)), {}, ["y[29]", "nan"]),
        ((X, 1e12 * Y), {}, ["y[0]", "1e9"]),
        ((X, Y), {"weights": -Y - 1}, ["weights[0]"]),
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
    assert result._repr_html_().startswith("<") and result.outcome.sentence in result._repr_html_()
    evil = fit(pd.Series(X, name="<script>"), pd.Series(Y, name="b"), width=2, method="lsq")
    assert "<script>" not in evil._repr_html_()


def test_predict_has_the_shape_of_its_argument() -> None:
    result = fit(X, Y, width=4, method="anls")
    assert result.predict(0.5).shape == ()
    assert result.predict([[0.1, 0.2], [0.3, 0.4]]).shape == (2, 2)
    assert np.array_equal(result.predict([0.4, -0.4]), evaluate(result.b, result.c, np.array([0.4, -0.4])))


def test_resume_needs_more_epochs() -> None:
    result = fit("f1", method="gd", epochs=100)
    with pytest.raises(ValueError, match=r"epochs.*100"):
        result.resume(epochs=50)
    assert result.resume(epochs=200).epochs == 200 and result.epochs == 100


def test_a_bar_shows_the_progress(capsys: pytest.CaptureFixture[str]) -> None:
    fit("f1", method="gd", epochs=1000, progress=True)
    assert "1000/1000" in capsys.readouterr().err


def test_the_face_of_the_package() -> None:
    assert METHODS["anls"].title == "ANLS" and TARGETS["f1"].formula == "sin(pi*x)"
    assert __version__.count(".") >= 2
