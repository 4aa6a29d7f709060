"""Each measure on frames whose answer is known beforehand."""

from dataclasses import replace

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.model import mean_loss
from core.run.train import train
from core.types import FloatArray
from reproduction.measures import at, theorems
from reproduction.measures.curves import (
    column,
    converged,
    flat_parts,
    largest_rise,
    last_pattern_change,
    loss_at,
    lowest_to,
    overshoot,
    plateaus,
    relative_loss,
    rises_near,
    staircase,
    stays_below,
    target_norm,
)
from reproduction.measures.cut_off import solve_cut
from reproduction.measures.exact import candidate_losses, same_functions, silent_eigenvalue
from reproduction.measures.iterations import every_iteration
from reproduction.measures.plain import plain_counts
from reproduction.measures.rest import above_floors, averages, settling
from reproduction.shipping import thinned
from tests.reproduction.frames import frame


def stairs() -> list[Frame]:
    """Flat to 1e3, then a tenth in a decade, flat again to 1e6; the pattern changes only on the way down."""
    epochs = np.unique(np.round(np.logspace(0, 6, 601)))
    frames = []
    for epoch in epochs:
        down = float(np.clip(np.log10(epoch) - 3, 0, 1))
        frames.append(frame(float(epoch), 10.0**-down, stage=int(20 * down)))
    return frames


def curves() -> tuple[FloatArray, FloatArray]:
    return column(stairs(), "epoch"), column(stairs(), "loss")


def test_plateaus_are_where_the_loss_is_flat_on_log_axes() -> None:
    _, spans = flat_parts(*curves(), 10.0, 1e6, 0.1, 0.2)
    assert len(spans) == 2
    assert spans[0] == pytest.approx((1.0, 3.0), abs=0.05)
    assert spans[1] == pytest.approx((4.0, 6.0), abs=0.05)
    assert plateaus(*curves())[at("plateaus", 0.1, 0.2)] == 2


def test_pattern_changes_are_counted_on_plateaus_and_off_them_up_to_the_last() -> None:
    found = staircase(stairs(), 0.1, 0.2)
    assert found["on_plateaus"] <= 1.5
    assert found["off_plateaus"] == pytest.approx(20, abs=2)
    assert found["constant_share"] == pytest.approx(1.0, abs=0.05)


def test_a_loss_below_its_floor_is_noticed() -> None:
    frames = [frame(0.0, 1.0, floor=0.5), frame(1.0, 0.4, floor=0.5), frame(2.0, 0.5, floor=0.5)]
    found = above_floors(frames)
    assert found["lowest_excess"] == pytest.approx(-0.25)
    assert found["final_excess"] == 0.0


def test_epochs_at_which_levels_are_reached() -> None:
    frames = [frame(float(k), loss) for k, loss in enumerate([1.0, 0.1, 0.5, 0.1, 0.05])]
    epochs, values = column(frames, "epoch"), column(frames, "loss")
    assert stays_below(epochs, values, 0.1) == 3.0
    assert stays_below(epochs, values, 1e-9) == float("inf")
    assert loss_at(frames, 2.5) == 0.5
    assert lowest_to(epochs, values, 2.0) == 0.1
    assert converged(epochs, values) == {"converged_1.5": 4.0, "converged_3": 1.0, "converged_10": 1.0}


def test_last_change_of_the_pattern_counts_sizes_of_sets_only() -> None:
    frames = [frame(0.0, 1.0, gap=(3, 5)), frame(5.0, 1.0, gap=(5, 3)), frame(7.0, 1.0, gap=(5, 4))]
    assert last_pattern_change(frames) == 7.0
    assert last_pattern_change(frames[:2]) == 0.0


def test_rises_are_measured_from_the_smallest_value_so_far() -> None:
    values = np.array([1.0, 0.2, 0.6, 0.1, 0.2])
    assert largest_rise(values) == pytest.approx(3.0)
    near = rises_near(np.array([0.0, 50.0, 100.0, 500.0, 1500.0]), values, 200.0, "rise")
    assert near == {"rise_1.5": 1.0, "rise_3": pytest.approx(3.0), "rise_10": pytest.approx(3.0)}


def test_parameters_settle_when_they_stay_near_their_end() -> None:
    places = [(2.0, 1.0), (1.1, 1.0), (1.005, 0.5), (1.0, 0.0), (1.0, 0.0)]
    frames = [
        replace(frame(float(k), 1.0), b=np.array([b]), c=np.array([c])) for k, (b, c) in enumerate(places)
    ]
    found = settling(frames)
    assert (found["b_settled_0.01"], found["c_settled_0.01"]) == (2.0, 3.0)
    assert found["moved_late"] == 0.5


def test_every_iteration_is_that_of_the_run() -> None:
    config = RunConfig.from_query("target=f2&method=ls_adam&epochs=40&points=80&width=25")
    trace = every_iteration(config, 40)
    frames = {frame.epoch: frame for frame in train(config)}
    for k in (0, 1, 17, 40):
        assert trace.loss[k] == frames[float(k)].loss
        assert trace.error[k] == frames[float(k)].prediction_error
    assert (trace.b == frames[40.0].b).all()


@pytest.mark.slow
def test_plain_descent_is_gradient_descent() -> None:
    """Until a bias is pinned, the plain loop and the fast one agree."""
    config = RunConfig.from_query("target=f1&method=gd&epochs=2000")
    found = plain_counts(config.training_data(), *config.initial(), 1e-3, 2001)
    frames = list(train(config))
    assert found["plain_loss"] == pytest.approx(frames[-1].loss, rel=1e-9)
    assert found["plain_changes"] >= frames[-1].stage


@pytest.mark.slow
def test_a_solver_that_cuts_nothing_off_gives_the_least_norm_solution() -> None:
    config = RunConfig.from_query("target=f2&method=lsq&points=60&width=20&seed=1")
    data, b = config.training_data(), np.array(config.initial()[0])
    c = solve_cut(data.x, data.y, b, 2e-13)
    assert c == pytest.approx(list(train(config))[-1].c, rel=1e-6, abs=1e-8)
    assert mean_loss(data, b, solve_cut(data.x, data.y, b, 2.0)) > 2 * mean_loss(data, b, c)


def test_equations_of_stationarity_see_averages_only() -> None:
    config = RunConfig.from_query("target=f1&method=gd&epochs=1000")
    assert averages(config.training_data(), list(train(config))) < 1e-12


def test_statements_that_need_no_training() -> None:
    found = same_functions(RunConfig.from_query("target=f1&method=lsq&width=20"))
    assert found["converted"] < 1e-12 < 1e-3 < found["printed"]
    silent = silent_eigenvalue()
    assert silent["gradient"] == 0.0
    assert silent["eigenvalue"] == pytest.approx(np.linalg.eigvalsh([[0.0, 2.0], [2.0, -30.0]])[1])
    assert candidate_losses(RunConfig.from_query("target=seven&method=lsq"))["wrong"] == 0


def test_sizes_are_relative_to_data_and_target() -> None:
    data = RunConfig.from_query("target=f1&method=lsq").training_data()
    assert target_norm(data) == pytest.approx(0.5**0.5, rel=1e-3)
    assert relative_loss(data, float((data.y**2).mean()) / 4) == pytest.approx(0.5)


def test_spike_is_seen_between_the_data() -> None:
    config = RunConfig.from_query("target=f2&method=lsq")
    calm = frame(0.0, 1.0)
    wild = Frame(**{**vars(calm), "b": np.array([-0.01, 0.0, 0.01]), "c": np.array([400.0, -800.0, 400.0])})
    data = config.training_data()
    assert overshoot(data, wild.b, wild.c, -0.05, 0.05) > 1.0
    assert overshoot(data, wild.b, np.zeros(3), -0.05, 0.05) == 0.0


def test_theorem_holds_corrected_and_fails_as_printed() -> None:
    """Gradient flow on a few seeds: no stage leaves the corrected envelopes, some leave the printed one."""
    stages = corrected = printed = 0
    for seed in (0, 1):
        config = RunConfig.from_query(f"target=f1&method=flow&epochs=1e5&seed={seed}")
        found = theorems.decay(config.training_data(), list(train(config)), 1e-3)
        stages, corrected, printed = (
            stages + found.stages,
            corrected + found.corrected,
            printed + found.printed_lower,
        )
    assert stages > 20
    assert corrected == 0
    assert printed > 0


def test_an_excess_is_judged_as_exactly_as_the_flow_is_integrated() -> None:
    """A network off by the flow's tolerance moves the logarithm of the excess by what is allowed,
    at most; and an excess that is well resolved is allowed next to nothing."""
    data = RunConfig.from_query("target=f1&method=flow").training_data()
    size = float(np.sqrt((data.y**2).mean()))
    for excess in (1e-6, 1e-12, 1e-17):
        moved = 2.0 * np.log1p(1e-11 * size / np.sqrt(excess))
        allowed = float(theorems.unresolved(data, np.array([excess]))[0])
        assert moved <= allowed <= 1.01 * moved
    assert float(theorems.unresolved(data, np.array([1e-6]))[0]) < 0.1 * theorems.SLACK


def test_an_envelope_that_is_left_is_counted() -> None:
    """The same frames in a clock that goes too fast or too slow: the fall is too slow or too fast."""
    config = RunConfig.from_query("target=f1&method=flow&epochs=1e5&seed=0")
    data, frames = config.training_data(), list(train(config))
    assert theorems.decay(data, frames, 1e-3).corrected == 0
    assert theorems.decay(data, frames, 1e-8).corrected > 5
    assert theorems.decay(data, frames, 1e3).corrected > 5


def test_a_curve_keeps_ends_and_extremes() -> None:
    frames = [frame(float(k), 1.0) for k in range(5000)]
    frames[3210] = frame(3210.0, 9.0)
    frames[77] = frame(77.0, 0.01)
    kept = thinned(frames, 390)
    assert len(kept) <= 390
    assert {0, 77, 3210, 4999} <= set(kept)
    assert kept == sorted(kept)
    assert thinned(frames[:200], 390) == list(range(200))
