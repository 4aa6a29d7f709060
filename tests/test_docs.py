"""What the documents name exists."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from components.pages.lab.first_visit import MOMENT, RACE
from components.pages.lessons.folder import Shelf
from core.config.run_config import race_from_query
from core.frames.frame import Frame
from core.narrative.plateaus import plateaus_of
from core.service.files.library import read_volume
from core.service.records import decode_frame
from reproduction.figures import FIGURES
from reproduction.shelf import LESSONS, LIBRARY

ROOT = Path(__file__).resolve().parent.parent
MATHS = (ROOT / "docs/maths.md").read_text()
NAMES = sorted(set(re.findall(r"`((?:core|reproduction)\.[a-z_.]+)`", MATHS)))
STATEMENTS = re.findall(
    r"^\| ((?:Theorem|Lemma|Proposition|section) [\w.]+) \|.*\| `((?:core|reproduction)\.[a-z_.]+)` \|$",
    MATHS,
    re.MULTILINE,
)


def test_the_table_of_statements_is_there() -> None:
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_every_name_in_the_mathematics_exists(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert hasattr(import_module(module), function)


@pytest.mark.parametrize(("number", "name"), STATEMENTS)
def test_the_function_of_a_statement_names_it(number: str, name: str) -> None:
    """Whoever opens it from the table, or from the paper, reads the printed number there."""
    module, _, function = name.rpartition(".")
    text = getattr(import_module(module), function).__doc__ or ""
    assert number in " ".join(text.split()).replace("rules", "rule")


def test_all_numbered_statements_are_in_the_table() -> None:
    listed = {number for number, _ in STATEMENTS}
    assert listed >= {f"Theorem {n}" for n in ("3.1", "3.2", "3.3", "3.5", "4.2")}
    assert listed >= {"Lemma 3.4", "Lemma A.1", "Lemma A.2"}
    assert listed >= {"Proposition 2.1", "Proposition 4.1", "Proposition F.1"}


@pytest.mark.parametrize(
    "document", ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/maths.md"]
)
def test_every_path_that_a_document_names_exists(document: str) -> None:
    text = (ROOT / document).read_text()
    paths = re.findall(
        r"`((?:core|components|assets|tests|reproduction|lessons|docs|benchmarks)/[\w./-]*)`", text
    )
    new = {"core/rivals/rmsprop.py", "components/panels/dead.py"}  # in the recipes
    missing = [path for path in paths if path not in new and not (ROOT / path).exists()]
    assert not missing


def shipped(run_id: str) -> list[Frame]:
    """A run as it ships."""
    return [decode_frame(payload) for payload in read_volume(LIBRARY / f"{run_id}.xz").payloads]


def test_what_the_readme_says_of_the_first_visit() -> None:
    gd, anls = race_from_query(RACE)
    descent, moves = shipped(gd.run_id), shipped(anls.run_id)
    plateaus = plateaus_of(gd, descent)
    assert len(plateaus) == 3
    (here,) = [plateau for plateau in plateaus if plateau.begin <= MOMENT <= plateau.end]
    assert here.number == 2
    now = max((frame for frame in descent if frame.epoch <= MOMENT), key=lambda frame: frame.epoch)
    assert round(now.loss / descent[-1].loss) == 5
    assert moves[-1].epoch == 46
    assert 5e2 < descent[-1].loss / moves[-1].loss < 5e3
    told = " ".join((ROOT / "README.md").read_text().split())
    assert "on the second of three plateaus" in told and "falls to a fifth" in told
    assert "after 46 steps, a thousand times lower" in told
    numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    assert f"has {numbers[len(Shelf(LESSONS).lessons()) - 1]} guided lessons" in told


def test_what_the_figures_say_of_their_runs() -> None:
    """The sentences over the pictures of /paper and of docs/reproduction.md that hold for one seed only."""
    race = FIGURES["f1-race"]
    frames = {config.method.name: shipped(config.run_id) for config in race.race()}
    assert f"done after {frames['anls'][-1].epoch:.0f} iterations, lower than GD" in race.text
    assert frames["anls"][-1].loss < min(frame.loss for frame in frames["gd"])
    (five,) = FIGURES["five"].race()
    last = shipped(five.run_id)[-1]
    assert {1, 2, 3} <= set(last.pin.tolist()) and "every inner data point holds pinned biases" in FIGURES[
        "five"
    ].text
    assert (shipped(five.run_id)[0].gap == five.points).sum() == 2 and "two neurons" in FIGURES["five"].text
    (ranges,) = FIGURES["ranges"].race()
    loss = {frame.epoch: frame.loss for frame in shipped(ranges.run_id)}
    early, late = (loss[max(epoch for epoch in loss if epoch <= limit)] for limit in (1e3, 1e7))
    assert 50 < early / late < 200 and "fallen a hundredfold" in FIGURES["ranges"].text
