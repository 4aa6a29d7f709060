import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import theory
from core.analysis.standstill import Standstill
from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.frames.stages import stages_of
from core.methods import METHODS
from core.model.loss import mean_loss
from core.model.pattern import pattern_of
from core.model.pattern.changes import Change, ChangeKind
from core.narrative.numbers import changed, count, fill, number, percentage, position
from core.narrative.plateaus import DETAILS, STANDSTILL_RULES, plateaus_of
from core.narrative.story import HEADLINES, MOMENTS, WHYS, Story, explain
from core.problem.data import TrainingData
from core.run.train import frozen_copy, train
from core.types import FloatArray
from tests.core.narrative.truth import LEAST_FRAMES, PROBLEMS, Reader, runs, sentences
from tests.problems import Problem, random_problem

DATA = TrainingData(np.array([0.0, 0.313, 0.5, 0.9]), np.array([1.0, -1.0, 2.0, 0.0]))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (-0.5, "−0.5"),
        (0.0010004, "0.001"),
        (0.0009999, "0.001"),
        (0.00099, "9.9·10⁻⁴"),
        (2.714e-4, "2.71·10⁻⁴"),
        (1e-4, "10⁻⁴"),
        (1e100, "10¹⁰⁰"),
        (123.456, "123"),
        (1234.0, "1230"),
        (9999.0, "10⁴"),
        (-12345.0, "−1.23·10⁴"),
        (float("nan"), "undefined"),
        (float("inf"), "∞"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


@settings(max_examples=200, deadline=None)
@given(st.floats(-1e300, 1e300))
def test_a_number_reads_back_to_three_digits(value: float) -> None:
    text = number(value).replace("−", "-")
    power = re.fullmatch(r"(-?)(?:([\d.]+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
    if power is None:
        read = float(text)
    else:
        exponent = power[3].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        read = float(f"{power[1]}{power[2] or 1}e{exponent}")
    assert read == pytest.approx(value, rel=0.0051, abs=0)


def test_positions_have_the_digits_that_tell_neighbours_apart() -> None:
    data = TrainingData(np.array([100.0, 100.001, 100.5]), np.zeros(3))
    assert [position(data, k) for k in range(3)] == ["x = 100", "x = 100.001", "x = 100.5"]
    assert position(DATA, 1) == "x = 0.313"


@pytest.mark.parametrize(("epochs", "text"), [(0.0, "0"), (12345.0, "12,345"), (2.5, "2.5"), (1e8, "10⁸")])
def test_counts(epochs: float, text: str) -> None:
    assert count(epochs) == text


@pytest.mark.parametrize(
    ("loss", "floor", "text"),
    [
        (1.004, 1.0, "0.4 %"),
        (3.0, 1.0, "200 %"),
        (1.0, 1e-3, "far"),
        (1.0, 1.0, "less than 0.001 %"),
        (0.9999, 1.0, "less than 0.001 %"),
        (1e-5, 0.0, "10⁻⁵"),
        (0.0, 0.0, "0"),
    ],
)
def test_excess(loss: float, floor: float, text: str) -> None:
    assert percentage(loss, floor) == text
    assert fill("{excess}|{loss}", loss, floor) == f"{text}|{number(loss)}"


def frame_of(
    b: FloatArray, pin: tuple[int, ...], *, index: int = 0, stage: int = 0, changes: tuple[Change, ...] = ()
) -> Frame:
    """A frame of a network over DATA with coefficients from 1 to 2."""
    c = np.linspace(1, 2, b.size)
    pattern = pattern_of(DATA.x, b, np.array(pin))
    return Frame(
        index=index,
        epoch=12_345.0 * stage,
        loss=mean_loss(DATA, b, c),
        b=frozen_copy(b),
        c=frozen_copy(c),
        gap=pattern.gap,
        pin=pattern.pin,
        stage=stage,
        floor=theory.floor(DATA, pattern),
        stationarity=0.0,
        prediction_error=0.0,
        seconds=0.0,
        gradients=0,
        solves=0,
        changes=changes,
        points=DATA.m,
    )


def config_of(method: str) -> RunConfig:
    points = ";".join(f"{x!r}:{y!r}" for x, y in zip(DATA.x.tolist(), DATA.y.tolist(), strict=True))
    return RunConfig.from_query(f"data={points}&width=2&method={method}")


def story(
    changes: tuple[Change, ...] = (),
    b: FloatArray | None = None,
    pin: tuple[int, ...] = (-1, -1),
    *,
    before: FloatArray | None = None,
    method: str = "gd",
) -> Story:
    """The story of the second stage, or of the first if nothing is before."""
    b = np.array([0.4, -1.0]) if b is None else b
    frames = [] if before is None else [frame_of(before, (-1,) * before.size)]
    frames.append(frame_of(b, pin, index=len(frames), stage=len(frames), changes=changes))
    stage = stages_of(frames)[-1]
    return explain(config_of(method), stage, frames[-1:], frames[0] if before is not None else None)


AWAY = np.array([-5.0, -6.0])


@pytest.mark.parametrize(
    ("kind", "datum", "bias", "beginning"),
    [
        ("crossed", 1, 0.4, "neuron 1 crosses x = 0.313 from the left."),
        ("crossed", 2, 0.4, "neuron 1 crosses x = 0.5 from the right."),
        ("crossed", 3, 0.95, "neuron 1 crosses x = 0.9, the last data point, and is dead."),
        ("released", 3, 0.95, "neuron 1 leaves x = 0.9, the last data point, and is dead."),
        ("released", 1, 0.4, "neuron 1 comes free from x = 0.313 to the right."),
        ("released", 2, 0.4, "neuron 1 comes free from x = 0.5 to the left."),
        ("moved", 2, 0.4, "neuron 1 is moved across x = 0.5 from the right."),
        ("moved", 3, 0.95, "neuron 1 is moved across x = 0.9, the last data point, and is dead."),
        ("moved", -1, 0.4, "neuron 1 is moved to b = 0.4."),
        ("relocated", 2, 0.4, "neuron 1 is taken to b = 0.4."),
        ("relocated", -1, 0.4, "neuron 1, dead, is taken to b = 0.4."),
    ],
)
def test_headlines_say_what_a_neuron_does(kind: ChangeKind, datum: int, bias: float, beginning: str) -> None:
    change = Change(12_345.0, 0, kind, datum)
    found = story((change,), np.array([bias, -1.0]), before=AWAY)
    assert found.headline == f"Stage 2, from epoch 12,345: {beginning}" and found.change.startswith(
        "The floor "
    )
    placed = story((change,), np.array([bias, -1.0]), before=AWAY, method="anls")
    assert placed.headline == f"Stage 2, from iteration 12,345: {beginning}"
    assert placed.change.startswith("The loss ")


def test_a_pinned_neuron_is_named_in_headline_and_state() -> None:
    found = story((Change(12_345.0, 0, "pinned", 1),), np.array([0.313, -1.0]), (1, -1), before=AWAY)
    assert "neuron 1 is pinned at x = 0.313." in found.headline
    assert found.state.startswith("Pinned: neuron 1 at x = 0.313.")
    plain = story((), np.array([0.4, 0.1]), before=AWAY)
    assert plain.state == "No neuron is pinned, dead or left of all data."


def test_the_first_of_many_changes_is_named_and_the_others_are_counted() -> None:
    b = np.linspace(0.35, 0.45, 6)
    changes = tuple(Change(1.0, j, "crossed", 1) for j in range(6))
    found = story(changes, b, (-1,) * 6, before=b - 9)
    assert "neuron 1 crosses x = 0.313 from the left; 5 more change place." in found.headline
    assert "neuron 2" not in found.headline
    two = story(changes[:2], b, (-1,) * 6, before=b - 9)
    assert "from the left; 1 more changes place." in two.headline


def test_a_story_says_which_way_the_floor_went() -> None:
    high, low = np.array([0.6, 0.7]), np.array([-1.0, 0.1])
    a, b = (number(frame_of(at, (-1, -1)).floor) for at in (high, low))
    assert a != b
    assert story((), low, before=high).change == f"The floor falls from {a} to {b}."
    assert story((), high, before=low).change == f"The floor rises from {b} to {a}."
    assert story((), high, before=high + 0.01).change == f"The floor stays at {a}."
    first = story((), low)
    assert (first.headline, first.change) == ("Stage 1, from epoch 0: training starts.", "")


@settings(max_examples=200, deadline=None)
@given(value=st.floats(1e-12, 1e12), factor=st.sampled_from([0.0, 1e-12, 1e-7, 1e-5, 1e-4, 1e-3, 0.1]))
def test_nothing_changes_from_a_number_to_the_same(value: float, factor: float) -> None:
    told = changed(value, value * (1 + factor))
    found = re.fullmatch(r"(?:rises|falls) from (\S+) to (\S+)", told)
    assert told == f"stays at {number(value * (1 + factor))}" if found is None else found[1] != found[2]
    assert found is not None or factor < 1e-4


def test_the_moment_is_filled_with_loss_and_excess() -> None:
    found = story((), np.array([0.1, 0.2]))
    frame = frame_of(np.array([0.1, 0.2]), (-1, -1))
    assert frame.floor > 0
    assert fill(found.moment, 1.004 * frame.floor, frame.floor) == (
        f"The loss is {number(1.004 * frame.floor)}, 0.4 % above the floor {number(frame.floor)}."
    )
    assert "{" not in found.text
    assert found.text == f"{found.headline} {fill(found.moment, frame.loss, frame.floor)}"


def test_a_floor_of_zero_is_a_bound_and_no_promise() -> None:
    """The lines of this pattern fit every point, and no network with it does: the least loss is 1.0417."""
    config = RunConfig.from_query("data=0:0;1:0;2:5;3:5&biases=-1,1.5&coefficients=1,1&epochs=1")
    b, c = (np.array(each) for each in config.initial())
    data = config.training_data()
    pattern = pattern_of(data.x, b)
    assert theory.floor(data, pattern) < 1e-28
    frame = replace(
        frame_of(b, (-1, -1)), c=c, loss=mean_loss(data, b, c), gap=pattern.gap, floor=0.0, points=4
    )
    told = explain(config, stages_of([frame])[0], [frame], None)
    assert "the floor of this stage is 0, a bound that need not be reached" in told.moment
    assert told.why == "The floor, 0, is well below the loss: it does not hold the loss back."


def test_nothing_is_said_about_a_floor_that_the_loss_passes() -> None:
    frame = frame_of(np.array([0.45, -1.0]), (1, -1), index=1, stage=1)
    passed = replace(frame, loss=0.9 * frame.floor)
    before = frame_of(AWAY, (-1, -1))
    told = explain(config_of("adam"), stages_of([before, passed])[-1], [passed], before)
    assert "floor" not in told.change and "no floor holds" in told.moment and "floor" not in told.why


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_words_of_three_sentences_at_most(method: str) -> None:
    for pin in ((-1, -1), (1, -1)):
        told = story(
            (Change(3.0, 0, "released", 1),), np.array([0.313, -1.0]), pin, method=method, before=AWAY
        )
        shown = fill(told.text, 1.0, 0.5)
        assert len(re.findall(r"\.(?: |$)", shown)) <= 3
        if METHODS[method].solves_least_squares:
            assert "floor" not in told.text and "floor" not in told.why
        for sentence in (told.headline, told.state, fill(told.moment, 1.0, 0.5), told.why):
            assert sentence[0].isupper() and sentence.endswith(".")
            assert not any(word in sentence for word in ("nan", "inf", "{", "}", "undefined", "  "))


@pytest.mark.slow
def test_what_is_said_is_true_in_every_frame_of_every_method() -> None:
    walked = 0
    for config, frames in runs(PROBLEMS):
        walked += len(frames)
        for sentence, ok in sentences(config, frames):
            assert ok, f"{config.to_query()}: {sentence}"
    assert walked >= LEAST_FRAMES


def test_the_reader_of_sentences_would_notice() -> None:
    """Each kind of sentence with another condition, or another number, is found untrue."""
    config, frames = next(runs(PROBLEMS[:1], 3e3))
    reader = Reader(config, frames)
    stage = stages_of(frames)[3]
    inside = frames[stage.first_frame : stage.last_frame + 1]
    frame = inside[0]
    assert not reader.moment("The loss is 1, 3 % above the floor 0.5.", frame, inside)
    assert not reader.moment(f"The loss is {number(frame.loss)}, the least for these biases.", frame, inside)
    assert not reader.moment(
        "The loss is 1; the floor of this stage is 0, a bound that need not be reached.", frame, inside
    )
    assert not reader.moment("A bias that counts as pinned hops", frame, inside)
    hopping = "neuron 1 hops over x = 0.5"
    assert not reader.moment(f"The loss is {number(frame.loss)}; no floor holds while {hopping}.", frame, [])
    assert not reader.why(f"The steps are too large here: {hopping}. A smaller learning rate", [frame, frame])
    for untrue in (
        "The floor rises from 0.331 to 0.331.",
        "The floor falls from 9 to 8.",
        "neuron 1 crosses x = 0.99 from the left.",
    ):
        assert not reader.headline(f"Stage {stage.number + 1}, from epoch 1: {untrue}", stage)
    for wrong in (
        "During this stage the loss goes from 9 to 1.",
        "The coefficients are the best ones for these biases: only a bias that moves lowers the loss.",
        f"No network with this activation pattern has a loss below {number(1.1 * frame.floor)}. ",
    ):
        assert not reader.why(wrong, inside)
    (plateau,) = plateaus_of(config, frames)
    (phase,) = plateau.phases
    for wrong in (
        f"The loss has reached its floor, {number(frame.floor)}.",
        "The loss is still creeping down, at best to its floor, 9.",
    ):
        assert not reader.standing(plateau, phase, wrong, frames[plateau.judged])


def test_every_rule_has_a_name_of_its_own() -> None:
    for rules in (HEADLINES, MOMENTS, WHYS, STANDSTILL_RULES, DETAILS):
        assert len({rule.name for rule in rules}) == len(rules)


@pytest.mark.parametrize("offset", [1e6, -1e6])
def test_the_pace_of_a_plateau_does_not_depend_on_where_the_data_lie(offset: float) -> None:
    """All positions are multiples of 2^-10, so that moving them rounds nothing."""
    given = random_problem(4, 20, 6)
    x, b = (np.round(values * 1024.0) / 1024.0 for values in (given.x, given.b))
    near = Problem(x, given.y, b, given.c).config("gd", 10)
    far = Problem(x + offset, given.y, b + offset, given.c).config("gd", 10)
    frame = next(iter(train(near)))
    moved = replace(frame, b=frame.b + offset)
    pace = Standstill(near, [frame], frame).pace
    assert pace > 0.0
    assert Standstill(far, [moved], moved).pace == pytest.approx(pace, rel=1e-13, abs=0.0)
