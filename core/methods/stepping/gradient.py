"""The gradient's two scans over the slots, forward for S_l and T_l, backward for G_j and H_j.

The slots are those of core.methods.stepping.slots.

Two forms of one thing, because what costs time differs. Few neurons: waiting for
memory dominates, and one pass each way that keeps all in registers is best
(`descend_few`: 45 ns for 10 neurons, where the other form takes 66). Many: arithmetic
dominates; scans that go four at a time, apart from loops that the compiler can
vectorise, are best (`descend_many`: 250 ns for 100 neurons, where the other takes 370).

Pinned neurons (core.methods.stepping.slots) enter in two places. Before the scans their d lowers y
in the segment left of their datum, which raises the residual there. After the
forward scan their own residual r_k is known, and those left of the datum see it.

What runs in every epoch takes arrays, not the records that hold them: handing over a record counts
the references of all its arrays, 30 ns to 100 ns a call.
"""

from ...compiled import compiled, compiled_inline
from ...types import FloatArray, IntArray
from .slots import (
    COUNT,
    HI,
    LO,
    R0,
    R1,
    SX,
    SXX,
    SXY,
    SY,
    X0,
    X1,
    Y0,
    Y1,
    B,
    C,
    S,
    Slots,
    Sums,
    T,
)

OVERFLOWING = 1e100
"""Sums beyond this can only overflow."""
FEW = 20
"""Up to so many live neurons `descend_few` is the faster form."""


@compiled_inline
def _lift(F: FloatArray, P: IntArray, R: FloatArray, pinned: int) -> None:
    """Before the scans: how the pinned neurons raise the residual of their datum; fills R."""
    i = 0
    while i < pinned:
        k, q = P[1, i], P[2, i]
        at, off, weight = R[3, i], R[4, i], R[6, i]
        extra = 0.0
        while i < pinned and P[1, i] == k:
            p = P[0, i]
            # The side of a hopping neuron is unpredictable: a factor 0 or 1, not a branch.
            R[1, i] = F[B, p]
            R[2, i] = 1.0 * (F[B, p] < at)
            extra += R[2, i] * (F[C, p] * (at - F[B, p]))
            R[0, i] = extra  # the last of the datum holds the whole
            i += 1
        if q >= 0:
            F[Y0, q] = F[SY, q] - weight * extra
            F[Y1, q] = F[SXY, q] - weight * extra * off


@compiled_inline
def _see(F: FloatArray, P: IntArray, R: FloatArray, pinned: int) -> None:
    """After the forward scan: rows X0, X1 hold what a pinned neuron sees of its own datum."""
    residual = 0.0
    for i in range(pinned - 1, -1, -1):
        p, q = P[0, i], P[2, i]
        if i + 1 == pinned or P[1, i + 1] != P[1, i]:
            residual = R[0, i] - R[5, i]
            if q >= 0:
                residual += F[S, q] * R[4, i] - F[T, q]
        F[X0, p] = R[2, i] * (R[6, i] * residual)
        F[X1, p] = F[X0, p] * R[4, i]


@compiled
def _scans(n: int, F: FloatArray, shift: float) -> float:
    """Both scans over the n live slots, as if no neuron were pinned; |S| + |T| over all of them."""
    a, d = 0.0, 0.0
    whole = n - n % 4
    for p in range(0, whole, 4):
        a0, a1, a2, a3 = F[C, p], F[C, p + 1], F[C, p + 2], F[C, p + 3]
        d0, d1 = a0 * (F[B, p] - shift), a1 * (F[B, p + 1] - shift)
        d2, d3 = a2 * (F[B, p + 2] - shift), a3 * (F[B, p + 3] - shift)
        a1, d1 = a0 + a1, d0 + d1
        a3, d3 = a1 + (a2 + a3), d1 + (d2 + d3)
        F[S, p], F[S, p + 1], F[S, p + 2] = a + a0, a + a1, a + (a1 + a2)
        F[T, p], F[T, p + 1], F[T, p + 2] = d + d0, d + d1, d + (d1 + d2)
        a += a3
        d += d3
        F[S, p + 3], F[T, p + 3] = a, d
    for p in range(whole, n):
        a += F[C, p]
        d += F[C, p] * (F[B, p] - shift)
        F[S, p], F[T, p] = a, d
    for p in range(n):
        s, t, sx = F[S, p], F[T, p], F[SX, p]
        F[R0, p] = s * sx - t * F[COUNT, p] - F[Y0, p]
        F[R1, p] = s * F[SXX, p] - t * sx - F[Y1, p]
    g, h = 0.0, 0.0
    p = n - 1
    while p >= 3:
        g0, g1, g2, g3 = F[R0, p], F[R0, p - 1], F[R0, p - 2], F[R0, p - 3]
        h0, h1, h2, h3 = F[R1, p], F[R1, p - 1], F[R1, p - 2], F[R1, p - 3]
        g1, h1 = g0 + g1, h0 + h1
        g3, h3 = g1 + (g2 + g3), h1 + (h2 + h3)
        F[R0, p], F[R0, p - 1], F[R0, p - 2] = g + g0, g + g1, g + (g1 + g2)
        F[R1, p], F[R1, p - 1], F[R1, p - 2] = h + h0, h + h1, h + (h1 + h2)
        g += g3
        h += h3
        F[R0, p - 3], F[R1, p - 3] = g, h
        p -= 4
    while p >= 0:
        g += F[R0, p]
        h += F[R1, p]
        F[R0, p], F[R1, p] = g, h
        p -= 1
    return abs(a) + abs(d)


@compiled_inline
def suffix_sums(n: int, shift: float, F: FloatArray, P: IntArray, R: FloatArray, pinned: int) -> float:
    """Leave G_j in rows R0 + X0 and H_j (x from the middle) in rows R1 + X1 of the n live slots; |S| + |T|.

    X0 and X1 are what a pinned neuron sees of its own datum, 0 for the others. They are added where G and H
    are used: in a loop over all slots, which is vectorised, that costs less than a loop over the pinned.
    """
    if pinned > 0:
        _lift(F, P, R, pinned)
    size = _scans(n, F, shift)
    if pinned > 0:
        _see(F, P, R, pinned)
    return size


@compiled
def smallest_reach(x: FloatArray) -> float:
    """A reach below rounding would be left in every epoch."""
    return 1e-15 * max(abs(x[0]), abs(x[-1]))


@compiled_inline
def follow_hops(
    F: FloatArray,
    P: IntArray,
    R: FloatArray,
    order: IntArray,
    reach: FloatArray,
    smallest: float,
    pinned: int,
) -> bool:
    """Renew the reach of pinned neurons that hopped; whether one is out of its reach."""
    escaped = False
    for i in range(pinned):
        p = P[0, i]
        j = order[p]
        at = R[3, i]
        hopped = abs(1.0 * (F[B, p] < at) - R[2, i])  # 0 or 1: a branch would be unpredictable
        renewed = max(0.9999 * reach[j], 2.0 * abs(F[B, p] - R[1, i]) + smallest)
        reach[j] = (1.0 - hopped) * reach[j] + hopped * renewed
        escaped |= abs(F[B, p] - at) > reach[j]
    return escaped


@compiled
def descend_few(
    n: int, sums: Sums, slots: Slots, pinned: int, rate: float, epochs: int
) -> tuple[int, bool, bool]:
    """Descend with the n live slots until a bias leaves its home: epochs done, whether one left, finite.

    This is the update of section 2. Apart from what follows, so that the compiler keeps this loop's pointers
    in registers.
    """
    F, P, R, order, reach = slots.F, slots.P, slots.R, slots.order, slots.reach
    shift, smallest = sums.middle, smallest_reach(sums.x)
    done, left = 0, False
    while done < epochs and not left:
        if pinned > 0:
            _lift(F, P, R, pinned)
        s, t = 0.0, 0.0
        for p in range(n):
            s += F[C, p]
            t += F[C, p] * (F[B, p] - shift)
            F[S, p] = s
            F[T, p] = t
            F[R0, p] = s * F[SX, p] - t * F[COUNT, p] - F[Y0, p]
            F[R1, p] = s * F[SXX, p] - t * F[SX, p] - F[Y1, p]
        if not abs(s) + abs(t) < OVERFLOWING:
            return done, False, False
        if pinned > 0:
            _see(F, P, R, pinned)
        g, h = 0.0, 0.0
        for p in range(n - 1, -1, -1):
            g += F[R0, p]
            h += F[R1, p]
            seen = g + F[X0, p]
            old = F[B, p]
            new = old + rate * (F[C, p] * seen)
            F[C, p] -= rate * (h + F[X1, p] - (old - shift) * seen)
            F[B, p] = new
            left |= (new < F[LO, p]) | (new >= F[HI, p])
        if pinned > 0:
            left |= follow_hops(F, P, R, order, reach, smallest, pinned)
        done += 1
    return done, left, True


@compiled
def descend_many(
    n: int, sums: Sums, slots: Slots, pinned: int, rate: float, epochs: int
) -> tuple[int, bool, bool]:
    """The same as `descend_few`, in the other form."""
    F, P, R, order, reach = slots.F, slots.P, slots.R, slots.order, slots.reach
    shift, smallest = sums.middle, smallest_reach(sums.x)
    done, left = 0, False
    while done < epochs and not left:
        if not suffix_sums(n, shift, F, P, R, pinned) < OVERFLOWING:
            return done, False, False
        for p in range(n):
            old, seen = F[B, p], F[R0, p] + F[X0, p]
            new = old + rate * (F[C, p] * seen)
            F[C, p] -= rate * (F[R1, p] + F[X1, p] - (old - shift) * seen)
            F[B, p] = new
            left |= (new < F[LO, p]) | (new >= F[HI, p])
        if pinned > 0:
            left |= follow_hops(F, P, R, order, reach, smallest, pinned)
        done += 1
    return done, left, True
