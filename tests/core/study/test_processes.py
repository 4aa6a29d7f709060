"""A study in several processes has the same rows; failures and interruptions cost nothing but themselves."""

import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from core import RunConfig, study
from core.study import processes
from core.study import study as module_study
from core.study.rows import Row

ROOT = Path(__file__).resolve().parents[3]
QUERY = "target=f1&points=30&seed=0..2&width=3,5&method=anls,gd&epochs=100"
CLOCKS = ("seconds", "seconds_to_")


def without_clocks(row: Row) -> Row:
    return {key: value for key, value in row.items() if not key.startswith(CLOCKS)}


def test_processes_give_the_same_rows() -> None:
    one, two = study(QUERY), study(QUERY, workers=2)
    assert [without_clocks(row) for row in one] == [without_clocks(row) for row in two]
    assert isinstance(one, list) and one.is_complete and two.is_complete
    assert isinstance(two.to_pandas(), pd.DataFrame)
    assert "12 of 12 runs" in repr(two)


def test_a_script_without_a_guard_may_use_processes(tmp_path: Path) -> None:
    script = tmp_path / "plain.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom core import study\n"
        "print(len(study('target=five&seed=0..3&method=lsq&epochs=1', workers=2)))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "4", done.stderr


def test_a_run_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    real = sys.modules["core.study.study"].row_of_run

    def failing(config: RunConfig) -> Row:
        if config.seed == 1:
            raise FloatingPointError("on purpose")
        return real(config)

    monkeypatch.setattr(sys.modules["core.study.study"], "row_of_run", failing)
    rows = study("target=five&seed=0..2&method=lsq&epochs=1")
    assert [row["outcome"] == "failed" for row in rows] == [False, True, False]
    assert list(rows.errors.values()) == ["FloatingPointError: on purpose"]


def test_a_process_that_dies_costs_its_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = processes.Process.ask

    def killing(self: processes.Process, place: int, config: RunConfig) -> processes.RunAnswer:
        if place == 1 and not asked:
            asked.append(place)
            real(self, place, config)
            assert self._child is not None
            self._child.kill()
            self._child.wait()
        return real(self, place, config)

    monkeypatch.setattr(processes.Process, "ask", killing)
    rows = study("target=five&seed=0..4&method=lsq&epochs=1", workers=2)
    assert [row["outcome"] == "failed" for row in rows] == [False, True, False, False, False]
    assert str(-signal.SIGKILL) in next(iter(rows.errors.values()))


def test_an_interruption_keeps_the_rows_and_resume_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[RunConfig] = []
    real = sys.modules["core.study.study"].row_of_run

    def interrupted(config: RunConfig) -> Row:
        if len(done) == 2:
            done.append(config)
            raise KeyboardInterrupt
        done.append(config)
        return real(config)

    monkeypatch.setattr(sys.modules["core.study.study"], "row_of_run", interrupted)
    part = study(QUERY)
    assert len(part) == 2 and not part.is_complete and part.runs == 12
    whole = part.resume(workers=2)
    assert whole.is_complete and len(part) == 2
    assert [without_clocks(row) for row in whole] == [without_clocks(row) for row in module_study(QUERY)]


def test_wrong_workers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"workers: 0 is not allowed"):
        study(QUERY, workers=0)


def test_a_bar_counts_runs(capsys: pytest.CaptureFixture[str]) -> None:
    study("target=five&seed=0..2&method=lsq&epochs=1", progress=True)
    assert "3/3" in capsys.readouterr().err
