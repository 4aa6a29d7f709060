"""mod against Python's fractions, and bit by bit against NumPy, whose remainder is exact everywhere."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.portable.functions import mod
from tests.core.portable.arguments import EVERY_SIZE, signs, subnormals
from tests.core.portable.test_exact import same
from tests.effort import cases

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite.filter(bool))
def test_is_the_rounded_remainder(x: float, y: float) -> None:
    exact = Fraction(x) % Fraction(y)
    assert float(mod(x, y)) == float(exact)


@pytest.mark.parametrize("count", [cases(5_000, of=300_000)])
def test_is_numpys(count: int) -> None:
    rng = np.random.default_rng(count)
    x, y = (signs(rng, count) * EVERY_SIZE(rng, count) for _ in range(2))
    near = np.ldexp(y, -10) * rng.integers(-50, 50, count) * rng.choice([1.0, 0.5, 1.1], count)
    small, smaller = subnormals(rng, count), signs(rng, count) * subnormals(rng, count)
    with np.errstate(all="ignore"):
        for a, b in [
            (x, y),
            (near, np.ldexp(y, -10)),
            (small, smaller),
            (x, smaller),
            (rng.uniform(-9, 9, count), np.full(count, 1.5)),
        ]:
            finite_pairs = np.isfinite(a)
            assert same(mod(a, b)[finite_pairs], np.mod(a, b)[finite_pairs])


def test_special_values() -> None:
    """nan for a zero divisor or an infinite x; zeros have the sign of y; an infinite y leaves x, or is it."""
    numbers = [0.0, 1.0, 2.5, np.inf, 5e-324, 1.7976931348623157e308]
    numbers += [np.nan, *(-number for number in numbers)]
    x, y = np.array(list(product(numbers, numbers))).T
    with np.errstate(all="ignore"):
        expected = np.mod(x, y)
    computed = mod(x, y)
    wrong = [i for i in range(len(x)) if not same(computed[i], expected[i])]
    assert not wrong, [(x[i], y[i], computed[i], expected[i]) for i in wrong]
