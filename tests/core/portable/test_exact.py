"""Values that are known without computing: zeros, infinities, nan, symmetries and exact results."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.typing import ArrayLike

from core.portable import functions as f
from core.types import FloatArray
from tests.core.portable.arguments import arguments

INF, NAN = np.inf, np.nan
TINY, HUGE = 5e-324, 1.7976931348623157e308

VALUES: dict[str, list[tuple[float, float]]] = {
    "sin": [(0, 0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (TINY, TINY), (-TINY, -TINY)],
    "cos": [(0, 1), (-0.0, 1), (INF, NAN), (-INF, NAN), (TINY, 1), (1e-9, 1)],
    "tan": [(0, 0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (TINY, TINY), (np.pi / 4, 1 - 2.0**-53)],
    "asin": [(0, 0), (-0.0, -0.0), (1, np.pi / 2), (-1, -np.pi / 2), (1 + 2.0**-52, NAN), (-INF, NAN),
             (TINY, TINY)],
    "acos": [(1, 0), (-1, np.pi), (0, np.pi / 2), (-0.0, np.pi / 2), (-1 - 2.0**-52, NAN), (INF, NAN),
             (TINY, np.pi / 2)],
    "atan": [(0, 0), (-0.0, -0.0), (INF, np.pi / 2), (-INF, -np.pi / 2), (HUGE, np.pi / 2), (TINY, TINY),
             (1, np.pi / 4)],
    "sinh": [(0, 0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (711, INF), (-HUGE, -INF), (TINY, TINY)],
    "cosh": [(0, 1), (-0.0, 1), (INF, INF), (-INF, INF), (-711, INF), (HUGE, INF), (TINY, 1)],
    "tanh": [(0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (HUGE, 1), (-30, -1), (TINY, TINY)],
    "exp": [(0, 1), (-0.0, 1), (INF, INF), (-INF, 0), (TINY, 1), (710, INF), (-746, 0), (HUGE, INF),
            (-HUGE, 0), (-745.1332191019411, TINY), (1, np.e)],
    "expm1": [(0, 0), (-0.0, -0.0), (INF, INF), (-INF, -1), (TINY, TINY), (710, INF), (-HUGE, -1), (-50, -1)],
    "log": [(1, 0), (0, -INF), (-0.0, -INF), (INF, INF), (-INF, NAN), (-TINY, NAN), (-1, NAN)],
    "log1p": [(0, 0), (-0.0, -0.0), (-1, -INF), (INF, INF), (-INF, NAN), (-1.0000000000000002, NAN),
              (TINY, TINY)],
    "log2": [(1, 0), (0, -INF), (-0.0, -INF), (INF, INF), (-1, NAN), (TINY, -1074)],
    "log10": [(1, 0), (0, -INF), (-0.0, -INF), (INF, INF), (-1, NAN)],
    "cbrt": [(0, 0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (2.0**-1074, 2.0**-358), (2.0**1023, 2.0**341)],
}  # fmt: skip


def same(computed: ArrayLike, expected: ArrayLike) -> bool:
    """Equal with the sign of zeros, and every nan the one nan of the package."""
    one_nan = np.where(np.isnan(expected), np.nan, expected)
    return np.array_equal(np.asarray(computed).view(np.uint64), one_nan.view(np.uint64))


@pytest.mark.parametrize("name", VALUES)
def test_special_values(name: str) -> None:
    function = getattr(f, name)
    for x, expected in [*VALUES[name], (NAN, NAN), (-NAN, NAN)]:
        assert same(function(x), expected), f"{name}({x!r}) = {function(x)!r}, not {expected!r}"


@pytest.mark.parametrize("name", ["sin", "tan", "asin", "atan", "sinh", "tanh", "cbrt"])
def test_odd(name: str) -> None:
    x = arguments(name, 5_000)
    assert same(getattr(f, name)(-x), -getattr(f, name)(x))


@pytest.mark.parametrize("name", ["cos", "cosh"])
def test_even(name: str) -> None:
    x = arguments(name, 5_000)
    assert same(getattr(f, name)(-x), getattr(f, name)(x))


def test_logarithms_of_powers() -> None:
    twos = np.arange(-1074, 1024)
    assert same(f.log2(np.ldexp(1.0, twos)), twos.astype(np.float64))
    tens = np.arange(23)
    assert same(f.log10(np.array([float(10 ** int(n)) for n in tens])), tens.astype(np.float64))


def test_roots_of_cubes() -> None:
    n = np.concatenate([np.arange(1.0, 2000.0), np.arange(208_000.0, 208_064.0)])
    assert same(f.cbrt(n**3), n)
    assert same(f.cbrt(-(n**3)), -n)


def exact_power(x: int, n: int) -> float:
    """Python's integers, rounded once."""
    return float(x**n)


def test_whole_powers() -> None:
    x = arguments("cbrt", 5_000)
    assert same(f.power(x, 1.0), x)
    with np.errstate(all="ignore"):
        assert same(f.power(x, 2.0), x * x)
        assert same(f.power(x, -1.0), 1.0 / x)
    base = [*range(2, 40), 94_906_267, 208_065, 2**53 - 1]
    for n in range(3, 18):
        expected = np.array([exact_power(value, n) for value in base])
        assert same(f.power(base, float(n)), expected), n
        assert same(f.power(np.negative(base), float(n)), expected * (-1) ** n), n


def test_square_roots_are_powers() -> None:
    x = np.abs(arguments("cbrt", 2_000))
    assert same(f.power(x, 0.5), np.sqrt(x))


def test_powers_of_special_values() -> None:
    """As C says, and NumPy does."""
    large = 2.0**1022
    bases = [0.0, 1.0, 4.0, 0.25, INF, TINY, large]
    bases += [-base for base in bases]
    exponents = [0.0, 1.0, 2.0, 3.0, 0.5, 1.5, INF, 2.0**53, 2.0**53 - 1, 1e300, 2.0**52 + 0.5, TINY]
    exponents += [-exponent for exponent in exponents]
    bases, exponents = [*bases, NAN], [*exponents, NAN]
    x, y = np.array(list(product(bases, exponents))).T
    with np.errstate(all="ignore"):
        expected = np.power(x, y)
    computed = f.power(x, y)
    wrong = [i for i in range(len(x)) if not same(computed[i], expected[i])]
    assert not wrong, [(x[i], y[i], computed[i], expected[i]) for i in wrong]


@pytest.mark.parametrize(
    ("function", "inverse", "low", "high"),
    [(f.exp, f.log, -700.0, 700.0), (f.tan, f.atan, -1.5, 1.5), (f.sin, f.asin, -1.5, 1.5),
     (f.expm1, f.log1p, -30.0, 700.0)],
)  # fmt: skip
def test_inverses(
    function: Callable[..., FloatArray], inverse: Callable[..., FloatArray], low: float, high: float
) -> None:
    """f(f⁻¹(v)) is v again, up to what one ulp of f⁻¹(v) makes of it."""
    v = function(np.linspace(low, high, 2_001))
    x = inverse(v)
    slope = np.abs(function(x + np.spacing(np.abs(x))) - function(x - np.spacing(np.abs(x)))) / 2
    assert (np.abs(function(x) - v) <= slope + np.spacing(np.abs(v))).all()
