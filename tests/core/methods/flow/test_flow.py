"""The gradient flow: right against tiny Euler steps, sound at every event, the same however it is cut."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import core.methods.flow.segment as growing
from benchmarks.bench_flow import staircase
from core import theory
from core.config.run_config import RunConfig
from core.config.run_list import check_cost
from core.methods import contract
from core.methods.contract import Advance, State
from core.methods.flow.events import Point, first_pattern
from core.methods.flow.method import GradientFlow
from core.methods.flow.segment import Segment, segment_cache, segment_from
from core.methods.flow.tolerance import NOISE, SMALL, sizes_of
from core.methods.gd.method import GradientDescent
from core.model.loss import mean_loss
from core.model.network import evaluate
from core.model.pattern import Pattern, gaps
from core.model.pattern.changes import Change
from core.model.pattern.pins import side_of, velocities
from core.problem.data import TrainingData
from core.types import FloatArray
from tests.core import dense, naive
from tests.effort import cases
from tests.problems import DEGENERATE, FIVE, Problem, problem, random_problem

FLOW = GradientFlow()
UNIT = GradientFlow(learning_rate=1.0)
"""One epoch is one unit of time."""
LIVELY = random_problem(0, 30, 8)
"""Some fifty events, of all kinds, in 2e5 epochs."""
EULER = {
    "nine points": random_problem(6, 9, 5),
    "twelve points": random_problem(8, 12, 8),
    "five points": FIVE,
}
ON_DATA = DEGENERATE["biases on data"]


def follow(method: GradientFlow, p: Problem, epochs: float, *, stop: bool = True) -> Iterator[Advance]:
    """All results on the way, the last one at the budget or with an outcome."""
    data, done = p.data, False
    state = method.init(data, p.b, p.c)
    while not done:
        result = method.advance(data, state, epochs, stop_at_change=stop)
        state = result.state
        done = result.met is not None or float(state["epoch"]) >= epochs
        yield result


def final(method: GradientFlow, p: Problem, epochs: float) -> State:
    *_, last = follow(method, p, epochs)
    return last.state


def changes(method: GradientFlow, p: Problem, epochs: float) -> list[Change]:
    return [change for result in follow(method, p, epochs) for change in result.changes]


def speeds(data: TrainingData, state: State) -> FloatArray:
    """Velocity of every unknown, from the definition; pinned biases stand still."""
    r = evaluate(state["b"], state["c"], data.x) - data.y
    active = np.arange(data.m)[:, None] >= state["gap"]
    s = 2.0 / data.m
    db = np.where(state["pin"] < 0, s * state["c"] * (r @ active), 0.0)
    return np.concatenate([db, -s * (r @ ((data.x[:, None] - state["b"]) * active))])


@pytest.mark.slow
@pytest.mark.parametrize("name", EULER)
def test_agrees_with_tiny_euler_steps(name: str) -> None:
    """Euler steps hop over a datum where the flow slides, and converge to it at first order."""
    p = EULER[name]
    state = final(UNIT, p, 2.0)
    exact = np.concatenate([state["b"], state["c"]])
    errors = []
    for steps in (5_000, 20_000):
        reached = naive.descend(p.x, p.y, p.b, p.c, 2.0 / steps, steps)
        errors.append(np.abs(np.concatenate(reached) - exact).max())
    assert errors[1] < 2e-4
    assert errors[1] < 0.4 * errors[0]


def test_the_euler_problems_have_events_of_all_kinds() -> None:
    kinds = {change.kind for p in EULER.values() for change in changes(UNIT, p, 2.0)}
    assert kinds == {"crossed", "pinned", "released"}


@pytest.mark.parametrize("p", [LIVELY, FIVE, ON_DATA])
def test_what_the_loss_loses_is_the_speed_squared(p: Problem) -> None:
    """dL/dt = -|dy/dt|^2, by Gauss's rule on short pieces that end at events."""
    nodes, weights = np.polynomial.legendre.leggauss(5)
    data, end = p.data, 20.0
    state = UNIT.init(data, p.b, p.c)
    lost, start = 0.0, mean_loss(data, p.b, p.c)
    while float(state["epoch"]) < end:
        begin = float(state["epoch"])
        target = min(end, begin + 0.01 * max(1.0, begin))
        after = UNIT.advance(data, state, target, stop_at_change=True)
        half = 0.5 * (float(after.state["epoch"]) - begin)
        for node, weight in zip(nodes, weights, strict=True):
            inside = UNIT.advance(data, state, begin + half * (1.0 + node), stop_at_change=True).state
            lost += weight * half * float(np.sum(speeds(data, inside) ** 2))
        state = after.state
    loss = mean_loss(data, state["b"], state["c"])
    assert lost == pytest.approx(start - loss, rel=1e-8)


def check_state(data: TrainingData, state: State) -> None:
    """Free biases lie in their gap; pinned ones on their datum, held from both sides."""
    b, c, gap, pin = state["b"], state["c"], state["gap"], state["pin"]
    free = pin < 0
    if float(state["epoch"]) > 0.0:
        assert (gaps(data.x, b)[free] == gap[free]).all()
    pinned = np.flatnonzero(~free)
    assert (b[pinned] == data.x[pin[pinned]]).all()
    assert (gap[pinned] == pin[pinned] + 1).all()
    assert (pin < data.m - 1).all()
    right, left = velocities(data, b, c, pinned, pin[pinned])
    sizes = sizes_of(data)
    threshold = 1.01 * NOISE * sizes.y * np.maximum(np.abs(c[pinned]), SMALL * sizes.c)
    assert (right <= threshold).all()
    assert (left >= -threshold).all()


def check_way(p: Problem, results: list[Advance]) -> None:
    data = p.data
    dead = p.b >= data.x[-1]
    losses = [mean_loss(data, p.b, p.c)]
    for result in results:
        state = result.state
        check_state(data, state)
        assert (state["b"][dead] == p.b[dead]).all()
        assert (state["c"][dead] == p.c[dead]).all()
        losses.append(mean_loss(data, state["b"], state["c"]))
        assert bool(result.changes) == bool(result.stages)
    resolution = 1e-18 * float(np.mean(data.y**2)) + 1e-20
    assert all(after <= before * (1.0 + 1e-11) + resolution for before, after in pairwise(losses))


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_problems_to_the_largest_budget(name: str) -> None:
    results = list(follow(FLOW, DEGENERATE[name], 1e12))
    check_way(DEGENERATE[name], results)


@st.composite
def starts(draw: st.DrawFn) -> Problem:
    """Small problems with what can go wrong: equal neurons, biases on data, c = 0, any scale of y."""
    case = draw(dense.cases(pins=False, largest=7))
    scale = draw(st.sampled_from([1.0, 1.0, 1e-3, 1e3]))
    b, c = case.b.copy(), case.c.copy()
    if draw(st.booleans()):
        b[:], c[:] = b[0], c[0]
    return Problem(case.data.x, scale * case.data.y, b, c)


def check_progress(p: Problem) -> None:
    """Time passes between any two stage changes, and the run comes to an end."""
    results = list(follow(FLOW, p, 1e12))
    check_way(p, results)
    epochs = [float(result.state["epoch"]) for result in results]
    assert all(before < after for before, after in pairwise(epochs if not results[-1].met else epochs[:-1]))
    assert all(result.stages <= 1 for result in results)
    assert sum(result.stages for result in results) < 500


LAST_BIT = Problem(
    *np.array(
        [
            [0.4, -0.00019999999999999996, 1.6, 0.3141638928607567],
            [0.8, 0.0006000000000000001, 2.9542580178239426, -1.1093032377393666],
            [1.2000000000000002, 0.0014000000000000004, 0.6193941765266822, -0.7221700959567058],
            [1.6, 0.0022, 2.75046678232584, -1.9763417539083012],
            [2.0, 0.003, 0.7243195831042973, 0.8433384353169827],
            [2.4, 0.0038, 0.6978212465789304, 0.0],
            [2.8, 0.0046, 1.6, 0.11720820434522768],
        ]
    ).T.copy()
)
"""A watch is negative among the samples of a step but not when the same time is asked for alone."""


def test_a_watch_that_fires_in_the_last_bit_only() -> None:
    check_progress(LAST_BIT)


@given(starts())
@settings(deadline=None, max_examples=8)
def test_events_never_pile_up(p: Problem) -> None:
    check_progress(p)


@pytest.mark.slow
@given(starts())
@settings(deadline=None, max_examples=cases(40, of=150))
def test_events_never_pile_up_in_many_problems(p: Problem) -> None:
    check_progress(p)


@given(starts())
@settings(deadline=None, max_examples=10)
def test_every_segment_takes_time_or_is_the_last(p: Problem) -> None:
    data = p.data
    point = Point.of(p.b, p.c, *first_pattern(data, p.b, p.c))
    for _ in range(20):
        segment = segment_from(data, point)
        while segment.end is None:
            segment.grow()
        if not segment.times:
            assert segment.end == point
            break
        assert segment.times[0] >= 0.0
        assert segment.times[-1] > 0.0
        assert all(before <= after for before, after in pairwise(segment.times))
        point = segment.end


def test_threads_that_follow_one_flow_at_the_same_time_do_not_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every thread stands in the same step before any of them ends it."""
    data, threads = LIVELY.data, 3
    start = Point.of(LIVELY.b, LIVELY.c, *first_pattern(data, LIVELY.b, LIVELY.c))
    together, whole = Barrier(threads, timeout=60.0), growing.follow

    def follow(*given: Any) -> Any:
        taken = whole(*given)
        together.wait()
        return taken

    def times(_: int) -> list[float]:
        segment = segment_from(data, start)
        together.wait()
        while segment.end is None:
            segment.grow()
        return segment.times

    alone = Segment(data, start)
    while alone.end is None:
        alone.grow()
    monkeypatch.setattr(growing, "follow", follow)
    with ThreadPoolExecutor(threads) as pool:
        assert list(pool.map(times, range(threads))) == [alone.times] * threads


@pytest.mark.parametrize("p", [LIVELY, FIVE, random_problem(8, 12, 8)])
def test_a_floor_stays_the_same_for_a_stage(p: Problem) -> None:
    """The part of the residual outside W, by dense projection, at three moments of every stage."""
    data = p.data
    state = UNIT.init(data, p.b, p.c)
    compared = 0
    while float(state["epoch"]) < 30.0:
        begin = state
        end = UNIT.advance(data, state, 30.0, stop_at_change=True)
        pattern = Pattern(begin["gap"], begin["pin"])
        floor = theory.floor(data, pattern)
        epochs = np.linspace(float(begin["epoch"]), float(end.state["epoch"]), 4)[:-1]
        for epoch in epochs:
            inside = UNIT.advance(data, begin, epoch, stop_at_change=True).state
            basis = dense.basis(data.x, pattern, inside["b"])
            r = dense.residual(data, inside["b"], inside["c"])
            outside = r - basis @ (basis.T @ r)
            assert outside @ outside / data.m == pytest.approx(floor, rel=1e-9, abs=1e-13)
            compared += 1
        state = end.state
        if end.met:
            break
    assert compared > 15


def pieces(p: Problem, epochs: FloatArray, *, forget: bool) -> list[tuple[bytes, ...]]:
    """The states at given epochs, and all changes on the way, as bits."""
    data = p.data
    record: list[tuple[bytes, ...]] = []
    state = FLOW.init(data, p.b, p.c)
    for epoch in epochs:
        while float(state["epoch"]) < epoch:
            if forget:
                segment_cache.clear()
                data = p.data
                state = {key: np.array(value) for key, value in state.items()}
            result = FLOW.advance(data, state, float(epoch), stop_at_change=True)
            state = result.state
            if result.changes:
                record.append((repr(result.changes).encode(),))
            if result.met:
                return [*record, tuple(value.tobytes() for value in state.values())]
        record.append(tuple(value.tobytes() for value in state.values()))
    return record


def test_the_way_may_be_cut_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    few = np.array([10.0, 333.25, 2e4])
    many = np.sort(np.concatenate([few, np.random.default_rng(0).uniform(0.0, 2e4, 25)]))
    whole = pieces(LIVELY, few, forget=False)
    cut = pieces(LIVELY, many, forget=False)
    assert [record for record in cut if record in whole] == whole
    assert pieces(LIVELY, many, forget=True) == cut
    monkeypatch.setattr(contract, "CHUNK_SECONDS", 0.0)
    assert pieces(LIVELY, few, forget=False) == whole


def test_counting_stages_without_stopping_gives_the_same() -> None:
    one = list(follow(FLOW, LIVELY, 2e5))
    other = list(follow(FLOW, LIVELY, 2e5, stop=False))
    assert sum(result.stages for result in one) == sum(result.stages for result in other) > 20
    assert one[-1].state["b"].tobytes() == other[-1].state["b"].tobytes()
    last = [result.changes for result in one if result.changes][-1]
    assert [result.changes for result in other if result.changes][-1] == last


def test_the_learning_rate_only_sets_the_clock() -> None:
    slow, fast = final(GradientFlow(learning_rate=1e-3), LIVELY, 5e3), final(UNIT, LIVELY, 5.0)
    np.testing.assert_allclose(slow["b"], fast["b"], rtol=1e-9)
    np.testing.assert_allclose(slow["c"], fast["c"], rtol=1e-9)


def test_state_at_a_change_stands_exactly_on_the_datum() -> None:
    data = LIVELY.data
    seen = 0
    for result in follow(FLOW, LIVELY, 1e5):
        for change in result.changes:
            assert change.epoch == float(result.state["epoch"])
            place, datum = result.state["b"][change.neuron], data.x[change.datum]
            assert place in (datum, np.nextafter(datum, -np.inf))
            seen += 1
    assert seen > 10


@pytest.mark.parametrize(
    ("left", "right", "goes"),
    [
        (1.0, -1.0, 0),
        (1.0, 0.5, 1),
        (-0.5, -1.0, -1),
        (0.0, 0.0, 0),
        (0.0, -1.0, 0),
        (1.0, 0.0, 0),
        (-1.0, 1.0, 1),
    ],
)
def test_decision_by_the_two_signs(left: float, right: float, goes: int) -> None:
    assert side_of(right, left, 1e-9, 1, 3) == goes
    assert side_of(right, left, 2.0, 1, 3) == 0
    assert side_of(right, left, 2.0, 2, 3) == 1, "the last datum holds nobody"


@pytest.mark.parametrize(
    ("y", "gap", "pin"),
    [([0.0, -3.0, 2.0], 2, 1), ([0.0, 0.0, 0.0], 2, -1), ([0.0, 0.0, 2.0], 1, -1), ([7.0, 0.0, 1.0], 2, 1)],
    ids=["held", "to the right", "to the left", "at rest"],
)
def test_bias_on_a_datum_at_the_start(y: list[float], gap: int, pin: int) -> None:
    """One neuron max(x - 1, 0): v+ = s (1 - y_3) and v- = s (1 - y_3 - y_2), the last case with both zero."""
    p = problem([0.0, 1.0, 2.0], y, [1.0], [1.0])
    state = UNIT.init(p.data, p.b, p.c)
    assert state["b"][0] == 1.0
    assert (int(state["gap"][0]), int(state["pin"][0])) == (gap, pin)
    later = final(UNIT, p, 0.01)
    assert np.sign(later["b"][0] - 1.0) == (0 if pin >= 0 else 1 if gap == 2 else -1)
    assert (changes(UNIT, p, 0.01) == []) == (float(later["epoch"]) == 0.01 or pin >= 0)


def test_coefficient_zero_on_a_datum_is_held_until_it_has_grown() -> None:
    """With c = 0 both velocities vanish; c grows, and then both point to the left."""
    p = problem([0.0, 1.0, 2.0], [0.0, 0.0, 2.0], [1.0], [0.0])
    assert UNIT.init(p.data, p.b, p.c)["pin"][0] == 1
    (released, *_) = changes(UNIT, p, 0.1)
    assert (released.kind, released.datum) == ("released", 1)
    assert released.epoch < 1e-8
    state = final(UNIT, p, 0.1)
    b, c = naive.descend(p.x, p.y, p.b, p.c, 1e-5, 10_000)
    np.testing.assert_allclose([state["b"][0], state["c"][0]], [b[0], c[0]], atol=1e-5)


def test_bias_that_reaches_the_last_datum_is_dead() -> None:
    """On the way c^2 - (1 - b)^2 is constant, so it arrives with c^2 = 3/4, and nothing moves again."""
    p = problem([0.0, 1.0], [0.0, -5.0], [0.5], [1.0])
    *_, last = follow(UNIT, p, 1e3)
    (crossed,) = changes(UNIT, p, 1e3)
    assert (crossed.kind, crossed.datum) == ("crossed", 1)
    assert last.met is not None
    assert last.met.kind == "trained"
    assert float(last.state["epoch"]) == crossed.epoch
    assert (last.state["b"][0], last.state["gap"][0], last.state["pin"][0]) == (1.0, 2, -1)
    assert last.state["c"][0] == pytest.approx(np.sqrt(0.75), rel=1e-10)


def test_equal_neurons_change_together() -> None:
    p = DEGENERATE["equal neurons"]
    results = list(follow(UNIT, p, 40.0))
    together = [sorted(change.neuron for change in result.changes) for result in results if result.changes]
    assert together
    assert all(neurons == [0, 1, 2] for neurons in together)
    np.testing.assert_allclose(results[-1].state["b"], results[-1].state["b"][0], rtol=1e-9)


def test_ends_by_itself_where_nothing_is_left_to_gain() -> None:
    *_, last = follow(FLOW, LIVELY, 1e12)
    assert last.met is not None
    assert last.met.kind == "trained"
    state, data = last.state, LIVELY.data
    assert float(state["epoch"]) < 1e11
    loss = mean_loss(data, state["b"], state["c"])
    assert loss == pytest.approx(theory.floor(data, Pattern(state["gap"], state["pin"])), rel=1e-9)
    again = Problem(LIVELY.x, LIVELY.y, state["b"], state["c"])
    (rest,) = follow(FLOW, again, 1e12)
    assert rest.met == last.met
    assert float(rest.state["epoch"]) == 0.0
    assert rest.state["b"].tobytes() == state["b"].tobytes()


@pytest.mark.slow
def test_does_not_end_on_a_plateau() -> None:
    """Descending on from where the flow rests gains nothing. (The step must be small: a large one unpins.)"""
    for seed in range(3):
        p = random_problem(seed, 20, 6)
        data = p.data
        *_, last = follow(FLOW, p, 1e12)
        assert last.met is not None
        loss = mean_loss(data, last.state["b"], last.state["c"])
        descent = GradientDescent(learning_rate=1e-3)
        state = descent.init(data, last.state["b"], last.state["c"])
        while float(state["epoch"]) < 1e6:
            result = descent.advance(data, state, 1e6, stop_at_change=False)
            state = result.state
            if result.met:
                break
        assert mean_loss(data, state["b"], state["c"]) == pytest.approx(loss, rel=1e-5)


def test_neurons_on_one_datum_with_one_sign_are_released_together() -> None:
    """Both have the sign of the same sum of residuals."""
    released = [
        [change for change in result.changes if change.kind == "released"]
        for result in follow(UNIT, EULER["twelve points"], 3.0)
    ]
    together = [group for group in released if len(group) > 1]
    assert together
    assert all(len({change.datum for change in group}) == 1 for group in together)


def test_a_line_is_fitted_to_rounding() -> None:
    p = problem([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [-0.4], [0.7])
    *_, last = follow(FLOW, p, 1e12)
    assert last.met is not None
    assert last.met.reason == "fits_exactly"
    assert last.state["b"][0] == pytest.approx(-1.0, abs=1e-7)
    assert last.state["c"][0] == pytest.approx(1.0, abs=1e-7)


def test_estimated_cost_admits_the_largest_budget_of_the_flow() -> None:
    config = RunConfig.from_query("target=f1&method=flow&epochs=1e12")
    check_cost(config)
    assert 0.0 < config.with_epochs(1e4).estimated_seconds() < config.estimated_seconds() < 60.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_same_stages_as_gradient_descent(seed: int) -> None:
    """At a small step: amid the descent, at t = 1,000, GD is as far from the flow as its step is long."""
    query = f"target=f1&seed={seed}&learning_rate=2.5e-4&epochs=4e6&method="
    flow, descent = staircase(query + "flow"), staircase(query + "gd")
    assert flow.loss == pytest.approx(descent.loss, rel=1e-2)
    assert flow.missing_from(descent) == descent.missing_from(flow) == 0
    assert flow.lasting().size > 40


@pytest.mark.slow
def test_gradient_descent_tends_to_the_flow_with_its_step() -> None:
    """Halving the step about halves the distance of the losses at t = 1,000."""
    limit = staircase("target=f1&seed=2&method=flow&epochs=1e6").loss
    apart = [
        limit - staircase(f"target=f1&seed=2&method=gd&learning_rate={step}&epochs={1_000 / step}").loss
        for step in (1e-3, 5e-4, 2.5e-4)
    ]
    assert 0.0 < apart[2] < 0.6 * apart[1] < 0.6 * 0.6 * apart[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_five_points_end_as_with_gradient_descent(seed: int) -> None:
    flow, descent = (
        staircase(f"target=five&seed={seed}&method={name}&epochs=1e6") for name in ("flow", "gd")
    )
    assert flow.loss == pytest.approx(descent.loss, rel=1e-2)
    assert flow.missing_from(descent) == descent.missing_from(flow) == 0
