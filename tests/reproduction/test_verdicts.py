"""Verdicts follow from evidence by rule, and intervals are what they say they are."""

from collections.abc import Sequence

import numpy as np
import pytest

from reproduction.criteria import Verdict, criteria
from reproduction.statistics import median, seeds_to_tell, share, spread, together, wilson
from reproduction.verdicts import Evidence, brief, decide, would_tell

LIMITS = criteria().limits()


def of(hits: int, count: int = 40) -> list[bool]:
    return [i < hits for i in range(count)]


@pytest.mark.parametrize(
    ("hits", "verdict"),
    [
        (40, "agrees"),
        (31, "agrees"),
        (30, "undecided"),
        (21, "undecided"),
        (20, "luck"),
        (10, "luck"),
        (9, "undecided"),
        (2, "undecided"),
        (1, "undecided"),
        (0, "differs"),
    ],
)
def test_a_share_is_judged_by_its_whole_interval(hits: int, verdict: Verdict) -> None:
    assert decide("share", Evidence("", "", hits=of(hits)), LIMITS) == verdict


@pytest.mark.parametrize(("hits", "count"), [(5, 5), (3, 5), (0, 5), (3, 3)])
def test_too_few_seeds_decide_nothing(hits: int, count: int) -> None:
    assert decide("share", Evidence("", "", hits=of(hits, count)), LIMITS) == "undecided"


def test_one_case_against_a_theorem_is_enough() -> None:
    assert decide("every", Evidence("", "", hits=of(40)), LIMITS) == "agrees"
    assert decide("every", Evidence("", "", hits=of(39)), LIMITS) == "differs"
    assert decide("every", Evidence("", "", hits=of(39), mended=of(40)), LIMITS) == "corrected"
    assert decide("every", Evidence("", "", hits=of(39), mended=of(39)), LIMITS) == "differs"


@pytest.mark.parametrize(
    ("values", "verdict"),
    [([2e-5] * 9, "agrees"), ([2e-4] * 9, "differs"), ([8.9e-5] * 5 + [9.1e-5] * 5, "undecided")],
)
def test_a_value_is_judged_by_the_interval_of_the_median(values: Sequence[float], verdict: Verdict) -> None:
    assert decide("value", Evidence("", "", values=values, paper=3e-5), LIMITS) == verdict


def test_what_hangs_on_the_reading_is_not_decidable() -> None:
    assert decide("eye", Evidence("", "", hits=of(40), readings=(of(40),)), LIMITS) == "agrees"
    assert decide("eye", Evidence("", "", hits=of(40), readings=(of(0),)), LIMITS) == "undecided"


def test_a_correction_is_needed_only_where_the_claim_fails_as_it_stands() -> None:
    assert decide("share", Evidence("", "", hits=of(40), mended=of(40)), LIMITS) == "agrees"
    assert decide("share", Evidence("", "", hits=of(0), mended=of(40)), LIMITS) == "corrected"
    assert decide("share", Evidence("", "", hits=of(0), mended=of(20)), LIMITS) == "luck"


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    # Newcombe (1998), table I, and the closed form by hand
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (29, 29, 0.8830, 1.0)],
)
def test_wilson_is_that_of_the_literature(hits: int, count: int, low: float, high: float) -> None:
    assert wilson(hits, count, 0.05) == pytest.approx((low, high), abs=1e-4)


def test_medians_are_true_ones() -> None:
    assert median([4.0, 1.0, 3.0, 2.0]) == 2.5
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([1.0, float("inf"), float("inf"), 2.0]) == float("inf")


def test_the_interval_of_a_median_covers_it_nineteen_times_in_twenty() -> None:
    """Of 400 samples of 40 uniform numbers. The exact interval, from the 14th to the 27th, is 13/41 = 0.32
    wide on average; one that is too wide fails as one that is too narrow does."""
    rng = np.random.default_rng(7)
    found = [spread(list(rng.random(40)), 0.05) for _ in range(400)]
    covered = sum(one.sure_low <= 0.5 <= one.sure_high for one in found)
    width = float(np.mean([one.sure_high - one.sure_low for one in found]))
    assert all(one.sure_low <= one.median <= one.sure_high for one in found)
    assert 360 <= covered <= 396
    assert 0.25 <= width <= 0.35


def test_words_for_many_seeds() -> None:
    found = spread([4e-4, 1e-4, float("inf"), 2e-4])
    assert found.median == pytest.approx(3e-4)
    assert (found.low, found.high, found.count) == (1e-4, float("inf"), 4)
    assert found.text.endswith("(10⁻⁴ to ∞, 4 seeds)")
    assert share([True, False, True]) == "2 of 3 seeds [10, 97 %]"
    assert share([True, False, True], 0.05) == "2 of 3 seeds [21, 94 %]"


def test_all_intervals_hold_together() -> None:
    """Each of sixty misses with a chance of 0.05 / 60 at most: those of sixty medians of 40 fair draws do."""
    assert together() * len(criteria().claims) == pytest.approx(0.05)
    rng = np.random.default_rng(11)
    missed = 0
    for _ in range(100):
        drawn = [spread(list(rng.random(40))) for _ in criteria().claims]
        missed += not all(one.sure_low <= 0.5 <= one.sure_high for one in drawn)
    assert missed <= 11


def test_the_seeds_that_would_tell_do() -> None:
    error = together()
    for part, threshold in ((0.61, 0.5), (0.16, 0.25)):
        count = seeds_to_tell(part, threshold, error)
        low, high = wilson(round(part * count), count, error)
        assert low > threshold or high < threshold
        fewer = count * 9 // 10
        low, high = wilson(round(part * fewer), fewer, error)
        assert low <= threshold <= high
    assert 150 < would_tell("share", Evidence("", "", hits=of(24)), LIMITS) < 350
    assert would_tell("share", Evidence("", ""), LIMITS) == float("inf")
    split = Evidence("", "", hits=of(40), readings=(of(0),))
    assert would_tell("eye", split, LIMITS) == float("inf")
    assert 10 < would_tell("value", Evidence("", "", values=[8e-5, 8.5e-5, 9.5e-5], paper=3e-5), LIMITS) < 40


def test_no_number_of_seeds_tells_where_thresholds_contradict_each_other() -> None:
    few = Evidence("", "", hits=of(5, 60))
    assert 60 < would_tell("eye", few, LIMITS, ("undecided", "luck", "differs")) < 100
    assert would_tell("eye", few, LIMITS, ("agrees", "differs")) == float("inf")
    # more seeds would make this claim differ, where another threshold already lets it agree
    assert would_tell("eye", few, LIMITS, ["agrees"]) == float("inf")
    assert would_tell("eye", few, LIMITS, ["corrected"]) == float("inf")
    assert would_tell("share", few, LIMITS, ("agrees", "differs")) < float("inf")


def test_a_cell_of_the_table_is_short() -> None:
    assert brief("every", Evidence("", "", hits=of(39), mended=of(40))) == "39 of 40; corrected, 40"
    assert brief("share", Evidence("", "", hits=of(40))) == "40 of 40 seeds [78, 100 %]"
