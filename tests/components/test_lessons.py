"""Lessons: the grammar refuses what it does not know, and what they claim is true of their runs."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.common.document import markup
from components.common.prose import prose
from components.common.view import split_query
from components.pages.lab.lesson import step_text
from components.pages.lessons.content import lesson_index
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import QUANTITIES, Claim, Lesson, Question, parse_lesson, shown_queries
from core import forecast
from core.analysis.best_known import STORED
from core.config.run_config import RunConfig, race_from_query
from core.frames.frame import Frame
from core.model.pattern import Pattern
from core.model.sharpness import sharpness
from core.narrative import caution
from core.run.train import train
from core.service.settings import Settings

pytestmark = pytest.mark.xdist_group("lessons")
"""One process computes the runs of the lessons."""

FOLDER = Path(__file__).resolve().parents[2] / "lessons"
LESSONS = LessonFolder(FOLDER).lessons()
HEAD = "---\ntitle: T\norder: 1\nminutes: 2\nsummary: S\n---\n"
STEP = "## One\n@ target=f1\nText.\n"


def test_the_lessons_are_there_in_order() -> None:
    names = ["plateau", "crossing", "pinned", "regression", "anls", "forecast", "stability", "rate", "river"]
    assert list(LESSONS) == names
    assert LessonFolder(FOLDER).errors == ()


def test_a_lesson_is_read_whole() -> None:
    text = HEAD + (
        "\n## One\n@ https://lab.example/?target=f1&at=5&panels=loss&highlight=loss\n"
        "= gd@5: loss 1.2, stage 2\nFirst line,\nsecond **line**.\n\n- a\n- b\n\n"
        "? Why?\n- no\n- yes *\n! Because.\n! Really.\n@ at=9\n\n## Two\nMore.\n"
    )
    lesson = parse_lesson("mine", text)
    assert (lesson.title, lesson.order, lesson.minutes, lesson.summary) == ("T", 1, 2, "S")
    first, second = lesson.steps
    assert first.query == "target=f1&at=5&panels=loss&highlight=loss"
    assert first.claims == (Claim("loss", "1.2", "gd", "5", 10), Claim("stage", "2", "gd", "5", 10))
    paragraph, listing, question = first.blocks
    assert paragraph.text == "First line, second **line**."  # type: ignore[union-attr]
    assert listing.items == ("a", "b")  # type: ignore[union-attr]
    assert question == Question("Why?", (("no", False), ("yes", True)), "Because. Really.", "at=9")
    assert shown_queries(lesson) == [first.query, first.query] and second.title == "Two"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("# Title\n", 1, "must begin with a line '---'"),
        ("---\ntitle: T\n", 2, "second line '---'"),
        ("---\ntitle: T\ncolour: red\n---\n", 3, "each of title, order"),
        ("---\ntitle: T\norder: soon\n---\n", 3, "whole number"),
        ("---\ntitle: T\n---\n", 1, "lacks order, minutes, summary"),
        (HEAD, 6, "a step"),
        (HEAD + "Text before any step.\n", 7, "a step"),
        (HEAD + "## One\nText.\n", 7, "must have a link"),
        (HEAD + "## One\n@ target=f1\n", 7, "must say something"),
        (HEAD + "## One\n@ wdith=3\nText.\n", 8, "wdith"),
        (HEAD + "## One\n@ width=0\nText.\n", 8, "width"),
        (HEAD + "## One\n@ at=soon\nText.\n", 8, "at ="),
        (HEAD + "## One\n@ panels=lost\nText.\n", 8, "'lost' is no panel"),
        (HEAD + "## One\n@ highlight=fits\nText.\n", 8, "'fits' is no panel"),
        (HEAD + STEP + "@ target=f1\n", 10, "one link"),
        (HEAD + STEP + "= gd: beauty 3\n", 10, "quantity"),
        (HEAD + STEP + "? Why?\n- a\n- b\n! x\n", 10, "a right one ending"),
        (HEAD + STEP + "? Why?\n- a *\n! x\n", 10, "two or more"),
        (HEAD + STEP + "? Why?\n- a\n- b *\n", 10, "what is revealed"),
        (HEAD + STEP + "! Surprise\n", 10, "must follow the options"),
        (HEAD + STEP + "An **open end\n", 10, "not closed"),
        (HEAD + STEP + "A [link](javascript:alert(1))\n", 10, "addresses that begin with"),
        (HEAD + STEP + "A [link](http://plain.example)\n", 10, "addresses that begin with"),
    ],
)
def test_a_mistake_names_file_and_line(text: str, line: int, says: str) -> None:
    with pytest.raises(ValueError, match=r"mine\.md, line") as caught:
        parse_lesson("mine", text)
    assert str(caught.value).startswith(f"mine.md, line {line}: ")
    assert says in str(caught.value)


@settings(deadline=None)
@given(st.text(alphabet="ab \n#@=?-!*`[](&/:.1", max_size=120))
def test_any_text_is_a_lesson_or_a_named_mistake(text: str) -> None:
    try:
        lesson = parse_lesson("any", HEAD + STEP + text)
    except ValueError as error:
        assert str(error).startswith("any.md, line ")
    else:
        assert lesson.steps


def test_html_in_a_lesson_stays_text() -> None:
    lesson = parse_lesson("mine", HEAD + STEP + '<script>alert(1)</script> & <b>bold</b> "quoted"\n')
    page = markup(step_text(lesson, 1, {}, None))
    assert "<script" not in page and "<b>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;" in page
    assert markup(prose('[a](/x?a=1&b="2")')) == '<a href="/x?a=1&amp;b=&quot;2&quot;">a</a>'


def test_a_new_file_is_listed_at_once_and_a_broken_one_is_named(tmp_path: Path) -> None:
    folder = LessonFolder(tmp_path)
    assert folder.lessons() == {} and folder.errors == ()
    (tmp_path / "mine.md").write_text(HEAD + STEP)
    assert list(folder.lessons()) == ["mine"]
    (tmp_path / "README.md").write_text("not a lesson")
    (tmp_path / "other.md").write_text(HEAD.replace("order: 1", "order: 9") + "## One\n")
    assert list(folder.lessons()) == ["mine"]
    assert len(folder.errors) == 1 and folder.errors[0].startswith("other.md, line 7")
    assert "other.md, line 7" in markup(lesson_index(folder, {}))


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_asks_before_it_tells(name: str) -> None:
    lesson = LESSONS[name]
    questions = [block for step in lesson.steps for block in step.blocks if isinstance(block, Question)]
    assert len(questions) >= 2
    steps = range(1, len(lesson.steps) + 1)
    words = len(" ".join(markup(step_text(lesson, step, {}, None)) for step in steps).split())
    assert words / 200 <= lesson.minutes <= 5


@pytest.mark.parametrize("name", LESSONS)
def test_every_step_starts_by_itself(name: str) -> None:
    """Cheap enough for a page to start it, should the server not have it yet."""
    for query in shown_queries(LESSONS[name]):
        race = race_from_query(split_query(query)[0])
        assert sum(config.estimated_seconds() for config in race) <= Settings().cheap_seconds


# ---- what the lessons claim -----------------------------------------------------------------------


@cache
def frames_of(config: RunConfig) -> tuple[Frame, ...]:
    """The whole run of a configuration, computed once."""
    return tuple(train(config))


def claimed(lesson: Lesson) -> list[tuple[RunConfig, Claim, str]]:
    """Each claim with the run it is about and the moment."""
    found = []
    for step, query in zip(lesson.steps, shown_queries(lesson), strict=True):
        config, view = split_query(query)
        race = {entry.method.name: entry for entry in race_from_query(config)}
        for claim in step.claims:
            at = claim.at or ("end" if view.at is None else str(view.at))
            found.append((race[claim.method or view.focus or next(iter(race))], claim, at))
    return found


def is_long(config: RunConfig) -> bool:
    """More than a second of computing."""
    return config.method.name == "gd" and config.epochs * config.width > 2e7


CLAIMS = [
    pytest.param(
        *entry,
        id=f"{name}:{entry[1].line}:{entry[1].quantity}",
        marks=[pytest.mark.slow] if is_long(entry[0]) else [],
    )
    for name, lesson in LESSONS.items()
    for entry in claimed(lesson)
]


def measure(config: RunConfig, frames: Sequence[Frame], at: str, claim: Claim) -> str:
    """The claimed quantity at the moment, written with as many digits as the claim has."""
    data = config.training_data()
    index = len(frames) - 1 if at == "end" else max(f.index for f in frames if f.epoch <= float(at))
    frame, told_frame = frames[index], frames[index].in_units(config.scale)
    free = frame.pin < 0
    counts = {
        "stage": frame.stage + 1,
        "stages": frames[-1].stage + 1,
        "pinned": int((~free).sum()),
        "dead": int((frame.b >= data.x[-1]).sum()),
        "left": int((free & (frame.b < data.x[0])).sum()),
    }
    if claim.quantity in counts:
        return str(counts[claim.quantity])
    if claim.quantity == "changed":
        first = next(f for f in frames if f.stage == frame.stage)
        told = [f"{c.neuron + 1} {c.kind} {data.x[c.datum]:.3g}" for c in first.changes]
        return claim.value if claim.value in told else "; ".join(told)
    value = {
        "epoch": frame.epoch,
        "loss": told_frame.loss,
        "floor": told_frame.floor,
        "error": told_frame.prediction_error,
        "sharpness": sharpness(data, Pattern(frame.gap, frame.pin), frame.b, frame.c),
    }
    digits = len(claim.value.split("e")[0].replace(".", "").lstrip("0"))
    written = np.format_float_scientific(value[claim.quantity], precision=digits - 1, unique=False)
    wanted = np.format_float_scientific(float(claim.value), precision=digits - 1, unique=False)
    return claim.value if written == wanted else written


@pytest.mark.parametrize(("config", "claim", "at"), CLAIMS)
def test_claims_are_true(config: RunConfig, claim: Claim, at: str) -> None:
    assert claim.quantity in QUANTITIES
    assert measure(config, frames_of(config), at, claim) == claim.value


@pytest.mark.slow
def test_the_twins_of_the_second_lesson_share_a_gap_until_one_crosses() -> None:
    config = race_from_query(split_query(LESSONS["crossing"].steps[2].query)[0])[0]
    frames = [frame for frame in frames_of(config) if 7e4 < frame.epoch < 783_249]
    assert frames and all(frame.gap[1] == frame.gap[7] for frame in frames)
    after = next(frame for frame in frames_of(config) if frame.epoch >= 919_878)
    assert after.b[1] > -0.35 and after.b[7] < -0.45


def test_what_the_fifth_lesson_says_of_the_best_known() -> None:
    gd, anls = race_from_query(split_query(LESSONS["anls"].steps[3].query)[0])
    assert gd.width == 10
    best = STORED["f1", 10].loss
    assert f"{best:.1e}" == "6.4e-05"
    assert round(frames_of(anls)[-1].loss / best) == 8


@pytest.mark.slow
def test_the_groups_of_the_fourth_lesson() -> None:
    config = race_from_query(split_query(LESSONS["regression"].steps[0].query)[0])[0]
    last = frames_of(config)[-1]
    assert [u for u in last.u.tolist() if u] == [13, 15, 12]
    assert last.stationarity < 1e-15
    assert len({int(gap) for gap in last.gap[[1, 2, 3]]}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "at", "kind", "epoch", "neuron", "place"),
    [(0, 4e5, "crossed", 556_053, 1, "-0.414"), (2, 3e5, "pinned", 354_485, 1, "-0.657")],
)
def test_what_the_sixth_lesson_says_of_a_forecast(
    step: int, at: float, kind: str, epoch: int, neuron: int, place: str
) -> None:
    config = race_from_query(split_query(LESSONS["forecast"].steps[step].query)[0])[0]
    found = forecast(config, next(f for f in frames_of(config) if f.epoch == at))
    assert found.neuron is not None and found.datum is not None
    assert (found.kind, round(found.epoch or 0), found.neuron + 1) == (kind, epoch, neuron)
    assert f"{config.training_data().x[found.datum]:.3g}" == place and found.certified


def test_what_the_sixth_lesson_says_of_the_last_forecast() -> None:
    config = race_from_query(split_query(LESSONS["forecast"].steps[3].query)[0])[0]
    assert forecast(config, next(f for f in frames_of(config) if f.epoch == 5e6)).kind == "trained"


def test_what_the_seventh_lesson_says_of_steps() -> None:
    config = race_from_query(split_query(LESSONS["stability"].steps[1].query)[0])[0]
    assert "Use a learning rate below 0.036" in caution(config)
    small = race_from_query(split_query(LESSONS["stability"].steps[0].query)[0])[0]
    assert not caution(small)
    slow, fast = frames_of(small)[-1].loss, frames_of(config)[-1].loss
    assert f"{slow:.3g}" == "0.00999" and round(slow / fast) in range(20, 22)
