import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import theory
from core.model.changes import Change, ChangeKind
from core.model.loss import mean_loss
from core.model.pattern import pattern_of
from core.problem.data import TrainingData
from core.run.story import Story, count, explain, fill, number, percentage, position
from core.types import FloatArray
from tests.core.dense import Case, cases

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
        (1.0, 1e-3, "0.999"),
        (1.0, 1.0, "less than 0.001 %"),
        (0.9999, 1.0, "less than 0.001 %"),
        (1e-5, 0.0, "10⁻⁵"),
        (0.0, 0.0, "0"),
    ],
)
def test_excess(loss: float, floor: float, text: str) -> None:
    assert percentage(loss, floor) == text
    assert fill("{excess}|{loss}", loss, floor) == f"{text}|{number(loss)}"


def story(
    changes: tuple[Change, ...] = (),
    b: FloatArray | None = None,
    pin: tuple[int, ...] = (-1, -1),
    *,
    previous: float | None = None,
    rate: float | None = 1e-3,
    stage: int = 40,
) -> Story:
    b = np.array([0.4, -1.0]) if b is None else b
    c = np.linspace(1, 2, b.size)
    pattern = pattern_of(DATA.x, b, np.array(pin))
    return explain(
        DATA,
        pattern,
        b,
        c,
        stage=stage,
        epoch=12_345.0,
        changes=changes,
        floor=theory.floor(DATA, pattern),
        previous_floor=previous,
        learning_rate=rate,
    )


@pytest.mark.parametrize(
    ("kind", "datum", "bias", "told"),
    [
        ("crossed", 1, 0.4, "neuron 1 crossed x = 0.313 from the left."),
        ("crossed", 2, 0.4, "neuron 1 crossed x = 0.5 from the right."),
        (
            "crossed",
            3,
            0.95,
            "neuron 1 crossed x = 0.9 from the left, beyond the last data point, and is dead.",
        ),
        ("released", 1, 0.4, "neuron 1 was released from x = 0.313 to the right."),
        ("released", 2, 0.4, "neuron 1 was released from x = 0.5 to the left."),
        ("moved", 2, 0.4, "neuron 1 was moved across x = 0.5 from the right."),
        ("moved", -1, 0.4, "neuron 1 was moved to b = 0.4."),
        ("relocated", 2, 0.4, "neuron 1 was taken to b = 0.4."),
    ],
)
def test_headlines_say_what_a_neuron_did(kind: ChangeKind, datum: int, bias: float, told: str) -> None:
    found = story((Change(12_345.0, 0, kind, datum),), np.array([bias, -1.0]))
    assert found.headline == f"Stage 41, from epoch 12,345: {told}"


def test_a_pinned_neuron_is_named_in_headline_and_state() -> None:
    found = story((Change(12_345.0, 0, "pinned", 1),), np.array([0.3131, -1.0]), (1, -1), previous=0.1)
    assert found.headline.startswith(
        "Stage 41, from epoch 12,345: neuron 1 was pinned at x = 0.313. The floor rose from 0.1"
    )
    assert found.state.startswith("Pinned, pushed back from both sides: neuron 1 at x = 0.313.")


def test_many_changes_are_counted_after_the_third() -> None:
    b = np.linspace(0.35, 0.45, 6)
    changes = tuple(Change(1.0, j, "crossed", 1) for j in range(6))
    found = story(changes, b, (-1,) * 6)
    assert "neuron 3 crossed x = 0.313 from the left and 3 more neurons changed place." in found.headline
    assert "neuron 4" not in found.headline
    four = story(changes[:4], b, (-1,) * 6)
    assert "and neuron 4 crossed x = 0.313 from the left." in four.headline


@pytest.mark.parametrize(("previous", "told"), [(1e9, "fell from 10⁹"), (1e-12, "rose from 10⁻¹²")])
def test_the_headline_says_which_way_the_floor_went(previous: float, told: str) -> None:
    b = np.array([0.1])
    floor = theory.floor(DATA, pattern_of(DATA.x, b))
    assert story((), b, (-1,), previous=previous).headline.endswith(f"The floor {told} to {number(floor)}.")
    assert story((), b, (-1,), previous=floor).headline.endswith(f"The floor stays at {number(floor)}.")
    first = story((), b, (-1,), previous=previous, stage=0).headline
    assert first == "Stage 1, from epoch 12,345: training starts."


def test_the_moment_is_filled_with_loss_and_excess() -> None:
    b = np.array([0.1])
    found = story((), b, (-1,))
    floor = theory.floor(DATA, pattern_of(DATA.x, b))
    assert fill(found.moment, 1.004 * floor, floor) == (
        f"The loss {number(1.004 * floor)} is 0.4 % above the floor {number(floor)} of this stage; "
        "nothing can lower the floor until a bias crosses a data point."
    )


def test_why_names_the_next_bias_to_arrive_with_distance_and_time() -> None:
    """Neuron 1 at 0.1 sees r = (1.213, -1.6, 0.8), and moves right at 2/4 times their sum."""
    b = np.array([0.1])
    r = np.array([0.213 + 1, 0.4 - 2, 0.8])
    epochs = 0.213 / (0.5 * r.sum() * 1e-3)
    assert story((), b, (-1,)).why.endswith(
        "The next in line, as the stage began, was neuron 1, moving right towards x = 0.313, 0.213 away, "
        f"about {number(epochs, 2)} epochs at its speed then; it slows down as the loss nears the floor."
    )


def test_an_adaptive_method_is_timed_by_its_learning_rate_alone() -> None:
    b = np.array([0.1])
    told = explain(
        DATA,
        pattern_of(DATA.x, b),
        b,
        np.ones(1),
        stage=1,
        epoch=0.0,
        changes=(),
        floor=0.1,
        learning_rate=1e-3,
        adaptive=True,
    )
    assert "0.213 away, about 210 epochs at its speed then;" in told.why


def test_why_where_nothing_can_move() -> None:
    assert story((), np.array([5.0, 7.0])).why.endswith("No bias can move: every neuron is dead.")
    pinned = story((), np.array([0.5, 7.0]), (2, -1)).why
    assert pinned.endswith("No bias can move, until the coefficients let a pinned one go.")
    placed = story((), np.array([0.1]), (-1,), rate=None).why
    assert placed.endswith("Only a bias moved across a data point can lower it.")


def test_a_floor_of_zero_is_said_to_be_zero() -> None:
    b = np.array([-1.0, 0.2, 0.4])
    found = story((), b, (-1, -1, -1))
    assert "the floor of this stage is 0" in found.moment
    assert "could fit every data point" in found.why


@settings(max_examples=100, deadline=None)
@given(
    case=cases(),
    kind=st.sampled_from(["crossed", "pinned", "released", "moved", "relocated"]),
    size=st.integers(0, 6),
    rate=st.sampled_from([None, 1e-3]),
)
def test_every_state_has_a_story(case: Case, kind: ChangeKind, size: int, rate: float | None) -> None:
    n, m = case.b.size, case.data.m
    changes = tuple(Change(3.0, i % n, kind, (i * 7) % m) for i in range(size))
    floor = theory.floor(case.data, case.pattern)
    told = explain(
        case.data,
        case.pattern,
        case.b,
        case.c,
        stage=size,
        epoch=3.5,
        changes=changes,
        floor=floor,
        previous_floor=floor * 2,
        learning_rate=rate,
    )
    moment = fill(told.moment, mean_loss(case.data, case.b, case.c), floor)
    for sentence in (told.headline, told.state, moment, told.why):
        assert sentence.endswith(".")
        assert sentence[0].isupper()
        assert not any(word in sentence for word in ("nan", "inf", "{", "}", "undefined", "  "))
