"""Verdicts follow from evidence by rule, and intervals are what they say they are."""

from collections.abc import Sequence

import numpy as np
import pytest

from reproduction.criteria import criteria
from reproduction.statistics import median, share, spread, wilson
from reproduction.verdicts import Evidence, Verdict, decide

LIMITS = criteria().limits()


def of(hits: int, count: int = 40) -> list[bool]:
    return [i < hits for i in range(count)]


@pytest.mark.parametrize(
    ("hits", "verdict"),
    [(40, "agrees"), (27, "agrees"), (26, "luck"), (5, "luck"), (4, "differs"), (0, "differs")],
)
def test_a_share_is_judged_by_its_whole_interval(hits: int, verdict: Verdict) -> None:
    assert decide("share", Evidence("", "", hits=of(hits)), LIMITS) == verdict


@pytest.mark.parametrize(
    ("hits", "count", "verdict"), [(5, 5, "agrees"), (3, 5, "luck"), (0, 5, "undecided"), (3, 3, "undecided")]
)
def test_too_few_seeds_decide_nothing(hits: int, count: int, verdict: Verdict) -> None:
    assert decide("share", Evidence("", "", hits=of(hits, count)), LIMITS) == verdict


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
    assert wilson(hits, count) == pytest.approx((low, high), abs=1e-4)


def test_medians_are_true_ones() -> None:
    assert median([4.0, 1.0, 3.0, 2.0]) == 2.5
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([1.0, float("inf"), float("inf"), 2.0]) == float("inf")


def test_the_interval_of_a_median_covers_it_nineteen_times_in_twenty() -> None:
    """Of 400 samples of 40 uniform numbers. The exact interval, from the 14th to the 27th, is 13/41 = 0.32
    wide on average; one that is too wide fails as one that is too narrow does."""
    rng = np.random.default_rng(7)
    found = [spread(list(rng.random(40))) for _ in range(400)]
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
    assert share([True, False, True]) == "2 of 3 seeds [21, 94 %]"
