"""What every method promises (core.methods.contract), checked for each one in the registry."""

import io
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.frames.frame import Frame
from core.limits import LIMITS
from core.methods import METHODS, contract
from core.run.train import Training
from tests.problems import DEGENERATE, FIVE, random_problem

DRIVER = import_module("core.run.train")
LIVELY = random_problem(4, 20, 20)
COMMON_KEYS = {"epoch", "b", "c", "gap", "pin", "gradients", "solves"}


def through_a_file(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """What a checkpoint is after it was saved and read again: plain arrays only."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    buffer.seek(0)
    with np.load(buffer, allow_pickle=False) as saved:
        return dict(saved)


def bits(frame: Frame) -> tuple[Any, ...]:
    """All of a frame but its wall-clock."""
    arrays = (frame.b.tobytes(), frame.c.tobytes(), frame.gap.tobytes(), frame.pin.tobytes())
    numbers = np.array([frame.epoch, frame.loss, frame.floor, frame.stationarity, frame.prediction_error])
    return (
        frame.index,
        numbers.tobytes(),
        arrays,
        frame.stage,
        frame.gradients,
        frame.solves,
        frame.changes,
        frame.points,
    )


def run(training: Training) -> list[Frame]:
    frames = []
    while training.outcome is None:
        frames += training.step()
    return frames


def check_frames(frames: list[Frame], width: int) -> None:
    assert frames[0].epoch == 0.0
    for index, frame in enumerate(frames):
        assert frame.index == index
        assert frame.b.shape == frame.c.shape == frame.gap.shape == frame.pin.shape == (width,)
        assert np.isfinite([frame.epoch, frame.loss, frame.floor, frame.stationarity, frame.seconds]).all()
        assert np.isfinite(frame.b).all()
        assert np.isfinite(frame.c).all()
        assert frame.loss >= frame.floor * (1.0 - 1e-9) - 1e-20
        pinned = frame.pin >= 0
        assert (frame.gap[pinned] == frame.pin[pinned] + 1).all()
        assert frame.u.sum() == frame.points
    for before, after in pairwise(frames):
        assert before.epoch < after.epoch
        assert before.stage <= after.stage
        assert before.gradients <= after.gradients
        assert before.solves <= after.solves
        assert before.seconds <= after.seconds
        assert all(before.epoch < change.epoch <= after.epoch for change in after.changes)
        changed = (before.gap != after.gap).any() or (before.pin != after.pin).any()
        assert after.stage > before.stage if changed else True
        assert (after.stage > before.stage) == bool(after.changes)


@pytest.mark.parametrize("name", METHODS)
def test_registry_tells_who_is_who(name: str) -> None:
    method = METHODS[name]()
    assert method.name == name
    assert method.title
    assert method.summary
    assert 0 < method.default_epochs <= getattr(LIMITS, method.largest_epochs)
    assert method.seconds_per_epoch(10, 100) > 0
    with pytest.raises(AttributeError):
        method.name = "other"  # type: ignore[misc]
    for field in method.parameters():
        assert field.metadata["low"] <= field.default <= field.metadata["high"]
        assert field.metadata["help"]


@pytest.mark.parametrize("name", METHODS)
def test_init_copies_and_advance_leaves_its_argument(name: str) -> None:
    method, data = METHODS[name](), LIVELY.data
    b, c = LIVELY.b.copy(), LIVELY.c.copy()
    state = method.init(data, b, c)
    assert state.keys() >= COMMON_KEYS
    assert all(isinstance(value, np.ndarray) and value.dtype.kind in "biuf" for value in state.values())
    kept = {key: value.copy() for key, value in state.items()}
    result = method.advance(data, state, 20.0, stop_at_change=False)
    assert (b == LIVELY.b).all()
    assert (c == LIVELY.c).all()
    assert state.keys() == kept.keys() == result.state.keys()
    for key, value in kept.items():
        assert np.array_equal(state[key], value), key
    assert 0.0 <= float(result.state["epoch"]) <= 20.0
    assert float(result.state["epoch"]) > 0.0 or result.met is not None


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("p", DEGENERATE)
def test_degenerate_problems(name: str, p: str) -> None:
    training = Training(DEGENERATE[p].config(name, 60.0))
    frames = run(training)
    check_frames(frames, len(DEGENERATE[p].b))
    assert training.outcome is not None
    assert training.outcome.sentence.endswith(".")
    if training.outcome.kind == "budget":
        assert frames[-1].epoch == 60.0


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_resumed_after_every_chunk_it_gives_the_same_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = LIVELY.config(name, 120.0 if METHODS[name].solves_least_squares else 600.0)
    whole = run(Training(config))
    check_frames(whole, len(LIVELY.b))
    monkeypatch.setattr(DRIVER, "STEP_SECONDS", 0.0)
    monkeypatch.setattr(contract, "CHUNK_SECONDS", 2e-6)
    training = Training(config)
    frames: list[Frame] = []
    while training.outcome is None:
        frames += training.step()
        training = Training(config, through_a_file(training.checkpoint()))
    assert list(map(bits, frames)) == list(map(bits, whole))


@pytest.mark.parametrize("name", METHODS)
def test_a_longer_budget_continues_the_same_sequence(name: str) -> None:
    whole = run(Training(FIVE.config(name, 400.0)))
    short = Training(FIVE.config(name, 30.0))
    frames = run(short)
    assert short.outcome is not None
    rest = Training(FIVE.config(name, 400.0), through_a_file(short.checkpoint()))
    frames += run(rest)
    assert list(map(bits, frames)) == list(map(bits, whole))


@pytest.mark.parametrize("name", METHODS)
def test_all_methods_start_from_the_same_biases(name: str) -> None:
    first = Training(LIVELY.config(name, 10.0)).step()[0]
    np.testing.assert_array_equal(first.b, LIVELY.b)
    if not METHODS[name].solves_least_squares:
        np.testing.assert_array_equal(first.c, LIVELY.c)
    else:
        hinge = np.maximum(LIVELY.x[:, None] - LIVELY.b, 0.0)
        best = np.linalg.lstsq(hinge, LIVELY.y, rcond=None)[0]
        assert first.loss == pytest.approx(
            float(np.mean((hinge @ best - LIVELY.y) ** 2)), rel=1e-6, abs=1e-14
        )
        assert first.solves >= 1
