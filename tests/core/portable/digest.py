"""Hashes of what every portable function returns, to compare processors.

The arguments are bit patterns and short fractions, from integers alone: if they came from NumPy's exp2 or
from linspace they would themselves be different ones elsewhere.
"""

import hashlib
import json

import numpy as np

from core.portable import functions, sums
from core.portable.random import draw_uniform, standard_normal
from core.types import FloatArray
from tests.core.portable.test_arrays import ONE, TWO

COUNT = 10_000


def patterns(number: int) -> FloatArray:
    """Half of them any 64 bits (so all magnitudes, subnormals, infinities and nan), half within ±8."""
    rng = np.random.default_rng([2020, number])
    anything = rng.integers(0, 2**64, COUNT // 2, dtype=np.uint64).view(np.float64)
    moderate = rng.integers(-(2**53), 2**53, COUNT // 2).astype(np.float64) * 2.0**-50
    return np.concatenate([anything, moderate, [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan]])


def sha(*values: FloatArray | float) -> str:
    return hashlib.sha256(
        b"".join(np.asarray(value, dtype=np.float64).tobytes() for value in values)
    ).hexdigest()


def digest() -> dict[str, str]:
    x, y = patterns(0), patterns(1)
    unit = x[COUNT // 2 : COUNT] * 0.125
    hashes = {name: sha(getattr(functions, name)(x), getattr(functions, name)(unit)) for name in ONE}
    hashes |= {name: sha(getattr(functions, name)(x, y)) for name in TWO}
    hashes["power of moderate numbers"] = sha(
        functions.power(np.abs(x[COUNT // 2 :]), 20.0 * y[COUNT // 2 :])
    )
    u, v = unit, y[COUNT // 2 : COUNT]
    hashes["sums"] = sha(
        sums.total(v), sums.dot(u, v), sums.sum_of_squares(v), sums.weighted_square(u, v),
        sums.cumulative_from_right(v), sums.total(x), sums.dot(x, y), sums.cumulative_from_right(x),
    )  # fmt: skip
    rng = np.random.default_rng([1, 2])
    hashes["draws"] = sha(standard_normal(rng, 100_000), draw_uniform(rng, 0.1, 0.7, 1_000))
    return hashes


if __name__ == "__main__":
    print(json.dumps(digest()))
