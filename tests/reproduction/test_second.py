"""The second confirmation is judged by the criteria as they are, and contradicts nothing that ships."""

import json
import subprocess
from pathlib import Path

import pytest

from reproduction import __main__ as command
from reproduction import second as module
from reproduction.__main__ import REPORT, referee_samples
from reproduction.claims import opposite
from reproduction.criteria import criteria
from reproduction.runs import shipped_tables
from reproduction.second import second, second_document, second_sentence, second_table, write_second
from reproduction.shipping import DATA, SECOND
from reproduction.work import Results


@pytest.fixture(scope="module")
def table() -> Results:
    return second_table()


def test_its_verdicts_follow_from_its_numbers(table: Results) -> None:
    found = second()
    assert found["criteria"] == criteria().digest
    assert second_document(table, found["commit"], found["date"]) == found


def test_no_verdict_that_ships_is_contradicted(table: Results) -> None:
    shipped = json.loads((DATA / "results.json").read_text(encoding="utf-8"))["claims"]
    again = second_document(table, "", "")["claims"]
    pairs = {name: (claim["verdict"], again[name]["verdict"]) for name, claim in shipped.items()}
    assert not [name for name, pair in pairs.items() if opposite(*pair)]
    apart = [pair for pair in pairs.values() if pair[0] != pair[1]]
    assert len(apart) == 10 and all("undecided" in pair for pair in apart)
    told = second_sentence({name: claim["verdict"] for name, claim in shipped.items()})
    assert "0 of 60 verdicts contradict; 10 are not decidable" in told
    assert told in REPORT.read_text(encoding="utf-8")


def test_its_seeds_are_no_others(table: Results) -> None:
    first = second()["first"]
    assert {name: set(seeds) for name, seeds in table.items()} == {
        sample.name: set(range(first, first + len(table[sample.name]))) for sample in referee_samples(first)
    }
    others = shipped_tables()
    for name, seeds in table.items():
        assert not set(seeds) & {*others.explored[name], *others.confirmation[name]}


def test_it_is_written_as_it_was_read(
    table: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = second()
    monkeypatch.setattr(module, "SECOND", tmp_path / SECOND.name)
    monkeypatch.setattr(module, "SECOND_RUNS", tmp_path / "runs.csv.gz")
    write_second(table, found["commit"], found["date"])
    assert (tmp_path / SECOND.name).read_bytes() == SECOND.read_bytes()


def test_other_criteria_have_no_second_confirmation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / SECOND.name
    path.write_text(json.dumps({**second(), "criteria": "another"}))
    monkeypatch.setattr(module, "SECOND", path)
    second.cache_clear()
    try:
        assert second() == {} and second_sentence({}) == ""
    finally:
        second.cache_clear()


def test_runs_are_kept_under_the_commit_of_their_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that is in no commit has made nothing that can be checked."""
    (tmp_path / "core").mkdir()
    code = tmp_path / "core" / "code.py"
    code.write_text("A = 1\n")

    def git(*arguments: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        done = subprocess.run(
            ["git", *who, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Code")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    assert command.commit_of_code() == git("rev-parse", "HEAD")
    code.write_text("A = 2\n")
    with pytest.raises(SystemExit, match="commit the code first"):
        command.commit_of_code()
