"""What the documents name exists."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from components.pages.lab.first_visit import MOMENT, RACE
from components.pages.lessons.folder import LessonFolder
from core.config.run_config import race_from_query
from core.frames.frame import Frame
from core.narrative.forecast import forecast
from core.narrative.plateaus import plateaus_of
from core.service.files.library import read_volume
from core.service.records import decode_frame
from reproduction.figures import FIGURES
from reproduction.shipping import LESSONS, LIBRARY

ROOT = Path(__file__).resolve().parent.parent
MATHS = (ROOT / "docs/maths.md").read_text()
NAMES = sorted(set(re.findall(r"`((?:core|reproduction)\.[a-z_.]+)`", MATHS)))
LABELS: dict[str, set[str]] = {}
"""Of each numbered statement, those of the table."""
for number, labels in re.findall(
    r"^\| ((?:Theorem|Lemma|Proposition) [\w.]+) \| ([^|]*) \|", MATHS, re.MULTILINE
):
    LABELS.setdefault(number, set()).update(re.findall(r"`([^`]+)`", labels))
STATEMENTS = re.findall(
    r"^\| ((?:Theorem|Lemma|Proposition|section) [\w.]+) \|.*\| `((?:core|reproduction)\.[a-z_.]+)` \|$",
    MATHS,
    re.MULTILINE,
)


def test_the_table_of_statements_is_there() -> None:
    assert len(NAMES) >= 25


def named(name: str) -> Any:
    """What a document names by its module; None if it is not there."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(module), function, None)


def test_every_name_in_the_mathematics_exists() -> None:
    assert [name for name in NAMES if named(name) is None] == []


def test_the_function_of_a_statement_names_it() -> None:
    """Whoever opens it from the table, or from the paper, reads the printed number there."""
    wrong = []
    for number, name in STATEMENTS:
        text = " ".join((named(name).__doc__ or "").split()).replace("rules", "rule")
        wrong += [] if number in text else [(number, name)]
    assert wrong == []


def test_a_statement_is_named_by_its_number_and_its_label() -> None:
    """A reader of the PDF sees the number, one of the source the label."""
    wrong = []
    for path in sorted((ROOT / "core").rglob("*.py")):
        text = " ".join(path.read_text().split())
        numbers = set(re.findall(r"(?:Theorem|Lemma|Proposition) [\dA-F]\.\d", text))
        alone = sorted(number for number in numbers if not any(label in text for label in LABELS[number]))
        wrong += [(str(path.relative_to(ROOT)), number) for number in alone]
    assert wrong == []


def test_all_numbered_statements_are_in_the_table() -> None:
    listed = {number for number, _ in STATEMENTS}
    assert listed >= {f"Theorem {n}" for n in ("3.1", "3.2", "3.3", "3.5", "4.2")}
    assert listed >= {"Lemma 3.4", "Lemma A.1", "Lemma A.2", "Lemma F.2"}
    assert listed >= {"Proposition 2.1", "Proposition 4.1", "Proposition F.1"}


@pytest.mark.parametrize(
    "document",
    [
        *("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/faults.md", "docs/guide.md"),
        "docs/maths.md",
    ],
)
def test_every_path_that_a_document_names_exists(document: str) -> None:
    text = (ROOT / document).read_text()
    paths = re.findall(
        r"`((?:core|components|assets|tests|reproduction|lessons|docs|benchmarks)/[\w./-]*)`", text
    )
    new = {
        "core/rivals/sign.py",
        "components/panels/dead.py",
        "components/panels/spread.py",
        "lessons/waves.md",
    }
    missing = [path for path in paths if path not in new and not (ROOT / path).exists()]
    assert not missing


def test_every_test_that_holds_a_fault_exists() -> None:
    text = (ROOT / "docs/faults.md").read_text()
    file, missing, count = "", list[str](), 0
    for path, test in re.findall(r"`(?:tests/\w+/)?(test_\w+\.py)?(?:::(test_\w+))?`", text):
        file = path or file
        if file:
            found = [one.read_text() for one in (ROOT / "tests").rglob(file)]
            missing += [] if any(f"def {test}(" in one or not test for one in found) else [f"{file}::{test}"]
            count += 1
    assert count > 35 and not missing


def shipped(run_id: str) -> list[Frame]:
    """A run as it ships."""
    return [decode_frame(payload) for payload in read_volume(LIBRARY / f"{run_id}.xz").payloads]


def test_what_the_guide_says_of_the_first_visit() -> None:
    gd, anls = race_from_query(RACE)
    descent, moves = shipped(gd.run_id), shipped(anls.run_id)
    plateaus = plateaus_of(gd, descent)
    (here,) = plateaus
    assert here.begin <= MOMENT <= here.end and here.why == "floor"
    now = max((frame for frame in descent if frame.epoch <= MOMENT), key=lambda frame: frame.epoch)
    assert forecast(gd, now).neuron == 2 and descent[-1].loss < here.loss_end / 10
    assert moves[-1].epoch == 96 and moves[-1].loss < descent[-1].loss / 3
    guide, readme = (" ".join((ROOT / name).read_text().split()) for name in ("docs/guide.md", "README.md"))
    assert "neuron 3 crosses a data point" in guide and "drops to a tenth" in guide
    assert "after 96 moves, at a third of that loss" in guide
    numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    lessons = f"{numbers[len(LessonFolder(LESSONS).lessons()) - 1]} guided lessons"
    assert lessons in guide and lessons in readme


def test_the_readme_is_short_and_says_what_it_must() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.split()) <= 400
    assert "one input and two layers" in text and "make run" in text and "make test" in text
    assert ".webp" in text and "make test" in (ROOT / ".ci/run").read_text()


def test_what_the_figures_say_of_their_runs() -> None:
    """The sentences over the pictures of /paper and of docs/reproduction.md that hold for one seed only."""
    race = FIGURES["f1-race"]
    frames = {config.method.name: shipped(config.run_id) for config in race.race()}
    assert f"done after {frames['anls'][-1].epoch:.0f} iterations, lower than GD" in race.text
    assert frames["anls"][-1].loss < min(frame.loss for frame in frames["gd"])
    (five,) = FIGURES["five"].race()
    last = shipped(five.run_id)[-1]
    assert {1, 2, 3} <= set(last.pin.tolist()) and "Every inner data point holds pinned biases" in FIGURES[
        "five"
    ].text
    assert (shipped(five.run_id)[0].gap == five.points).sum() == 2 and "Two neurons" in FIGURES["five"].text
    (ranges,) = FIGURES["ranges"].race()
    loss = {frame.epoch: frame.loss for frame in shipped(ranges.run_id)}
    early, late = (loss[max(epoch for epoch in loss if epoch <= limit)] for limit in (1e3, 1e7))
    assert 50 < early / late < 200 and "the loss is a hundredth" in FIGURES["ranges"].text


ARCHITECTURE = (ROOT / "docs/architecture.md").read_text()


def section(title: str) -> str:
    """The text under a heading of the page on the architecture, up to the next one."""
    return re.split(r"(?m)^##", ARCHITECTURE.partition(f"### {title}\n")[2])[0]


@pytest.mark.parametrize("title", ["One machine", "Many machines"])
def test_the_service_on_one_machine_and_on_many_is_a_page_each(title: str) -> None:
    text, diagrams = re.subn(r"(?s)```mermaid.*?```", "", section(title))
    assert diagrams == 1 and len(text.split()) <= 500


def test_the_words_of_the_service_are_few() -> None:
    """A newcomer learns them by heart."""
    rows = re.findall(r"(?m)^\| ([\w ,]+) \| [^-\n]+ \|$", section("Words"))
    words = [word for row in rows if row != "word" for word in row.split(", ")]
    assert 15 <= len(words) <= 25 and len(set(words)) == len(words)
