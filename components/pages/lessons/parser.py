"""Lessons: one Markdown file each, read by a small strict parser (lessons/README.md tells how to write one).

A lesson is a list of steps; a step is some prose beside the Lab, a link that says
what the Lab shows meanwhile, and questions that are to be answered before the
answer is shown. The grammar is by line, so that every mistake has a line to name:

    ---                       title, order, minutes, summary between two such lines
    ## What stands still      a step
    @ target=f1&at=1e4        what the Lab shows: the part of its link after the question mark
    = gd: stage 35            what must be true of that moment; not shown, but tested
    text, or - an item        prose; **strong**, *emphasis*, `code`, [text](/path)
    ? question                then - options, the right ones ending in *, then ! what is revealed,
                              then, if the Lab shall move with it, @ another link
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from components.common.prose import inline
from components.common.view import split_query
from components.panels import PANELS
from core.config import race_from_query
from core.limits import LIMITS

_FRONT = ("title", "order", "minutes", "summary")
_SIGNS = ("@", "=", "?", "-", "!")
_CLAIM = re.compile(r"(?:(?P<method>[a-z_]+)(?:@(?P<at>[0-9.e+-]+|end))?:)?\s*(?P<rest>.+)", re.ASCII)
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
QUANTITIES = (
    *("stage", "stages", "epoch", "loss", "floor", "pinned", "dead", "left", "error", "sharpness"),
    "changed",
)
"""What a claim can be about: of the moment, except `stages`, which counts those of the whole run."""


@dataclass(frozen=True)
class Claim:
    """A quantity and its value as written, at a moment (by default the step's) of a method's run."""

    quantity: str
    value: str
    method: str
    at: str
    line: int


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Listing:
    """Items of a list."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """Predict first, then see."""

    text: str
    options: tuple[tuple[str, bool], ...]
    reveal: str
    query: str = ""
    """What the Lab shows once the answer is."""


Block = Paragraph | Listing | Question


@dataclass(frozen=True)
class Step:
    """One screen of a lesson."""

    title: str
    blocks: tuple[Block, ...]
    query: str
    claims: tuple[Claim, ...]
    line: int


@dataclass(frozen=True)
class Lesson:
    """A whole lesson; its name is its file's."""

    name: str
    title: str
    order: int
    minutes: int
    summary: str
    steps: tuple[Step, ...]


@dataclass
class _Lines:
    """The lines of a file that are not empty, with their numbers and what to say where."""

    name: str
    rows: list[tuple[int, str]]
    at: int = 0

    def peek(self) -> str:
        """The sign that the next line begins with; empty for plain text, `end` after the last one."""
        if self.at >= len(self.rows):
            return "end"
        text = self.rows[self.at][1]
        if text.startswith("## "):
            return "##"
        return text[0] if text.startswith(tuple(f"{sign} " for sign in _SIGNS)) else "" if text else "gap"

    def take(self) -> tuple[int, str]:
        """The next line without its sign."""
        number, text = self.rows[self.at]
        sign = self.peek()
        self.at += 1
        return number, text[len(sign) :].strip() if sign not in ("", "gap") else text

    def wrong(self, number: int, what: str) -> ValueError:
        """The mistake, with its place."""
        return ValueError(f"{self.name}.md, line {number}: {what}")


def parse_lesson(name: str, text: str) -> Lesson:
    """Read a lesson; ValueError names the file, the line, and what would be right."""
    rows = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = _Lines(name, rows)
    if not NAME.fullmatch(name):
        raise ValueError(f"{name}.md: a file name of lower-case letters, digits and - is allowed")
    front = _front(lines)
    _skip(lines)
    steps: list[Step] = []
    while lines.peek() == "##":
        steps.append(_step(lines, len(steps) + 1))
    if lines.peek() != "end" or not steps:
        number = lines.rows[min(lines.at, len(rows) - 1)][0]
        raise lines.wrong(number, "a step, '## and its title', must begin here")
    order, minutes = int(front["order"]), int(front["minutes"])
    return Lesson(name, front["title"], order, minutes, front["summary"], tuple(steps))


def _front(lines: _Lines) -> dict[str, str]:
    if not lines.rows or lines.rows[0][1] != "---":
        raise lines.wrong(1, "the file must begin with a line '---' and then title, order, minutes, summary")
    found: dict[str, str] = {}
    for index, (number, text) in enumerate(lines.rows[1:], 1):
        if text == "---":
            lines.at = index + 1
            break
        key, colon, value = text.partition(":")
        if not colon or key not in _FRONT or key in found or not value.strip():
            raise lines.wrong(number, f"each of {', '.join(_FRONT)} once, as 'title: …', is allowed")
        found[key] = value.strip()
        if key in ("order", "minutes") and not re.fullmatch(r"[1-9][0-9]{0,2}", found[key], re.ASCII):
            raise lines.wrong(number, f"{key} = {found[key]!r}: a whole number from 1 to 999 is allowed")
    else:
        raise lines.wrong(lines.rows[-1][0], "a second line '---' must end the head of the file")
    missing = [key for key in _FRONT if key not in found]
    if missing:
        raise lines.wrong(1, f"the head of the file lacks {', '.join(missing)}")
    return found


def _step(lines: _Lines, count: int) -> Step:
    start, title = lines.take()
    blocks: list[Block] = []
    query, claims = "", []
    _skip(lines)
    while (sign := lines.peek()) not in ("##", "end"):
        if sign == "@":
            number, text = lines.take()
            if query:
                raise lines.wrong(number, "a step has one link; a second one may only follow what ! reveals")
            query = _link(lines, number, text)
        elif sign == "=":
            claims += list(_claims(lines))
        elif sign == "?":
            blocks.append(_question(lines))
        elif sign == "-":
            blocks.append(Listing(tuple(_run(lines, "-"))))
        elif sign == "!":
            raise lines.wrong(lines.take()[0], "'!' must follow the options of a question")
        else:
            blocks.append(Paragraph(" ".join(_run(lines, ""))))
        _skip(lines)
    if not blocks:
        raise lines.wrong(start, "a step must say something")
    if count == 1 and not query:
        raise lines.wrong(start, "the first step must have a link, '@ target=f1&…'")
    return Step(title, tuple(blocks), query, tuple(claims), start)


def shown_queries(lesson: Lesson) -> list[str]:
    """What the Lab shows at each step: a step without a link leaves it as the step before had it."""
    queries: list[str] = []
    for step in lesson.steps:
        queries.append(step.query or queries[-1])
    return queries


def _skip(lines: _Lines) -> None:
    while lines.peek() == "gap":
        lines.take()


def _run(lines: _Lines, sign: str) -> Iterator[str]:
    """The texts of the lines that follow each other with the same sign."""
    while lines.peek() == sign:
        number, text = lines.take()
        yield _checked(lines, number, text)


def _checked(lines: _Lines, number: int, text: str) -> str:
    try:
        list(inline(text))
    except ValueError as error:
        raise lines.wrong(number, str(error)) from None
    return text


def _question(lines: _Lines) -> Question:
    number, text = lines.take()
    question = _checked(lines, number, text)
    options = [(option.removesuffix("*").rstrip(), option.endswith(" *")) for option in _run(lines, "-")]
    if len(options) < 2 or not any(right for _, right in options):
        raise lines.wrong(number, "a question needs two or more lines '- option', a right one ending in ' *'")
    if lines.peek() != "!":
        raise lines.wrong(number, "after the options a line '! …' must say what is revealed")
    reveal = " ".join(_run(lines, "!"))
    query = _link(lines, *lines.take()) if lines.peek() == "@" else ""
    return Question(question, tuple(options), reveal, query)


def _link(lines: _Lines, number: int, text: str) -> str:
    """The query of a link, held to the same rules as the address bar."""
    query = text.split("?", 1)[1] if "?" in text else text
    try:
        config, view = split_query(query)
        race_from_query(config, limits=LIMITS)
    except ValueError as error:
        raise lines.wrong(number, str(error)) from None
    unknown = {*view.panels, *view.highlight, view.tab, view.enlarged} - {"", *PANELS}
    if unknown:
        allowed = ", ".join(PANELS)
        raise lines.wrong(number, f"{sorted(unknown)[0]!r} is no panel; {allowed} are allowed")
    return query


def _claims(lines: _Lines) -> Iterator[Claim]:
    number, text = lines.take()
    found = _CLAIM.fullmatch(text)
    for part in found["rest"].split(",") if found else [""]:
        quantity, _, value = part.strip().partition(" ")
        if found is None or quantity not in QUANTITIES or not value.strip():
            allowed = ", ".join(QUANTITIES)
            raise lines.wrong(number, f"'= method@epoch: quantity value, …' with {allowed} is allowed")
        yield Claim(quantity, value.strip(), found["method"] or "", found["at"] or "", number)
