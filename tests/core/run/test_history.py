"""Frames do not depend on history: any chain of budgets gives the frames of the last one, bit by bit."""

import signal
import warnings
from itertools import count
from typing import Any

import numpy as np
import pytest

from core import RunConfig
from core.frames.frame import Frame
from core.methods import METHODS, contract
from core.run import Run, train
from core.run.train import Training
from tests.core.methods.test_contract import bits, through_a_file
from tests.effort import cases
from tests.problems import DEGENERATE, FIVE, Problem, random_problem

CHAINS = cases(3, of=63)
"""Of each method; sixteen methods make a thousand."""
PROBLEMS = [FIVE, *DEGENERATE.values(), *(random_problem(seed, 20, 8) for seed in range(6))]
TRAINED = Problem(np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([-0.5]), np.array([0.5]))


def draw_run(rng: np.random.Generator, name: str) -> RunConfig:
    """A run with steps from such that creep to such that throw neurons off the data."""
    p = PROBLEMS[rng.integers(len(PROBLEMS))]
    settings: dict[str, float] = {}
    if "learning_rate" in {field.name for field in METHODS[name].parameters()}:
        settings["learning_rate"] = float(rng.choice([1e-3, 0.02, 0.1, 0.5, 1.0]))
    return p.config(name, float(rng.choice([150, 345, 1_234, 3_456])), **settings)


def draw_budgets(rng: np.random.Generator, config: RunConfig, epochs: list[float]) -> list[float]:
    """Budgets on the way: on the grid, off it, at epochs where something happens and just behind."""
    longest = config.epochs
    budgets = set(np.floor(np.exp(rng.uniform(0.0, np.log(longest), rng.integers(1, 4)))).tolist())
    budgets |= {float(np.ceil(rng.choice(epochs))), float(np.floor(rng.choice(epochs))) + 1.0}
    if config.method.name == "flow":
        budgets |= {float(rng.uniform(1.0, longest)), float(rng.choice(epochs))}
    return sorted(budget for budget in budgets if 1.0 <= budget < longest)


def run_in_steps(
    config: RunConfig, budgets: list[float], rng: np.random.Generator
) -> tuple[Training, list[Frame]]:
    """The frames of the sequence, by way of the budgets; killed now and then, which costs the last steps."""
    frames: list[Frame] = []
    checkpoint: dict[str, Any] | None = None
    training = Training(config)
    for budget in [*budgets, config.epochs]:
        training = Training(config.with_epochs(budget), checkpoint)
        while training.outcome is None:
            made = training.step(0.0)
            if rng.random() < 0.05:
                training = Training(config.with_epochs(budget), checkpoint)
                continue
            frames += made
            checkpoint = training.checkpoint()
        if training.present is not None:
            assert training.present.index == len(frames)
            assert training.present.epoch == budget
        checkpoint = through_a_file(training.checkpoint())
    return training, frames


@pytest.mark.parametrize("name", METHODS)
def test_any_chain_of_budgets_gives_the_frames_of_the_last_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng([27, list(METHODS).index(name)])
    differ = []
    for chain in range(CHAINS):
        config = draw_run(rng, name)
        once = Training(config)
        whole = once.run()
        budgets = draw_budgets(rng, config, [frame.epoch for frame in whole])
        with monkeypatch.context() as patch:
            patch.setattr(contract, "CHUNK_SECONDS", float(rng.choice([1e-5, 1e-4, 0.05])))
            training, frames = run_in_steps(config, budgets, rng)
        if training.present is not None:
            frames.append(training.present)
        if list(map(bits, frames)) != list(map(bits, whole)) or training.outcome != once.outcome:
            differ.append((chain, config.to_query(), budgets))
    assert not differ, f"{len(differ)} of {CHAINS} chains differ: {differ[0]}"


def test_a_stage_change_at_the_end_of_a_budget_stays_a_frame() -> None:
    p = random_problem(5, 40, 30)
    config = p.config("gd", 1_500.0, learning_rate=0.02)
    whole = Training(config).run()
    epoch = next(frame.epoch for frame in whole if frame.changes and frame.epoch > 100 and frame.epoch % 10)
    short = Training(config.with_epochs(epoch))
    frames = short.run()
    assert short.present is None
    frames += Training(config, short.checkpoint()).run()
    assert list(map(bits, frames)) == list(map(bits, whole))


def test_an_end_that_is_judged_between_frames_waits_for_the_next_one() -> None:
    """Descent has come to rest, but only an epoch of the grid says so; a budget off the grid must not."""
    config = TRAINED.config("gd", 1e9, learning_rate=0.1)
    once = Training(config)
    whole = once.run()
    assert once.outcome is not None
    assert once.outcome.kind == "trained"
    early = Training(config.with_epochs(whole[-1].epoch - 1.0))
    frames = early.run()
    assert early.outcome is not None
    assert early.outcome.kind == "budget"
    assert "Fully trained" in early.outcome.sentence
    assert early.present is not None
    late = Training(config, early.checkpoint())
    frames = [*frames[:-1], *late.run()]
    assert late.outcome == once.outcome
    assert list(map(bits, frames)) == list(map(bits, whole))


def test_a_checkpoint_of_another_run_is_refused() -> None:
    one, other = FIVE.config("gd", 50.0), FIVE.config("adam", 50.0)
    training = Training(one)
    training.run()
    with pytest.raises(ValueError, match="belongs to another run"):
        Training(other, training.checkpoint())
    with pytest.raises(ValueError, match="belongs to another run"):
        Training(one, {key: value for key, value in training.checkpoint().items() if key != "run"})


def test_train_gives_the_frame_of_the_budget_last() -> None:
    config = RunConfig.from_query("target=f1&method=gd&epochs=1234")
    run = train(config)
    first = next(run)
    rest = list(run)
    assert rest[-1].epoch == 1_234.0
    assert list(map(bits, run.frames)) == list(map(bits, [first, *rest]))
    assert run.outcome is not None
    assert run.outcome.kind == "budget"
    assert list(run) == []
    longer = Training(config.with_epochs(2_000.0), run.checkpoint())
    whole = train(config.with_epochs(2_000.0))
    assert [*map(bits, run.frames[:-1]), *map(bits, longer.run())] == [*map(bits, whole)]


def test_a_run_that_diverges_warns() -> None:
    x = np.array([0.0, 0.5, 1.0]) * 1e3
    p = Problem(x, np.array([1.0, 0.0, 1.0]), np.array([-1e3, 250.0]), np.zeros(2))
    run = train(p.config("gd", 1e4, learning_rate=10.0))
    with pytest.warns(RuntimeWarning, match="The loss explodes"):
        frames = list(run)
    assert [frame.epoch for frame in frames] == [0.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(run) == []
    assert run.present is None


class Interrupting:
    """A method's `advance` that is interrupted now and then, before, after or in the middle of its work."""

    def __init__(self, run: Run, rng: np.random.Generator) -> None:
        self._real, self._rng = run.config.method.advance, rng

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._rng.random() < 0.2:
            raise KeyboardInterrupt
        result = self._real(*args, **kwargs)
        if self._rng.random() < 0.2:
            raise KeyboardInterrupt
        return result


class Interrupted:
    """Is interrupted in its finaliser, where nobody can catch it."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("fails", [False, True])
def test_an_interrupt_that_was_swallowed_is_one_all_the_same(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the compiler calls back: it then lacks what the callback should have made."""
    config = FIVE.config("gd", 345.0)
    whole = list(map(bits, train(config)))
    advance, calls = type(config.method).advance, count()

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        if next(calls) == 5:
            Interrupted()
            if fails:
                raise RuntimeError("no compiled object yet")
        return advance(*args, **kwargs)

    monkeypatch.setattr(type(config.method), "advance", interrupted)
    run = train(config)
    with pytest.raises(KeyboardInterrupt):
        list(run)
    list(run)
    assert list(map(bits, run.frames)) == whole
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_has_chosen_what_the_signal_does_keeps_it() -> None:
    came = []
    before = signal.signal(signal.SIGINT, lambda *_: came.append(1))
    try:
        run = train(FIVE.config("gd", 345.0))
        next(run)
        signal.raise_signal(signal.SIGINT)
        assert run.frames and came
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", METHODS)
def test_an_interrupted_run_loses_no_frame_and_goes_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = random_problem(5, 20, 8).config(name, 345.0)
    whole = list(map(bits, train(config)))
    run = train(config)
    monkeypatch.setattr(type(config.method), "advance", Interrupting(run, np.random.default_rng(3)))
    given: list[Frame] = []
    while run.outcome is None or len(given) < len(whole):
        try:
            given += [next(run)]
        except KeyboardInterrupt:
            assert list(map(bits, run.frames)) == whole[: len(run.frames)]
            assert len(run.frames) >= len(given)
        except StopIteration:
            break
    assert list(map(bits, given)) == list(map(bits, run.frames)) == whole
