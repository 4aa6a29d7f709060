"""ANLS+: its weighing of far moves against least squares, and what its runs promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.anls.insertion import add_datum, best_in_gap, best_insertion, removal_costs, room
from core.anls.plus import ADJUSTED, DEAD, MOVED, adjust, anls_plus, least_total
from core.config.run_config import RunConfig
from core.problem.data import TrainingData
from core.squares.quadratics import Sweep, ascending, live_knots, new_sweep
from core.squares.rows import regression
from core.squares.solve import apart, solve
from core.types import FloatArray
from tests.core.cases import Case, random_case
from tests.problems import DEGENERATE


def swept(data: TrainingData, b: FloatArray) -> Sweep:
    return new_sweep(data.x, data.y, *live_knots(data.x, b, ascending(b)), apart(data))


def total(data: TrainingData, b: FloatArray) -> float:
    return solve(data, b).loss * data.m


@given(seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_running_regression_equals_that_of_the_whole(seed: int) -> None:
    case = random_case(seed, 30, 1)
    fit = np.zeros(7)
    for x, y in zip(case.x, case.y, strict=True):
        add_datum(fit, x, y)
    x0, offset, mean, sxx, slope, rss = regression(case.x, case.y, 0, len(case.x))
    scale = float(case.y @ case.y)
    assert fit[1] == x0
    np.testing.assert_allclose(fit[2:5], [offset, mean, sxx], rtol=1e-12, atol=1e-14)
    assert fit[5] / fit[4] == pytest.approx(slope, rel=1e-10, abs=1e-11)
    assert abs(fit[6] - rss) <= 1e-12 * scale


def check_insertion(case: Case) -> None:
    """The best gap is really the best, and its gain is that of solving again with one more neuron."""
    data, scale = case.data, float(case.y @ case.y)
    now = total(data, case.b)
    gain, place = best_insertion(data.x, data.y, swept(data, case.b))
    gains = []
    for j in range(data.m):
        inside = case.b[(case.b < data.x[j]) & (case.b >= (data.x[j - 1] if j > 0 else -np.inf))]
        if inside.size == 0:
            q = room(data.x, swept(data, case.b), -1, j)
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
    sweep = swept(data, case.b)
    costs = removal_costs(data.x, data.y, sweep, apart(data))
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
        sweep = swept(data, case.b)
        order = ascending(case.b)
        for k in range(len(sweep.knot)):
            i = int(sweep.start[k])
            if i == 0 or i == sweep.start[k + 1] or (k > 0 and sweep.start[k - 1] == i):
                continue
            gain, q = best_in_gap(data.x, data.y, sweep, k)
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
    sweep = swept(data, case.b)
    before = sweep.start.copy()
    gained = adjust(data.x, data.y, sweep, apart(data))
    b = case.b.copy()
    b[ascending(case.b)[: len(sweep.knot)]] = sweep.knot
    scale = float(case.y @ case.y)
    assert abs(total(data, case.b) - total(data, b) - gained) <= 1e-10 * scale
    np.testing.assert_array_equal(swept(data, b).start, before)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_a_run_falls_and_ends_and_may_be_cut_anywhere(seed: int) -> None:
    case = random_case(seed, 30, 12)
    data = case.data
    b, previous = case.b.copy(), total(data, case.b)
    for _ in range(3_000):
        done, settled, log = anls_plus(data.x, data.y, b, apart(data), 1)
        if done == 0:
            break
        now = total(data, b)
        assert now < previous, log
        previous = now
    assert settled
    whole = case.b.copy()
    anls_plus(data.x, data.y, whole, apart(data), 3_000)
    np.testing.assert_array_equal(whole, b)


def test_dead_neurons_are_woken_first() -> None:
    data = TrainingData(np.linspace(-1.0, 1.0, 60), np.sin(3.0 * np.linspace(-1.0, 1.0, 60)))
    b = np.full(6, 2.0)
    done, _, log = anls_plus(data.x, data.y, b, apart(data), 6)
    assert done == 6
    assert sorted(neuron for kind, neuron, _ in log if kind == DEAD) == list(range(6))
    assert np.all(b < data.x[-1])


def test_what_changes_is_told() -> None:
    """Each iteration changes the one neuron it names; adjusting changes no gap."""
    config = RunConfig.from_query("target=f1&seed=3&method=anls_plus")
    data, b = config.training_data(), config.initial()[0].copy()
    kinds = set()
    while True:
        before = b.copy()
        done, _, log = anls_plus(data.x, data.y, b, apart(data), 1)
        if done == 0:
            break
        kind, neuron, datum = log[0]
        kinds.add(kind)
        if kind == ADJUSTED:
            gap = np.searchsorted(data.x, before, side="right")
            np.testing.assert_array_equal(np.searchsorted(data.x, b, side="right"), gap)
            continue
        assert np.flatnonzero(b != before).tolist() == [neuron]
        if kind == MOVED:
            assert min(b[neuron], before[neuron]) < data.x[datum] <= max(b[neuron], before[neuron])
    assert {DEAD, MOVED, ADJUSTED} <= kinds
    assert least_total(data.x, data.y, b, apart(data)) / data.m < 2e-4
