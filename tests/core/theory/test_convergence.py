"""Stages that must end do end; the last ones are never said to."""

import numpy as np
import pytest

from core import RunConfig, train
from core.model.pattern import Pattern, pattern_of
from core.problem.data import TrainingData
from core.run.stages import stages_of
from core.theory import fully_trained_network
from core.theory.convergence import must_end


@pytest.mark.slow
def test_ended_stages_are_certified_and_last_ones_are_not() -> None:
    """Gradient descent on f1: five seeds, from the first state of every stage."""
    certified = ended = 0
    for seed in range(5):
        config = RunConfig.from_query(f"target=f1&seed={seed}&epochs=1e8")
        data, frames = config.training_data(), list(train(config))
        by_index = {frame.index: frame for frame in frames}
        for stage in stages_of(frames):
            frame = by_index[stage.first_frame]
            exits = must_end(data, Pattern(frame.gap, frame.pin))
            if stage.is_open:
                assert exits == ()
            else:
                ended += 1
                certified += bool(exits)
    print(f"\n{certified} of {ended} ended stages certified at their first state")
    assert certified >= 0.85 * ended


def test_a_stationary_network_may_stay() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        data = TrainingData(np.linspace(-1, 1, 24), rng.normal(size=24))
        b, _ = fully_trained_network(data, np.sort(rng.uniform(-1, 1, 3)))
        assert must_end(data, pattern_of(data.x, b)) == ()


def test_a_kink_that_cannot_be_where_it_is() -> None:
    """The lines of |x| left and right of a bias at 0.6 meet far from it."""
    x = np.linspace(-1.0, 1.0, 21)
    data = TrainingData(x, np.abs(x))
    kinks = {found.neuron: found.kink for found in must_end(data, pattern_of(x, np.array([-1.5, 0.62])))}
    assert not 0.6 <= kinks[1] <= 0.7
