"""Compiled kernels of one state of the sources are never used with another."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.kernel_cache import CORE, FORGOTTEN_AFTER, digest, place_for

NOW = 2e9
MINE = """
from numba import njit

@njit(cache=True)
def twice(x):
    return x + x
"""
COUNT = """
import json
import numpy
from core.portable.sums import total
total(numpy.ones(3))
print(json.dumps([sum(total.stats.cache_hits.values()), sum(total.stats.cache_misses.values())]))
"""
UNSET = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "PYTHONDONTWRITEBYTECODE")
PROBE = """
import json, numba
before = numba.config.CACHE_DIR
import core, mine
from core.kernel_cache import CACHE_DIR
from core.portable.sums import total
mine.twice(1.0)
print(json.dumps({
    "before": before, "setting": numba.config.CACHE_DIR, "place": str(CACHE_DIR),
    "kernel": total.stats.cache_path, "mine": mine.twice.stats.cache_path,
}))
"""


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


def test_a_place_that_another_process_removes_meanwhile_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = sources(tmp_path)
    first = place_for(core, tmp_path / "home", NOW)
    assert first is not None
    listed = Path.iterdir

    def with_one_that_is_gone(base: Path) -> Iterator[Path]:
        yield base / "gone"
        yield from listed(base)

    monkeypatch.setattr(Path, "iterdir", with_one_that_is_gone)
    (core / "model" / "network.py").write_text("SLOPE = 2\n")
    second = place_for(core, tmp_path / "home", NOW + FORGOTTEN_AFTER + 1)
    assert second is not None and second.parent == first.parent
    assert not first.exists()


def test_a_home_that_cannot_be_written_leaves_the_sources_and_none_is_no_error(tmp_path: Path) -> None:
    core = sources(tmp_path)
    home = tmp_path / "home"
    assert place_for(core, home, NOW) == home / "plateau-lab" / "kernels" / digest(core)
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, so that no folder can be made in it")
    assert place_for(core, blocked, NOW) == core / "__pycache__" / "kernels" / digest(core)
    shutil.rmtree(core / "__pycache__")
    (core / "__pycache__").write_text("")
    assert place_for(core, blocked, NOW) is None


def test_a_second_copy_of_the_same_sources_compiles_nothing(tmp_path: Path) -> None:
    """The kernels of one version serve every checkout of it, whenever it was made."""
    hits = []
    for copy in ("first", "second"):
        cold = shutil.ignore_patterns("__pycache__")
        shutil.copytree(CORE, tmp_path / copy / "core", ignore=cold, copy_function=shutil.copy)
        env = {name: value for name, value in os.environ.items() if name not in UNSET}
        env |= {"PYTHONPATH": str(tmp_path / copy), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        command = [sys.executable, "-c", COUNT]
        counted = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, check=True)
        hits.append(json.loads(counted.stdout))
    assert hits == [[0, 1], [1, 0]]


def test_kernels_of_the_core_have_their_place_and_those_of_others_theirs(tmp_path: Path) -> None:
    """A program that imports the core, and caches a kernel of its own, finds numba as it was."""
    (tmp_path / "mine.py").write_text(MINE)
    plain = {name: value for name, value in os.environ.items() if name not in UNSET}
    plain["PYTHONPATH"] = f"{CORE.parent}{os.pathsep}{tmp_path}"
    given = str(tmp_path / "given")
    asked = [
        subprocess.run([sys.executable, "-c", PROBE], env=env, capture_output=True, check=True).stdout
        for env in (plain, plain | {"NUMBA_CACHE_DIR": given})
    ]
    own, set_by_user = map(json.loads, asked)
    assert own["setting"] == own["before"] == ""
    assert Path(own["kernel"]).parent == Path(own["place"]) and own["place"].endswith(digest(CORE))
    assert own["mine"] == str(tmp_path / "__pycache__") and list(
        (tmp_path / "__pycache__").glob("mine.*.nbi")
    )
    assert set_by_user["setting"] == set_by_user["before"] == set_by_user["place"] == given
    assert Path(set_by_user["kernel"]).parent == Path(set_by_user["mine"]).parent == Path(given)
