"""A run has the same bits interpreted and compiled, so that it can begin before the compiler is done."""

import json
import os
import subprocess
import sys
from hashlib import sha256

import orjson
import pytest

from core import RunConfig
from core.methods import METHODS
from core.run.train import Training
from core.service.records import encode_frame
from core.tables.pictures import candidate_columns, forecast_columns, rate_columns
from core.tables.summaries import plateaus, stages
from tests.core.test_processors import ROOT
from tests.service.samples import timeless

LONG = [
    "target=five&method=flow&epochs=1e5&seed=2",
    "target=flight&method=flow&epochs=2e4&seed=4&learning_rate=0.01",
]
"""The implicit steps of the flow divide complex numbers."""
SHORT = [
    f"{problem}&method={name}&epochs={epochs}"
    for name in METHODS
    for problem, epochs in (("target=f1&points=30&width=6&seed=5", 30), ("target=five&width=5&seed=3", 103))
]
"""Of each method a run that ends at a frame, and one that ends between two."""
KINDS = [
    "target=five&seed=2&epochs=300",
    "target=five&seed=2&method=adam&epochs=300",
    "target=f2&points=80&width=25&seed=7&epochs=20",
    "data=-1:2:3;-0.5:0;0:1:2;0.25:-1;0.5:0.5;1:2:4&width=6&init=uniform&seed=1&epochs=50",
    "target=sin(x)&domain=1000,1007&points=40&width=8&units=1003.5,3.5,0,1&epochs=30",
    "target=exp(-2*x)*tanh(3*x)%2Blog(x%2B2)&points=37&noise=0.1&sampling=uniform&epochs=30",
    "points=20&width=5&init=fully_trained&epochs=30",
    "points=20&width=5&init=equidistant&decay=0.5&loss=half_sum&epochs=30",
    "points=9&width=12&init=small&method=anls_plus&epochs=12",
    "points=20&width=4&learning_rate=5&epochs=60",
]
"""Crossings and pins, weights, units, noise, every kind of start, a step that is too large."""


def digest(query: str) -> str:
    """Of all that is recorded of a run, the clock aside, and of all that is told of it."""
    config = RunConfig.from_query(query)
    training = Training(config)
    frames = list(training.run())
    whole = sha256()
    for frame in frames:
        whole.update(timeless(encode_frame(frame)))
    last = [frame for frame in frames if frame.stage == frames[-1].stage]
    told = [stages(config, frames), plateaus(config, frames), rate_columns(config, last)]
    told += [candidate_columns(config, frames[-1])]
    if query not in LONG:
        told += [forecast_columns(config, frames[-1])]
    whole.update(orjson.dumps(told, option=orjson.OPT_SERIALIZE_NUMPY))
    return whole.hexdigest()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_interpreted_runs_have_the_bits_of_compiled_ones() -> None:
    queries = [*LONG, *SHORT, *KINDS]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "tests.core.test_interpreted", *queries]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    interpreted = json.loads(done.stdout)
    assert {query: digest(query) for query in queries} == interpreted


if __name__ == "__main__":
    print(json.dumps({query: digest(query) for query in sys.argv[1:]}))
