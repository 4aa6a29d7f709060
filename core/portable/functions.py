"""The elementary functions on arrays: float64 of any shape, two arguments broadcast, a scalar for scalars.

Each is a NumPy ufunc whose loop is the scalar function, element after element. That is all scalar code
of this package: numba puts a vector library (SVML) in the place of calls to sin, exp, ... only, and there are
none. Where the compiler makes vectors of the loop itself, every lane does the same correctly rounded
operations.
"""

from collections.abc import Callable
from functools import update_wrapper

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import compiled_ufunc
from ..types import FloatArray
from .exponential import portable_exp, portable_expm1
from .hyperbolic import portable_cosh, portable_sinh, portable_tanh
from .inverse import portable_acos, portable_asin, portable_atan
from .logarithm import portable_log, portable_log1p, portable_log2, portable_log10
from .powers import portable_cbrt, portable_pow
from .remainder import portable_mod
from .trigonometric import portable_cos, portable_sin, portable_tan


def on_arrays(scalar: Callable[..., float]) -> Callable[..., FloatArray]:
    """The same function of arrays, compiled at the first call; interpreted where kernels are."""
    ufunc = compiled_ufunc(scalar)

    def elementwise(*arguments: ArrayLike) -> FloatArray:
        with np.errstate(all="ignore"):
            found = ufunc(*(np.asarray(argument, dtype=np.float64) for argument in arguments))
        values = np.asarray(found, dtype=np.float64)
        return values if values.ndim else values[()]

    return update_wrapper(elementwise, scalar)


sin, cos, tan = map(on_arrays, (portable_sin, portable_cos, portable_tan))
asin, acos, atan = map(on_arrays, (portable_asin, portable_acos, portable_atan))
sinh, cosh, tanh = map(on_arrays, (portable_sinh, portable_cosh, portable_tanh))
exp, expm1 = map(on_arrays, (portable_exp, portable_expm1))
log, log1p, log2, log10 = map(on_arrays, (portable_log, portable_log1p, portable_log2, portable_log10))
power, cbrt, mod = map(on_arrays, (portable_pow, portable_cbrt, portable_mod))
