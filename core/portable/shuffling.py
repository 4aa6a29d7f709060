"""Orders drawn at random, from integers alone: a function of two numbers, so that nothing has to be kept.

The words are those of SplitMix64 (Steele, Lea & Flood 2014), the order is Fisher's and Yates'. A word modulo
a count below 2^32 is uneven by less than one part in four thousand million.
"""

import numpy as np

from ..compiled import compiled_ieee
from ..types import IntArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)


@compiled_ieee
def mixed(word: np.uint64) -> np.uint64:
    """The word that SplitMix64 makes of its counter."""
    word = (word ^ (word >> SHIFT_1)) * FIRST
    word = (word ^ (word >> SHIFT_2)) * SECOND
    return word ^ (word >> SHIFT_3)


@compiled_ieee
def shuffled(count: int, seed: int, number: int) -> IntArray:
    """The numbers below `count` in the order that belongs to a seed and a number."""
    order = np.arange(count)
    word = mixed(mixed(np.uint64(seed) + GOLDEN) + np.uint64(number) * GOLDEN)
    for i in range(count - 1, 0, -1):
        word += GOLDEN
        j = np.int64(mixed(word) % np.uint64(i + 1))
        order[i], order[j] = order[j], order[i]
    return order
