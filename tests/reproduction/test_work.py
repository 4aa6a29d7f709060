"""An interrupted reproduction goes on; a changed definition is measured again."""

from dataclasses import replace
from pathlib import Path

import pytest

from reproduction.measures import Numbers
from reproduction.report import times_section
from reproduction.runs import write_runtimes
from reproduction.samples import SAMPLES
from reproduction.work import Done, Job, do_all


def count_calls(folder: Path) -> Numbers:
    """Leaves a file behind at every call."""
    number = len(list(folder.iterdir()))
    (folder / str(number)).touch()
    return {"value": float(number), "never": float("inf")}


def jobs(folder: Path) -> list[Job]:
    return [Job(f"job-{i}", "definition", 1.0, count_calls, folder) for i in range(3)]


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    folder = tmp_path / "calls"
    folder.mkdir()
    return folder


def test_what_is_done_is_not_done_again(tmp_path: Path, calls: Path) -> None:
    home = tmp_path / "home"
    first = do_all(jobs(calls)[:1], home, 1, quiet=True)
    again = do_all(jobs(calls), home, 1, quiet=True)
    assert again["job-0"] == first["job-0"]
    assert len(list(calls.iterdir())) == 3
    assert again["job-2"].numbers["never"] == float("inf")


def test_another_definition_is_computed(tmp_path: Path, calls: Path) -> None:
    job = jobs(calls)[0]
    do_all([job], tmp_path, 1, quiet=True)
    do_all([replace(job, definition="another")], tmp_path, 1, quiet=True)
    assert len(list(calls.iterdir())) == 2


def test_a_lost_file_is_made_again(tmp_path: Path, calls: Path) -> None:
    job = replace(jobs(calls)[0], file=calls / "0")
    do_all([job], tmp_path, 1, quiet=True)
    do_all([job], tmp_path, 1, quiet=True)
    (calls / "0").unlink()
    do_all([job], tmp_path, 1, quiet=True)
    assert (calls / "0").exists()


def test_torn_numbers_are_computed_again(tmp_path: Path, calls: Path) -> None:
    job = jobs(calls)[0]
    job.path(tmp_path).write_text('{"value": 1')
    assert do_all([job], tmp_path, 1, quiet=True)["job-0"].numbers["value"] == 0.0


def test_the_longest_piece_comes_first(tmp_path: Path, calls: Path) -> None:
    short, long = jobs(calls)[:2]
    found = do_all([short, replace(long, seconds=9.0)], tmp_path, 1, quiet=True)
    assert (found["job-1"].numbers["value"], found["job-0"].numbers["value"]) == (0.0, 1.0)


def test_the_wall_time_is_told_where_it_was_recorded(tmp_path: Path) -> None:
    path, sample = tmp_path / "runtimes.csv", replace(SAMPLES["seven"], seeds=2)
    found = {"seven-0": Done({}, 60.0), "seven-1": Done({}, 120.0)}
    write_runtimes(path, [sample], found)
    assert "was not recorded" in "\n".join(times_section(path))
    write_runtimes(path, [sample], found, wall=1234.0)
    told = "\n".join(times_section(path))
    assert "The 2 runs" in told and "took 3 minutes of one processor" in told
    assert "A whole `make reproduce` took 21 minutes" in told
