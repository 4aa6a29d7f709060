"""Crossings, pins and releases of gradient descent against a naive observer of the same iterates."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from core import RunConfig
from core.methods.adam.method import Adam
from core.methods.contract import Method, State
from core.methods.gd.method import GradientDescent
from core.model.pattern.changes import Change
from core.model.pattern.hopping import TURN
from tests.core.naive import gradient
from tests.core.pinned import one_sided_velocities
from tests.problems import Problem, problem, random_problem

LIVELY = [random_problem(4, 20, 20), random_problem(5, 40, 30)]
"""Problems on which, at the rates below, biases cross, get pinned and are released within 1,500 epochs."""
RATE = 0.02
TRAINERS: dict[str, Method] = {"gd": GradientDescent(learning_rate=RATE), "adam": Adam(learning_rate=0.01)}


@cache
def epochs_of(p: Problem, epochs: int = 1_500, method: str = "gd") -> list[tuple[State, tuple[Change, ...]]]:
    """Every state and what happened on the way to it, one epoch at a time."""
    trainer = TRAINERS[method]
    data = p.data
    state = trainer.init(data, p.b, p.c)
    told: list[tuple[State, tuple[Change, ...]]] = [(state, ())]
    for epoch in range(1, epochs + 1):
        result = trainer.advance(data, state, float(epoch), stop_at_change=True)
        state = result.state
        told.append((state, result.changes))
    return told


def pattern(state: State) -> list[tuple[int, int]]:
    return list(zip(state["gap"].tolist(), state["pin"].tolist(), strict=True))


@pytest.mark.parametrize("method", ["gd", "adam"])
@pytest.mark.parametrize("p", LIVELY)
def test_changes_tell_exactly_what_the_pattern_did(method: str, p: Problem) -> None:
    told = epochs_of(p, method=method)
    kinds = set()
    for (before, _), (after, changes) in pairwise(told):
        moved = {j for j, (u, v) in enumerate(zip(pattern(before), pattern(after), strict=True)) if u != v}
        hop_on = {j for j in moved if before["pin"][j] == after["pin"][j] <= -2}
        assert moved - hop_on == {change.neuron for change in changes}
        for change in changes:
            kinds.add(change.kind)
            assert change.epoch == float(after["epoch"])
            was, now = before["pin"][change.neuron], after["pin"][change.neuron]
            gaps = (int(before["gap"][change.neuron]), int(after["gap"][change.neuron]))
            if change.kind == "pinned":
                assert now == change.datum
                assert was != now
            elif change.kind == "released":
                assert was == change.datum
                assert now == -1
            elif change.kind == "hopping":
                assert was >= -1
                assert now == -2 - change.datum
            elif change.kind == "settled":
                assert was == -2 - change.datum
                assert now == -1
            else:
                assert was == now == -1
                assert min(gaps) <= change.datum < max(gaps)
                assert change.datum in (gaps[1] - 1, gaps[1])
    assert kinds - {"hopping", "settled"} == {"crossed", "pinned", "released"}
    assert ("hopping" in kinds) == (method == "adam")


@pytest.mark.parametrize("p", LIVELY)
def test_free_neurons_are_where_they_say_and_pinned_ones_beside_their_datum(p: Problem) -> None:
    for state, _ in epochs_of(p):
        raw = np.searchsorted(p.x, state["b"], side="right")
        free = state["pin"] < 0
        assert (raw[free] == state["gap"][free]).all()
        assert (state["gap"][~free] == state["pin"][~free] + 1).all()
        assert np.isin(raw[~free] - state["pin"][~free], (0, 1)).all()


@pytest.mark.parametrize("p", LIVELY)
def test_judgement_at_a_crossing_is_filippov_or_a_return(p: Problem) -> None:
    """A crossing pins if the velocities point at the datum from both sides, or if it takes one back."""
    judged = {True: 0, False: 0}
    last: dict[int, tuple[int, float]] = {}
    for state, changes in epochs_of(p):
        for change in changes:
            crossed = change.kind != "released"
            if crossed and change.datum < len(p.x) - 1:
                plus, minus = one_sided_velocities(
                    p.data, state["b"], state["c"], change.neuron, change.datum
                )
                datum, epoch = last.get(change.neuron, (-1, 0.0))
                returned = datum == change.datum and change.epoch - epoch <= TURN
                if min(abs(plus), abs(minus)) > 1e-14:
                    judged[returned] += 1
                    assert (change.kind == "pinned") == (plus <= 0.0 <= minus or returned)
            last[change.neuron] = (change.datum, change.epoch)
    assert judged[False] > 5


def test_release_comes_only_when_the_velocities_do_not_hold() -> None:
    released = 0
    for p in LIVELY:
        for state, changes in epochs_of(p):
            for change in changes:
                gap = np.searchsorted(p.x, state["b"][change.neuron], side="right")
                if change.kind == "released" and gap in (change.datum, change.datum + 1):
                    plus, minus = one_sided_velocities(
                        p.data, state["b"], state["c"], change.neuron, change.datum
                    )
                    assert not plus < -1e-14 <= 1e-14 < minus
                    released += 1
    assert released > 0


def test_hops_of_a_pinned_neuron_are_no_stages() -> None:
    """Many raw crossings, few stages."""
    for p in LIVELY:
        told = epochs_of(p)
        gaps = [np.searchsorted(p.x, state["b"], side="right") for state, _ in told]
        crossings = sum(int((u != v).sum()) for u, v in pairwise(gaps))
        stages = sum(bool(changes) for _, changes in told)
        assert crossings > 10 * stages > 0


def test_the_last_datum_holds_nobody() -> None:
    """A neuron that passes the last datum is dead: it has crossed, and stays where it landed."""
    p = problem([0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [1.9], [-1.0])
    assert gradient(p.x, p.y, p.b, p.c)[0][0] < 0
    told = epochs_of(p, 50)
    state, _ = told[-1]
    assert [c.kind for _, changes in told for c in changes] == ["crossed"]
    assert int(state["gap"][0]) == 3
    assert state["pin"][0] == -1


def test_a_jump_over_many_data_is_one_crossing() -> None:
    x = np.linspace(0.0, 1.0, 200)
    p = Problem(x, np.sin(9 * x), np.array([-0.5, 0.3, 0.31, 0.9]), np.array([2.0, -3.0, 2.5, 1.0]))
    told = epochs_of(p, 3)
    state, changes = told[1]
    leap = np.abs(state["gap"] - told[0][0]["gap"]).max()
    assert leap > 3
    assert len({change.neuron for change in changes}) == len(changes)
    b, c = np.array(p.b), np.array(p.c)
    for reached, _ in told[1:]:
        db, dc = gradient(p.x, p.y, b, c)
        b, c = b - RATE * db, c - RATE * dc
        np.testing.assert_allclose(reached["b"], b, atol=1e-11)
        np.testing.assert_allclose(reached["c"], c, atol=1e-11)


def test_reach_follows_the_hops() -> None:
    """A pinned neuron is never farther from its datum than its reach, which is of the size of a step."""
    seen = 0
    for p in LIVELY:
        for state, _ in epochs_of(p):
            pinned = np.flatnonzero(state["pin"] >= 0)
            distance = np.abs(state["b"][pinned] - p.x[state["pin"][pinned]])
            assert (distance <= state["reach"][pinned]).all()
            assert (state["reach"][pinned] < 0.1).all()
            seen += len(pinned)
    assert seen > 1_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "fewest", "most"),
    [
        ("target=f1&method=gd&epochs=1e7&seed=0", 80, 300),
        ("target=f1&method=gd&epochs=1e7&seed=1", 80, 300),
        ("target=f1&method=gd&epochs=1e7&seed=2", 80, 300),
        ("target=sin5&method=gd&epochs=3e6&seed=0", 1_000, 3_000),
    ],
)
def test_a_run_has_stages_not_chatter(query: str, fewest: int, most: int) -> None:
    """Raw crossings would make 10^5 and more of them."""
    config = RunConfig.from_query(query)
    data = config.training_data()
    state = config.method.init(data, *config.initial())
    stages = 0
    while state["epoch"] < config.epochs:
        result = config.method.advance(data, state, config.epochs, stop_at_change=False)
        state = result.state
        stages += result.stages
    assert fewest <= stages <= most
