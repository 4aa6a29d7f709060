"""The elementary functions on arrays: float64 of any shape, two arguments broadcast, a scalar for scalars.

Each is a NumPy ufunc whose loop calls the scalar function on element after element. That is all scalar code
of this package: numba puts a vector library (SVML) in the place of calls to sin, exp, ... only, and there are
none. Where the compiler makes vectors of the loop itself, every lane does the same correctly rounded
operations. Each has a definition of its own, since numba keeps compiled code on disk by the place of its
source, and another name than the scalar function, whose code it would find there otherwise.
"""

from collections.abc import Callable
from functools import update_wrapper

import numpy as np
from numba import config, vectorize
from numpy.typing import ArrayLike

from ..types import FloatArray
from .exponential import portable_exp, portable_expm1
from .hyperbolic import portable_cosh, portable_sinh, portable_tanh
from .inverse import portable_acos, portable_asin, portable_atan
from .logarithm import portable_log, portable_log1p, portable_log2, portable_log10
from .powers import portable_cbrt, portable_pow
from .remainder import portable_mod
from .trigonometric import portable_cos, portable_sin, portable_tan


def _interpreted(scalar: Callable[..., float]) -> Callable[..., FloatArray]:
    def over(*arrays: FloatArray) -> FloatArray:
        elements = np.broadcast(*arrays)
        return np.array([scalar(*each) for each in elements]).reshape(elements.shape)

    return over


def on_arrays(scalar: Callable[..., float]) -> Callable[..., FloatArray]:
    """The same function of arrays, compiled at the first call; interpreted where kernels are."""
    ufunc = _interpreted(scalar) if config.DISABLE_JIT else vectorize(cache=True)(scalar)

    def elementwise(*arguments: ArrayLike) -> FloatArray:
        with np.errstate(all="ignore"):
            found = ufunc(*(np.asarray(argument, dtype=np.float64) for argument in arguments))
        values = np.asarray(found, dtype=np.float64)
        return values if values.ndim else values[()]

    return update_wrapper(elementwise, scalar)


@on_arrays
def sin(x: float) -> float:
    """Sine."""
    return portable_sin(x)


@on_arrays
def cos(x: float) -> float:
    """Cosine."""
    return portable_cos(x)


@on_arrays
def tan(x: float) -> float:
    """Tangent."""
    return portable_tan(x)


@on_arrays
def asin(x: float) -> float:
    """Arc sine."""
    return portable_asin(x)


@on_arrays
def acos(x: float) -> float:
    """Arc cosine."""
    return portable_acos(x)


@on_arrays
def atan(x: float) -> float:
    """Arc tangent."""
    return portable_atan(x)


@on_arrays
def sinh(x: float) -> float:
    """Hyperbolic sine."""
    return portable_sinh(x)


@on_arrays
def cosh(x: float) -> float:
    """Hyperbolic cosine."""
    return portable_cosh(x)


@on_arrays
def tanh(x: float) -> float:
    """Hyperbolic tangent."""
    return portable_tanh(x)


@on_arrays
def exp(x: float) -> float:
    """e^x."""
    return portable_exp(x)


@on_arrays
def expm1(x: float) -> float:
    """e^x - 1."""
    return portable_expm1(x)


@on_arrays
def log(x: float) -> float:
    """Natural logarithm."""
    return portable_log(x)


@on_arrays
def log1p(x: float) -> float:
    """log(1 + x)."""
    return portable_log1p(x)


@on_arrays
def log2(x: float) -> float:
    """Logarithm to base 2."""
    return portable_log2(x)


@on_arrays
def log10(x: float) -> float:
    """Logarithm to base 10."""
    return portable_log10(x)


@on_arrays
def cbrt(x: float) -> float:
    """Cube root."""
    return portable_cbrt(x)


@on_arrays
def power(x: float, y: float) -> float:
    """x^y, with the special values of C."""
    return portable_pow(x, y)


@on_arrays
def mod(x: float, y: float) -> float:
    """x - y floor(x / y): the sign is that of y."""
    return portable_mod(x, y)
