"""Singular values and eigenvalues with the same bits on every processor.

LAPACK's last digits depend on the kernels of its BLAS. Here a matrix is brought to
bidiagonal form by Householder reflections, in loops of one written order, and the
singular values wanted are found by bisection: with d the diagonal and e the
superdiagonal, the symmetric tridiagonal matrix with zero diagonal and off-diagonal
d_1, e_1, d_2, e_2, ... has the eigenvalues +-sigma_i, and the number of those below
a shift is the number of negative pivots of its elimination (Golub & Kahan; Demmel
& Kahan 1990). The error is that of LAPACK, a rounding of the norm of the matrix.
"""

import numpy as np

from ..compiled import compiled
from ..types import FloatArray

TINY = 1e-300
"""Stands for a pivot that vanishes: the count is then that of a shift next to it."""
HALVINGS = 1100
"""More than the halvings between any two floats."""


@compiled
def _reflect_rows(a: FloatArray, first: int) -> float:
    """Reflect the rows from `first` on so that column `first` vanishes below; the entry that remains."""
    rows, columns = a.shape
    largest = 0.0
    for i in range(first, rows):
        largest = max(largest, abs(a[i, first]))
    if largest == 0.0:
        return 0.0
    square = 0.0
    for i in range(first, rows):
        a[i, first] /= largest
        square += a[i, first] * a[i, first]
    length = np.sqrt(square)
    if a[first, first] > 0.0:
        length = -length
    a[first, first] -= length
    # |v|^2 / 2 of the reflection's vector v, which now fills the column
    half = -length * a[first, first]
    along = np.zeros(columns)
    for i in range(first, rows):
        for j in range(first + 1, columns):
            along[j] += a[i, first] * a[i, j]
    for i in range(first, rows):
        share = a[i, first] / half
        for j in range(first + 1, columns):
            a[i, j] -= share * along[j]
    return largest * length


@compiled
def _bidiagonal(matrix: FloatArray, d: FloatArray, e: FloatArray) -> None:
    a = matrix.copy()
    rows, columns = a.shape
    for k in range(columns):
        d[k] = _reflect_rows(a, k)
        if k + 1 >= columns:
            break
        # the same from the right: row k beyond its diagonal
        largest = 0.0
        for j in range(k + 1, columns):
            largest = max(largest, abs(a[k, j]))
        if largest == 0.0:
            continue
        square = 0.0
        for j in range(k + 1, columns):
            a[k, j] /= largest
            square += a[k, j] * a[k, j]
        length = np.sqrt(square)
        if a[k, k + 1] > 0.0:
            length = -length
        a[k, k + 1] -= length
        half = -length * a[k, k + 1]
        for i in range(k + 1, rows):
            along = 0.0
            for j in range(k + 1, columns):
                along += a[k, j] * a[i, j]
            along /= half
            for j in range(k + 1, columns):
                a[i, j] -= along * a[k, j]
        e[k] = largest * length


def bidiagonal(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Diagonal and superdiagonal of the bidiagonal form of a matrix with no fewer rows than columns."""
    columns = matrix.shape[1]
    d, e = np.zeros(columns), np.zeros(max(columns - 1, 0))
    _bidiagonal(matrix, d, e)
    return d, e


@compiled
def count_below(diagonal: FloatArray, beside: FloatArray, shift: float) -> int:
    """How many eigenvalues of a symmetric tridiagonal matrix lie below the shift (Sylvester)."""
    count = 0
    pivot = 1.0
    for i in range(diagonal.shape[0]):
        coupling = beside[i - 1] * beside[i - 1] / pivot if i > 0 else 0.0
        pivot = (diagonal[i] - shift) - coupling
        if abs(pivot) < TINY:
            pivot = -TINY
        if pivot < 0.0:
            count += 1
    return count


@compiled
def tridiagonal_eigenvalue(diagonal: FloatArray, beside: FloatArray, index: int) -> float:
    """The eigenvalue number `index`, counted from 0 in ascending order, by bisection."""
    n = diagonal.shape[0]
    low, high = np.inf, -np.inf
    for i in range(n):
        radius = (abs(beside[i - 1]) if i > 0 else 0.0) + (abs(beside[i]) if i < n - 1 else 0.0)
        low = min(low, diagonal[i] - radius)
        high = max(high, diagonal[i] + radius)
    for _ in range(HALVINGS):
        middle = low + 0.5 * (high - low)
        if not low < middle < high:
            break
        if count_below(diagonal, beside, middle) > index:
            high = middle
        else:
            low = middle
    return high


@compiled
def singular_value(d: FloatArray, e: FloatArray, rank: int) -> float:
    """The singular value number `rank`, counted from 1 for the largest, of a bidiagonal matrix."""
    n = d.shape[0]
    beside = np.zeros(2 * n - 1)
    for k in range(n):
        beside[2 * k] = d[k]
        if k + 1 < n:
            beside[2 * k + 1] = e[k]
    return max(tridiagonal_eigenvalue(np.zeros(2 * n), beside, 2 * n - rank), 0.0)
