"""The driver: frames at the right moments, an outcome with a reason, the same however the way is cut."""

from importlib import import_module
from itertools import count, pairwise

import numpy as np
import pytest

from core import RunConfig
from core.frames.frame import Frame, next_grid_epoch
from core.frames.stages import stages_of
from core.methods import METHODS, contract
from core.methods.contract import End
from core.model.sharpness import largest_stable_step
from core.narrative import caution
from core.narrative.endings import sentence_of
from core.run import train
from core.run.train import Training
from tests.problems import Problem, random_problem

DRIVER = import_module("core.run.train")
LIVELY = random_problem(5, 40, 30)


def frames_of(training: Training) -> list[Frame]:
    """The frames of the sequence."""
    frames: list[Frame] = []
    while training.outcome is None:
        training.step(frames=frames)
    return frames


def test_a_frame_at_every_grid_epoch_and_every_stage_change() -> None:
    frames = frames_of(Training(LIVELY.config("gd", 1_500.0, learning_rate=0.02)))
    epochs = [frame.epoch for frame in frames]
    scheduled, epoch = {0.0}, 0.0
    while epoch < 1_500.0:
        epoch = next_grid_epoch(epoch)
        scheduled.add(epoch)
    assert epochs == sorted(set(epochs))
    assert scheduled <= set(epochs)
    between = [frame for frame in frames if frame.epoch not in scheduled]
    assert between
    assert all(frame.changes and frame.changes[0].epoch == frame.epoch for frame in between)
    assert [frame.index for frame in frames] == list(range(len(frames)))
    for before, after in pairwise(frames):
        same = (before.gap == after.gap).all() and (before.pin == after.pin).all()
        assert after.stage == before.stage + (not same)


def test_frames_are_read_only_copies() -> None:
    frame = frames_of(Training(LIVELY.config("gd", 3.0)))[1]
    for array in (frame.b, frame.c, frame.gap, frame.pin):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_budget_off_the_grid_ends_with_a_frame_there() -> None:
    training = Training(LIVELY.config("gd", 1_234.0))
    frames = frames_of(training)
    assert frames[-1].epoch < 1_234.0
    assert training.present is not None
    assert training.present.epoch == 1_234.0
    assert training.present.index == len(frames)
    assert [frame.epoch for frame in train(LIVELY.config("gd", 1_234.0))][-2:] == [frames[-1].epoch, 1_234.0]
    assert training.outcome is not None
    assert training.outcome.kind == "budget"
    assert "1,234" in training.outcome.sentence


def test_a_longer_budget_continues_the_sequence() -> None:
    short = Training(LIVELY.config("gd", 500.0, learning_rate=0.02))
    frames = frames_of(short)
    resumed = Training(LIVELY.config("gd", 1_500.0, learning_rate=0.02), short.checkpoint())
    frames += frames_of(resumed)
    whole = frames_of(Training(LIVELY.config("gd", 1_500.0, learning_rate=0.02)))
    assert [(f.index, f.epoch, f.loss, f.stage) for f in frames] == [
        (f.index, f.epoch, f.loss, f.stage) for f in whole
    ]


def test_a_shorter_budget_is_over_at_once() -> None:
    training = Training(LIVELY.config("gd", 50.0))
    frames_of(training)
    again = Training(LIVELY.config("gd", 10.0), training.checkpoint())
    assert again.outcome is not None
    assert again.step() == []


def test_incessant_changes_are_counted_when_the_tokens_are_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the run is cut, the same changes get a frame. Few tokens: hops are no changes."""
    monkeypatch.setattr(DRIVER, "has_token", lambda _epoch, used, _every_epoch: used < 20)
    p = random_problem(4, 20, 20)
    whole = frames_of(Training(p.config("gd", 2_500.0, learning_rate=0.05)))
    stages = stages_of(whole)
    assert sum(stage.unrecorded for stage in stages) > 100
    assert whole[-1].stage == sum(stage.unrecorded + 1 for stage in stages) - 1
    assert all(a.start < b.start and a.end == b.start for a, b in pairwise(stages))
    monkeypatch.setattr(contract, "CHUNK_SECONDS", 3e-6)
    monkeypatch.setattr(DRIVER, "STEP_SECONDS", 0.0)
    cut = frames_of(Training(p.config("gd", 2_500.0, learning_rate=0.05)))
    assert [(f.epoch, f.stage, f.changes) for f in cut] == [(f.epoch, f.stage, f.changes) for f in whole]


@pytest.mark.parametrize("seed", range(4))
def test_too_large_a_step_is_told_beside_the_largest_stable_one(seed: int) -> None:
    """A step beyond the stable one first of all throws neurons off the data, where they are dead."""
    p = random_problem(seed, 30, 5)
    stable = largest_stable_step(p.data, p.b, p.c)
    config = p.config("gd", 1e4, learning_rate=5.0 * stable)
    assert f"{5.0 * stable:g} is too large" in caution(config)
    training = Training(config)
    frames = frames_of(training)
    assert all(np.isfinite(frame.loss) and np.isfinite(frame.b).all() for frame in frames)
    assert training.outcome is not None
    assert f"{5.0 * stable:g} is too large" in training.outcome.sentence
    assert f"{stable:.2g}" in training.outcome.sentence
    again = Training(p.config("gd", 1e6, learning_rate=5.0 * stable), training.checkpoint())
    if training.outcome.kind != "budget":
        assert again.outcome == training.outcome


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("target=f1&learning_rate=0.5&method=gd&epochs=1e5", "trained"),
        ("target=f1&learning_rate=0.2&method=gd&epochs=1e5", "trained"),
        ("target=1e4*sin(pi*x)&method=gd&epochs=1e4", "diverged"),
    ],
)
def test_neurons_lost_to_the_step_are_told(query: str, kind: str) -> None:
    config = RunConfig.from_query(query)
    assert "is too large" in caution(config)
    training = Training(config)
    frames_of(training)
    assert training.outcome is not None
    assert training.outcome.kind in (kind, "budget")
    assert "off the data" in training.outcome.sentence
    assert "too large" in training.outcome.sentence


def test_a_step_that_is_stable_is_not_warned_of() -> None:
    for query in ("target=f1", "target=sin5", "target=f2", "target=f1&method=adam", "target=f2&method=adam"):
        config = RunConfig.from_query(query)
        assert caution(config) == ""


def test_a_hybrid_whose_first_step_raises_the_loss_says_so() -> None:
    config = RunConfig.from_query("target=1000*sin(pi*x)&method=ls_gd&epochs=200")
    assert "the first step raises the loss" in caution(config)
    training = Training(config)
    frames = frames_of(training)
    assert frames[-1].loss > 10 * frames[0].loss
    assert training.outcome is not None
    assert "The loss rises from" in training.outcome.sentence
    for target in ("f1", "sin5", "f2"):
        assert caution(RunConfig.from_query(f"target={target}&method=ls_gd")) == ""
        assert caution(RunConfig.from_query(f"target={target}&method=ls_adam")) == ""


@pytest.mark.parametrize("method", ["ls_gd", "ls_adam"])
def test_a_hybrid_names_the_too_large_step_when_neurons_are_lost(method: str) -> None:
    config = RunConfig.from_query(f"target=1000*sin(pi*x)&method={method}&learning_rate=0.5&epochs=10")
    data = config.training_data()
    state = config.method.init(data, *config.initial())
    lost = state | {"gap": np.where(np.arange(config.width) == 0, data.m, state["gap"])}
    said = sentence_of(config, End("budget", "budget"), lost).removeprefix(
        "The budget of 10 epochs is used up. "
    )
    assert said.startswith("1 neuron is dead: a step threw it off the data")
    assert caution(config) and said.endswith(caution(config))


def test_the_words_for_adam_are_its_own() -> None:
    config = RunConfig.from_query("method=adam&learning_rate=0.1")
    said = caution(config)
    assert "Adam" in said
    assert "jump over" in said


@pytest.mark.parametrize("size", [1e3, 1e8])
def test_an_exploding_loss_is_never_recorded(size: float) -> None:
    """With c = 0 the biases stay for one epoch, and the coefficients leap."""
    x = np.array([0.0, 0.5, 1.0]) * size
    p = Problem(x, np.array([1.0, 0.0, 1.0]), np.array([-size, 0.25 * size]), np.zeros(2))
    training = Training(p.config("gd", 1e4, learning_rate=10.0))
    frames = frames_of(training)
    assert training.outcome is not None
    assert training.outcome.kind == "diverged"
    assert "explodes" in training.outcome.sentence
    assert [frame.epoch for frame in frames] == [0.0]


@pytest.mark.parametrize("method", ["gd", "adam"])
def test_sums_that_overflow_end_the_run_between_frames(method: str) -> None:
    p = random_problem(0, 30, 5)
    trainer = METHODS[method]()
    state = trainer.init(p.data, p.b, p.c)
    result = trainer.advance(p.data, state | {"c": p.c * 1e150}, 1e6, stop_at_change=False)
    assert result.met is not None
    assert result.met.kind == "diverged"
    assert result.state["epoch"] == 0.0


def test_descent_ends_when_no_step_changes_anything() -> None:
    """One neuron left of two points fits them exactly."""
    p = Problem(np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([-0.5]), np.array([0.5]))
    training = Training(p.config("gd", 1e9, learning_rate=0.1))
    frames = frames_of(training)
    assert training.outcome is not None
    assert training.outcome.kind == "trained"
    assert frames[-1].loss < 1e-25
    np.testing.assert_allclose([frames[-1].b[0], frames[-1].c[0]], [-1.0, 1.0], atol=1e-12)


def test_a_network_of_dead_neurons_is_trained() -> None:
    p = Problem(np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([1.0, 3.0]), np.array([0.5, 1.0]))
    training = Training(p.config("gd", 1e9))
    assert len(frames_of(training)) == 2
    assert training.outcome is not None
    assert training.outcome.kind == "trained"
    assert "dead" in training.outcome.sentence


def test_seconds_are_the_clocks_and_go_on_after_a_resume() -> None:
    ticks = count()
    training = Training(LIVELY.config("gd", 20.0), clock=lambda: float(next(ticks)))
    frames = training.step()
    resumed = Training(LIVELY.config("gd", 20.0), training.checkpoint(), clock=lambda: float(next(ticks)))
    while resumed.outcome is None:
        frames += resumed.step()
    seconds = [frame.seconds for frame in frames]
    assert seconds == sorted(seconds)
    assert seconds[0] > 0
    assert seconds[-1] > 20


def test_train_is_the_driver() -> None:
    config = RunConfig.from_query("target=f1&method=gd&epochs=300&seed=3")
    frames = list(train(config))
    assert frames[0].epoch == 0.0
    np.testing.assert_array_equal(frames[0].b, config.initial()[0])
    assert frames[-1].epoch == 300.0
    assert frames[-1].gradients == 300
    assert not np.isnan(frames[-1].prediction_error)
