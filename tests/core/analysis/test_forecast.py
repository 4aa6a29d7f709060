"""Forecasts: true on runs that go on, honest where nothing is known, whole on every odd problem."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier
from typing import get_args

import numpy as np
import pytest

from core import RunConfig, forecast, train
from core.analysis.forecast.result import ForecastKind
from core.analysis.forecast.run_ahead import RepeatedStates, repeated, repeated_states
from core.analysis.forecast.track_record import track_record
from core.frames.frame import Frame
from core.methods import METHODS
from core.methods.gd.method import GradientDescent
from core.narrative.methods import words_of
from tests.problems import DEGENERATE, FIVE, random_problem

LIVELY = random_problem(4, 20, 20)


def check(config: RunConfig, frame: Frame) -> None:
    """What every forecast promises."""
    said = forecast(config, frame)
    assert said.kind in get_args(ForecastKind)
    assert said.sentence.endswith(".")
    assert said.certified == (said.certificate != "")
    eventful = said.kind in ("crossed", "pinned", "released")
    assert eventful == (said.epoch is not None) == (said.neuron is not None) == (len(said.events) > 0)
    if said.epoch is not None and said.neuron is not None:
        assert said.epoch >= frame.epoch
        assert 0 <= said.neuron < config.width
        assert f"euron {said.neuron + 1}" in said.sentence
        assert said.datum is None or 0 <= said.datum < config.training_data().m
    future = said.future
    assert future.b.shape == future.c.shape == (len(future.epoch), config.width)
    for values in (future.epoch, future.loss, future.b, future.c):
        assert np.isfinite(values).all()
    assert all(a < b for a, b in pairwise(future.epoch))
    assert future.epoch[0] == frame.epoch
    assert future.epoch[-1] == said.reached
    assert not (said.kind == "trained" and said.certified)


def test_threads_repeat_one_run_to_their_own_frames() -> None:
    """Each thread asks for other frames of the same run, forwards and backwards, all at once."""
    config = LIVELY.config("gd", 200)
    frames = list(train(config))[::4]
    repeated_states.clear()
    alone = {frame.epoch: repeated(config, frame) for frame in frames}
    together = Barrier(4, timeout=60.0)

    def repeat(number: int) -> None:
        for frame in frames if number % 2 else reversed(frames):
            together.wait()
            state, expected = repeated(config, frame), alone[frame.epoch]
            assert state is not None and expected is not None
            assert all(np.array_equal(state[key], expected[key]) for key in expected)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(repeat, range(4)))


def test_the_run_that_was_longest_not_repeated_is_dropped() -> None:
    kept = RepeatedStates(2)
    first, second, third = (LIVELY.config("gd", epochs) for epochs in (10, 20, 30))
    for config in (first, second, first, third):
        kept.put(config, {"epoch": np.array(config.epochs)})
    assert [kept.get(config) is None for config in (first, second, third)] == [False, True, False]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [*DEGENERATE, "five"])
def test_every_method_on_every_odd_problem(method: str, name: str) -> None:
    problem = FIVE if name == "five" else DEGENERATE[name]
    config = problem.config(method, 30)
    frames = list(train(config))
    for frame in (frames[0], frames[-1]):
        check(config, frame)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_without_a_forecast_says_why(method: str) -> None:
    config = LIVELY.config(method, 20)
    frame = list(train(config))[-1]
    check(config, frame)
    said = forecast(config, frame)
    if METHODS[method].forecast_by == "nothing":
        assert (said.kind, said.certified) == ("unknown", False)
        assert words_of(config.method).no_forecast in said.sentence


@pytest.mark.parametrize("method", ["gd", "flow", "anls", "anls_plus"])
def test_what_is_predicted_happens(method: str) -> None:
    config = LIVELY.config(method, 2000)
    frames = list(train(config))
    told = track_record(config, frames).rows
    assert told
    for row in told:
        assert (row.neuron, row.datum) in ((row.happened_neuron, row.happened_datum), (row.neuron, None))
        assert row.at == pytest.approx(row.happened_at, rel=1e-3, abs=1.0)


def test_a_track_record_stops_when_its_time_is_over() -> None:
    config = LIVELY.config("gd", 2000)
    frames = list(train(config))
    whole = track_record(config, frames)
    time_left = iter([True, True, False])
    part = track_record(config, frames, has_time=lambda: next(time_left))
    assert (len(part.rows), part.rows) == (2, whole.rows[:2])
    assert (part.left, whole.left) == (len(whole.rows) - 2, 0)


def test_a_dead_network_is_trained() -> None:
    for method in ("gd", "flow"):
        config = DEGENERATE["all dead"].config(method, 5)
        said = forecast(config, next(train(config)))
        assert (said.kind, said.rests, said.certified) == ("trained", True, False)


def test_a_step_that_is_too_large_is_no_flow() -> None:
    """Far beyond the run ahead, nothing is claimed."""
    config = LIVELY.config("gd", 5, learning_rate=5.0)
    frame = next(train(config))
    said = forecast(config, frame)
    assert said.kind == "unknown" or said.events[0].epoch < 1e7
    assert len(said.future.epoch) == 1


@pytest.mark.parametrize("decay", [0.0, 0.3, 1.0])
def test_epochs_add_up_to_the_time_of_the_flow(decay: float) -> None:
    method = GradientDescent(learning_rate=1e-2, decay=decay)
    for epoch, ahead in ((100, 900), (10_000, 50_000)):
        time = sum(method.step(epoch + k) for k in range(ahead))
        assert method.epochs_ahead(epoch, time) == pytest.approx(ahead, rel=1e-4)
