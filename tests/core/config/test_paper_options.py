"""What the paper allows and a link can say: half the sum, rates that decay, weights, a trained start."""

import numpy as np
import pytest

from core import RunConfig, train
from core.model.network import evaluate
from core.model.pattern import pattern_of
from core.theory import critical_error
from tests.core import naive


def test_half_the_sum_is_the_mean_with_a_longer_step() -> None:
    mean = RunConfig.from_query("target=f1&points=50&learning_rate=1e-3&epochs=2e3")
    half = RunConfig.from_query("target=f1&points=50&learning_rate=4e-5&epochs=2e3&loss=half_sum")
    assert RunConfig.from_query(half.to_query()).run_id == half.run_id != mean.run_id
    for ours, theirs in zip(train(half), train(mean), strict=True):
        assert ours.loss == pytest.approx(theirs.loss, rel=1e-9)
        assert ours.b == pytest.approx(theirs.b, abs=1e-9)


def test_rates_that_decay() -> None:
    config = RunConfig.from_query("target=f1&points=30&width=5&learning_rate=0.02&decay=0.5&epochs=300")
    data = config.training_data()
    b, c = config.initial()
    for k in range(300):
        db, dc = naive.gradient(data.x, data.y, b, c)
        rate = 0.02 / np.sqrt(1.0 + k)
        b, c = b - rate * db, c - rate * dc
    *_, last = train(config)
    assert last.b == pytest.approx(b, abs=1e-12)
    assert last.c == pytest.approx(c, abs=1e-12)


@pytest.mark.parametrize("more", ["", "&units=1,4,0,1"])
def test_weights_are_rewritten_as_one(more: str) -> None:
    w, b, c = [2.0, -1.5, 0.0, -3.0], [0.5, 0.75, -2.0, 4.0], [1.0, -0.5, 0.25, 2.0]
    lists = (",".join(map(repr, values)) for values in (w, b, c))
    query = "target=f1&weights={}&biases={}&coefficients={}".format(*lists) + more
    config = RunConfig.from_query(query)
    data = config.training_data()
    x = np.linspace(*data.domain, 501)
    wanted = np.maximum(np.array(w) * x[:, None] - np.array(b), 0.0) @ np.array(c)
    assert evaluate(*config.initial(), x) == pytest.approx(wanted, abs=1e-12)
    assert "4 neurons with weights were rewritten" in data.notes[0]
    assert "weights" not in config.to_query()
    assert RunConfig.from_query(config.to_query()).run_id == config.run_id


@pytest.mark.parametrize(
    "query", ["weights=1,2", "weights=1,2&biases=0,1", "weights=1&biases=0,1&coefficients=1,1"]
)
def test_weights_need_biases_and_coefficients(query: str) -> None:
    with pytest.raises(ValueError, match=r"^weights: "):
        RunConfig.from_query(query)


@pytest.mark.parametrize("width", [1, 2, 3, 10, 60])
def test_a_fully_trained_start_is_stationary(width: int) -> None:
    config = RunConfig.from_query(f"target=f1&init=fully_trained&width={width}&learning_rate=1e-8&epochs=100")
    data = config.training_data()
    b, c = config.initial()
    assert b.shape == c.shape == (width,)
    if width > 1:
        size = np.abs(c).max()
        assert critical_error(data, pattern_of(data.x, b), b, c)[0] <= 1e-24 * (1 + size) ** 2
        *_, last = train(config)
        assert last.b == pytest.approx(b, abs=1e-12 * (1 + size))


@pytest.mark.parametrize("units", ["1", "0,0,0,1", "0,1,0,-1", "0,1,2"])
def test_units_are_four_numbers(units: str) -> None:
    with pytest.raises(ValueError, match=r"^units: "):
        RunConfig.from_query(f"units={units}")
