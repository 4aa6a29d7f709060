"""Every sentence that a person can read on the screen is short: 25 words at most.

The strings of core/, components/ and reproduction/ are taken from the syntax trees; a value in a template
counts as one word. What rules make of their longest values is in
tests/core/narrative/test_short_sentences.py. Documents for those who use the program are held to the same.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from reproduction.errata import errata

ROOT = Path(__file__).resolve().parents[1]
MOST_WORDS = 25
PYTHON = [
    ROOT / "app.py",
    *sorted(path for part in ("core", "components", "reproduction") for path in (ROOT / part).rglob("*.py")),
]
SCRIPTS = (
    *sorted((ROOT / "components" / "player" / "src").rglob("*.ts*")),
    *(path for path in sorted((ROOT / "assets").glob("*.js")) if not path.name.endswith(".min.js")),
)
SHEETS = sorted((ROOT / "assets").glob("*.css"))
LESSONS = sorted(path for path in (ROOT / "lessons").glob("*.md") if path.name != "README.md")
DOCUMENTS = (
    *("README.md", "docs/index.md", "docs/guide.md", "docs/classroom.md", "docs/lecturer.md"),
    *("docs/configuration.md", "docs/operation.md", "docs/reference/http.md", "docs/reference/python.md"),
    *("docs/maths.md", "docs/reproduction.md", "docs/rivals.md", "docs/peers.md", "lessons/README.md"),
    *("docs/architecture.md", "docs/faults.md", "docs/testing.md"),
    "CONTRIBUTING.md",
)
"""What people read who use the program or change it."""
CRITERIA = (ROOT / "reproduction" / "criteria.toml").read_text(encoding="utf-8")
"""What it says is quoted as it stands: another word in it would be another criterion."""
SENTENCE = re.compile(r"^[A-Z“\"'√{].*[a-z]{3}", re.DOTALL)
"""What begins like a sentence; notes begin small, with parts between semicolons that are read one by one."""
PROGRAM = re.compile(r"(?:\d[\d.]*[, ]){8}|<\w+|\bKEYS\b|\bCREATE TABLE\b|@article|\bprint\(|data:image")
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a formula in brackets and a list after a colon belong to theirs."""
    return [part for part in re.split(r"(?<=[.!?…])\s+(?=[A-Z“{*\[])|\n\s*\n|\n(?=[-*|#:>])", text) if part]


def is_program(text: str) -> bool:
    """Whether a string is SQL, Lua, HTML, Python or data."""
    return bool(PROGRAM.search(text))


def is_long(sentence: str) -> bool:
    """Of a note the longest part counts, and in it what has a letter: formulas stand in notes."""
    if SENTENCE.match(sentence):
        return len(sentence.split()) > MOST_WORDS
    return any(len(re.findall(r"\S*[^\W\d_]\S*", part)) > MOST_WORDS for part in sentence.split(";"))


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of a module that are no docstrings, with their lines; values in templates are one word."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            skipped |= {id(statement.value) for statement in body if isinstance(statement, ast.Expr)}
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
            yield node.lineno, "".join(parts)


def long_ones(path: Path, found: Iterator[tuple[int, str]]) -> list[str]:
    """The sentences that are too long, each with its place."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {sentence}"
        for line, text in found
        if not is_program(text)
        for sentence in sentences_of(text)
        if is_long(sentence)
    ]


def test_no_sentence_of_the_python_code_is_long() -> None:
    found = [each for path in PYTHON for each in long_ones(path, strings_of(path))]
    assert not found, "\n".join(found)


def test_no_sentence_of_the_errata_is_long() -> None:
    found = [one for item in errata() for one in sentences_of(item) if len(one.split()) > MOST_WORDS]
    assert not found, "\n".join(found)


NOT_PRESENT = re.compile(r"\b(?:will|shall|would|won't|shan't|wouldn't)\b", re.IGNORECASE)


QUOTED = {ROOT / "reproduction" / name for name in ("report.py", "criteria.py", "claims.py")}
"""What quotes the paper, or the criteria as they were written before the runs."""


def literals_of(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of a script or a style sheet, with their lines; values in templates are one word."""
    text = path.read_text(encoding="utf-8")
    for one in re.finditer(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', text):
        yield text.count("\n", 0, one.start()) + 1, re.sub(r"\$\{[^}]*\}", "X", one[1] or one[2] or "")


def test_the_program_speaks_in_the_present_tense() -> None:
    """Pages, sentences of the core, refusals and documents of the service, and what the browser writes."""
    places = [(path, each) for path in PYTHON if path not in QUOTED for each in strings_of(path)]
    places += [(path, each) for path in (*SCRIPTS, *SHEETS) for each in literals_of(path)]
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, (line, text) in places
        if SENTENCE.match(text) and not is_program(text) and NOT_PRESENT.search(text)
    ]
    assert not found, "\n".join(found)


def test_no_sentence_of_the_browser_code_is_long() -> None:
    found = [each for path in (*SCRIPTS, *SHEETS) for each in long_ones(path, literals_of(path))]
    assert not found, "\n".join(found)


def prose_of(text: str) -> list[str]:
    """The sentences of a Markdown document, without programs and heads; a cell of a table is a paragraph."""
    text = re.sub(r"^---\n.*?\n---\n|^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", re.sub(r"\]\([^)]*\)", "]", text))
    paragraphs = [
        cell
        for paragraph in re.split(r"\n\s*\n|\n(?=[-*|#>]|\d+\. )", text)
        for cell in (paragraph.split("|") if paragraph.startswith("|") else [paragraph])
    ]
    ends = r"(?<=[.!?…])(?:\*\*)?\s+(?=[A-Z“{*\[`(\d])"
    return [one for each in paragraphs for one in re.split(ends, " ".join(each.split()))]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_sentence_of_a_document_is_long(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    found = [one for one in prose_of(text) if len(one.split()) > MOST_WORDS and not is_criterion(one)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_sentence_of_a_notebook_is_long(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    found = [one for text in texts for one in prose_of(text) if len(one.split()) > MOST_WORDS]
    assert not found, "\n".join(found)


def test_notes_and_texts_of_several_lines_are_read_too() -> None:
    word = "word " * 26
    assert is_long(f"it begins small {word}") and not is_long(f"{word[:60]}; {word[:60]}; {word[:60]}")
    assert is_long(f"First line\n{word}") and not is_program(f"First line\n{word}")


def is_criterion(sentence: str) -> bool:
    """Whether a sentence of the report is quoted from the criteria, where the name of its claim is aside."""
    return re.sub(r"^`[\w-]+` ", "", sentence) in CRITERIA


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_sentence_of_a_lesson_is_long(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^(?:title|summary): (.*)$", r"\n\1\n", text, flags=re.MULTILINE)
    prose = "\n".join("" if re.match(r"@|=|##|---|[a-z]+:", line) else line for line in text.splitlines())
    paragraphs = re.split(r"\n\s*\n|\n(?=[-*!?|>])", prose)
    found = [
        sentence
        for paragraph in paragraphs
        for sentence in sentences_of(" ".join(paragraph.split()))
        if len(sentence.split()) > MOST_WORDS
    ]
    assert not found, "\n".join(found)
