"""Whoever trains in a script is told from the first second that kernels are being compiled."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import njit

from core.run.compiling import MESSAGE, CompilingShown
from tests.core.test_processors import ROOT

FIRST = """
from core import RunConfig, train
next(train(RunConfig.from_query("points=10&width=2&method=lsq")))
"""


@njit
def doubled(x: float) -> float:
    return x + x


def test_a_bar_grows_while_kernels_are_compiled_and_is_gone_afterwards(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = CompilingShown()
    monkeypatch.setattr("core.run.compiling._is_live", lambda: True)
    with shown.installed(), shown.installed():
        doubled(1.0)
    said = capsys.readouterr().err
    assert said.startswith(f"\r{MESSAGE} [") and said.endswith("\r") and "] 1" in said
    with shown.installed():
        doubled(2.0)
    assert not capsys.readouterr().err, "nothing had to be compiled"


def test_a_log_has_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with CompilingShown().installed():
        doubled(1)
        doubled(1j)
    assert capsys.readouterr().err == f"{MESSAGE} ...\n"


@pytest.mark.slow
def test_a_first_run_says_so(tmp_path: Path) -> None:
    """Before it has compiled anything; the process is not waited for."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA")}
    command = [sys.executable, "-c", FIRST]
    cold = environment | {"XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, env=cold, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == f"{MESSAGE} ...\n"
        process.kill()
