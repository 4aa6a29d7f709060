"""The elementary functions on arrays: float64 of any shape, two arguments broadcast, a scalar for scalars.

Each is one compiled loop that calls the scalar function on element after
element. That is all scalar code of this package: numba puts a vector library
(SVML) in the place of calls to sin, exp, ... only, and there are none. Where the
compiler makes vectors of the loop itself, every lane does the same correctly
rounded operations. Each loop is written out rather than made by a function of
functions, since numba keeps compiled code on disk by the place of its source.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import compiled_ieee
from ..types import FloatArray
from .exponential import portable_exp, portable_expm1
from .hyperbolic import portable_cosh, portable_sinh, portable_tanh
from .inverse import portable_acos, portable_asin, portable_atan
from .logarithm import portable_log, portable_log1p, portable_log2, portable_log10
from .powers import portable_cbrt, portable_pow
from .remainder import portable_mod
from .trigonometric import portable_cos, portable_sin, portable_tan

Loop = Callable[..., None]


def _over_one(loop: Loop, x: ArrayLike) -> FloatArray:
    points = np.asarray(x, dtype=np.float64, order="C")
    values = np.empty(points.shape)
    loop(points.reshape(-1), values.reshape(-1))
    return values if points.ndim else values[()]


def _over_two(loop: Loop, x: ArrayLike, y: ArrayLike) -> FloatArray:
    pair = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    # Copies: a broadcast view that happens to be contiguous would warn when its flags are looked at.
    first, second = (np.array(each, order="C").reshape(-1) for each in pair)
    values = np.empty(pair[0].shape)
    loop(first, second, values.reshape(-1))
    return values if pair[0].ndim else values[()]


@compiled_ieee
def _sin(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_sin(x[i])


def sin(x: ArrayLike) -> FloatArray:
    """Sine."""
    return _over_one(_sin, x)


@compiled_ieee
def _cos(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_cos(x[i])


def cos(x: ArrayLike) -> FloatArray:
    """Cosine."""
    return _over_one(_cos, x)


@compiled_ieee
def _tan(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_tan(x[i])


def tan(x: ArrayLike) -> FloatArray:
    """Tangent."""
    return _over_one(_tan, x)


@compiled_ieee
def _asin(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_asin(x[i])


def asin(x: ArrayLike) -> FloatArray:
    """Arc sine."""
    return _over_one(_asin, x)


@compiled_ieee
def _acos(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_acos(x[i])


def acos(x: ArrayLike) -> FloatArray:
    """Arc cosine."""
    return _over_one(_acos, x)


@compiled_ieee
def _atan(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_atan(x[i])


def atan(x: ArrayLike) -> FloatArray:
    """Arc tangent."""
    return _over_one(_atan, x)


@compiled_ieee
def _sinh(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_sinh(x[i])


def sinh(x: ArrayLike) -> FloatArray:
    """Hyperbolic sine."""
    return _over_one(_sinh, x)


@compiled_ieee
def _cosh(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_cosh(x[i])


def cosh(x: ArrayLike) -> FloatArray:
    """Hyperbolic cosine."""
    return _over_one(_cosh, x)


@compiled_ieee
def _tanh(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_tanh(x[i])


def tanh(x: ArrayLike) -> FloatArray:
    """Hyperbolic tangent."""
    return _over_one(_tanh, x)


@compiled_ieee
def _exp(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_exp(x[i])


def exp(x: ArrayLike) -> FloatArray:
    """e^x."""
    return _over_one(_exp, x)


@compiled_ieee
def _expm1(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_expm1(x[i])


def expm1(x: ArrayLike) -> FloatArray:
    """e^x - 1."""
    return _over_one(_expm1, x)


@compiled_ieee
def _log(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_log(x[i])


def log(x: ArrayLike) -> FloatArray:
    """Natural logarithm."""
    return _over_one(_log, x)


@compiled_ieee
def _log1p(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_log1p(x[i])


def log1p(x: ArrayLike) -> FloatArray:
    """log(1 + x)."""
    return _over_one(_log1p, x)


@compiled_ieee
def _log2(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_log2(x[i])


def log2(x: ArrayLike) -> FloatArray:
    """Logarithm to base 2."""
    return _over_one(_log2, x)


@compiled_ieee
def _log10(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_log10(x[i])


def log10(x: ArrayLike) -> FloatArray:
    """Logarithm to base 10."""
    return _over_one(_log10, x)


@compiled_ieee
def _cbrt(x: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_cbrt(x[i])


def cbrt(x: ArrayLike) -> FloatArray:
    """Cube root."""
    return _over_one(_cbrt, x)


@compiled_ieee
def _power(x: FloatArray, y: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_pow(x[i], y[i])


def power(x: ArrayLike, y: ArrayLike) -> FloatArray:
    """x^y, with the special values of C."""
    return _over_two(_power, x, y)


@compiled_ieee
def _mod(x: FloatArray, y: FloatArray, values: FloatArray) -> None:
    for i in range(x.shape[0]):
        values[i] = portable_mod(x[i], y[i])


def mod(x: ArrayLike, y: ArrayLike) -> FloatArray:
    """x - y floor(x / y): the sign is that of y."""
    return _over_two(_mod, x, y)
