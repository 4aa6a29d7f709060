"""Legal but odd problems: every method ends or goes on in time, with finite numbers, and nothing crashes.

Near-duplicate x, huge and tiny scales, biases on data or far away, more neurons than data, one
neuron, two points, dead networks, coefficients of 10^+-9, weights. `make test` draws a few hundred of
them, `make search` ten thousand new ones.
"""

import os
from collections.abc import Iterator
from importlib import import_module
from time import thread_time
from urllib.parse import urlencode

import numpy as np
import pytest

from core import RunConfig
from core.methods import METHODS
from core.run.train import Training
from tests.effort import SEARCHING, cases

BLOCKS, EACH = cases(4, of=100), cases(10, of=100)
"""How many tests, and how many problems each."""
FIRST = int.from_bytes(os.urandom(4), "little") if SEARCHING else 0
LONGEST_STEP = 2.0
"""Seconds of the thread's own processor time, which do not grow when the machine is busy."""
STEPS = 4


def odd_data(rng: np.random.Generator) -> str:
    m = int(rng.choice([2, 3, 5, 12, 40]))
    x = np.sort(rng.uniform(-1.0, 1.0, m))
    kind = rng.integers(6)
    if kind == 0:  # near-duplicates, merged or just not
        x = np.sort(np.concatenate([x, x[: max(1, m // 2)] + 10.0 ** rng.uniform(-16, -6)]))
    elif kind == 1:
        x = x * 10.0 ** rng.integers(-9, 9)
    elif kind == 2:
        x = x + 10.0 ** rng.integers(0, 6)
    elif kind == 3:
        x = np.round(x * 8) / 8
    shape = rng.integers(5)
    y = rng.normal(size=x.size)
    if shape == 0:
        y = np.full(x.size, float(rng.choice([0.0, 1.0, -5.0])))
    elif shape == 1:
        y = y * 10.0 ** rng.integers(-9, 9)
    elif shape == 2:
        y = 3.0 + 2.0 * x
    elif shape == 3:
        y = 1e6 + y
    rows = [f"{a!r}:{b!r}" for a, b in zip(x.tolist(), np.clip(y, -1e9, 1e9).tolist(), strict=True)]
    if rng.random() < 0.2:
        rows = [f"{row}:{rng.integers(1, 9)}" for row in rows]
    return ";".join(rows)


def odd_start(rng: np.random.Generator, data: str) -> dict[str, str]:
    n = int(rng.choice([1, 2, 3, 8, 25]))
    if rng.random() < 0.4:
        return {
            "width": str(n),
            "init": str(rng.choice(["he", "uniform", "equidistant", "small", "fully_trained"])),
        }
    x = np.array([float(row.split(":")[0]) for row in data.split(";")])
    b = rng.choice(x, n) if rng.random() < 0.4 else rng.uniform(x.min() - 1, x.max() + 1, n)
    far = rng.random(n) < 0.2
    b[far] = np.clip(rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-7, 7, n), -1e9, 1e9)[far]
    if rng.random() < 0.1:
        b[:] = x.max() + 1.0
    c = rng.normal(size=n) * 10.0 ** (rng.integers(-9, 10) if rng.random() < 0.4 else 0)
    c[rng.random(n) < 0.2] = 0.0
    numbers = {"biases": b, "coefficients": np.clip(c, -1e9, 1e9)}
    return {key: ",".join(map(repr, values.tolist())) for key, values in numbers.items()}


def odd_query(seed: int) -> str:
    rng = np.random.default_rng([seed, 11])
    data = odd_data(rng)
    return urlencode({"data": data, "seed": str(seed % 1000), **odd_start(rng, data)})


def check(query: str, method: str) -> float:
    """Run it for a few steps; the longest of them."""
    config = RunConfig.from_query(f"{query}&method={method}")
    training = Training(config)
    longest = 0.0
    for _ in range(STEPS):
        start = thread_time()
        frames = training.step()
        longest = max(longest, thread_time() - start)
        for frame in frames:
            assert np.isfinite([frame.loss, frame.floor, frame.stationarity, frame.epoch]).all()
            assert np.isfinite(frame.b).all() and np.isfinite(frame.c).all()
        if training.outcome is not None:
            assert training.outcome.sentence.endswith(".")
            break
    return longest


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """A step is one call of the method here; compiling counts for none of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("core.run.train"), "STEP_SECONDS", 0.0)
        _compile()
        yield


def _compile() -> None:
    for method in METHODS:
        for seed in range(3):
            check(odd_query(seed), method)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("method", METHODS)
def test_odd_problems(method: str, block: int) -> None:
    for seed in range(FIRST + block * EACH, FIRST + (block + 1) * EACH):
        query = odd_query(seed)
        try:
            RunConfig.from_query(query)
        except ValueError:
            continue  # not legal: too few distinct x
        longest = check(query, method)
        if longest >= LONGEST_STEP:  # a kernel that is seldom needed may have been compiled on the way
            longest = check(query, method)
        assert longest < LONGEST_STEP, f"{query}&method={method}: a step took {longest:.1f} s"
