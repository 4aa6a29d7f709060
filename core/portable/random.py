"""Random draws with the bits of NumPy's, on every processor.

PCG64 and its seeding are integer arithmetic, but `Generator.normal` asks the C library for exp and log1p in
about one draw in a hundred, and both it and `Generator.uniform` may be compiled to a fused multiply-add.
Here the same algorithms consume the same 64-bit words, with the functions of this package and with
products and sums rounded apart, so that links keep the data and the networks they had. Only a draw from
the tails, beyond 3.65, can differ from NumPy's, in its last bit.

A draw needs one word at least, so a block of as many words as draws are missing never takes one that
NumPy would have left: afterwards the generator stands exactly where NumPy's method would have left it.
"""

import numpy as np

from ..compiled import compiled_ieee
from ..types import FloatArray, IntArray
from .exponential import portable_exp
from .logarithm import portable_log1p
from .ziggurat import EDGE, HEIGHT, INSIDE, INVERSE_EDGE, WIDTH

UNIT = 2.0**-53
LAYER_MASK = (1 << 52) - 1


@compiled_ieee
def fraction(word: int) -> float:
    """The upper 53 bits of a word as a number in [0, 1); the mask drops the copies of the sign."""
    return ((word >> 11) & ((1 << 53) - 1)) * UNIT


@compiled_ieee
def take_normals(words: IntArray, normals: FloatArray, done: int) -> tuple[int, int]:
    """Fill normals[done:] as far as the words go; (draws done, words used up).

    A word is eight bits of layer, one of sign and 52 of distance. The words of an attempt
    that lacks some to be decided count as unused: it is made again when there are more.
    """
    used = 0
    while done < normals.shape[0] and used < words.shape[0]:
        word = words[used]
        layer = word & 0xFF
        distance = (word >> 9) & LAYER_MASK
        x = distance * WIDTH[layer]
        if word & 0x100:
            x = -x
        if distance < INSIDE[layer]:
            used += 1
        elif layer > 0:
            if used + 2 > words.shape[0]:
                break
            height = (HEIGHT[layer - 1] - HEIGHT[layer]) * fraction(words[used + 1]) + HEIGHT[layer]
            used += 2
            if not height < portable_exp(-0.5 * x * x):
                continue
        else:
            place = used + 1
            beyond = -1.0
            while beyond < 0.0 and place + 2 <= words.shape[0]:
                tail = -INVERSE_EDGE * portable_log1p(-fraction(words[place]))
                bound = -portable_log1p(-fraction(words[place + 1]))
                place += 2
                if bound + bound > tail * tail:
                    beyond = EDGE + tail
            if beyond < 0.0:
                break
            used = place
            x = -beyond if (distance >> 8) & 1 else beyond
        normals[done] = x
        done += 1
    return done, used


def standard_normal(rng: np.random.Generator, count: int) -> FloatArray:
    """What rng.standard_normal(count) draws; the generator is left where that would leave it."""
    if not isinstance(rng.bit_generator, np.random.PCG64):
        raise TypeError(
            "standard_normal: only PCG64, the generator of default_rng, is known to give whole words"
        )
    normals = np.empty(count)
    words = np.empty(0, dtype=np.int64)
    done = 0
    while done < count:
        fresh = rng.bit_generator.random_raw(count - done).view(np.int64)
        words = np.concatenate([words, fresh])
        done, used = take_normals(words, normals, done)
        words = words[used:]
    return normals


def draw_uniform(rng: np.random.Generator, low: float, high: float, count: int) -> FloatArray:
    """What rng.uniform(low, high, count) draws; rng.random is 53 bits of a word, exactly."""
    return np.add(low, np.multiply(high - low, rng.random(count)))
