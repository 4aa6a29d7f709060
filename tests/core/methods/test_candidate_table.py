"""The table of candidates against one least-squares problem per candidate."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.config.run_config import RunConfig
from core.methods.anls.table import candidate_table
from core.problem.data import TrainingData
from core.run.train import train
from tests.core.brute import least, moves


def data_of(seed: int, m: int) -> TrainingData:
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-1, 1, m))
    return TrainingData(x=x, y=rng.normal(size=m), truth=None, domain=(-1.0, 1.0))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), m=st.integers(2, 14), n=st.integers(1, 7))
def test_the_table_lists_what_the_rules_give_with_their_losses(seed: int, m: int, n: int) -> None:
    data = data_of(seed, m)
    b = np.random.default_rng([seed, 1]).uniform(-1.3, 1.3, n)
    table = candidate_table(data, b)
    expected = {(neuron, side): place for neuron, side, place, _ in moves(data.x, b)}
    found = {
        (int(neuron), int(side == "right")): float(place)
        for neuron, side, place in zip(table.neuron, table.side, table.position, strict=True)
    }
    assert set(found) == set(expected)
    assert table.loss == pytest.approx(least(data.x, data.y, b) / m, abs=1e-9)
    for i, (neuron, place) in enumerate(zip(table.neuron, table.position, strict=True)):
        moved = b.copy()
        moved[neuron] = place
        if abs(place - data.x[0]) > 1e-7:  # beside it |c| ~ 1e8, and lstsq is no reference
            assert table.candidate_loss[i] == pytest.approx(least(data.x, data.y, moved) / m, abs=1e-8)


def test_the_chosen_candidate_is_the_next_step_of_anls() -> None:
    config = RunConfig.from_query("target=f1&method=anls&width=10&seed=1")
    frames = list(train(config))
    data = config.training_data()
    for before, after in pairwise(frames):
        table = candidate_table(data, np.asarray(before.b))
        assert table.chosen is not None
        assert table.candidate_loss[table.chosen] == pytest.approx(after.loss, rel=1e-9)
        assert after.b[table.neuron[table.chosen]] == table.position[table.chosen]
    assert candidate_table(data, np.asarray(frames[-1].b)).chosen is None


def test_dead_neurons_have_no_candidates() -> None:
    data = data_of(3, 5)
    table = candidate_table(data, np.array([1.5, 2.0, data.x[-1]]))
    assert table.neuron.size == 0 and table.chosen is None and table.side == ()
    assert table.loss == pytest.approx(np.mean(data.y**2))
