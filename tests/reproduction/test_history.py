"""What the report says of its own history is what `git log` says."""

import ast
import csv
import gzip
import json
import re
import subprocess
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeGuard

import pytest

from reproduction.criteria import criteria
from reproduction.report import history
from reproduction.runs import shipped_tables
from reproduction.second import second, second_table
from reproduction.shipping import SECOND
from reproduction.verdicts import BY_OUR_WORD

ROOT = Path(__file__).resolve().parents[2]
CRITERIA = "reproduction/criteria.toml"
RESULTS = "reproduction/data/results.json"
REPORT = ROOT / "docs" / "reproduction.md"


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


def constants(commit: str, path: str) -> list[float]:
    """The numbers in a file of code, in their order; none where the file is not there."""
    try:
        tree = ast.parse(git("show", f"{commit}:{path}"))
    except subprocess.CalledProcessError:
        return []
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and is_number(node.value)]


def is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def test_every_threshold_that_was_moved_in_the_code_is_told(record: dict[str, Any]) -> None:
    """Before criteria.toml was written they stood in the code of the judges."""
    first = next(entry["commit"] for entry in record["entries"] if "criteria_written" in entry)
    rows = {git("rev-parse", entry["commit"]): entry for entry in record["entries"]}
    judges = ("reproduction/judge_methods.py", "reproduction/judge_plateaus.py", "reproduction/claims.py")
    commits = git("log", "--no-merges", "--format=%H", first, "--", *judges).splitlines()
    changed = {
        commit
        for commit in commits
        for path in judges
        if sorted(constants(commit, path)) != sorted(constants(f"{commit}^", path))
    }
    assert git("rev-parse", "e292507") in changed
    assert changed <= set(rows)


@pytest.mark.usefixtures("record")
def test_what_is_said_of_the_thresholds_of_rises_is_so() -> None:
    judge = "reproduction/judge_methods.py"
    before, after = (git("show", f"{commit}:{judge}") for commit in ("e292507^", "e292507"))
    assert "risen = [value > 1.1 for" in before and "wild = [value > 1.5 for" in before
    assert "RISE = 1.5" in after and "WILD = 2.0" in after
    words = criteria().words
    assert (words["rises"].value, words["unstable"].value) == (1.5, 2.0)
    told = [
        json.loads(git("show", f"{commit}:{RESULTS}"))["claims"][name]["ours"].rpartition(" in ")[2]
        for name in ("f2-error-rise", "f2-error-jumps")
        for commit in ("e292507", "5c89ee9")
    ]
    assert told == ["4 of 20 seeds", "0 of 20 seeds", "13 of 20 seeds", "10 of 20 seeds"]


def test_what_is_quoted_is_in_the_log(record: dict[str, Any]) -> None:
    row = record["entries"][0]["known"]
    assert "Seeds whose runs resemble the paper's" in row and "were looser where the numbers needed it" in row
    figures = git("show", "aaa938a:reproduction/figures.py")
    assert "Seeds whose runs resemble the paper's" in figures and "= 11, 2, 9, 17" in figures
    assert "were looser where the numbers needed it" in git("show", "-s", "--format=%B", "5c89ee9")
    assert "reproduction/data/results.json" in git("show", "--format=", "--name-only", "aaa938a")


def test_runs_of_the_second_set_that_were_known_early_are_told(record: dict[str, Any]) -> None:
    rows = {entry["commit"]: entry for entry in record["entries"]}
    shipped = git("grep", "-l", "seed=7000", "be106ad", "--", "reproduction/data/*.json").splitlines()
    assert all('"loss":' in git("show", name) for name in shipped[:1])
    for commit, minutes in (("4261d93", 24), ("a0a2855", 69)):
        known = rows[commit]["known"]
        assert f"{minutes} minutes" in known and "be106ad" in known and f"{len(shipped)} runs" in known
        times = [int(git("log", "-1", "--format=%at", name)) for name in (commit, "be106ad")]
        assert (times[0] - times[1] + 30) // 60 == minutes
    assert is_ancestor("be106ad", "a0a2855") and not is_ancestor("be106ad", "4261d93")


def is_ancestor(one: str, other: str) -> bool:
    command = ["git", "merge-base", "--is-ancestor", one, other]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def runs_of(commit: str) -> Counter[tuple[str, str]]:
    """How many runs each set of each sample had."""
    blob = subprocess.run(
        ["git", "show", f"{commit}:reproduction/data/runs.csv.gz"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    rows = csv.DictReader(gzip.decompress(blob).decode().splitlines())
    return Counter((row["sample"], row["set"]) for row in rows)


@pytest.mark.usefixtures("record")
def test_what_is_said_of_numbers_of_runs_is_so() -> None:
    early, later, last = map(runs_of, ("a0a2855", "c746633", "35b64c6"))
    for found, told in ((early, 2402), (later, 2678)):
        varied = sum(count for (_, which), count in found.items() if which == "ablation")
        assert (found.total() - varied, varied) == (told, 153)

    def sizes(found: Counter[tuple[str, str]], sample: str) -> tuple[int, int]:
        return found[sample, "first"], found[sample, "second"]

    assert (sizes(early, "f1_adam"), sizes(later, "f1_adam")) == ((100, 40), (40, 40))
    assert (sizes(early, "f1_flow"), sizes(later, "f1_flow")) == ((40, 16), (100, 40))
    assert (sizes(early, "sin5_anls")[1], sizes(later, "sin5_anls")[1]) == (40, 100)
    assert (sizes(early, "sin5_gd")[1], sizes(later, "sin5_gd")[1]) == (16, 40)
    assert (sizes(later, "f2_gd")[1], sizes(last, "f2_gd")[1]) == (16, 40)
    assert not set(range(40, 100)) & set(shipped_tables().explored["f1_adam"])


def test_every_second_set_that_grew_is_told_with_its_sizes(record: dict[str, Any]) -> None:
    """At the two judgings after the first one."""
    rows = {entry["commit"]: entry["did"] for entry in record["entries"]}
    before, after = runs_of("c746633"), runs_of("35b64c6")
    grown = {
        sample: (count, after[sample, which])
        for (sample, which), count in before.items()
        if which == "second" and after[sample, which] != count
    }
    assert grown == {"f2_gd": (16, 40), "sin5_long": (3, 5), "f1_flow": (40, 100), "five_gd": (40, 100)}
    told = rows["35b64c6"]
    for sample, (few, many) in grown.items():
        assert f"`{sample}`" in told and f"from {few} to {many}" in told
    at_first = {count for (_, which), count in runs_of("a0a2855").items() if which == "second"}
    smaller = {few for few, _ in grown.values()} | {16, 40}
    assert smaller <= at_first and "3, 16 or 40 seeds at first" in REPORT.read_text(encoding="utf-8")


def test_what_is_said_of_the_sizes_of_the_second_confirmation_is_so(record: dict[str, Any]) -> None:
    row = next(entry["did"] for entry in record["entries"] if entry["commit"] == "bbc051b")
    first, other = shipped_tables().confirmation, second_table()
    sizes = {(len(other[name]), len(seeds)) for name, seeds in first.items()} - {(1, 1)}
    told = {
        (int(few), int(many))
        for few, listed in re.findall(r"(\d+)(?: seeds)? in place of ((?:\d+ and )?\d+)", row)
        for many in listed.split(" and ")
    }
    assert sizes == told


def test_every_change_of_the_sets_of_seeds_has_its_row(record: dict[str, Any]) -> None:
    """From the first judging by criteria.toml until the seeds of the confirmation were planned."""
    rows = {git("rev-parse", entry["commit"]) for entry in record["entries"]}
    path = "reproduction/samples.py"
    for commit in git("log", "--no-merges", "--format=%H", "a0a2855..154a3ef", "--", path).splitlines():
        if counts(commit, path) != counts(f"{commit}^", path):
            assert commit in rows, commit


def counts(commit: str, path: str) -> dict[str, list[float]]:
    """The whole numbers of every sample, and those that are given without saying so."""
    tree = ast.parse(git("show", f"{commit}:{path}"))
    found: dict[str, list[float]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found[node.target.id] = [
                one.value for one in [node.value] if isinstance(one, ast.Constant) and is_number(one.value)
            ]
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Sample":
            given = [
                *node.args[1:],
                *(word.value for word in node.keywords if word.arg in ("seeds", "again")),
            ]
            name = node.args[0]
            assert isinstance(name, ast.Constant)
            found[str(name.value)] = [
                one.value for one in given if isinstance(one, ast.Constant) and is_number(one.value)
            ]
    return {name: numbers for name, numbers in found.items() if name != "seconds"}


@pytest.mark.usefixtures("record")
def test_the_log_shows_criteria_and_the_first_confirmation_in_one_commit() -> None:
    """So the report says 'by our word' of it."""
    written = git("log", "-1", "--format=%H", "--", CRITERIA)
    judged = [
        commit
        for commit in git("log", "--format=%H", "--", RESULTS).splitlines()
        if json.loads(git("show", f"{commit}:{RESULTS}"))["stamp"].get("criteria") == criteria().digest
    ]
    assert judged[-1] == written
    assert BY_OUR_WORD in (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")


def test_the_log_shows_the_criteria_before_the_second_confirmation(record: dict[str, Any]) -> None:
    """What the first rests on our word for, the order of commits shows here."""
    found = second()
    written = git("log", "-1", "--format=%H", "--", CRITERIA)
    assert is_ancestor(written, found["commit"]) and written != found["commit"]
    assert is_ancestor(found["commit"], "HEAD")
    path = str(SECOND.relative_to(ROOT))
    shipped = git("log", "--diff-filter=A", "--format=%H", "--", path).splitlines()
    assert all(is_ancestor(found["commit"], commit) and commit != found["commit"] for commit in shipped)
    row = next(entry for entry in record["entries"] if found["commit"].startswith(entry["commit"]))
    assert str(row["date"]) == found["date"] and f"{found['runs']:,} runs" in row["did"]
    claims = json.loads((ROOT / RESULTS).read_text(encoding="utf-8"))["claims"]
    apart = {name for name, claim in claims.items() if claim["verdict"] != found["claims"][name]["verdict"]}
    assert set(re.findall(r"`([\w-]+)`", row["did"])) == apart and len(apart) == 10
