"""LS/GD whose least squares are solved by singular values with a cut-off, as libraries do.

The paper does not say below which size a singular value counts as 0. Our own solver finds the rank by
counting, with no cut-off at all; here one is varied. QR with column pivoting brings the matrix to
triangular form, and rotations from the left make its rows orthogonal (Jacobi): their lengths are the
singular values. Loops of one written order, so that the bits are the same everywhere.
"""

import numpy as np
from numba import njit

from core.config import RunConfig
from core.model import mean_loss, prediction_error
from core.portable import sums
from core.types import FloatArray, IntArray
from reproduction.measures import Numbers
from reproduction.measures.curves import largest_rise

SWEEPS = 60
"""More than are ever needed: each squares what is left of the angles."""
ORTHOGONAL = 1e-15
"""Cosines below this are those of a right angle."""


@njit(cache=True)
def reflect(columns: FloatArray, k: int, first: int) -> float:
    """Householder's reflection of row k of `columns` from entry `first` on, applied to the rows below it.

    The rows are the columns of the matrix that is factored. The diagonal entry is returned; the vector
    of the reflection is left in the row.
    """
    v = columns[k, first:]
    size = np.sqrt(sums.dot(v, v))
    if size == 0.0:
        return 0.0
    diagonal = -size if v[0] > 0.0 else size
    v[0] -= diagonal
    half = -diagonal * v[0]
    for j in range(k + 1, columns.shape[0]):
        share = sums.dot(v, columns[j, first:]) / half
        for i in range(first, columns.shape[1]):
            columns[j, i] -= share * columns[k, i]
    return diagonal


@njit(cache=True)
def factor(columns: FloatArray, place: IntArray, pivot: bool) -> FloatArray:
    """QR of a matrix given by its columns, right-hand side last; the columns of R, and Q^T y.

    With pivots the largest column that is left comes next, and `place` is permuted along.
    """
    n, m = columns.shape[0] - 1, columns.shape[1]
    size = min(m, n)
    diagonal = np.zeros(size)
    for k in range(size):
        if pivot:
            best, largest = k, -1.0
            for j in range(k, n):
                square = sums.dot(columns[j, k:], columns[j, k:])
                if square > largest:
                    best, largest = j, square
            place[k], place[best] = place[best], place[k]
            for i in range(m):
                columns[k, i], columns[best, i] = columns[best, i], columns[k, i]
        diagonal[k] = reflect(columns, k, k)
    upper = np.zeros((n + 1, size))
    for j in range(n + 1):
        for i in range(min(j, size)):
            upper[j, i] = columns[j, i]
        if j < size:
            upper[j, j] = diagonal[j]
    return upper


@njit(cache=True)
def triangular(x: FloatArray, y: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """R and Q^T y of the matrix max(x_i - b_j, 0) of the neurons that see data, in the order of the third.

    Twice: the tall matrix as it comes, the small one that is left with pivots, which Jacobi likes.
    """
    place = np.flatnonzero(b < x[-1])
    columns = np.zeros((place.shape[0] + 1, x.shape[0]))
    for j in range(place.shape[0]):
        for i in range(x.shape[0]):
            columns[j, i] = max(x[i] - b[place[j]], 0.0)
    columns[-1] = y
    upper = factor(factor(columns, place, False), place, True)
    return upper[:-1].T.copy(), upper[-1].copy(), place


@njit(cache=True)
def orthogonalise(rows: FloatArray, right: FloatArray) -> None:
    """Rotate pairs of rows, and their right-hand sides, until all of them are orthogonal."""
    squares = np.empty(rows.shape[0])
    for i in range(rows.shape[0]):
        squares[i] = sums.dot(rows[i], rows[i])
    for _ in range(SWEEPS):
        turned = False
        for i in range(rows.shape[0]):
            for j in range(i + 1, rows.shape[0]):
                a, d = squares[i], squares[j]
                along = sums.dot(rows[i], rows[j])
                if abs(along) <= ORTHOGONAL * np.sqrt(a) * np.sqrt(d):
                    continue
                turned = True
                slant = (d - a) / (2.0 * along)
                tangent = 1.0 / (abs(slant) + np.sqrt(1.0 + slant * slant))
                if slant < 0.0:
                    tangent = -tangent
                cosine = 1.0 / np.sqrt(1.0 + tangent * tangent)
                sine = cosine * tangent
                for k in range(rows.shape[1]):
                    first, second = rows[i, k], rows[j, k]
                    rows[i, k] = cosine * first - sine * second
                    rows[j, k] = sine * first + cosine * second
                squares[i], squares[j] = sums.dot(rows[i], rows[i]), sums.dot(rows[j], rows[j])
                first, second = right[i], right[j]
                right[i], right[j] = cosine * first - sine * second, sine * first + cosine * second
        if not turned:
            break


@njit(cache=True)
def solve_cut(x: FloatArray, y: FloatArray, b: FloatArray, cut: float) -> FloatArray:
    """Least-norm coefficients without the singular values below `cut` times the largest."""
    rows, right, place = triangular(x, y, b)
    orthogonalise(rows, right)
    squares = np.zeros(rows.shape[0])
    for i in range(rows.shape[0]):
        squares[i] = sums.dot(rows[i], rows[i])
    largest = np.sqrt(np.max(squares)) if rows.shape[0] else 0.0
    c = np.zeros(b.shape[0])
    for i in range(rows.shape[0]):
        if squares[i] > 0.0 and np.sqrt(squares[i]) > cut * largest:
            for j in range(place.shape[0]):
                c[place[j]] += right[i] / squares[i] * rows[i, j]
    return c


@njit(cache=True)
def step(x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray, rate: float) -> FloatArray:
    """The biases after one step of gradient descent on the mean loss at the coefficients c."""
    m, n = x.shape[0], b.shape[0]
    slope = np.zeros(n)
    for k in range(m):
        r = -y[k]
        for j in range(n):
            if x[k] > b[j]:
                r += c[j] * (x[k] - b[j])
        for j in range(n):
            if x[k] > b[j]:
                slope[j] -= r * c[j]
    moved = np.empty(n)
    for j in range(n):
        moved[j] = b[j] - rate * 2.0 / m * slope[j]
    return moved


def cut_run(config: RunConfig, cut: float, iterations: int, rate: float = 1e-3) -> Numbers:
    """LS/GD from the start of a run, with a cut-off: how far loss and prediction error rise."""
    data, b = config.training_data(), np.array(config.initial()[0])
    c = solve_cut(data.x, data.y, b, cut)
    loss, error = [mean_loss(data, b, c)], [prediction_error(data, b, c)]
    for _ in range(iterations):
        b = step(data.x, data.y, b, c, rate)
        c = solve_cut(data.x, data.y, b, cut)
        loss.append(mean_loss(data, b, c))
        error.append(prediction_error(data, b, c))
        if not np.isfinite(loss[-1]) or not np.isfinite(error[-1]):
            return {"rise": float("inf"), "error_rise": float("inf"), "largest": float("inf")}
    return {
        "rise": largest_rise(np.array(loss)),
        "error_rise": largest_rise(np.array(error)),
        "largest": float(np.max(np.abs(c))),
    }
