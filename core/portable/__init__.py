"""Numbers that have the same bits on every processor: elementary functions, random draws and sums.

Everything here is made of what IEEE 754 rounds correctly everywhere (+ - * / and the square root), of
integers, comparisons and literal constants, in compiled scalar code that nothing fuses, reorders or hands to
a mathematical library. It may import NumPy (for arrays and raw random words), numba and the array types of
the core, and nothing else.
"""
