"""Words that the project has replaced do not come back: one plain word per thing in code, docs and pages.

REPLACED holds metaphors and phrases, which nobody writes anywhere. Words with an ordinary use as well (what
is told, room for a frame) stay free in prose; NAMES keeps them from functions, classes, variables and files.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
REPLACED = {
    r"clerks?|desks?": "query worker, query service",
    r"dear|dearer|dearest": "expensive",
    r"crews?|supervisors?|directors?|dispatchers?|wardens?|overseers?": "scheduler, worker pool, worker",
    r"logbooks?|shelf|shelves": "run history, shipped runs, library",
    r"docks?": "timeline, bar, by its content",
    r"spoilt|starved?": "replay mismatch, parked",
    r"foresight|foretells?|foretold|rehearsals?|in the books": "forecast, predict",
    r"haunt|haunted|haunts|ghosts?": "previous run, keep previous",
    r"sayings|stilled|prefilled|last word": "sentences, layout, unsaved state",
    r"occasions?|deeds?": "request, event",
    r"one row a (?:run|group)|a dot a run|row a group": "one row per run",
    r"the how manieth": "which",
}
"""What is not written any more, and what is written instead."""
FORMER = {
    "core/config/query.py",
    "core/service/settings.py",
    "core/service/store.py",
    "core/service/files/version_2.py",
    "core/service/cluster/redis_documents.py",
    "tests/components/test_view.py",
    "tests/service/test_settings.py",
    "tests/service/test_version_2.py",
    "tests/service/test_store_contract.py",
    "tests/core/config/test_no_kernels.py",
}
"""Files that read what an earlier version has written, under its names, or that use a library's name."""
OF_LIBRARIES = {
    ("core/compiled.py", "dispatcher"),
    ("core/compiled.py", "_dispatcher"),
    ("tests/core/test_interrupts.py", "dispatcher"),
    ("tests/core/test_interrupts.py", "_dispatcher"),
    ("tests/core/test_kernel_cache.py", "dispatcher"),
}
"""Words by which numba calls its own parts."""
FOLDERS = ("core", "components", "assets", "benchmarks", "docs", "lessons", "reproduction", "tests", "deploy")
ENDINGS = {".py", ".ts", ".tsx", ".css", ".md", ".js", ".toml", ".ipynb", ".html", ".yml", ".sh", ".conf"}
ALONE = ("README.md", "CONTRIBUTING.md", "CITATION.cff", "Makefile", "mkdocs.yml", "pyproject.toml")


def sources() -> list[Path]:
    """What people write and read; not what is generated, nor the record of changes."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS]
    found += [*(ROOT / name for name in ALONE), *ROOT.glob("*.py"), *(ROOT / ".ci").iterdir()]
    return [
        path
        for path in found
        if not {"node_modules", "vendor"} & set(path.parts)
        and not path.name.endswith(".min.js")
        and path != Path(__file__).resolve()
        and path.relative_to(ROOT).as_posix() not in FORMER
    ]


@pytest.mark.parametrize(("words", "instead"), REPLACED.items(), ids=lambda text: text[:12])
def test_no_replaced_word_remains(words: str, instead: str) -> None:
    pattern = re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:90]}"
        for path in sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for one in pattern.finditer(line)
        if (path.relative_to(ROOT).as_posix(), one[0]) not in OF_LIBRARIES
    ]
    assert not found, f"write {instead}:\n" + "\n".join(found)


def test_no_longer_name_holds_a_replaced_word() -> None:
    """Joined by capitals, underscores or hyphens, in code of any kind, style sheets included."""
    pattern = re.compile("|".join(REPLACED))
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources()
        for name in {*re.findall(r"[A-Za-z_][\w-]*", path.read_text(encoding="utf-8")), path.stem}
        if any(map(pattern.fullmatch, words_of(name)))
        and (path.relative_to(ROOT).as_posix(), name) not in OF_LIBRARIES
    ]
    assert not found, "\n".join(found)


NAMES = {
    "told|said|sayings?": "text, sentence, report",
    "shelf|shelves": "shipped runs, history",
    "scenes?": "context",
    "docks?|composed": "the page and its content",
    "rooms?": "quota, presentation, slots",
    "wish|wishes|wanted": "request, command",
}
"""No part of a name, and what a name says instead."""
NAMED = {
    **dict.fromkeys(
        ("reproduction", "benchmarks", "assets", "core/service", "core/narrative"), "|".join(NAMES)
    ),
    "core": "told|said|sayings?|shelf|shelves|scenes?|docks?|composed|wish|wishes",
    "components": "shelf|shelves|docks?|wish|wishes",
}
"""By folder, which of them its names are free of."""


def words_of(name: str) -> list[str]:
    """The parts of a name, in small letters."""
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower())


def names_in(path: Path) -> Iterator[tuple[int, str]]:
    """What a source defines, with its line, from classes to variables; and the name of the file."""
    yield 0, path.stem
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        declared = r"\b(?:const|let|var|function|class|interface|type|enum)\s+(\w+)"
        yield from ((text.count("\n", 0, one.start()) + 1, one[1]) for one in re.finditer(declared, text))
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


@pytest.mark.parametrize(("folder", "words"), NAMED.items(), ids=list(NAMED))
def test_no_name_is_made_of_a_replaced_word(folder: str, words: str) -> None:
    pattern = re.compile(words)
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sources()
        if path.is_relative_to(ROOT / folder) and path.suffix in {".py", ".ts", ".tsx", ".js"}
        for line, name in names_in(path)
        if any(map(pattern.fullmatch, words_of(name)))
    ]
    assert not found, "\n".join(found)


def test_parts_of_names_are_found() -> None:
    assert words_of("_hasRoomFor2") == ["has", "room", "for"]
    assert [name for _, name in names_in(Path(__file__)) if name in ("words_of", "declared", "path")]
