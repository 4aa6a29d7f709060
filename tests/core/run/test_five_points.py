"""The paper's five-point example (fig:motivation-graph), trained: where it succeeds, inner biases are pinned.

Most starts stay trapped with neurons wasted; these two seeds of the first ten reach the paper's end state.
"""

import numpy as np
import pytest

from core import RunConfig
from core.model.pattern import Pattern, segments
from core.run import train


@pytest.mark.parametrize("method", ["flow", "gd"])
@pytest.mark.parametrize("seed", [3, 9])
def test_a_trained_network_interpolates_and_its_inner_biases_are_pinned(method: str, seed: int) -> None:
    config = RunConfig.from_query(f"target=five&method={method}&seed={seed}&epochs=1e6")
    data = config.training_data()
    *_, last = train(config)
    assert last.loss < 1e-6
    assert set(last.u.tolist()) == {0, 1}, "each set holds one datum: the macroscopic data are the data"
    found = segments(data, Pattern(last.gap, last.pin), last.b, last.c)
    np.testing.assert_allclose(found.mean_x[found.u > 0], data.x)
    np.testing.assert_allclose(found.mean_y[found.u > 0], data.y)
    assert {1, 2, 3} <= set(last.pin.tolist()), "a neuron is pinned at each inner datum"
