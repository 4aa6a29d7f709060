"""Words that the project has replaced do not come back: one plain word per thing in code, docs and pages.

The list is of metaphors and of phrases. Words that also have an ordinary use (order, question, answer,
sheet) are not on it.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
REPLACED = {
    r"clerks?|desks?": "query worker, query service",
    r"dear|dearer|dearest": "expensive",
    r"crews?|supervisors?|directors?|dispatchers?|wardens?|overseers?": "scheduler, worker pool, worker",
    r"logbooks?": "run history",
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
}
"""Files that read what an earlier version has written, under its names."""
OF_LIBRARIES = {("core/compiled.py", "dispatcher"), ("tests/core/test_kernel_cache.py", "dispatcher")}
"""Words by which numba calls its own parts."""
FOLDERS = ("core", "components", "assets", "benchmarks", "docs", "lessons", "reproduction", "tests", "deploy")
ENDINGS = {".py", ".ts", ".tsx", ".css", ".md", ".js", ".toml"}


def sources() -> list[Path]:
    """What people write and read; not what is generated, nor the record of changes."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS]
    found += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "app.py", "wsgi.py")]
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
