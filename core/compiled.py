"""How the kernels of the core are compiled: cached on disk, and without the entry point for C, which nobody
calls and which costs a sixth of the compiler's time.

No fastmath, so that nothing is fused or regrouped: a kernel has the same bits on every processor, and those
of the interpreter (NUMBA_DISABLE_JIT=1).
"""

from numba import njit

compiled = njit(cache=True, no_cfunc_wrapper=True)
"""A kernel. A division by zero is a ZeroDivisionError, as in Python."""
compiled_ieee = njit(cache=True, no_cfunc_wrapper=True, error_model="numpy")
"""A kernel in which a division by zero is an infinity, so that loops with divisions are vectorised."""
compiled_inline = njit(cache=True, no_cfunc_wrapper=True, forceinline=True)
"""A kernel that becomes part of its callers: they need not compute what they do not use of it."""
compiled_into = njit(inline="always")
"""A skeleton that takes kernels as arguments: it becomes part of each caller and is cached with it alone."""
