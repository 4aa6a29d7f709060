"""Runs of every kind give the same bytes on two other processors, as far as one machine can pretend."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.core.portable.test_processors import HIDDEN
from tests.effort import cases
from tests.reproduction.short_runs import short_samples

ROOT = Path(__file__).resolve().parents[2]
OTHERS = {
    "Nehalem": {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": HIDDEN},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
}
KINDS = (
    "f1_flow",
    "f1_gd",
    "f1_anls",
    "f1_ls_adam",
    "five_gd",
    "seven",
    "sin5_explicit",
    "unit_weights",
    "cod",
)
"""Flow, descent, least squares, hybrids, pins, candidates, constructions; one seed of each."""


def output(arguments: Sequence[str], settings: dict[str, str]) -> str:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def printed(home: Path, settings: dict[str, str]) -> str:
    options = ("--seeds", "1", "--jobs", "1", "--home", str(home))
    return output(["reproduction", *options, "--only", *KINDS], settings)


@pytest.mark.slow
@pytest.mark.long
def test_numbers_have_the_same_bytes_on_other_processors(tmp_path: Path) -> None:
    here = printed(tmp_path / "here", {})
    assert all(f'"{kind}"' in here for kind in KINDS)
    for name, settings in OTHERS.items():
        assert printed(tmp_path / name, settings) == here, name


@pytest.mark.slow
def test_short_runs_of_every_sample_have_the_same_bytes_too() -> None:
    """f2 and sin 5πx, Adam, hybrids and the least-squares cut-off among them."""
    here = output(["tests.reproduction.short_runs"], {})
    found = json.loads(here)
    assert set(found) == set(short_samples())
    assert any(name.startswith("cut-off") for name in found) and all(found.values())
    for name in list(OTHERS)[: cases(1, of=len(OTHERS))]:
        assert output(["tests.reproduction.short_runs"], OTHERS[name]) == here, name
