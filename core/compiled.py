"""How the kernels of the core are compiled: cached on disk, and without the entry point for C, which nobody
calls and which costs a sixth of the compiler's time.

No fastmath, so that nothing is fused or regrouped: a kernel has the same bits on every processor, and those
of the interpreter (NUMBA_DISABLE_JIT=1).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numba import config, njit, vectorize

from .interrupts import interrupts_deferred
from .kernel_cache import KernelCache, UfuncCache


def _kernels(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles with these options, and caches where the core does (core.kernel_cache)."""

    def decorate(function: Callable[..., Any]) -> Any:
        kernel = njit(no_cfunc_wrapper=True, **options)(function)
        if kernel is not function:
            kernel._cache = KernelCache(function)
            kernel.compile = _interruptible(kernel.compile)
        return kernel

    return decorate


def _interruptible(compiles: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but Ctrl-C waits until the kernel is there."""

    @wraps(compiles)
    def compiling(*args: Any, **options: Any) -> Any:
        with interrupts_deferred():
            return compiles(*args, **options)

    return compiling


compiled = _kernels()
"""A kernel. A division by zero is a ZeroDivisionError, as in Python."""
compiled_ieee = _kernels(error_model="numpy")
"""A kernel in which a division by zero is an infinity, so that loops with divisions are vectorised."""
compiled_inline = _kernels(forceinline=True)
"""A kernel that becomes part of its callers: they need not compute what they do not use of it."""
compiled_into = njit(inline="always")
"""A skeleton that takes kernels as arguments: it becomes part of each caller and is cached with it alone."""


def compiled_ufunc(kernel: Any) -> Callable[..., Any]:
    """A scalar kernel as a NumPy ufunc, interpreted where kernels are."""
    if config.DISABLE_JIT:
        return lambda *arrays: np.vectorize(kernel, otypes=[np.float64])(*arrays)
    ufunc = vectorize(kernel.py_func)
    ufunc._dispatcher.cache = UfuncCache(kernel.py_func)
    ufunc._compile_for_argtys = _interruptible(ufunc._compile_for_argtys)
    return ufunc
