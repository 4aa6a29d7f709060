"""Where an elementary function may go wrong, and how wrong it is there.

Every family of arguments is drawn for a count, so that the quick tests and the
sweeps look at the same places: all magnitudes, the neighbourhood of zeros and
poles, thresholds of overflow and underflow, subnormal numbers, short numbers.
"""

from collections.abc import Callable

import numpy as np
from mpmath import libmp, mp, mpf

from core.types import FloatArray

PRECISION = 200
"""Bits of the reference: a hundred more than the pairs have."""
NEAREST_TO_A_QUARTER_TURN = 6381956970095103.0 * 2.0**797
"""Of all doubles, the one whose remainder by pi/2 is smallest."""

Raw = tuple[int, int, int, int]
"""mpmath's own form of a number: sign, mantissa, exponent and the number of bits of the mantissa."""
Draw = Callable[[np.random.Generator, int], FloatArray]


def signs(rng: np.random.Generator, count: int) -> FloatArray:
    return rng.choice([-1.0, 1.0], count)


def magnitudes(low: float, high: float) -> Draw:
    """Positive numbers between 2^low and 2^high, uniform in the exponent."""

    def draw(rng: np.random.Generator, count: int) -> FloatArray:
        exponent = rng.uniform(low, high, count)
        whole = np.floor(exponent)
        return np.ldexp(np.exp2(exponent - whole), whole.astype(np.int64))

    return draw


def signed(draw: Draw) -> Draw:
    return lambda rng, count: signs(rng, count) * draw(rng, count)


def between(low: float, high: float) -> Draw:
    return lambda rng, count: rng.uniform(low, high, count)


def near(*places: float) -> Draw:
    """Within a few ulps of the places, and at distances of all magnitudes from them."""

    def draw(rng: np.random.Generator, count: int) -> FloatArray:
        place = rng.choice(np.array(places), count)
        steps = rng.integers(-20, 21, count) * np.spacing(np.abs(place))
        far = signs(rng, count) * np.exp2(rng.uniform(-50, -4, count)) * np.abs(place)
        return place + np.where(rng.random(count) < 0.5, steps, far)

    return draw


def near_quarter_turns(rng: np.random.Generator, count: int) -> FloatArray:
    """The doubles around k pi/2 for k of all magnitudes, rounded from 1200 bits of pi."""
    with mp.workprec(1300):
        half = +mp.pi / 2
        few = [float(int(2.0**e) * half) for e in rng.uniform(0, 60, count // 2)]
        many = [float(mpf(2) ** e * half) for e in rng.uniform(60, 1020, count - count // 2)]
    place = np.array(few + many)
    return np.append(signs(rng, count) * (place + rng.integers(-2, 3, count) * np.spacing(place)),
                     NEAREST_TO_A_QUARTER_TURN)  # fmt: skip


def subnormals(rng: np.random.Generator, count: int) -> FloatArray:
    few = rng.integers(1, 100, count // 2)
    all_sizes = np.exp2(rng.uniform(0, 52, count - count // 2)).astype(np.int64)
    return np.concatenate([few, all_sizes]).view(np.float64)


def short(rng: np.random.Generator, count: int) -> FloatArray:
    """Numbers of few bits, whose images are exact or half-way more often than by chance."""
    return np.ldexp(rng.integers(1, 4096, count).astype(np.float64), rng.integers(-12, 6, count))


EVERY_SIZE = magnitudes(-1074, 1023.99)
FAMILIES: dict[str, list[Draw]] = {
    "sin": [signed(EVERY_SIZE), between(-10, 10), near_quarter_turns, signed(magnitudes(-30, 70)),
            signed(short)],
    "asin": [signed(magnitudes(-1074, 0)), between(-1, 1), near(0.5, -0.5, 2**-0.5, 1 - 2.0**-40)],
    "atan": [signed(EVERY_SIZE), between(-10, 10), near(1, -1), signed(magnitudes(-30, 70))],
    "sinh": [signed(EVERY_SIZE), between(-1, 1), between(-45, 45), between(-711, 711),
             near(710.4758600739439, 40)],
    "tanh": [signed(EVERY_SIZE), between(-1, 1), between(-25, 25), near(19.06, 20, 2.0**-9, 2.0**-10)],
    "exp": [signed(EVERY_SIZE), between(-1, 1), between(-746, 710), between(-745.2, -708),
            near(709.782712893384), near(-708.3964185322641, -745.1332191019411)],
    "expm1": [signed(EVERY_SIZE), between(-1, 1), between(-60, 710),
              near(709.782712893384, 2.0**-9, -(2.0**-9))],
    "log": [EVERY_SIZE, between(0.5, 2), near(1), near(0.6875, 1.375, 2), subnormals, short],
    "log1p": [EVERY_SIZE, between(-1, 1), signed(magnitudes(-1074, -0.01)),
              near(-1 + 2.0**-30, 2.0**-9, -(2.0**-9))],
    "cbrt": [signed(EVERY_SIZE), between(-10, 10), subnormals, signed(short), near(1, 8, 27)],
}  # fmt: skip
ALIKE = {"cos": "sin", "tan": "sin", "acos": "asin", "cosh": "sinh", "log2": "log", "log10": "log"}
FAMILIES |= {name: FAMILIES[other] for name, other in ALIKE.items()}

DOMAINS = {"asin": (-1.0, 1.0), "acos": (-1.0, 1.0), "log1p": (-1.0 + 2.0**-53, np.inf)}


def arguments(name: str, count: int, seed: int = 0) -> FloatArray:
    """About so many arguments of a function of one, each family in equal parts."""
    rng = np.random.default_rng([seed, len(name)])
    families = FAMILIES[name]
    drawn = [draw(rng, count // len(families) + 1) for draw in families]
    x = np.concatenate(drawn)
    low, high = DOMAINS.get(name, (-np.inf, np.inf))
    return x[np.isfinite(x) & (x >= low) & (x <= high)]


def pow_arguments(count: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Bases of all sizes with exponents that keep the power in range, at its edges, whole and half ones."""
    rng = np.random.default_rng([seed, 3])
    part = count // 5 + 1
    any_base = EVERY_SIZE(rng, part)
    by_one = 1.0 + signs(rng, part) * magnitudes(-52, -0.1)(rng, part)
    by_one = by_one[(by_one > 0) & (by_one != 1)]
    edge = magnitudes(-1000, 1000)(rng, part)
    base = magnitudes(-20, 20)(rng, part)
    whole = signs(rng, part) * magnitudes(-20, 20)(rng, part)
    x = [any_base, by_one, edge, base, whole]
    y = [
        rng.uniform(-745, 710, part) / np.log(any_base),
        rng.uniform(-745, 710, len(by_one)) / np.log(by_one),
        rng.choice([-1.0, 1.0], part) * rng.uniform(708, 746, part) / np.log(edge),
        rng.integers(-40, 41, part) / 4.0,
        rng.integers(-70, 71, part).astype(np.float64),
    ]
    first, second = np.concatenate(x), np.concatenate(y)
    valid = np.isfinite(second)
    return first[valid], second[valid]


def _log_to_base(base: int) -> Callable[..., Raw]:
    divisor = libmp.mpf_log(libmp.from_int(base), PRECISION)
    return lambda x, precision: libmp.mpf_div(libmp.mpf_log(x, precision), divisor, precision)


def _with(function: Callable[..., mpf]) -> Callable[..., Raw]:
    """A function of mpmath's context, which takes care of arguments next to 0, on raw numbers."""
    return lambda x, _: function(mp.make_mpf(x))._mpf_


def _cube_root(x: Raw, precision: int) -> Raw:
    root = libmp.mpf_cbrt(libmp.mpf_abs(x), precision)
    return libmp.mpf_neg(root) if x[0] else root


REFERENCES: dict[str, Callable[..., Raw]] = {
    "sin": libmp.mpf_sin, "cos": libmp.mpf_cos, "tan": libmp.mpf_tan,
    "asin": libmp.mpf_asin, "acos": libmp.mpf_acos, "atan": libmp.mpf_atan,
    "sinh": libmp.mpf_sinh, "cosh": libmp.mpf_cosh, "tanh": libmp.mpf_tanh,
    "exp": libmp.mpf_exp, "expm1": _with(mp.expm1), "log": libmp.mpf_log, "log1p": _with(mp.log1p),
    "log2": _log_to_base(2), "log10": _log_to_base(10), "cbrt": _cube_root,
    "power": libmp.mpf_pow,
}  # fmt: skip


def ulps(computed: float, exact: Raw) -> float:
    """|computed - exact| in units of the last place of the exact value; infinity counts as 2^1024."""
    _, mantissa, exponent, bits = exact
    if mantissa == 0:
        return 0.0 if computed == 0.0 else np.inf
    size = exponent + bits
    if abs(computed) == np.inf:
        value = libmp.mpf_shift(libmp.from_int(1 if computed > 0 else -1), 1024)
        if size > 1024:
            return 0.0
    else:
        value = libmp.from_float(computed)
    unit = min(max(size - 53, -1074), 971)
    return abs(libmp.to_float(libmp.mpf_shift(libmp.mpf_sub(value, exact, PRECISION), -unit)))


def worst(name: str, computed: FloatArray, *where: FloatArray) -> tuple[float, tuple[float, ...]]:
    """The largest error in ulps, and the arguments it occurs at."""
    reference = REFERENCES[name]
    largest, place = 0.0, tuple(float(column[0]) for column in where)
    with mp.workprec(PRECISION):
        for value, *point in zip(computed.tolist(), *(column.tolist() for column in where), strict=True):
            exact = reference(*(libmp.from_float(number) for number in point), PRECISION)
            error = ulps(value, exact)
            if not error <= largest:
                largest, place = error, tuple(point)
    return largest, place
