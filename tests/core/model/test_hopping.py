"""Steps that throw a neuron over data, there and back, are one stage, however the epochs are cut."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import RunConfig, forecast, train
from core.frames.stages import stages_of
from core.methods.contract import State
from core.model.pattern.changes import HOPPING, KINDS, PINNED, SETTLED, Change
from core.model.pattern.hopping import (
    DATUM,
    MIN_RETURNS,
    NO_EPOCH,
    TURN,
    judge_hops,
    next_rest,
    no_hops,
)
from core.narrative.story import explain

X = np.arange(6.0)
THROWN = "target=sin(5*pi*x)&width=7&learning_rate=0.05&seed=3&epochs=3e4"
"""Neurons swing over two data, first with pauses, then at every epoch."""


def naive(events: list[list[tuple[int, int, int, int]]], width: int) -> list[tuple[int, int, int, int]]:
    """The rule, read slowly: of each epoch's (neuron, kind, datum, side) what counts, with its epoch."""
    told = []
    past: list[list[tuple[int, int]]] = [[] for _ in range(width)]
    score, begun, hops, last = [0] * width, [0] * width, [-1] * width, [-1] * width
    for epoch, happened in enumerate(events, start=1):
        for neuron, kind, datum, side in happened:
            if hops[neuron] < 0:
                before = past[neuron][-1] if past[neuron] else (-1, 0)
                if epoch - last[neuron] > TURN:
                    score[neuron] = 0
                else:
                    score[neuron] = score[neuron] + 1 if side == -before[1] else max(score[neuron] - 1, 0)
                past[neuron].append((epoch, side))
                if score[neuron] == MIN_RETURNS:
                    score[neuron], hops[neuron], kind = 0, datum, HOPPING
                    begun[neuron] += 1
                told.append((epoch, neuron, kind, datum))
            last[neuron] = epoch
        for neuron in range(width):
            if hops[neuron] >= 0 and epoch - last[neuron] >= TURN * 2 ** (begun[neuron] - 1):
                told.append((epoch, neuron, SETTLED, hops[neuron]))
                hops[neuron] = -1
    return told


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([1, 1, 1, 2, 60, 150, 700]), st.integers(0, 1), st.integers(0, 4),
                          st.booleans()), max_size=80))  # fmt: skip
def test_the_books_are_those_of_the_rule(steps: list[tuple[int, int, int, bool]]) -> None:
    events: list[list[tuple[int, int, int, int]]] = []
    for pause, neuron, datum, right in steps:
        events += [[] for _ in range(pause)]
        events[-1] = [(neuron, 0, datum, 1 if right else -1)]
    events += [[] for _ in range(2000)]
    hops, b, numbers, free = no_hops(2), np.zeros(2), np.arange(2), np.full(2, -1)
    changes = np.empty((2, 3), dtype=np.int64)
    told = []
    for epoch, happened in enumerate(events, start=1):
        for i, (neuron, kind, datum, side) in enumerate(happened):
            changes[i] = neuron, kind, datum
            b[neuron] = X[datum] + 0.25 * side
        if happened or epoch >= next_rest(X[-1], hops, b, numbers):
            count = judge_hops(X, hops, b, numbers, free, changes, len(happened), epoch)
            told += [(epoch, *row) for row in changes[:count].tolist()]
    assert told == naive(events, 2)


def test_a_neuron_that_a_datum_holds_ends_as_pinned_and_a_dead_one_soon() -> None:
    hops, numbers, changes = no_hops(2), np.arange(2), np.empty((2, 3), dtype=np.int64)
    hops[:, 0] = hops[:, 1] = (0, 1, 3, 50, 16 * TURN)
    b, pin = np.array([2.0, 7.0]), np.array([2, -1])
    assert next_rest(X[-1], hops, b, numbers) == 50 + TURN
    assert judge_hops(X, hops, b, numbers, pin, changes, 0, 50 + TURN) == 1
    assert changes[0].tolist() == [1, SETTLED, 3]
    assert judge_hops(X, hops, b, numbers, pin, changes, 0, 50 + 16 * TURN) == 1
    assert changes[0].tolist() == [0, PINNED, 2]
    assert next_rest(X[-1], hops, b, numbers) == NO_EPOCH


@pytest.mark.parametrize("method", ["gd", "adam", "momentum", "nesterov", "sgd", "ls_gd", "ls_adam"])
def test_hops_do_not_depend_on_how_the_epochs_are_cut(method: str) -> None:
    config = RunConfig.from_query(f"target=sin(5*pi*x)&points=30&width=6&learning_rate=0.2&method={method}")
    data, way = config.training_data(), config.method

    def run(pieces: list[int], *, stop: bool) -> tuple[State, list[Change]]:
        state = way.init(data, *config.initial())
        told: list[Change] = []
        for piece in pieces:
            until = float(state["epoch"]) + piece
            while float(state["epoch"]) < until:
                result = way.advance(data, state, until, stop_at_change=stop)
                state, told = result.state, [*told, *result.changes]
                if result.met is not None:
                    return state, told
        return state, told

    whole, changes = run([600], stop=True)
    cut, again = run([1, 7, 92, 150, 3, 347], stop=True)
    at_once, _ = run([600], stop=False)
    assert changes == again
    for other in (cut, at_once):
        assert all(whole[key].tobytes() == other[key].tobytes() for key in whole)


def test_swings_are_a_few_stages_and_are_told() -> None:
    config = RunConfig.from_query(THROWN)
    frames = list(train(config))
    stage = stages_of(frames)[-1]
    assert stage.number < 200
    last = frames[-1]
    (neuron, *_) = np.flatnonzero(last.pin <= -2).tolist()
    story = explain(config, stage, frames[stage.first_frame :], frames[stage.first_frame - 1])
    assert f"neuron {neuron + 1} hops over x = " in story.why
    said = forecast(config, last)
    assert said.kind == "unknown"
    assert not said.certified
    assert said.sentence.startswith(f"Neuron {neuron + 1} hops over x = ")


def test_kinds_keep_their_numbers() -> None:
    assert KINDS[:5] == ("crossed", "pinned", "released", "moved", "relocated")
    assert (KINDS[PINNED], KINDS[HOPPING], KINDS[SETTLED]) == ("pinned", "hopping", "settled")
    assert no_hops(3)[DATUM].tolist() == [-1, -1, -1]
