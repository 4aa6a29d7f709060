"""What a frame says in one compiled call is, bit by bit, what the definitions say one by one."""

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.model.loss import mean_loss, prediction_error
from core.model.pattern import Pattern, pattern_of
from core.run.measures import measured
from core.run.train import train
from core.theory.floor import floor
from core.theory.stationarity import critical_error

QUERIES = [
    "target=f1&method=gd&epochs=300",
    "target=five&seed=2&method=flow&epochs=1e4",
    "target=f2&points=80&width=25&seed=7&method=adam&epochs=100",
    "data=-1:2:3;-0.5:0;0:1:2;0.25:-1;0.5:0.5;1:2:4&width=6&init=uniform&seed=1&method=anls&epochs=5",
    "target=sin(x)&domain=1000,1007&points=40&width=8&method=gd&epochs=50",
]


@pytest.mark.parametrize("query", QUERIES)
def test_measures_have_the_bits_of_the_definitions(query: str) -> None:
    config = RunConfig.from_query(query)
    data = config.training_data()
    for frame in train(config):
        pattern = Pattern(frame.gap, frame.pin)
        assert frame.loss == mean_loss(data, frame.b, frame.c)
        assert frame.floor == floor(data, pattern)
        assert frame.stationarity == critical_error(data, pattern, frame.b, frame.c)[0]
        np.testing.assert_equal(frame.prediction_error, prediction_error(data, frame.b, frame.c))


def test_a_coefficient_of_zero_joins_two_sets() -> None:
    data = RunConfig.from_query("target=f1").training_data()
    b, c = np.array([-0.9, 0.1, 0.4]), np.array([1.0, 0.0, -2.0])
    pattern = pattern_of(data.x, b)
    found = measured(data, pattern, b, c, None)
    assert found is not None
    assert found.stationarity == critical_error(data, pattern, b, c)[0]
    assert measured(data, pattern, b, c, 0.25) == found._replace(floor=0.25)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e200])
def test_a_network_that_is_not_finite_has_no_frame(wrong: float) -> None:
    data = RunConfig.from_query("target=f1").training_data()
    b, c = np.array([-0.9, 0.1]), np.array([1.0, wrong])
    assert measured(data, pattern_of(data.x, b), b, c, None) is None
