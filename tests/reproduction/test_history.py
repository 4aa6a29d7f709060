"""What the report says of its own history is what `git log` says."""

import json
import re
import subprocess
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from reproduction.criteria import criteria
from reproduction.report import history
from reproduction.verdicts import BY_OUR_WORD

ROOT = Path(__file__).resolve().parents[2]
CRITERIA = "reproduction/criteria.toml"
RESULTS = "reproduction/data/results.json"


def git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    if not (ROOT / ".git").exists():
        pytest.skip("no history here")
    if git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("the history is cut off")
    return history()


def test_every_commit_is_of_its_date(record: dict[str, Any]) -> None:
    dates = [str(entry["date"]) for entry in record["entries"]]
    assert dates == sorted(dates)
    for entry in record["entries"]:
        assert git("log", "-1", "--format=%ad", "--date=short", entry["commit"]) == str(entry["date"])


def changed_claims(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Whose criterion is another; what explains a verdict is none."""

    def criterion(entry: dict[str, Any] | None) -> dict[str, Any]:
        return {key: value for key, value in (entry or {}).items() if key != "because"}

    return {
        name
        for name, entry in after["claims"].items()
        if criterion(entry) != criterion(before["claims"].get(name))
    }


def test_every_change_of_a_criterion_is_told(record: dict[str, Any]) -> None:
    """By commit, and on the day of the last change those that are in no commit listed before."""
    first = next(entry["commit"] for entry in record["entries"] if "criteria_written" in entry)
    commits = git("log", "--reverse", "--format=%H", f"{first}..HEAD", "--", CRITERIA).splitlines()
    versions = [tomllib.loads(git("show", f"{commit}:{CRITERIA}")) for commit in (first, *commits)]
    versions.append(tomllib.loads((ROOT / CRITERIA).read_text(encoding="utf-8")))
    listed = {git("rev-parse", entry["commit"]): set(entry.get("claims", ())) for entry in record["entries"]}
    late: set[str] = set()
    for commit, before, after in zip((*commits, "now"), versions, versions[1:], strict=False):
        found = changed_claims(before, after)
        if commit in listed:
            assert found == listed[commit], commit
        else:
            late |= found
    assert late == set(record["now"]["claims"])


def test_thresholds_of_the_words_were_never_changed(record: dict[str, Any]) -> None:
    first = next(entry["commit"] for entry in record["entries"] if "criteria_written" in entry)
    words = tomllib.loads(git("show", f"{first}:{CRITERIA}"))["words"]
    assert {name: word["value"] for name, word in words.items()} == {
        name: word.value for name, word in criteria().words.items()
    }


def verdicts(commit: str) -> dict[str, str]:
    claims = json.loads(git("show", f"{commit}:{RESULTS}"))["claims"]
    return {name: claim["verdict"] for name, claim in claims.items()}


def test_every_verdict_that_changed_is_named(record: dict[str, Any]) -> None:
    """In the row of the commit that brought it."""
    rows = {git("rev-parse", entry["commit"]): entry for entry in record["entries"]}
    commits = git("log", "--reverse", "--format=%H", "--", RESULTS).splitlines()
    found = {commit: verdicts(commit) for commit in commits}
    for before, commit in pairwise(commits):
        changed = {
            name: verdict
            for name, verdict in found[commit].items()
            if name in found[before] and verdict != found[before][name]
        }
        if changed:
            row = f"{rows[commit]['did']} {rows[commit]['known']}"
            missing = [name for name in changed if not re.search(rf"(?<![\w-]){name}(?![\w-])", row)]
            assert not missing, commit


@pytest.mark.usefixtures("record")
def test_what_is_said_of_early_verdicts_is_so() -> None:
    one, two, three, four, five = map(verdicts, ("aaa938a", "5c89ee9", "a0a2855", "c746633", "35b64c6"))
    assert len(one) == 27 and len(three) == 60
    assert {name for name in one if one[name] != two[name]} == {"f2-error-rise", "f2-error-jumps"}
    assert (two["anls-f1"], three["anls-f1"]) == ("differs", "luck")
    for name in ("settles", "others-f1", "f2-ls-gd", "f2-errors"):
        assert (two[name], three[name]) == ("agrees", "luck")
    for name in ("patterns", "explicit"):
        assert (two[name], three[name]) == ("agrees", "corrected")
    assert (two["f2-spike"], three["f2-spike"]) == ("luck", "undecided")
    assert (two["interpolates"], three["interpolates"]) == ("corrected", "agrees")
    assert len({name for name in two if two[name] != three[name]}) == 9
    assert one["decay"] == two["decay"] == three["decay"] == "corrected"
    assert (three["f1-fits"], four["f1-fits"]) == ("undecided", "luck")
    for name in ("f2-spike", "f2-generalises"):
        assert (three[name], four[name]) == ("undecided", "differs")
    assert (four["decay"], five["decay"]) == ("undecided", "corrected")
    assert (four["f2-errors-fall"], five["f2-errors-fall"]) == ("undecided", "differs")


@pytest.mark.usefixtures("record")
def test_what_is_said_of_the_last_change_of_rules_is_so() -> None:
    """Of the same, known seeds, judged by the rules before it and after."""
    before = verdicts("35b64c6")
    claims = json.loads((ROOT / RESULTS).read_text(encoding="utf-8"))["claims"]
    after = {name: claim["explored"] for name, claim in claims.items()}
    changed = {name: verdict for name, verdict in before.items() if verdict != after[name]}
    assert changed == {
        **dict.fromkeys(("f2-misfits", "f2-spike"), "differs"),
        **dict.fromkeys(("lines", "others-f1", "f1-fits", "f2-faster", "f2-error-jumps"), "luck"),
        "explicit-spikes": "agrees",
    }
    assert {after[name] for name in changed} == {"undecided"}
    for verdict, then, now in (("differs", 6, 4), ("undecided", 5, 13)):
        assert (list(before.values()).count(verdict), list(after.values()).count(verdict)) == (then, now)


@pytest.mark.usefixtures("record")
def test_the_log_shows_criteria_and_confirmation_in_one_commit() -> None:
    """So the report says 'by our word'; once seeds are drawn after the criteria's commit it need not."""
    written = git("log", "-1", "--format=%H", "--", CRITERIA)
    judged = [
        commit
        for commit in git("log", "--format=%H", "--", RESULTS).splitlines()
        if json.loads(git("show", f"{commit}:{RESULTS}"))["stamp"].get("criteria") == criteria().digest
    ]
    assert judged[-1] == written
    assert BY_OUR_WORD in (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
