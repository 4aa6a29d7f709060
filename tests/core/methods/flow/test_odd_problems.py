"""Legal but odd problems: nothing crashes, nothing is not finite, and time advances or an outcome comes."""

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.methods.flow.method import GradientFlow
from core.narrative.endings import ENDINGS
from core.problem.data import TrainingData
from core.types import FloatArray
from tests.core.methods.flow.odd import odd_problem

CALLS = 6
"""Enough for most to end; the others are at least seen to move."""


def check(data: TrainingData, b: FloatArray, c: FloatArray, method: GradientFlow, until: float) -> None:
    state = method.init(data, b, c)
    for call in range(CALLS):
        result = method.advance(data, state, until, stop_at_change=call % 2 == 0)
        assert np.isfinite(result.state["b"]).all()
        assert np.isfinite(result.state["c"]).all()
        if result.met is not None:
            assert result.met.reason in ENDINGS
            return
        assert float(result.state["epoch"]) > float(state["epoch"])
        state = result.state
        if float(state["epoch"]) >= until:
            return


@pytest.mark.parametrize(
    "part", [2, *(pytest.param(part, marks=pytest.mark.slow) for part in (0, 1, 3, 4, 5))]
)
def test_odd_problems(part: int) -> None:
    for seed in range(50 * part, 50 * part + 50):
        method = GradientFlow(learning_rate=(1e-3, 1e-3, 1e-8, 10.0)[seed % 4])
        check(*odd_problem(seed), method, (1e8, 1e5, 1e12)[seed % 3])


@pytest.mark.parametrize(
    "query",
    [
        "target=f1&points=20&biases=-1e7,-1e6,0.1&coefficients=1,1,1&method=flow&epochs=1e7",
        "target=f1&points=20&biases=-1e7,-1e6,0.1&coefficients=1e9,-1e9,1e9&method=flow&epochs=1e7",
        "data=-0.7:1.59;0.2:0.97;0.20000000000000004:-0.96;0.4:1.09;0.6:0.79&width=6&seed=3&method=flow",
    ],
    ids=["far left", "huge coefficients", "two data a last bit apart"],
)
def test_queries_that_are_hard_to_follow(query: str) -> None:
    config = RunConfig.from_query(query)
    method = config.method
    assert isinstance(method, GradientFlow)
    check(config.training_data(), *config.initial(), method, float(config.epochs))
