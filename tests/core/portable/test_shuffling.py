"""Random orders: the published words, and what an order must be."""

import numpy as np

from core.portable.shuffling import GOLDEN, mixed, shuffled

PUBLISHED = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
"""The first outputs of SplitMix64 from the seed 0."""


def test_the_words_are_those_of_splitmix64() -> None:
    with np.errstate(over="ignore"):
        assert [int(mixed(np.uint64(i) * GOLDEN)) for i in (1, 2, 3)] == PUBLISHED


def test_an_order_holds_every_number_once_and_differs_from_the_next() -> None:
    orders = [shuffled(50, seed, number) for seed in range(3) for number in range(20)]
    assert all(sorted(order.tolist()) == list(range(50)) for order in orders)
    assert len({order.tobytes() for order in orders}) == len(orders)
    assert shuffled(1, 0, 0).tolist() == [0]


def test_every_place_is_as_likely_as_any_other() -> None:
    """Where the first of four ends up, in 4000 orders: within five deviations of a fair draw."""
    places = [int(np.argmin(shuffled(4, 7, number))) for number in range(4000)]
    counts = np.bincount(places, minlength=4)
    assert np.abs(counts - 1000).max() <= 5 * np.sqrt(4000 * 0.25 * 0.75)
