"""ANLS+: its weighing of far moves against least squares, and what its runs promise."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.config.run_config import RunConfig
from core.least_squares.chain import Chain, ascending, open_chain, open_knots
from core.least_squares.solve import least_loss
from core.methods.anls.iteration import anls
from core.methods.parameters import OFFSET
from core.model.regression import regression_of
from core.problem.data import TrainingData
from core.rivals.anls_plus.adjustment import adjust, best_in_gap
from core.rivals.anls_plus.insertion import NOTHING, best_insertion, extend, removal_costs, room, room_beside
from core.rivals.anls_plus.plus import (
    ADJUSTED,
    DEAD,
    MOVED,
    REDUNDANT,
    Move,
    anls_plus,
    condensed,
    moves_from,
)
from core.types import FloatArray
from tests.core.cases import Case, random_case
from tests.problems import DEGENERATE


def chained(data: TrainingData, b: FloatArray) -> Chain:
    return open_chain(data.points, open_knots(data.x, b, ascending(b)))


def total(data: TrainingData, b: FloatArray) -> float:
    return least_loss(data, b) * data.weight


@given(seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_running_regression_equals_that_of_the_whole(seed: int) -> None:
    case = random_case(seed, 30, 1)
    w = np.random.default_rng(seed).integers(1, 5, len(case.x)).astype(float)
    data = TrainingData(case.x, case.y, w=w)
    fit = NOTHING
    for x, y, weight in zip(*data.points, strict=True):
        fit = extend(fit, x, y, weight)
    whole = regression_of(data.points, 0, data.m)
    assert (fit.weight, fit.first) == (whole.weight, whole.first)
    np.testing.assert_allclose(fit[2:5], whole[2:5], rtol=1e-12, atol=1e-14)
    assert fit.slope == pytest.approx(whole.slope, rel=1e-10, abs=1e-11)
    assert abs(fit.rss - whole.rss) <= 1e-12 * float(w @ case.y**2)


def check_insertion(case: Case) -> None:
    """The best gap is really the best, and its gain is that of solving again with one more neuron."""
    data, scale = case.data, float(case.y @ case.y)
    now = total(data, case.b)
    gain, place = best_insertion(data.points, chained(data, case.b))
    gains = []
    for j in range(data.m):
        inside = case.b[(case.b < data.x[j]) & (case.b >= (data.x[j - 1] if j > 0 else -np.inf))]
        if inside.size == 0:
            q = room(data.x, j)
        else:
            low = data.x[j - 1] if j > 0 else float(inside.min()) - 1.0
            q = 0.3 * low + 0.7 * data.x[j]
        gains.append(now - total(data, np.append(case.b, q)))
    if np.isnan(place):
        assert max(gains) <= 1e-12 * scale
        return
    assert abs(gain - (now - total(data, np.append(case.b, place)))) <= 1e-12 * scale
    assert gain >= max(gains) - 1e-12 * scale


def check_removal(case: Case) -> None:
    data, order = case.data, ascending(case.b)
    costs = removal_costs(data.points, chained(data, case.b))
    for k, cost in enumerate(costs):
        fewer = np.delete(case.b, order[k])
        then = total(data, fewer) if fewer.size else float(case.y @ case.y)
        assert abs(cost - (then - total(data, case.b))) <= 1e-12 * float(case.y @ case.y)


@pytest.mark.parametrize("name", DEGENERATE)
def test_far_moves_of_degenerate_problems(name: str) -> None:
    problem = DEGENERATE[name]
    case = Case(problem.x, problem.y, problem.b)
    check_insertion(case)
    check_removal(case)


def test_far_moves() -> None:
    for seed in range(160):
        if seed % 8 != 4:  # data 1e-5 apart leave no gap wide enough for a tolerance of 1e-12
            check_insertion(random_case(seed, 20, 9))
        check_removal(random_case(seed, 20, 9))


def test_the_best_place_within_a_gap() -> None:
    """The gain is right, and no place of a grid beats it."""
    for seed in range(40):
        case = random_case(8 * seed, 14, 5)
        data = case.data
        chain = chained(data, case.b)
        order = ascending(case.b)
        for k in range(len(chain.place)):
            i = int(chain.start[k])
            if i == 0 or i == chain.start[k + 1] or (k > 0 and chain.start[k - 1] == i):
                continue
            gain, q = best_in_gap(data.points, chain, k)
            trial = case.b.copy()
            trial[order[k]] = q
            scale = float(case.y @ case.y)
            assert abs(gain - (total(data, case.b) - total(data, trial))) <= 1e-11 * scale
            losses = []
            for t in np.linspace(0.1, 0.9, 9):
                trial[order[k]] = data.x[i - 1] + t * (data.x[i] - data.x[i - 1])
                losses.append(total(data, trial))
            assert total(data, case.b) - gain <= min(losses) + 1e-6 * scale


@given(seed=st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_adjusting_gains_what_it_says_and_keeps_the_pattern(seed: int) -> None:
    case = random_case(seed, 25, 10)
    data = case.data
    chain = chained(data, case.b)
    before = chain.start.copy()
    gained = adjust(data.points, chain)
    b = case.b.copy()
    b[ascending(case.b)[: len(chain.place)]] = chain.place
    scale = float(case.y @ case.y)
    assert abs(total(data, case.b) - total(data, b) - gained) <= 1e-10 * scale
    np.testing.assert_array_equal(chained(data, b).start, before)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_a_run_falls_and_ends_and_may_be_cut_anywhere(seed: int) -> None:
    case = random_case(seed, 30, 12)
    data = case.data
    b, previous = case.b.copy(), total(data, case.b)
    for _ in range(3_000):
        settled, made = anls_plus(data.points, b, OFFSET, 1)
        if not made:
            break
        now = total(data, b)
        assert now < previous, made
        previous = now
    assert settled
    whole = case.b.copy()
    anls_plus(data.points, whole, OFFSET, 3_000)
    np.testing.assert_array_equal(whole, b)


def test_dead_neurons_are_woken_first() -> None:
    data = TrainingData(np.linspace(-1.0, 1.0, 60), np.sin(3.0 * np.linspace(-1.0, 1.0, 60)))
    b = np.full(6, 2.0)
    _, made = anls_plus(data.points, b, OFFSET, 6)
    assert len(made) == 6
    assert sorted(move.neuron for move in made if move.kind == DEAD) == list(range(6))
    assert np.all(b < data.x[-1])


def test_what_changes_is_told() -> None:
    """Each iteration changes the one neuron it names; adjusting changes no gap."""
    config = RunConfig.from_query("target=f1&seed=3&method=anls_plus")
    data, b = config.training_data(), config.initial()[0].copy()
    kinds = set()
    while True:
        before = b.copy()
        _, made = anls_plus(data.points, b, OFFSET, 1)
        if not made:
            break
        (move,) = made
        kinds.add(move.kind)
        if move.kind == ADJUSTED:
            gap = np.searchsorted(data.x, before, side="right")
            np.testing.assert_array_equal(np.searchsorted(data.x, b, side="right"), gap)
            continue
        assert np.flatnonzero(b != before).tolist() == [move.neuron]
        if move.kind == MOVED:
            left, right = sorted((b[move.neuron], before[move.neuron]))
            assert left < data.x[move.datum] <= right
    assert {DEAD, MOVED, ADJUSTED} <= kinds
    assert least_loss(data, b) < 2e-4


def test_left_of_the_data_the_span_is_the_measure() -> None:
    """Not the distance of the first two data: the coefficients would grow with its inverse."""
    x = np.array([0.0, 1e-8, 1.0, 2.0])
    first = room(x, 0)
    assert -1.0 < first < -0.1
    assert room_beside(x, 0, first) == pytest.approx(first - 1.0)
    assert room_beside(x, 0, -1e-12) == pytest.approx(-1.0)
    assert room_beside(x, 0, -1e7) == pytest.approx(-1.0)
    data = TrainingData(x, np.array([0.0, 1.0, 0.0, 1.0]))
    b = np.full(4, 3.0)
    anls_plus(data.points, b, OFFSET, 100)
    assert least_loss(data, b) <= 1e-26


def test_no_room_between_neighbouring_doubles() -> None:
    x = np.array([0.0, 1.0, np.nextafter(1.0, 2.0), 2.0])
    places = [room(x, j) for j in range(4)]
    assert all(np.isnan(q) or left <= q < right for q, left, right in zip(places[1:], x, x[1:], strict=False))
    assert np.isnan(room_beside(x, 2, 1.0))


def test_every_kind_of_move_is_tried_before_it_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first proposal that fails its check hides no other."""
    config = RunConfig.from_query("target=f1&seed=3&method=anls_plus")
    data, b = config.training_data(), config.initial()[0].copy()
    scale = float(data.y @ data.y)
    proposed = list(moves_from(data.points, b, condensed(data.points, b)[1], scale, OFFSET))
    kinds = [move.kind for move in proposed]
    assert kinds[0] == DEAD
    assert {DEAD, MOVED} <= set(kinds) or {DEAD, REDUNDANT} <= set(kinds)

    def spoiled(*arguments: object) -> Iterator[Move]:
        yield replace(proposed[0], b=np.full_like(b, 9.0))
        yield from proposed[1:]

    monkeypatch.setattr("core.rivals.anls_plus.plus.moves_from", spoiled)
    _, made = anls_plus(data.points, b, OFFSET, 1)
    assert [move.kind for move in made] == kinds[1:2]


def test_points_close_together_do_not_stop_it_short() -> None:
    data = TrainingData(np.array([0.0, 1e-8, 1.0, 2.0]), np.array([0.0, 1.0, 0.0, 1.0]))
    for seed in range(20):
        b = np.random.default_rng(seed).normal(1.0, 1.4, 4)
        near, far = b.copy(), b.copy()
        anls(data.points, near, ascending(near), OFFSET, 1000)
        anls_plus(data.points, far, OFFSET, 1000)
        assert least_loss(data, far) <= least_loss(data, near) + 1e-12
