"""Sums in vectors, for kernels in which the sums of `core.portable.sums` are what takes time.

The order of a product is again part of the definition: element i belongs to lane i mod 8 of the largest
multiple of eight that fits; the lanes are added up as ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)),
and the up to seven remaining elements follow one by one. Eight lanes in eight variables would be no faster
than four: without fastmath the compiler computes them one by one. So the loop over the lanes is written
down for LLVM as operations on vectors of eight numbers, each of which is eight of IEEE's operations,
rounded one by one, on any processor; how many of them it does at a time is its own affair and changes no
bit.

Running sums go four by four: from p, q, r, s come p, p + q, p + q + r and p + q + r + s by two additions of
vectors, as 0 + p, p + q, (q + r) + (0 + p), (r + s) + (p + q), and what was summed before is added to each of
them. From the right likewise. The up to three elements at the right end go one by one.

A nan that arises is always the same one, as in `core.portable.sums`.
"""

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from ..types import FloatArray
from .sums import NAN

LANES = 8
DOUBLE = ir.DoubleType()
VECTOR, FOUR = ir.VectorType(DOUBLE, LANES), ir.VectorType(DOUBLE, 4)
COUNT, PLACES = ir.IntType(64), ir.VectorType(ir.IntType(32), 4)
Emitted = tuple[Any, Any]
"""A signature, and what writes the instructions."""


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Where an array's numbers begin."""
    if kind.layout != "C" or kind.dtype != types.float64 or kind.ndim != 1:
        raise TypeError("lanes: a contiguous vector of floats, please")
    return context.make_array(kind)(context, builder, value).data


def _place(builder: Any, data: Any, at: Any, kind: Any = VECTOR) -> Any:
    """Where the vector from `at` on is."""
    return builder.bitcast(builder.gep(data, [at]), kind.as_pointer())


def _splat(builder: Any, value: Any, kind: Any = VECTOR) -> Any:
    """A vector of the same number."""
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None))


def _added_up(builder: Any, lanes: Any) -> Any:
    """The lanes, neighbours first."""
    parts = [builder.extract_element(lanes, ir.Constant(ir.IntType(32), k)) for k in range(LANES)]
    while len(parts) > 1:
        parts = [builder.fadd(left, right) for left, right in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


@intrinsic
def _whole_dot(typing: Any, u: Any, v: Any, end: Any) -> Emitted:  # noqa: ARG001
    """The sum of u v over the first `end` elements, a multiple of eight."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        left, right = (_data(context, builder, signature.args[k], arguments[k]) for k in range(2))
        lanes = cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * LANES))
        zero, eight = ir.Constant(COUNT, 0), ir.Constant(COUNT, LANES)
        with cgutils.for_range_slice(builder, zero, arguments[2], eight, COUNT) as (at, _):
            product = builder.fmul(
                builder.load(_place(builder, left, at), align=8),
                builder.load(_place(builder, right, at), align=8),
            )
            builder.store(builder.fadd(builder.load(lanes), product), lanes)
        return _added_up(builder, builder.load(lanes))

    return types.float64(u, v, types.int64), emit


@intrinsic
def _whole_blend(
    typing: Any, out: Any, share: Any, old: Any, more: Any, u: Any, v: Any, end: Any  # noqa: ARG001
) -> Emitted:  # fmt: skip
    """out = share old + more u over the first `end` elements, a multiple of eight; the sum of out v there."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, before, other, against = (
            _data(context, builder, signature.args[k], arguments[k]) for k in (0, 2, 4, 5)
        )
        shares, mores = _splat(builder, arguments[1]), _splat(builder, arguments[3])
        lanes = cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * LANES))
        zero, eight = ir.Constant(COUNT, 0), ir.Constant(COUNT, LANES)
        with cgutils.for_range_slice(builder, zero, arguments[6], eight, COUNT) as (at, _):
            one = builder.fmul(shares, builder.load(_place(builder, before, at), align=8))
            two = builder.fmul(mores, builder.load(_place(builder, other, at), align=8))
            new = builder.fadd(one, two)
            builder.store(new, _place(builder, target, at), align=8)
            product = builder.fmul(new, builder.load(_place(builder, against, at), align=8))
            builder.store(builder.fadd(builder.load(lanes), product), lanes)
        return _added_up(builder, builder.load(lanes))

    return types.float64(out, types.float64, old, types.float64, u, v, types.int64), emit


def _shifted(builder: Any, four: Any, by: int) -> Any:
    """Four numbers, moved by so many places to the right (or left, below 0); zeros follow."""
    zeros = ir.Constant(FOUR, [0.0] * 4)
    places = [k - by if 0 <= k - by < 4 else 4 for k in range(4)]
    return builder.shuffle_vector(four, zeros, ir.Constant(PLACES, places))


def _running(backwards: bool) -> Any:
    """What writes running sums, four by four."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, source = (_data(context, builder, signature.args[k], arguments[k]) for k in (0, 1))
        end, sign = arguments[3], -1 if backwards else 1
        before = cgutils.alloca_once_value(builder, _splat(builder, arguments[2], FOUR))
        zero, four = ir.Constant(COUNT, 0), ir.Constant(COUNT, 4)
        with cgutils.for_range_slice(builder, zero, end, four, COUNT) as (counted, _):
            at = builder.sub(builder.sub(end, counted), four) if backwards else counted
            own = builder.load(_place(builder, source, at, FOUR), align=8)
            own = builder.fadd(own, _shifted(builder, own, sign))
            own = builder.fadd(own, _shifted(builder, own, 2 * sign))
            so_far = builder.load(before)
            builder.store(builder.fadd(so_far, own), _place(builder, target, at, FOUR), align=8)
            whole = builder.shuffle_vector(own, own, ir.Constant(PLACES, [0 if backwards else 3] * 4))
            builder.store(builder.fadd(so_far, whole), before)
        return builder.extract_element(builder.load(before), ir.Constant(ir.IntType(32), 0))

    return emit


@intrinsic
def _running_sums(typing: Any, out: Any, v: Any, start: Any, end: Any) -> Emitted:  # noqa: ARG001
    """Running sums of the first `end` elements, a multiple of four, after `start`; the last one."""
    return types.float64(out, v, types.float64, types.int64), _running(False)


@intrinsic
def _running_sums_back(typing: Any, out: Any, v: Any, start: Any, end: Any) -> Emitted:  # noqa: ARG001
    """The same from the right."""
    return types.float64(out, v, types.float64, types.int64), _running(True)


@njit(cache=True)
def lane_dot(u: FloatArray, v: FloatArray) -> float:
    """The sum of u v, each product rounded before it is added."""
    n = u.shape[0]
    if v.shape[0] != n:
        raise ValueError("lane_dot: the vectors differ in length")
    end = n - n % LANES
    s = _whole_dot(u, v, end)
    for i in range(end, n):
        s += u[i] * v[i]
    return s if s == s else NAN


@njit(cache=True)
def lane_blend(
    out: FloatArray, share: float, old: FloatArray, more: float, u: FloatArray, v: FloatArray
) -> float:
    """Write share old + more u to out, which may be old; the sum of out v: the bits of lane_dot(out, v)."""
    n = out.shape[0]
    if old.shape[0] != n or u.shape[0] != n or v.shape[0] != n:
        raise ValueError("lane_blend: the vectors differ in length")
    end = n - n % LANES
    s = _whole_blend(out, share, old, more, u, v, end)
    for i in range(end, n):
        out[i] = share * old[i] + more * u[i]
        s += out[i] * v[i]
    return s if s == s else NAN


@njit(cache=True)
def running_sums(out: FloatArray, v: FloatArray) -> None:
    """Write v_0 + ... + v_i to out_i; out may be v."""
    n = v.shape[0]
    if out.shape[0] != n:
        raise ValueError("running_sums: the vectors differ in length")
    end = n - n % 4
    s = _running_sums(out, v, 0.0, end)
    for i in range(end, n):
        s += v[i]
        out[i] = s


@njit(cache=True)
def running_sums_back(out: FloatArray, v: FloatArray) -> None:
    """Write v_i + ... + v_(n - 1) to out_i; out may be v."""
    n = v.shape[0]
    if out.shape[0] != n:
        raise ValueError("running_sums_back: the vectors differ in length")
    end = n - n % 4
    s = 0.0
    for i in range(n - 1, end - 1, -1):
        s += v[i]
        out[i] = s
    _running_sums_back(out, v, s, end)
