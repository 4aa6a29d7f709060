"""Sums in one order, which is part of the definition.

Floating-point addition is not associative, so a sum has the bits of its order.
NumPy's pairwise sums and BLAS choose theirs by the width of the processor's
vectors. Here element i belongs to lane i mod 4 of the largest multiple of four
that fits; the lanes are added up as (s0 + s1) + (s2 + s3), and the up to three
remaining elements follow one by one. Four lanes because one chain of additions
waits for each result before the next: measured, they are about three times as
fast as one. Without fastmath the compiler may put the four lanes into one vector
register, which changes no bit, but may neither regroup them nor fuse a product
with an addition.

inf and nan propagate; a nan that arises is always the same one, since its sign
would otherwise tell an ARM from an x86.
"""

import numpy as np

from ..compiled import compiled
from ..types import FloatArray
from .pairs import NAN


@compiled
def total(v: FloatArray) -> float:
    """The sum of v."""
    n = v.shape[0]
    end = n - n % 4
    s0 = s1 = s2 = s3 = 0.0
    for i in range(0, end, 4):
        s0 += v[i]
        s1 += v[i + 1]
        s2 += v[i + 2]
        s3 += v[i + 3]
    s = (s0 + s1) + (s2 + s3)
    for i in range(end, n):
        s += v[i]
    return s if s == s else NAN


@compiled
def dot(u: FloatArray, v: FloatArray) -> float:
    """The sum of u v, each product rounded before it is added."""
    n = u.shape[0]
    if v.shape[0] != n:
        raise ValueError("dot: the vectors differ in length")
    end = n - n % 4
    s0 = s1 = s2 = s3 = 0.0
    for i in range(0, end, 4):
        s0 += u[i] * v[i]
        s1 += u[i + 1] * v[i + 1]
        s2 += u[i + 2] * v[i + 2]
        s3 += u[i + 3] * v[i + 3]
    s = (s0 + s1) + (s2 + s3)
    for i in range(end, n):
        s += u[i] * v[i]
    return s if s == s else NAN


@compiled
def sum_of_squares(v: FloatArray) -> float:
    """The sum of v²: the bits of dot(v, v)."""
    return dot(v, v)


@compiled
def squared_distance(u: FloatArray, v: FloatArray) -> float:
    """The sum of (u - v)²: the bits of sum_of_squares(u - v)."""
    n = u.shape[0]
    if v.shape[0] != n:
        raise ValueError("squared_distance: the vectors differ in length")
    end = n - n % 4
    s0 = s1 = s2 = s3 = 0.0
    for i in range(0, end, 4):
        d0, d1, d2, d3 = u[i] - v[i], u[i + 1] - v[i + 1], u[i + 2] - v[i + 2], u[i + 3] - v[i + 3]
        s0 += d0 * d0
        s1 += d1 * d1
        s2 += d2 * d2
        s3 += d3 * d3
    s = (s0 + s1) + (s2 + s3)
    for i in range(end, n):
        d0 = u[i] - v[i]
        s += d0 * d0
    return s if s == s else NAN


@compiled
def weighted_square(w: FloatArray, v: FloatArray) -> float:
    """The sum of w v², with the square first: for w = 1 the bits of sum_of_squares(v)."""
    n = v.shape[0]
    if w.shape[0] != n:
        raise ValueError("weighted_square: the vectors differ in length")
    end = n - n % 4
    s0 = s1 = s2 = s3 = 0.0
    for i in range(0, end, 4):
        s0 += w[i] * (v[i] * v[i])
        s1 += w[i + 1] * (v[i + 1] * v[i + 1])
        s2 += w[i + 2] * (v[i + 2] * v[i + 2])
        s3 += w[i + 3] * (v[i + 3] * v[i + 3])
    s = (s0 + s1) + (s2 + s3)
    for i in range(end, n):
        s += w[i] * (v[i] * v[i])
    return s if s == s else NAN


@compiled
def cumulative_from_right(v: FloatArray) -> FloatArray:
    """The n + 1 suffix sums s_i = v_i + s_{i+1}, s_n = 0, one chain from the right."""
    n = v.shape[0]
    sums = np.empty(n + 1)
    sums[n] = 0.0
    s = 0.0
    for i in range(n - 1, -1, -1):
        s += v[i]
        sums[i] = s if s == s else NAN
    return sums
