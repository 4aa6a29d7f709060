"""Each measure on frames whose answer is known beforehand."""

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.run.frames import Frame
from core.run.train import train
from reproduction import measures
from reproduction.claims import by_share
from reproduction.shelf import thinned
from reproduction.words import share, spread
from tests.reproduction.frames import frame


def staircase() -> list[Frame]:
    """Flat to 1e3, then a tenth in a decade, flat again to 1e6; the pattern changes only on the way down."""
    epochs = np.unique(np.round(np.logspace(0, 6, 601)))
    frames = []
    for epoch in epochs:
        down = float(np.clip(np.log10(epoch) - 3, 0, 1))
        frames.append(frame(float(epoch), 10.0**-down, stage=int(20 * down)))
    return frames


def test_plateaus_are_where_the_loss_is_flat_on_log_axes() -> None:
    _, spans = measures.plateaus(staircase(), 10.0, 1e6)
    assert len(spans) == 2
    assert spans[0] == pytest.approx((1.0, 3.0), abs=0.05)
    assert spans[1] == pytest.approx((4.0, 6.0), abs=0.05)


def test_pattern_changes_are_counted_on_plateaus_and_off_them() -> None:
    found = measures.staircase(staircase())
    assert found["plateaus"] == 2
    assert found["on_plateaus"] <= 1.5
    assert found["off_plateaus"] == pytest.approx(20, abs=2)
    assert found["constant_share"] == pytest.approx(1.0, abs=0.05)


def test_a_loss_below_its_floor_is_noticed() -> None:
    frames = [frame(0.0, 1.0, floor=0.5), frame(1.0, 0.4, floor=0.5), frame(2.0, 0.5, floor=0.5)]
    found = measures.above_floors(frames)
    assert found["lowest_excess"] == pytest.approx(-0.25)
    assert found["final_excess"] == 0.0


def test_epochs_at_which_levels_are_reached() -> None:
    frames = [frame(float(k), loss) for k, loss in enumerate([1.0, 0.1, 0.5, 0.1, 0.05])]
    values = measures.column(frames, "loss")
    assert measures.first_epoch_below(frames, 0.1) == 1.0
    assert measures.stays_below(frames, values, 0.1) == 3.0
    assert measures.first_epoch_below(frames, 1e-9) == float("inf")
    assert measures.stays_below(frames, values, 1e-9) == float("inf")
    assert measures.loss_at(frames, 2.5) == 0.5


def test_last_change_of_the_pattern_counts_sizes_of_sets_only() -> None:
    frames = [frame(0.0, 1.0, gap=(3, 5)), frame(5.0, 1.0, gap=(5, 3)), frame(7.0, 1.0, gap=(5, 4))]
    assert measures.last_pattern_change(frames) == 7.0
    assert measures.last_pattern_change(frames[:2]) == 0.0


def test_largest_rise_is_measured_from_the_smallest_value_so_far() -> None:
    frames = [frame(float(k), loss) for k, loss in enumerate([1.0, 0.2, 0.6, 0.1, 0.2])]
    assert measures.largest_rise(frames, "loss") == pytest.approx(3.0)


def test_spike_is_seen_between_the_data() -> None:
    config = RunConfig.from_query("target=f2&method=lsq")
    calm = frame(0.0, 1.0)
    wild = Frame(**{**vars(calm), "b": np.array([-0.01, 0.0, 0.01]), "c": np.array([400.0, -800.0, 400.0])})
    data = config.training_data()
    assert measures.spike_at_zero(data, wild) > 1.0
    assert measures.spike_at_zero(data, Frame(**{**vars(wild), "c": np.zeros(3)})) == 0.0


def test_theorem_holds_corrected_and_fails_as_printed() -> None:
    """Gradient flow on a few seeds: no stage leaves the corrected envelopes, some leave the printed one."""
    stages = corrected = printed = 0
    for seed in (0, 1):
        config = RunConfig.from_query(f"target=f1&method=flow&epochs=1e5&seed={seed}")
        found = measures.decay(config.training_data(), list(train(config)), 1e-3)
        stages, corrected, printed = (
            stages + found.stages,
            corrected + found.corrected,
            printed + found.printed_lower,
        )
    assert stages > 20
    assert corrected == 0
    assert printed > 0


def test_a_curve_keeps_ends_and_extremes() -> None:
    frames = [frame(float(k), 1.0) for k in range(5000)]
    frames[3210] = frame(3210.0, 9.0)
    frames[77] = frame(77.0, 0.01)
    kept = thinned(frames, 390)
    assert len(kept) <= 390
    assert {0, 77, 3210, 4999} <= set(kept)
    assert kept == sorted(kept)
    assert thinned(frames[:200], 390) == list(range(200))


def test_words_for_many_seeds() -> None:
    found = spread([4e-4, 1e-4, float("inf"), 2e-4])
    assert (found.median, found.low, found.high, found.count) == (2e-4, 1e-4, float("inf"), 4)
    assert found.text == "2·10⁻⁴ (10⁻⁴ to ∞, 4 seeds)"
    assert share([True, False, True]) == "2 of 3 seeds"


@pytest.mark.parametrize(
    ("hits", "verdict"), [(11, "agrees"), (10, "luck"), (2, "luck"), (1, "differs"), (0, "differs")]
)
def test_verdict_by_share(hits: int, verdict: str) -> None:
    assert by_share([i < hits for i in range(20)]) == verdict
