"""What a researcher does in a notebook: seven tasks, each in at most ten lines."""

import inspect
import signal
import sys
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV

from core import RunConfig, fit, study, train
from core.narrative import Outcome
from core.run import Training
from core.sklearn import ReluRegressor

RANDOM = np.random.default_rng(7)
X = RANDOM.uniform(0.0, 60.0, 200)
Y = 40.0 * np.sin(X / 9.0) + 3.0 * RANDOM.normal(size=200)


def fit_own_data_predict_and_plot() -> None:
    result = fit(X, Y, width=12, method="anls", seed=0)
    assert result.loss < 20.0  # squared units of y; the noise alone has 9
    assert np.abs(result.predict([10.0, 30.0]) - 40.0 * np.sin([10.0 / 9.0, 30.0 / 9.0])).max() < 6.0
    staircase = result.history["epoch"], result.history["loss"]
    biases = result.history["epoch"], result.history["b"]
    assert staircase[0].shape == staircase[1].shape and biases[1].shape == (len(biases[0]), 12)
    assert 0.0 < np.median(result.b) < 60.0


def many_runs_as_a_table() -> None:
    many = study("target=f1&seed=0..2&width=5,10&method=gd,anls&epochs=100")
    table = many.to_pandas()
    assert list(table.groupby("method").loss.median().index) == ["anls", "gd"]
    assert len(table) == len(many) == 12


def plateaus_with_reasons() -> None:
    result = fit("flight", method="gd", epochs=1e5)
    for plateau in result.plateaus():
        assert plateau.end > plateau.begin and plateau.sentence.startswith("The loss")
    assert result.plateaus()


def forecast_and_what_happened() -> None:
    result = fit("f1", method="gd", epochs=3000)
    coming = result.forecast()
    assert coming.epoch is not None
    later = result.resume(epochs=10.0 * coming.epoch)
    happened = next(stage for stage in later.stages() if stage.number == result.stages()[-1].number + 1)
    assert happened.start == pytest.approx(coming.epoch, rel=0.01)
    assert (coming.neuron, coming.datum) == (happened.changes[0].neuron, happened.changes[0].datum)


def a_callable_and_a_series() -> None:
    result = fit(lambda x: np.exp(-x) * x, domain=(0.0, 8.0), points=60, width=8, method="anls")
    assert result.predict(1.0) == pytest.approx(np.exp(-1.0), abs=0.05)
    series = pd.Series([2.0, 1.0, 3.0, 5.0, 2.0], index=[4.0, 1.0, 3.0, 2.0, 5.0], name="flow")
    result = fit(series.index, series, width=3, method="anls")
    assert result.predict(series.index).shape == (5,)


def interrupt_and_resume() -> None:
    whole = fit("f1", method="gd", epochs=20_000)
    part = fit("f1", method="gd", epochs=1_234)
    again = part.resume(epochs=20_000)
    assert np.array_equal(again.history["b"], whole.history["b"])
    assert np.array_equal(again.history["loss"], whole.history["loss"])


def an_estimator_in_a_grid_search() -> None:
    search = GridSearchCV(ReluRegressor(seed=0), {"width": [4, 12], "method": ["lsq", "anls"]}, cv=3)
    search.fit(X[:, None], Y)
    assert search.best_score_ > 0.9 and search.predict([[30.0]]).shape == (1,)


TASKS: tuple[Callable[[], None], ...] = (
    fit_own_data_predict_and_plot,
    many_runs_as_a_table,
    plateaus_with_reasons,
    forecast_and_what_happened,
    a_callable_and_a_series,
    interrupt_and_resume,
    an_estimator_in_a_grid_search,
)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_task(task: Callable[[], None]) -> None:
    lines = [line for line in inspect.getsource(task).splitlines()[1:] if line.strip()]
    assert len(lines) <= 10
    task()


def test_a_formula_gives_the_bits_of_its_link() -> None:
    result = fit("sin(pi*x)", points=100, width=10, method="gd", seed=3, epochs=500)
    frames = list(train(RunConfig.from_query("target=sin(pi*x)&points=100&width=10&seed=3&epochs=500")))
    assert np.array_equal(result.history["loss"], [frame.loss for frame in frames])
    assert np.array_equal(result.b, frames[-1].b) and result.loss == frames[-1].loss


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_returns_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    step, steps = Training.step, count()

    def interrupted(training: Training, *args: Any, **kwargs: Any) -> Any:
        if next(steps) == 3:
            signal.raise_signal(signal.SIGINT)
        return step(training, *args, **kwargs)

    monkeypatch.setattr(Training, "step", interrupted)
    part = fit("sin5", method="gd", epochs=1e9)
    assert part.outcome.kind == "interrupted" and "resume" in part.outcome.sentence
    assert 0.0 < part.epochs < 1e9
    more = part.resume(epochs=min(2.0 * part.epochs + 1000.0, 1e9))
    whole = fit("sin5", method="gd", epochs=more.config.epochs)
    assert np.array_equal(more.history["loss"], whole.history["loss"])


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("trains", [
    lambda: fit("sin5", method="gd", epochs=1e9, on_interrupt="raise"),
    lambda: ReluRegressor(method="gd", epochs=1e9).fit(X[:, None], Y),
])  # fmt: skip
def test_an_interruption_is_raised_where_nobody_reads_the_outcome(trains: Callable[[], Any]) -> None:
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            trains()
    finally:
        timer.cancel()


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_after_the_last_epoch_loses_no_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = fit(X, Y, method="gd", epochs=1234)
    module, asked = sys.modules["core.run.train"], []
    real = module.outcome_of

    def interrupted(*args: Any) -> Outcome:
        asked.append(args)
        if len(asked) == 1:
            signal.raise_signal(signal.SIGINT)
        return real(*args)

    monkeypatch.setattr(module, "outcome_of", interrupted)
    part = fit(X, Y, method="gd", epochs=1234)
    assert part.outcome.kind == "interrupted"
    assert np.array_equal(part.history["loss"], whole.history["loss"])
    assert part.resume().outcome == whole.outcome
