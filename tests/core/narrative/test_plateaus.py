"""Plateaus: the definition against its slow reading, and what they do not depend on."""

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.plateaus import readings, stretches
from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.methods import METHODS
from core.narrative.plateaus import plateaus_of
from core.run.train import train
from core.types import FloatArray

CONFIG = RunConfig.from_query("target=five&method=adam&epochs=1e9")
FRAME = next(iter(train(CONFIG)))


def frames_of(epochs: FloatArray, losses: FloatArray) -> list[Frame]:
    """Frames with these losses and nothing else that changes; never below their floor."""
    return [
        replace(FRAME, index=i, epoch=float(k), loss=float(v), floor=0.0)
        for i, (k, v) in enumerate(zip(epochs, losses, strict=True))
    ]


def slow_plateaus(epochs: FloatArray, losses: FloatArray) -> list[tuple[int, int]]:
    """The definition word for word, with NumPy's interpolation and medians: hundredths of a decade."""
    u = 100 * np.log10(1 + epochs)
    grid = np.arange(int(np.floor(u[-1] + 1e-9)) + 1)
    read = np.interp(grid, u, np.log10(losses))
    level = np.array([np.median(read[max(i - 5, 0) : i + 6]) for i in grid])
    still = [i for i in grid[:-33] if np.ptp(level[i : i + 34]) < -np.log10(0.9)]
    covered = [any(i <= k <= i + 33 for i in still) for k in grid]
    found: list[list[int]] = []
    for k in grid[covered]:
        # Two windows that do not overlap may lie side by side.
        whole = any(i <= k - 1 and k <= i + 33 for i in still)
        if found and (whole or abs(level[k] - level[found[-1][1]]) < -np.log10(0.9)):
            found[-1][1] = int(k)
        else:
            found.append([int(k), int(k)])
    return [(a, b) for a, b in found if b >= 133]


def staircase(heights: list[float], ends: list[float], per_decade: int = 40) -> tuple[FloatArray, FloatArray]:
    """A loss that stands at each height until about its end and falls within a fifth of a decade."""
    u = np.linspace(0, ends[-1], int(per_decade * ends[-1]))
    level = np.full(u.size, np.log10(heights[0]))
    for before, after, end in zip(heights, heights[1:], ends, strict=False):
        level += np.log10(after / before) * np.clip((u - end) / 0.2, 0, 1)
    return 10**u - 1, 10**level


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    decades=st.floats(0.2, 9.0),
    count=st.integers(2, 400),
    rough=st.sampled_from([0.0, 0.003, 0.03, 0.3]),
)
def test_the_slow_reading_of_the_definition_finds_the_same(
    seed: int, decades: float, count: int, rough: float
) -> None:
    rng = np.random.default_rng(seed)
    u = np.concatenate([[0.0], np.sort(rng.uniform(0, decades, count))])
    slopes = rng.choice([0.0, 0.05, 0.15, 2.0], count)
    fall = np.concatenate([[0.0], np.cumsum(slopes * np.diff(u))])
    losses = 10 ** (rough * rng.standard_normal(u.size) - fall)
    epochs = 10**u - 1
    read = readings(frames_of(epochs, losses), 1e-300)
    assert stretches(read) == slow_plateaus(epochs, losses)


def test_a_staircase_has_its_steps() -> None:
    epochs, losses = staircase([1.0, 0.1, 0.02, 0.001], [2.0, 4.0, 5.0, 7.0])
    found = plateaus_of(CONFIG, frames_of(epochs, losses))
    assert [p.number for p in found] == [1, 2, 3, 4]
    assert [round(np.log10(1 + p.end), 1) for p in found] == [2.0, 4.0, 5.0, 7.0]
    assert [round(np.log10(1 + p.begin), 1) for p in found] == [0.0, 2.2, 4.2, 5.2]
    assert [p.open for p in found] == [False, False, False, True]
    for p in found:
        assert (p.begin, p.end) == (epochs[p.first], epochs[p.last]) and p.first <= p.judged <= p.last


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_neither_the_unit_of_the_loss_nor_the_number_of_frames_matters(scale: float) -> None:
    epochs, losses = staircase([1.0, 0.1, 0.02], [2.0, 4.0, 6.0], 400)
    known = plateaus_of(CONFIG, frames_of(epochs, losses))
    scaled = plateaus_of(CONFIG, frames_of(epochs, scale * losses))
    assert [(p.first, p.last) for p in scaled] == [(p.first, p.last) for p in known]
    few = plateaus_of(CONFIG, frames_of(epochs[::37], losses[::37]))
    assert len(few) == len(known)
    for a, b in zip(few, known, strict=True):
        assert np.log10((1 + a.end) / (1 + b.end)) == pytest.approx(0, abs=0.12)


def test_a_steady_fall_and_the_flat_beginning_are_no_plateaus() -> None:
    epochs = np.concatenate([[0.0], np.geomspace(1, 1e8, 700)])
    assert plateaus_of(CONFIG, frames_of(epochs, (1 + epochs) ** -0.5)) == ()
    assert plateaus_of(CONFIG, frames_of(epochs, 1 / (1 + epochs / 10))) == ()


def test_one_frame_has_none_and_rounding_is_one() -> None:
    assert plateaus_of(CONFIG, [FRAME]) == plateaus_of(CONFIG, []) == ()
    epochs = np.concatenate([[0.0], np.geomspace(1, 1e6, 300)])
    noise = 10 ** np.random.default_rng(0).uniform(-33, -30, epochs.size)
    (only,) = plateaus_of(CONFIG, frames_of(epochs, noise))
    assert only.why == "floor" and only.open and "nothing is left to learn" in only.sentence


@cache
def run_of(method: str) -> tuple[RunConfig, list[Frame]]:
    config = RunConfig.from_query(f"target=five&seed=9&method={method}&epochs=20000")
    return config, list(train(config))


@pytest.mark.parametrize("method", METHODS)
def test_the_plateaus_of_every_method_are_frames_that_stand_still(method: str) -> None:
    config, frames = run_of(method)
    found = plateaus_of(config, frames)
    assert [p.number for p in found] == list(range(1, len(found) + 1))
    for p in found:
        inside = frames[p.first : p.last + 1]
        assert (p.stage_first, p.stage_last) == (inside[0].stage, inside[-1].stage)
        assert (p.loss_begin, p.loss_end) == (inside[0].loss, inside[-1].loss)
        assert p.open == (p.last == len(frames) - 1)
        assert p.sentence.startswith("The loss ") and p.sentence.endswith(".") and p.ends.endswith(".")
        assert not any("{" in text for text in (p.sentence, p.ends, p.detail))
        named = re.search(r"neuron (\d+)", f"{p.sentence} {p.detail}")
        assert p.neuron == (int(named[1]) - 1 if named else None)
    for before, after in pairwise(found):
        assert before.last < after.first


@pytest.mark.slow
def test_three_stairs_are_learned_one_by_one() -> None:
    """The staircase of the gallery: three plateaus, falls of three or more between, ANLS far below."""
    config = RunConfig.from_query("target=stairs&seed=2&learning_rate=0.01&method=gd&epochs=1e7")
    found = plateaus_of(config, list(train(config)))
    assert len(found) == 3
    for one in found:
        assert one.end >= 3.2 * one.begin > 0.0
    for one, following in pairwise(found):
        assert one.loss_end >= 3.0 * following.loss_begin
    *_, last = train(RunConfig.from_query("target=stairs&seed=2&method=anls&epochs=500"))
    assert last.loss <= found[-1].loss_end / 30.0


def test_a_loss_that_gains_much_is_not_said_to_stand_still() -> None:
    config = RunConfig.from_query("target=f1&method=sgd&epochs=300")
    (slow,) = plateaus_of(config, list(train(config)))
    assert slow.sentence == "The loss falls slowly: SGD gains 22 % in epochs 6 to 63."
