"""What a study is said to take: it counts what really runs, and what is told never jumps."""

import random
from itertools import pairwise

import pytest

from components.pages.study.content import about_range
from core.config import RunConfig
from core.limits import LIMITS
from core.run.train import train
from core.service.remaining import NARROWING, RemainingTime, before_it_begins
from core.service.studies.plan import PORTION_SECONDS, plan_of
from core.service.workers.estimates import FRAME_SECONDS, rough_cost


@pytest.mark.parametrize(
    "query",
    [
        "epochs=1e5",
        "epochs=1e4&width=20&points=300",
        "epochs=1e5&method=adam",
        "epochs=1e6&target=five",
        "epochs=3000",
    ],
)
def test_the_frames_of_a_run_are_counted(query: str) -> None:
    config = RunConfig.from_query(query)
    frames = sum(1 for _ in train(config))
    told = rough_cost(config.method, config.width, config.points, config.epochs) - config.estimated_seconds()
    assert frames / 2 < told / FRAME_SECONDS < 2 * frames


def test_a_portion_holds_no_more_than_its_seconds_with_frames() -> None:
    plan = plan_of("seed=0..319&epochs=1e5", LIMITS, {})
    assert plan.total > 10 * sum(plan.runs.seconds()) / 2, "frames are most of it"
    assert all(len(portion) * plan.costs[0] <= PORTION_SECONDS for portion in plan.portions)


def test_of_each_kind_of_run_one_stands_for_all() -> None:
    plan = plan_of("seed=0..9&width=5,10&method=gd,anls&epochs=100", LIMITS, {})
    samples = plan.samples(24)
    assert len(samples) == 4 and sum(share for _, share in samples) == pytest.approx(plan.total)
    runs = [plan.runs.run(place) for place, _ in samples]
    assert {(run.width, run.method.name) for run in runs} == {(w, m) for w in (5, 10) for m in ("gd", "anls")}


def displayed(ends: tuple[float, float]) -> list[float]:
    """The seconds that a reader is told."""
    units = {"s": 1.0, "min": 60.0, "h": 3600.0}
    words = about_range(*ends).split()
    numbers = [place for place, word in enumerate(words) if word[0].isdigit()]
    unit = {place: next(units[w] for w in words[place:] if w in units) for place in numbers}
    return [float(words[place]) * unit[place] for place in numbers]


@pytest.mark.parametrize("case", range(40))
def test_what_is_left_never_jumps_narrows_and_comes_to_the_truth(case: int) -> None:
    """Work that takes other than was estimated, at a pace that changes, comes in portions, and is looked at
    by one or many."""
    chance = random.Random(case)
    wrong, size = chance.choice((0.2, 1.0, 5.0)), chance.choice((50.0, 3000.0))
    lookers = chance.choice((1, 7))
    time, now, done = RemainingTime(size, 0.0, 0.0, 1.0, 0.1 * size), 0.0, 0.0
    before, pace = time.between(0.0, 0.0), 1.0
    wide = before[1] / before[0]
    while done < size:
        now += 1.0
        pace = pace if now % 20.0 else chance.uniform(0.5, 1.5)
        if chance.random() < 0.5:
            done = min(size, done + 2.0 / wrong * pace * chance.uniform(0.3, 1.7))
        for look in range(lookers):
            ends = time.between(done, now - 1.0 + (look + 1.0) / lookers)
        if done == size:
            break
        for was, told in zip(before, ends, strict=True):
            # A second has passed as well.
            assert told <= 2.0 * was and (told >= was / 2.0 or told >= (was - 1.0) / NARROWING - 1e-9)
        was_said, is_said = displayed(before), displayed(ends)
        if len(was_said) == len(is_said) and min(was_said, default=0.0) > 4.0:
            for was, told in zip(was_said, is_said, strict=True):
                assert max(was, told) <= 2.0 * min(was, told)
        assert ends[1] / ends[0] <= wide * (1.0 + 1e-12)
        before, wide = ends, ends[1] / ends[0]
        if 0.6 < done / size < 0.9 and now > 40.0:
            truth = (size - done) * wrong
            assert truth / 2.5 < ends[1] and ends[0] < 2.5 * truth


def test_a_run_that_becomes_fast_is_not_judged_by_its_beginning() -> None:
    time, done = RemainingTime(1e8, 0.0, 0.0, 1e-5, 3e5), 0.0
    for now in range(1, 120):
        done += 1e5 if now < 60 else 1e6
        ends = time.between(done, float(now))
    assert ends[0] < (1e8 - done) / 1e6 < ends[1]


@pytest.mark.parametrize("delay", [3.0, 40.0, 120.0])
def test_what_has_to_be_waited_for_first_is_counted_and_no_sign_of_the_pace(delay: float) -> None:
    """It was expected to take 40 s; the work itself takes 20 s, as estimated."""
    time, told = RemainingTime(20.0, 0.0, 0.0, 1.0, 2.0), list[tuple[float, float]]()
    for now in range(int(delay + 20.0)):
        done = max(0.0, now - delay)
        told.append(time.between(done, float(now), max(5.0, 40.0 - now) if now < delay else 0.0))
    assert told[0][0] < 60.0 < told[0][1]
    for before, after in pairwise(told):
        assert all(max(was, now) <= 2.0 * min(was, now) + 1.0 for was, now in zip(before, after, strict=True))
    low, high = told[-5]
    assert delay < 40.0 or low < 5.0 < high


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.3, 0.8), "a few seconds"),
        ((1.2, 6.0), "up to 6 s"),
        (before_it_begins(15.0), "about 9 to 24 s"),
        ((14.0, 16.0), "about 14 to 16 s"),
        (before_it_begins(80.0), "about 50 s to 2 min"),
        ((900.0, 1560.0), "about 15 to 26 min"),
        ((300.0, 300.0), "about 5 min"),
    ],
)
def test_an_estimate_is_told_as_a_range(ends: tuple[float, float], said: str) -> None:
    assert about_range(*ends) == said
