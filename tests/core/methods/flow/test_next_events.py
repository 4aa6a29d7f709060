"""Predicted events: those of the flow itself, and of gradient descent from its own state."""

import numpy as np
import pytest

from core.methods.flow.method import GradientFlow
from core.methods.flow.next_events import FRACTIONS, next_events
from core.methods.gd.method import GradientDescent
from core.model.pattern import Pattern
from tests.problems import DEGENERATE, random_problem

LIVELY = random_problem(0, 30, 8)


def test_the_flow_predicts_itself() -> None:
    data, method = LIVELY.data, GradientFlow(learning_rate=1.0)
    state = method.init(data, LIVELY.b, LIVELY.c)
    found = next_events(data, state["b"], state["c"], Pattern(state["gap"], state["pin"]), 1e6, 5)
    for time, events in zip(found.times, found.events, strict=True):
        result = method.advance(data, state, 1e6, stop_at_change=True)
        while not result.changes:
            result = method.advance(data, result.state, 1e6, stop_at_change=True)
        state = result.state
        assert [(change.neuron, change.kind, change.datum) for change in result.changes] == list(events)
        assert float(state["epoch"]) == pytest.approx(time, rel=1e-12)
    assert found.times.size == 5
    assert found.reached == found.times[-1]


def test_samples_lead_from_the_present_to_the_end() -> None:
    data = LIVELY.data
    method = GradientFlow(learning_rate=1.0)
    state = method.init(data, LIVELY.b, LIVELY.c)
    found = next_events(data, state["b"], state["c"], Pattern(state["gap"], state["pin"]), 2.0, 100)
    assert found.reached == 2.0
    assert found.sample_times[0] == 0.0
    assert found.sample_times[-1] == 2.0
    assert (np.diff(found.sample_times) > 0.0).all()
    assert found.b.shape == found.c.shape == (found.sample_times.size, LIVELY.b.size)
    assert found.sample_times.size == 1 + len(FRACTIONS) * (len(found.events) + 1)
    for time in found.times:  # the samples of the events are the states of the events
        i = int(np.flatnonzero(found.sample_times == time)[0])
        assert np.abs(found.b[i][:, None] - data.x).min() == pytest.approx(0.0, abs=1e-9)


def test_descent_does_next_what_is_predicted() -> None:
    """From a state of descent, its pins beside their data: the same neuron, datum and epoch."""
    data, rate = LIVELY.data, 1e-4
    descent = GradientDescent(learning_rate=rate)
    state = descent.init(data, LIVELY.b, LIVELY.c)
    while float(state["epoch"]) < 2e4:
        state = descent.advance(data, state, 2e4, stop_at_change=False).state
    pattern = Pattern(state["gap"], state["pin"])
    found = next_events(data, state["b"], state["c"], pattern, 1e3, 1)
    begin = float(state["epoch"])
    result = descent.advance(data, state, 1e7, stop_at_change=True)
    while not result.changes:
        result = descent.advance(data, result.state, 1e7, stop_at_change=True)
    first = result.changes[0]
    assert (first.neuron, first.datum) == (found.events[0][0][0], found.events[0][0][2])
    assert first.epoch - begin == pytest.approx(found.times[0] / rate, rel=0.05)


def test_a_dead_network_is_at_rest() -> None:
    p = DEGENERATE["all dead"]
    gap = np.full(p.b.size, p.data.m)
    found = next_events(p.data, p.b, p.c, Pattern(gap, np.full(p.b.size, -1)), 1.0, 3)
    assert found.rests
    assert found.events == ()
    assert found.reached == 0.0
