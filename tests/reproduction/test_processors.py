"""Runs of every kind give the same bytes on two other processors, as far as one machine can pretend."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.portable.test_processors import HIDDEN

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


def printed(home: Path, settings: dict[str, str]) -> str:
    command = [sys.executable, "-m", "reproduction", "--seeds", "1", "--jobs", "1", "--home", str(home)]
    done = subprocess.run(
        [*command, "--only", *KINDS], cwd=ROOT, env=os.environ | settings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_numbers_have_the_same_bytes_on_other_processors(tmp_path: Path) -> None:
    here = printed(tmp_path / "here", {})
    assert all(f'"{kind}"' in here for kind in KINDS)
    for name, settings in OTHERS.items():
        assert printed(tmp_path / name, settings) == here, name
