"""Minimum-norm least-squares coefficients in O(m + n), with a combinatorial rank.

The network is a line between neighbouring groups of neurons (core.squares.joints), and the
lines on the two sides of a group meet (tied joint) or do not (free joint). Free
joints split the lines into blocks. A block is fitted by the sweep of core.squares.quadratics.
It is determined unless it starts free and has one datum under each line, up to
its end or up to a datum that lies on the next knot.
Such a *loose part* leaves one scalar: its lines turn about their data,
slope_l = s_l + tau N_l, and the norm of c is a quadratic in tau that couples
neighbouring loose parts only. A second sweep finds the least norm.
"""

import numpy as np
from numba import njit

from core.squares.joints import Lines, group, joint, share
from core.squares.quadratics import live_knots
from core.squares.rows import LEFT, MEAN, regression, write_end, write_row
from core.types import FloatArray, IntArray


@njit(cache=True)
def solve_block(
    x: FloatArray, y: FloatArray, lines: Lines, a: int, e: int, row: FloatArray, top: FloatArray
) -> int:
    """Fit the lines a..e, joined at the knots a+1..e. Returns the last loose line, a - 1 if none is.

    `row` (7,) and `top` (K, 3) are scratch; top keeps the eliminated equations
    top[l, 0] v_l + top[l, 1] v_{l+1} = top[l, 2].
    """
    start, centre = lines.start, lines.centre
    free = lines.spread[a] > 0.0
    loose = a - 1
    if free and a == e:
        x0, offset, mean, _, slope, _ = regression(x, y, start[a], start[a + 1])
        lines.at[a], lines.value[a], lines.slope[a] = x0 + offset, mean, slope
        return a if start[a + 1] - start[a] == 1 else a - 1
    r, z = np.inf, 0.0
    for k in range(a, e):
        u = start[k + 1] - start[k]
        x0, offset, mean, sxx, slope, rss = regression(x, y, start[k], start[k + 1])
        q = centre[k + 1]
        if free and k == a:
            # The mirror image of a last segment: its slope is eliminated, v at the knot to the right stays.
            write_end(row, u, -x0, -offset, mean, sxx, -slope, rss, -q)
            top[k, 0], top[k, 1], top[k, 2] = (q - x0) - offset, sxx, slope
            r, z = row[LEFT], row[MEAN]
            lines.at[k], lines.value[k] = q, mean
            if u == 1 and x0 == q:
                r, z, loose = 1.0, mean, k
            continue
        write_row(row, u, x0, offset, mean, sxx, slope, rss, centre[k], q)
        w_left, w_right, e2, g, f = row[1], row[2], row[3], row[4], row[5]
        if r == 0.0 and u == 1 and w_left == 0.0:
            r, z, loose = w_right, e2, k
            continue
        if r == np.inf:
            top[k, 0], top[k, 1], top[k, 2] = 1.0, 0.0, 0.0
            b2, z2, b3, z3 = w_right, e2, g, f
        else:
            rho = np.sqrt(r * r + w_left * w_left)
            cosine, sine = r / rho, w_left / rho
            b2, z2 = cosine * w_right, cosine * e2 - sine * z
            top_b, top_z = sine * w_right, cosine * z + sine * e2
            length = np.sqrt(rho * rho + g * g)
            cosine, sine = rho / length, g / length
            b3, z3 = cosine * g + sine * top_b, cosine * f + sine * top_z
            top[k, 0], top[k, 1], top[k, 2] = length, cosine * top_b - sine * g, cosine * top_z - sine * f
        length = np.sqrt(b2 * b2 + b3 * b3)
        r, z = length, (b2 * z2 + b3 * z3) / length if length > 0.0 else 0.0
    u = start[e + 1] - start[e]
    if r == 0.0 and u == 1:
        loose = e
    for k in range(a, loose + 1):
        lines.at[k], lines.value[k] = x[start[k]], y[start[k]]
    if loose == e:
        return loose
    x0, offset, mean, sxx, slope, rss = regression(x, y, start[e], start[e + 1])
    write_end(row, u, x0, offset, mean, sxx, slope, rss, centre[e])
    v = 0.0 if r == np.inf else (r * z + row[LEFT] * row[MEAN]) / (r * r + row[LEFT] * row[LEFT])
    d = (x0 - centre[e]) + offset
    lines.at[e], lines.value[e] = centre[e], v
    lines.slope[e] = (u * d * (mean - v) + sxx * slope) / (u * d * d + sxx)
    for k in range(e - 1, loose, -1):
        if free and k == a:
            u = start[k + 1] - start[k]
            d, sxx = top[k, 0], top[k, 1]
            lines.slope[k] = (u * d * (v - lines.value[k]) + sxx * top[k, 2]) / (u * d * d + sxx)
            lines.value[k] = v
        else:
            before = (top[k, 2] - top[k, 1] * v) / top[k, 0]
            lines.at[k], lines.value[k] = centre[k], before
            lines.slope[k] = (v - before) / (centre[k + 1] - centre[k])
            v = before
    if loose >= a:
        # The last loose datum lies on the next knot and need not be met: the data behind pull at it too.
        lines.value[loose] = v
    return loose


@njit(cache=True)
def turn_lines(x: FloatArray, lines: Lines, a: int, c: int, tau: float) -> None:
    """Slopes of the loose lines a..c that turn about their data, tau where they turn most.

    The march goes outwards from the line with the largest turn N, where N = 1,
    so that the lines of the march shrink and rounding does not grow.
    """
    best, ratio = a, 1.0
    for k in range(a, c):
        q = lines.centre[k + 1]
        ratio *= (q - x[lines.start[k]]) / (q - x[lines.start[k + 1]])
        if abs(ratio) > 1.0:
            best, ratio = k + 1, 1.0
    lines.turn[best], lines.slope[best] = 1.0, tau
    for k in range(best, c):
        march(lines, k, k + 1, lines.centre[k + 1])
    for k in range(best, a, -1):
        march(lines, k, k - 1, lines.centre[k])


@njit(cache=True)
def march(lines: Lines, k: int, to: int, q: float) -> None:
    """The line `to` through its datum that meets the line k at q."""
    reach = q - lines.at[to]
    lines.slope[to] = (lines.value[k] - lines.value[to] + lines.slope[k] * (q - lines.at[k])) / reach
    lines.turn[to] = lines.turn[k] * ((q - lines.at[k]) / reach)


@njit(cache=True)
def settle_parts(x: FloatArray, lines: Lines, bounds: IntArray, count: int) -> None:
    """Choose tau of every loose part so that ||c|| is least: one sweep along the parts."""
    groups = len(lines.centre)
    kept = np.zeros((count, 3))
    r, z = 0.0, 0.0
    for i in range(count):
        a, c = bounds[i, 0], bounds[i, 1]
        square, product = 0.0, 0.0
        for g in range(a, min(c + 2, groups)):
            if g == c + 1 and i + 1 < count and bounds[i + 1, 0] == g:
                break
            p = lines.first[g + 1] - lines.first[g]
            slope, s_left, s_right, jump, j_left, j_right = joint(lines, g)
            weight = 1.0 / np.sqrt(lines.spread[g]) if lines.spread[g] > 0.0 else 0.0
            a1, b1, e1 = s_left / np.sqrt(p), s_right / np.sqrt(p), -slope / np.sqrt(p)
            a2, b2, e2 = j_left * weight, j_right * weight, -jump * weight
            if g == a and i > 0 and bounds[i - 1, 1] == a - 1:
                # The previous part is loose at this joint too: eliminate its tau.
                rho = np.sqrt(r * r + a1 * a1)
                cosine, sine = r / rho, a1 / rho
                b1, e1, top_b, top_e = cosine * b1, cosine * e1 - sine * z, sine * b1, cosine * z + sine * e1
                length = np.sqrt(rho * rho + a2 * a2)
                cosine, sine = rho / length, a2 / length
                kept[i - 1, 0], kept[i - 1, 1] = length, cosine * top_b + sine * b2
                kept[i - 1, 2] = cosine * top_e + sine * e2
                b2, e2 = cosine * b2 - sine * top_b, cosine * e2 - sine * top_e
            elif g > a:
                b1, b2 = a1 + (b1 if g <= c else 0.0), a2 + (b2 if g <= c else 0.0)
            square += b1 * b1 + b2 * b2
            product += b1 * e1 + b2 * e2
        r = np.sqrt(square)
        z = product / r
        kept[i, 0], kept[i, 1], kept[i, 2] = r, 0.0, z
    tau = 0.0
    for i in range(count - 1, -1, -1):
        tau = (kept[i, 2] - kept[i, 1] * tau) / kept[i, 0]
        turn_lines(x, lines, bounds[i, 0], bounds[i, 1], tau)


@njit(cache=True)
def fit_lines(
    x: FloatArray, y: FloatArray, knot: FloatArray, start: IntArray, apart: float
) -> tuple[Lines, int]:
    """The lines of the least-norm least-squares fit for the given live knots, and the rank."""
    lines = group(knot, start, apart)
    groups = len(lines.centre)
    row = np.empty(7)
    top = np.empty((groups, 3))
    bounds = np.empty((groups, 2), dtype=np.int64)
    parts, rank, a = 0, 0, 0
    while a < groups:
        e = a
        while e + 1 < groups and lines.spread[e + 1] == 0.0:
            e += 1
        last = solve_block(x, y, lines, a, e, row, top)
        rank += e - a + 1 + (1 if lines.spread[a] > 0.0 else 0)
        if last >= a:
            bounds[parts, 0], bounds[parts, 1] = a, last
            turn_lines(x, lines, a, last, 0.0)
            parts += 1
            rank -= 1
        a = e + 1
    if parts > 0:
        settle_parts(x, lines, bounds, parts)
    return lines, rank


@njit(cache=True)
def min_norm(
    x: FloatArray, y: FloatArray, b: FloatArray, order: IntArray, apart: float
) -> tuple[FloatArray, int]:
    """Least-squares coefficients of least norm for the biases b, which `order` sorts, and the rank."""
    knot, start = live_knots(x, b, order)
    lines, rank = fit_lines(x, y, knot, start, apart)
    return share(lines, knot, order), rank
