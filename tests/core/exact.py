"""Least squares in 60 digits, for cases in which floating point is no judge."""

from collections.abc import Sequence

import mpmath as mp

from core.types import FloatArray

DIGITS = 60
ZERO = mp.mpf(10) ** -40
"""A column whose part orthogonal to the others is smaller, relative to it, depends on them: inputs are
doubles, so an independent part is never that small."""


def _columns(x: FloatArray, b: FloatArray) -> list[list[mp.mpf]]:
    return [[max(mp.mpf(float(xi)) - mp.mpf(float(bj)), mp.mpf(0)) for xi in x] for bj in b]


def _dot(u: Sequence[mp.mpf], v: Sequence[mp.mpf]) -> mp.mpf:
    return mp.fdot(u, v)


def _orthogonal(columns: list[list[mp.mpf]]) -> tuple[list[int], list[list[mp.mpf]]]:
    """Indices of the first independent columns, and an orthonormal basis (Gram-Schmidt, twice)."""
    kept: list[int] = []
    basis: list[list[mp.mpf]] = []
    for j, column in enumerate(columns):
        size = mp.sqrt(_dot(column, column))
        rest = column
        for _ in range(2):
            for q in basis:
                share = _dot(q, rest)
                rest = [a - share * e for a, e in zip(rest, q, strict=True)]
        length = mp.sqrt(_dot(rest, rest))
        if size > 0 and length > ZERO * size:
            kept.append(j)
            basis.append([a / length for a in rest])
    return kept, basis


def exact_least(x: FloatArray, y: FloatArray, b: FloatArray) -> float:
    """The least sum of squares over c."""
    with mp.workdps(DIGITS):
        _, basis = _orthogonal(_columns(x, b))
        rest = [mp.mpf(float(value)) for value in y]
        for q in basis:
            share = _dot(q, rest)
            rest = [a - share * e for a, e in zip(rest, q, strict=True)]
        return float(_dot(rest, rest))


def exact_min_norm(x: FloatArray, y: FloatArray, b: FloatArray) -> tuple[list[float], int]:
    """The least-squares coefficients of least norm, and the rank.

    A basic solution on the independent columns is made orthogonal to the null
    space, which the dependent columns, written in the independent ones, span.
    """
    with mp.workdps(DIGITS):
        columns = _columns(x, b)
        kept, basis = _orthogonal(columns)
        n, r = len(columns), len(kept)
        if r == 0:
            return [0.0] * n, 0
        triangle = mp.matrix(r, r)
        for i in range(r):
            for j in range(i, r):
                triangle[i, j] = _dot(basis[i], columns[kept[j]])

        def on_kept(v: Sequence[mp.mpf]) -> list[mp.mpf]:
            """Coefficients of v's projection in the independent columns."""
            right = [_dot(q, v) for q in basis]
            for i in range(r - 1, -1, -1):
                known = mp.fsum(triangle[i, j] * right[j] for j in range(i + 1, r))
                right[i] = (right[i] - known) / triangle[i, i]
            return right

        def scatter(part: Sequence[mp.mpf]) -> list[mp.mpf]:
            c = [mp.mpf(0)] * n
            for j, value in zip(kept, part, strict=True):
                c[j] = value
            return c

        c = scatter(on_kept([mp.mpf(float(value)) for value in y]))
        null = []
        for j in range(n):
            if j not in kept:
                direction = scatter([-value for value in on_kept(columns[j])])
                direction[j] += 1
                null.append(direction)
        for q in _orthogonal(null)[1]:
            share = _dot(q, c)
            c = [a - share * e for a, e in zip(c, q, strict=True)]
        return [float(value) for value in c], r
