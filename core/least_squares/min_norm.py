"""Minimum-norm least-squares coefficients in O(m + n), with a combinatorial rank.

The network is a line between neighbouring groups of neurons (core.least_squares.joints), and the
lines on the two sides of a group meet (tied joint) or do not (free joint). Free
joints split the lines into blocks. Within a block the data left of each knot are
condensed into one quadratic (core.least_squares.chain), and the values at the knots follow from the last to
the first. A block is determined unless it starts free and has one datum under each line, up to
its end or up to a datum that lies on the next knot.
Such a *loose part* leaves one scalar: its lines turn about their data,
slope_l = s_l + tau N_l, and the norm of c is a quadratic in tau that couples
neighbouring loose parts only. One pass along the parts finds the least norm.
"""

import numpy as np

from ..compiled import compiled, compiled_inline
from ..model.network import walk
from ..model.regression import Regression, regression
from ..portable.sums import weighted_square
from ..problem.data import Points
from ..types import FloatArray, IntArray
from .chain import Knots, live_knots, step_right
from .joints import Lines, group, joint_at, share
from .rows import (
    GRADIENT,
    KIND,
    LEFT,
    MEAN,
    RIGHT,
    ROW_LENGTH,
    SINGLE,
    SLOPE,
    end_quadratic,
    write_between,
)


@compiled_inline
def slope_through(fit: Regression, d: float, v: float) -> float:
    """Slope of the best line that has the value v at the signed distance d before the mean of the data."""
    weight = fit.weight * d
    return (weight * (fit.mean - v) + fit.sxx * fit.slope) / (weight * d + fit.sxx)


@compiled_inline
def value_before(r: float, z: float, row: FloatArray, w: float) -> float:
    """v at the left knot of a segment with the value w at its right: see the minimiser in chain."""
    if r == np.inf:
        return 0.0
    a, b, g = row[LEFT], row[RIGHT], row[GRADIENT]
    return (r * z + a * (row[MEAN] - b * w) + g * (g * w - row[SLOPE])) / (r * r + a * a + g * g)


@compiled_inline
def condense_block(
    points: Points, lines: Lines, a: int, e: int, rows: FloatArray, quadratic: FloatArray
) -> int:
    """Rows of the lines a..e-1 and the left quadratics of the knots; the last loose line, a - 1 if none is.

    quadratic[k] is (r, z) at the joint of the lines k - 1 and k; that of a free joint is not used.
    """
    start, base = lines.start, lines.base
    loose, first = a - 1, a
    r, z = np.inf, 0.0
    if lines.spread[a] > 0.0:
        fit = regression(points, start[a], start[a + 1])
        r, z = end_quadratic(fit, (fit.first - base[a + 1]) + fit.offset)
        if fit.sxx == 0.0 and fit.first == base[a + 1]:
            r = np.sqrt(fit.weight)
            z, loose = r * fit.mean, a
        first = a + 1
    quadratic[first, 0], quadratic[first, 1] = r, z
    for k in range(first, e):
        row = rows[k]
        write_between(row, regression(points, start[k], start[k + 1]), base[k], base[k + 1])
        if r == 0.0 and row[KIND] == SINGLE and row[LEFT] == 0.0:
            loose = k
        r, z, _ = step_right(r, z, row)
        quadratic[k + 1, 0], quadratic[k + 1, 1] = r, z
    if r == 0.0 and start[e + 1] - start[e] == 1:
        loose = e
    return loose


@compiled_inline
def fit_block(points: Points, lines: Lines, a: int, e: int, rows: FloatArray, quadratic: FloatArray) -> int:
    """Fit the lines a..e, joined at the knots a+1..e. Returns the last loose line, a - 1 if none is."""
    start, base = lines.start, lines.base
    free = lines.spread[a] > 0.0
    if free and a == e:
        fit = regression(points, start[a], start[a + 1])
        lines.at[a], lines.slope[a] = fit.first, fit.slope
        lines.value[a] = fit.mean - fit.slope * fit.offset
        return a if fit.sxx == 0.0 else a - 1
    loose = condense_block(points, lines, a, e, rows, quadratic)
    for k in range(a, loose + 1):
        lines.at[k], lines.value[k] = points.x[start[k]], points.y[start[k]]
    if loose == e:
        return loose
    fit = regression(points, start[e], start[e + 1])
    d = (fit.first - base[e]) + fit.offset
    r1, z1 = quadratic[e, 0], quadratic[e, 1]
    r2, z2 = end_quadratic(fit, d)
    v = 0.0 if r1 == np.inf else (r1 * z1 + r2 * z2) / (r1 * r1 + r2 * r2)
    lines.at[e], lines.value[e], lines.slope[e] = base[e], v, slope_through(fit, d, v)
    for k in range(e - 1, loose, -1):
        if free and k == a:
            fit = regression(points, start[a], start[a + 1])
            d = (fit.first - base[a + 1]) + fit.offset
            lines.at[a], lines.value[a], lines.slope[a] = base[a + 1], v, slope_through(fit, d, v)
        else:
            before = value_before(quadratic[k, 0], quadratic[k, 1], rows[k], v)
            lines.at[k], lines.value[k] = base[k], before
            lines.slope[k] = (v - before) / (base[k + 1] - base[k])
            v = before
    if loose >= a:
        # The last loose datum lies on the next knot and need not be met: the data behind pull at it too.
        lines.value[loose] = v
    return loose


@compiled
def turn_lines(lines: Lines, a: int, e: int, tau: float) -> None:
    """Slopes of the loose lines a..e that turn about their data, tau where they turn most.

    The march goes outwards from the line with the largest turn N, where N = 1,
    so that the lines of the march shrink and rounding does not grow.
    """
    best, ratio = a, 1.0
    for k in range(a, e):
        q = lines.base[k + 1]
        ratio *= (q - lines.at[k]) / (q - lines.at[k + 1])
        if abs(ratio) > 1.0:
            best, ratio = k + 1, 1.0
    lines.turn[best], lines.slope[best] = 1.0, tau
    for k in range(best, e):
        turn_neighbour(lines, k, k + 1, lines.base[k + 1])
    for k in range(best, a, -1):
        turn_neighbour(lines, k, k - 1, lines.base[k])


@compiled
def turn_neighbour(lines: Lines, k: int, to: int, q: float) -> None:
    """The line `to` through its datum that meets the line k at q."""
    reach = q - lines.at[to]
    lines.slope[to] = (lines.value[k] - lines.value[to] + lines.slope[k] * (q - lines.at[k])) / reach
    lines.turn[to] = lines.turn[k] * ((q - lines.at[k]) / reach)


@compiled
def fit_lines(points: Points, lines: Lines) -> tuple[IntArray, int]:
    """Fit all lines to the data: a best fit, with tau = 0 in its loose parts.

    Returns the first and last line of each loose part, and the rank: one for each
    tied joint, two for a free one, less one for each loose part.
    """
    count = len(lines.base)
    rows, quadratic = np.empty((count, ROW_LENGTH)), np.empty((count, 2))
    parts = np.empty((count, 2), dtype=np.int64)
    loose, rank, e = 0, 0, -1
    while e + 1 < count:
        a = e + 1  # with a = 0 first, a literal, the compiler would make all that is called with it twice
        e = a
        while e + 1 < count and lines.spread[e + 1] == 0.0:
            e += 1
        last = fit_block(points, lines, a, e, rows, quadratic)
        rank += e - a + 1 + (1 if lines.spread[a] > 0.0 else 0)
        if last >= a:
            parts[loose, 0], parts[loose, 1] = a, last
            turn_lines(lines, a, last, 0.0)
            loose += 1
            rank -= 1
    return parts[:loose], rank


@compiled
def choose_turns(lines: Lines, first: IntArray, parts: IntArray) -> None:
    """Choose tau of every loose part so that ||c|| is least.

    A joint adds D_s^2/p + D^2/S_b to the square of the norm, with D_s and D linear in
    tau of the parts on its two sides. Only a joint between two parts knows two of them; tau of
    the left one is eliminated there by Givens rotations, and comes out on the way back.
    """
    count, groups = len(parts), len(lines.base)
    kept = np.zeros((count, 3))  # kept[i, 0] tau_i + kept[i, 1] tau_{i+1} = kept[i, 2]
    r, z = 0.0, 0.0
    for i in range(count):
        a, e = parts[i, 0], parts[i, 1]
        shared = i > 0 and parts[i - 1, 1] == a - 1
        square, product = 0.0, 0.0
        for g in range(a, min(e + 2, groups)):
            if g == e + 1 and i + 1 < count and parts[i + 1, 0] == g:
                break  # the joint with the next part is counted there
            joint = joint_at(lines, g)
            one = 1.0 / np.sqrt(float(first[g + 1] - first[g]))
            two = 1.0 / np.sqrt(lines.spread[g]) if lines.spread[g] > 0.0 else 0.0
            # rows in (tau of the part left of the joint, tau of the part right of it)
            a1, b1, e1 = joint.slope_left * one, joint.slope_right * one, -joint.slope * one
            a2, b2, e2 = joint.jump_left * two, joint.jump_right * two, -joint.jump * two
            if g == a and shared:
                rho = np.sqrt(r * r + a1 * a1)
                cosine, sine = r / rho, a1 / rho
                top_b, top_e = sine * b1, cosine * z + sine * e1
                b1, e1 = cosine * b1, cosine * e1 - sine * z
                length = np.sqrt(rho * rho + a2 * a2)
                cosine, sine = rho / length, a2 / length
                kept[i - 1, 0], kept[i - 1, 1] = length, cosine * top_b + sine * b2
                kept[i - 1, 2] = cosine * top_e + sine * e2
                b2, e2 = cosine * b2 - sine * top_b, cosine * e2 - sine * top_e
            elif g > a:
                # Both sides are this part's, or the left one only.
                b1, b2 = a1 + (b1 if g <= e else 0.0), a2 + (b2 if g <= e else 0.0)
            square += b1 * b1 + b2 * b2
            product += b1 * e1 + b2 * e2
        r = np.sqrt(square)
        z = product / r
        kept[i, 0], kept[i, 1], kept[i, 2] = r, 0.0, z
    tau = 0.0
    for i in range(count - 1, -1, -1):
        tau = (kept[i, 2] - kept[i, 1] * tau) / kept[i, 0]
        turn_lines(lines, parts[i, 0], parts[i, 1], tau)


@compiled
def fit_knots(points: Points, knots: Knots) -> tuple[Lines, IntArray, int]:
    """The lines of the least-norm fit, the first knot of each group, and the rank."""
    lines, first = group(points.x, knots)
    parts, rank = fit_lines(points, lines)
    if len(parts) > 0:
        choose_turns(lines, first, parts)
    return lines, first, rank


@compiled
def evaluated_sum(points: Points, knots: Knots) -> float:
    """The sum of w r^2 that the rounded coefficients have, as a network that is evaluated."""
    lines, first, _ = fit_knots(points, knots)
    c = share(points.x, lines, knots, first, np.arange(len(knots.place)))
    return weighted_square(points.w, walk(knots.place, c, points.x) - points.y)


@compiled
def min_norm(points: Points, b: FloatArray, order: IntArray, c: FloatArray) -> int:
    """Write the least-squares coefficients of least norm for the biases b, which `order` sorts; the rank."""
    knots = live_knots(points.x, b, order)
    lines, first, rank = fit_knots(points, knots)
    c[:] = share(points.x, lines, knots, first, order)
    return rank
