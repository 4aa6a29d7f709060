"""Compiled kernels of one state of the sources are never used with another."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.kernel_cache import CORE, FORGOTTEN_AFTER, digest, place_for

NOW = 2e9
PROBE = "import core, numba; print(numba.config.CACHE_DIR)"


def sources(root: Path) -> Path:
    core = root / "core"
    (core / "model").mkdir(parents=True)
    (core / "service").mkdir()
    (core / "model" / "network.py").write_text("SLOPE = 1\n")
    (core / "service" / "queue.py").write_text("WAIT = 1\n")
    return core


def test_every_change_of_a_source_moves_the_place(tmp_path: Path) -> None:
    core = sources(tmp_path)
    first = digest(core)
    (core / "service" / "queue.py").write_text("WAIT = 2\n")
    assert digest(core) == first
    (core / "model" / "network.py").write_text("SLOPE = 2\n")
    second = digest(core)
    (core / "model" / "network.py").rename(core / "model" / "net.py")
    assert len({first, second, digest(core)}) == 3


def test_an_old_place_goes_and_a_recent_one_stays(tmp_path: Path) -> None:
    core = sources(tmp_path)
    first = place_for(core, tmp_path, NOW)
    assert first is not None
    (core / "model" / "network.py").write_text("SLOPE = 2\n")
    second = place_for(core, tmp_path, NOW + FORGOTTEN_AFTER - 1)
    assert second is not None and second != first and first.is_dir()
    assert place_for(core, tmp_path, NOW + FORGOTTEN_AFTER + 1) == second
    assert second.is_dir() and not first.exists()


def test_sources_that_cannot_be_written_use_the_home_and_none_is_no_error(tmp_path: Path) -> None:
    core = sources(tmp_path)
    (core / "__pycache__").write_text("a file, so that no folder can be made in it")
    home = tmp_path / "home"
    assert place_for(core, home, NOW) == home / "plateau-lab" / "kernels" / digest(core)
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    assert place_for(core, blocked, NOW) is None


@pytest.mark.slow
def test_what_numba_is_told() -> None:
    plain = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    told = [
        subprocess.run(
            [sys.executable, "-c", PROBE],
            env=env,
            cwd=CORE.parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for env in (plain, plain | {"NUMBA_CACHE_DIR": "somewhere"})
    ]
    assert told[0].endswith(digest(CORE)) and told[1] == "somewhere"
