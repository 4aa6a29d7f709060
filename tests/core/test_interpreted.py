"""A run has the same bits interpreted and compiled, so that it can begin before the compiler is done."""

import json
import os
import subprocess
import sys
from hashlib import sha256

import pytest

from core import RunConfig, train
from core.methods import METHODS
from tests.core.test_processors import ROOT

LONG = [
    "target=five&method=flow&epochs=1e5&seed=2",
    "target=flight&method=flow&epochs=2e4&seed=4&learning_rate=0.01",
]
"""The implicit steps of the flow divide complex numbers."""
SHORT = [f"target=f1&points=30&width=6&seed=5&method={name}&epochs=30" for name in METHODS]


def digest(query: str) -> str:
    """Of all frames of a run."""
    whole = sha256()
    for frame in train(RunConfig.from_query(query)):
        numbers = (frame.epoch, frame.loss, frame.floor, frame.stationarity, frame.prediction_error)
        whole.update(" ".join(float(number).hex() for number in numbers).encode())
        for array in (frame.b, frame.c, frame.gap, frame.pin):
            whole.update(array.tobytes())
    return whole.hexdigest()


@pytest.mark.slow
def test_interpreted_runs_have_the_bits_of_compiled_ones() -> None:
    queries = [*LONG, *SHORT]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "tests.core.test_interpreted", *queries]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    interpreted = json.loads(done.stdout)
    assert {query: digest(query) for query in queries} == interpreted


if __name__ == "__main__":
    print(json.dumps({query: digest(query) for query in sys.argv[1:]}))
