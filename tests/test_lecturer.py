"""Every lesson has a goal, a formula and references, and the lecturer's page follows it step by step."""

import re
from pathlib import Path

import pytest

from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import Lesson, Paragraph, Question

ROOT = Path(__file__).resolve().parent.parent
LESSONS = LessonFolder(ROOT / "lessons").lessons()
PAGE = (ROOT / "docs/lecturer.md").read_text(encoding="utf-8")


def paragraphs(lesson: Lesson) -> list[list[str]]:
    """The running text of each step."""
    return [[block.text for block in step.blocks if isinstance(block, Paragraph)] for step in lesson.steps]


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_has_a_goal_a_formula_and_references(name: str) -> None:
    steps = paragraphs(LESSONS[name])
    assert steps[0][0].startswith("**Goal**: you can ")
    assert any(re.search(r"`[^`]*[=←≤][^`]*`", text) for step in steps for text in step)
    last = steps[-1][-1]
    assert last.startswith("**Read on**: ") and ("https://" in last or re.search(r"\((?:19|20)\d\d\)", last))


@pytest.mark.parametrize("name", LESSONS)
def test_the_lecturer_has_timing_answers_and_misconceptions(name: str) -> None:
    lesson = LESSONS[name]
    part = PAGE.partition(f"## {lesson.title}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?!step |---)(.+?) \| (\d+) \| (.*?) ?\|$", part, re.MULTILINE)
    assert [title for title, _, _ in rows] == [step.title for step in lesson.steps]
    assert sum(int(minutes) for _, minutes, _ in rows) >= lesson.minutes
    for step, (_, _, told) in zip(lesson.steps, rows, strict=True):
        right = [
            option
            for block in step.blocks
            if isinstance(block, Question)
            for option, is_right in block.options
            if is_right
        ]
        assert told == "; ".join(right)
    assert "**Goal.**" in part and "**They often believe:**" in part and "**Formula:**" in part


def test_nothing_is_said_of_a_lesson_that_is_not_there() -> None:
    titles = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert titles == [lesson.title for lesson in LESSONS.values()]
