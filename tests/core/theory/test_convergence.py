"""Stages that must end do end; the last ones, and networks at rest, are never said to."""

import numpy as np
import pytest

from core import RunConfig, train
from core.frames.frame import Frame
from core.frames.stages import stages_of
from core.methods.contract import State
from core.model.network import evaluate
from core.model.pattern import Pattern, pattern_of
from core.problem.data import TrainingData
from core.theory import fully_trained_network
from core.theory.convergence import has_no_place, must_end
from core.theory.floor import occupancy, project
from tests.effort import cases
from tests.problems import random_problem


def is_certified(data: TrainingData, at: Frame | State) -> bool:
    if isinstance(at, Frame):
        return must_end(data, Pattern(at.gap, at.pin), at.b, at.c)
    return must_end(data, Pattern(at["gap"], at["pin"]), at["b"], at["c"])


@pytest.mark.slow
@pytest.mark.parametrize("target", ["f1", "step"])
def test_ended_stages_are_certified_and_last_ones_are_not(target: str) -> None:
    """Gradient descent, from the first state of every stage."""
    certified = ended = 0
    for seed in range(cases(2, of=5)):
        config = RunConfig.from_query(f"target={target}&seed={seed}&epochs=1e8")
        data, frames = config.training_data(), list(train(config))
        by_index = {frame.index: frame for frame in frames}
        for stage in stages_of(frames):
            said = is_certified(data, by_index[stage.first_frame])
            if stage.is_open:
                assert not said
            else:
                ended += 1
                certified += said
    print(f"\n{certified} of {ended} ended stages certified at their first state")
    assert certified >= 0.85 * ended


def test_no_last_stage_of_the_flow_is_certified() -> None:
    """From start to rest on small problems: all of the last stage, and much of what came before."""
    certified = ended = rested = 0
    for seed in range(40):
        problem = random_problem(seed, 5 + seed % 9, 2 + seed % 5)
        config = problem.config("flow", 1e12)
        data, method = config.training_data(), config.method
        state, outcome = method.init(data, *config.initial()), None
        stage = [state]
        while outcome is None and state["epoch"] < 1e12:
            result = method.advance(data, state, 1e12, stop_at_change=True)
            state, outcome = result.state, result.met
            if result.stages:
                ended += 1
                certified += is_certified(data, stage[0])
                stage = []
            stage.append(state)
        if outcome is not None and outcome.kind == "trained":
            rested += 1
            assert not any(is_certified(data, each) for each in stage)
    assert rested > 25
    assert ended > 100
    assert certified > 0.5 * ended


def at_rest(seed: int) -> tuple[TrainingData, Pattern, np.ndarray, np.ndarray] | None:
    """A network that stays as it is, some of its neurons pinned; None where the draw does not hold them."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(4, 14)), int(rng.integers(1, 7))
    scale = 10.0 ** rng.uniform(-6, 6)
    x = np.sort(rng.uniform(-1, 1, m)) * scale + rng.choice([0.0, 100.0]) * scale
    b, c = rng.uniform(x[0] - 0.3 * scale, x[-1], n), rng.normal(size=n)
    pin = np.where(rng.random(n) < 0.4, rng.integers(0, m - 1, n), -1)
    b = np.where(pin >= 0, x[pin], b)
    pattern = pattern_of(x, b, pin)
    w = rng.integers(1, 4, m).astype(float)
    noise = rng.normal(size=m) * scale
    blank = TrainingData(x, noise, w=w)
    residual = noise - project(blank, noise, occupancy(m, pattern))
    beyond = np.append(np.cumsum((w * residual)[::-1])[::-1], 0.0)
    for j in np.flatnonzero(pin >= 0):
        right, left = c[j] * beyond[pin[j] + 1], c[j] * beyond[pin[j]]
        if right > 0.0 or left < 0.0:
            return None
    return TrainingData(x, evaluate(b, c, x) - residual, w=w), pattern, b, c


def test_a_network_at_rest_may_stay_on_any_scale() -> None:
    """Residuals orthogonal to 𝒲 and pins that hold are all that a state at rest needs."""
    held = 0
    for seed in range(1500):
        case = at_rest(seed)
        if case is not None:
            held += bool((case[1].pin >= 0).any())
            assert not must_end(*case), seed
    assert held > 50


def test_a_stationary_network_may_stay() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        data = TrainingData(np.linspace(-1, 1, 24), rng.normal(size=24))
        b, c = fully_trained_network(data, np.sort(rng.uniform(-1, 1, 3)))
        assert not must_end(data, pattern_of(data.x, b), b, c)


def test_a_kink_that_cannot_be_where_it_is() -> None:
    """The lines left and right of a bias at 0.6 meet far from it; those of the kink itself do not."""
    x = np.linspace(-1.0, 1.0, 21)
    data = TrainingData(x, 3.0 + x + 0.5 * np.abs(x))
    for b, ends in (([-1.5, 0.62], True), ([-1.5, 0.0], False)):
        assert must_end(data, pattern_of(x, np.array(b)), np.array(b), np.ones(2)) == ends


def test_neurons_of_one_gap_that_have_a_place_are_left_in_peace() -> None:
    """Any neurons within a gap, seen earlier: other means, b + c and b - c stretched by a K of their own."""
    refused = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n, width = int(rng.integers(2, 6)), 10.0 ** rng.uniform(-3, 1)
        b, c = -width * rng.random(n), rng.normal(size=n) * 10.0 ** rng.uniform(-2, 2)
        turn, rise = float(np.sum(c)), -float(np.sum(b * c))
        k = 10.0 ** rng.uniform(-2, 2)
        one, other = (b + c) * k + rng.normal(), (b - c) / k + rng.normal()
        earlier = 0.5 * (one + other), 0.5 * (one - other)
        slack = 1e-12 * float(np.max(np.abs(c)))
        bounds = (turn - slack, turn + slack), (rise - slack * width, rise + slack * width)
        assert not has_no_place(*earlier, width, *bounds), seed
        elsewhere = tuple(value + 9.0 * abs(turn) * width for value in bounds[1])
        refused += has_no_place(*earlier, width, bounds[0], elsewhere)
    assert refused > 100


def test_places_are_refused_only_where_none_is_found() -> None:
    """Against a search through all K, each with the places that follow from it."""
    refused = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, width = int(rng.integers(2, 5)), 10.0 ** rng.uniform(-2, 0.5)
        b, c = -width * rng.random(n), rng.normal(size=n)
        turn, rise = rng.normal(), width * rng.normal()
        if has_no_place(b, c, width, (turn, turn), (rise, rise)):
            refused += 1
            k = np.exp(np.linspace(-12, 12, 20_001))[:, None]
            p, q = (b + c) - np.mean(b + c), (b - c) - np.mean(b - c)
            places = 0.5 * (k * p + q / k)
            slopes = 0.5 * (k * p - q / k)
            places += (-rise - np.sum(places * slopes, axis=1, keepdims=True)) / turn
            assert not ((places >= -width) & (places <= 0.0)).all(axis=1).any(), seed
    assert 20 < refused < 200
