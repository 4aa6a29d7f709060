"""Candidates of ANLS against the rules read plainly, and their losses against 60 digits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.config.run_config import RunConfig
from core.least_squares.chain import Chain, ascending, least_sum, open_chain, open_knots
from core.least_squares.solve import solve
from core.methods.anls.gains import Candidates, best_candidate, open_candidates
from core.methods.anls.iteration import anls
from core.methods.anls.table import SIDES, candidate_table
from core.methods.parameters import OFFSET
from core.narrative.candidates import candidate_reason
from core.problem.data import TrainingData
from core.types import FloatArray
from tests.core import brute
from tests.core.cases import random_case
from tests.core.exact import exact_least
from tests.effort import cases
from tests.problems import DEGENERATE


def weighed(data: TrainingData, b: FloatArray) -> tuple[Chain, Candidates]:
    chain = open_chain(data.points, open_knots(data.x, b, ascending(b)))
    return chain, open_candidates(data.points, chain, OFFSET)


def check_against_exact(data: TrainingData, b: FloatArray) -> int:
    table = candidate_table(data, b)
    scale = float(data.y @ data.y)
    assert abs(table.loss * data.m - exact_least(data.x, data.y, b)) <= 1e-12 * scale
    for j, q, loss in zip(table.neuron, table.position, table.candidate_loss, strict=True):
        moved = b.copy()
        moved[j] = q
        assert abs(loss * data.m - exact_least(data.x, data.y, moved)) <= 1e-12 * scale
    return len(table)


def check_rules(data: TrainingData, b: FloatArray) -> None:
    table = candidate_table(data, b)
    expected = brute.moves(data.x, b)
    found = list(zip(table.neuron, table.side, table.position, table.datum, strict=True))
    assert [(j, side, i) for j, side, _, i in found] == [(j, SIDES[side], i) for j, side, _, i in expected]
    places = [q for _, _, q, _ in expected]
    np.testing.assert_allclose(table.position, places, rtol=1e-15, atol=1e-16)


def test_paper_illustration_has_seven_candidate_table() -> None:
    config = RunConfig.from_query("target=seven&method=anls")
    data = config.training_data()
    table = candidate_table(data, config.initial()[0])
    assert np.bincount(table.neuron).tolist() == [2, 1, 1, 2, 1]
    assert table.chosen == int(np.argmin(table.candidate_loss))
    assert "the best of 7 candidates" in candidate_reason(data, table)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_problems(name: str) -> None:
    problem = DEGENERATE[name]
    check_rules(problem.data, problem.b)
    check_against_exact(problem.data, problem.b)


@pytest.mark.parametrize("block", range(4))
def test_rules(block: int) -> None:
    for seed in range(100 * block, 100 * (block + 1)):
        case = random_case(seed, 20, 12)
        check_rules(case.data, case.b)


def test_losses_are_exact() -> None:
    weighed_in_all = sum(
        check_against_exact(c.data, c.b) for c in (random_case(seed, 9, 6) for seed in range(80))
    )
    assert weighed_in_all > 200


@pytest.mark.slow
def test_losses_are_exact_in_many_cases() -> None:
    for seed in range(80, cases(230, of=680)):
        case = random_case(seed, 9, 6)
        check_against_exact(case.data, case.b)


def test_losses_are_exact_after_a_long_run() -> None:
    """Late in a run biases crowd beside data and left of the first one: |c| grows to 1e8."""
    config = RunConfig.from_query("target=f1&points=24&width=7&seed=3&method=anls")
    data, b = config.training_data(), config.initial()[0].copy()
    anls(data.points, b, ascending(b), OFFSET, 1000)
    b[0] = data.x[0] - 1e-8
    check_against_exact(data, b)


def test_a_bias_on_a_datum_fixes_the_value_there() -> None:
    """The datum x = 2 on the knot 2 after the free gap (1, 1.5): one datum after r = 0 that does count."""
    data = TrainingData(np.arange(7.0), np.array([0.3, -1.0, 2.0, 0.5, 0.1, -0.7, 1.0]))
    check_against_exact(data, np.array([1.0, 1.5, 2.0]))


def first_difference(x: FloatArray, y: FloatArray, b: FloatArray) -> None:
    """The trajectory of brute force, up to steps that two candidates could claim within 1e-10."""
    data = TrainingData(x, y)
    path = brute.anls(x, y, b, 1000)
    fast = b.copy()
    for before, total in path:
        if not np.array_equal(before, fast):
            tie = abs(brute.least(x, y, fast) - total) <= 1e-10 * total
            assert tie, (before, fast)
            return
        loss = solve(data, before).loss * data.m
        assert loss == pytest.approx(total, rel=1e-8, abs=1e-13 * float(y @ y))
        done = anls(data.points, fast, ascending(fast), OFFSET, 1).done
    assert done == 0


@pytest.mark.parametrize("seed", range(3))
def test_trajectory_is_that_of_brute_force(seed: int) -> None:
    config = RunConfig.from_query(f"target=f1&method=anls&seed={seed}&points=40&width=7")
    data = config.training_data()
    first_difference(data.x, data.y, config.initial()[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(cases(10, of=40)))
def test_trajectory_on_f1_is_that_of_brute_force(seed: int) -> None:
    config = RunConfig.from_query(f"target=f1&method=anls&seed={seed}")
    data = config.training_data()
    first_difference(data.x, data.y, config.initial()[0])


@given(seed=st.integers(0, 10_000))
@settings(max_examples=100, deadline=None)
def test_incremental_equals_scratch_bit_by_bit(seed: int) -> None:
    """And with it: the way may be cut anywhere, and the loss never rises."""
    case = random_case(seed, 40, 25)
    data = case.data
    whole, stepwise = case.b.copy(), case.b.copy()
    order = ascending(case.b)
    course = anls(data.points, whole, order, OFFSET, 60)
    previous = float(least_sum(data.points, weighed(data, case.b)[0]))
    for i in range(course.done):
        one = anls(data.points, stepwise, order, OFFSET, 1)
        assert one.done == 1
        assert (one.neuron[0], one.datum[0]) == (course.neuron[i], course.datum[i])
        assert one.history[0] == course.history[i] < previous
        previous = course.history[i]
    np.testing.assert_array_equal(whole, stepwise)
    chain, moves = weighed(data, whole)
    assert course.total == least_sum(data.points, chain)
    if course.done < 60:
        assert course.settled
    if course.settled:
        assert best_candidate(moves)[2] <= max(1e-12 * course.total, 1e-15 * float(data.y @ data.y))


@given(seed=st.integers(0, 10_000), scale=st.sampled_from([1e-6, 1e-3, 1e3, 1e6]))
@settings(max_examples=60, deadline=None)
def test_units_do_not_matter(seed: int, scale: float) -> None:
    """Measuring y in other units multiplies every loss by the square (a power of two: exactly)."""
    case = random_case(seed)
    unit = 2.0 ** round(np.log2(scale))
    _, plain = weighed(case.data, case.b)
    _, scaled = weighed(TrainingData(case.x, unit * case.y), case.b)
    np.testing.assert_array_equal(scaled.gain, unit * unit * plain.gain)


def test_the_table_tells_why_it_stops() -> None:
    problem = DEGENERATE["all dead"]
    table = candidate_table(problem.data, problem.b)
    assert len(table) == 0
    assert table.chosen is None
    assert "no neuron can cross" in candidate_reason(problem.data, table)
