"""Compiled kernels of one state of the sources are never used with another."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.kernel_cache import CORE, UNUSED_SECONDS, Sources, remove_unused, writable_base
from tests.architecture import imported_modules

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
from core.kernel_cache import cache_dir
from core.portable.sums import total
mine.twice(1.0)
print(json.dumps({
    "before": before, "setting": numba.config.CACHE_DIR, "place": str(cache_dir()),
    "kernel": total.stats.cache_path, "mine": mine.twice.stats.cache_path,
}))
"""


def copied(root: Path) -> Path:
    """Three modules: `step` imports `network`, which imports `tables` through its package."""
    core = root / "core"
    for package in ("model", "portable", "service"):
        (core / package).mkdir(parents=True)
    (core / "portable" / "__init__.py").write_text("from .tables import LOG\n")
    (core / "portable" / "tables.py").write_text("LOG = 1\n")
    (core / "model" / "__init__.py").write_text("")
    (core / "model" / "network.py").write_text("from ..portable import (\n    LOG,  # used below\n)\n")
    (core / "model" / "step.py").write_text("from . import network\nfrom core.model import other as that\n")
    (core / "model" / "other.py").write_text("import core.portable.tables\n")
    (core / "model" / "alone.py").write_text("SLOPE = 1\n")
    return core


def names(core: Path) -> dict[str, str]:
    """The digest behind the folder of each module's kernels."""
    state = Sources(core, "core")
    modules = [path for path in core.rglob("*.py") if path.name != "__init__.py"]
    return {path.stem: state.digest(state.imported_by(path)) for path in modules}


@pytest.mark.parametrize(
    ("changed", "moved"),
    [
        ("portable/tables.py", {"tables", "network", "step", "other"}),
        ("portable/__init__.py", {"network", "step"}),
        ("model/network.py", {"network", "step"}),
        ("model/other.py", {"other", "step"}),
        ("model/__init__.py", set()),
        ("model/alone.py", {"alone"}),
    ],
)
def test_an_edit_moves_the_kernels_that_it_can_change_and_no_others(
    tmp_path: Path, changed: str, moved: set[str]
) -> None:
    core = copied(tmp_path)
    before = names(core)
    (core / changed).write_text((core / changed).read_text() + "MORE = 1\n")
    after = names(core)
    assert {name for name in before if before[name] != after[name]} == moved


def test_imports_are_read_as_the_parser_reads_them() -> None:
    """Each module of the core: what its text seems to import is what it imports."""
    read = Sources(CORE, "core")
    for path in sorted(read.numerics()):
        expected = set()
        for module in imported_modules(path):
            parts = module.split(".")[1:]
            if module.startswith("core."):
                target = CORE.joinpath(*parts)
                files = (target.with_suffix(".py"), target / "__init__.py")
                expected |= {file for file in files if file.is_file() and file.name != "__init__.py"}
        assert expected <= read.imported_by(path), path


def test_what_is_not_used_for_a_week_goes(tmp_path: Path) -> None:
    for name, age in (("old", UNUSED_SECONDS + 1), ("recent", UNUSED_SECONDS - 1)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (NOW - age, NOW - age))
    remove_unused(tmp_path, NOW)
    assert [entry.name for entry in tmp_path.iterdir()] == ["recent"]


def test_a_folder_that_another_process_removes_meanwhile_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").mkdir()
    os.utime(tmp_path / "old", (0.0, 0.0))
    listed = list(tmp_path.iterdir())
    monkeypatch.setattr(Path, "iterdir", lambda _: iter([tmp_path / "gone", *listed]))
    remove_unused(tmp_path, NOW)
    assert not (tmp_path / "old").exists()


def test_a_home_that_cannot_be_written_leaves_the_sources_and_none_is_no_error(tmp_path: Path) -> None:
    core = copied(tmp_path)
    home = tmp_path / "home"
    assert writable_base(core, home) == home / "plateau-lab"
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, so that no folder can be made in it")
    assert writable_base(core, blocked) == core / "__pycache__" / "plateau-lab"
    shutil.rmtree(core / "__pycache__")
    (core / "__pycache__").write_text("")
    assert writable_base(core, blocked) is None


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
    kernels = Path(own["place"]).parents[1] / "kernels"
    assert Path(own["kernel"]).parent == kernels
    assert Path(own["kernel"]).name.startswith("core.portable.sums-")
    assert own["mine"] == str(tmp_path / "__pycache__") and list(
        (tmp_path / "__pycache__").glob("mine.*.nbi")
    )
    assert set_by_user["setting"] == set_by_user["before"] == set_by_user["place"] == given
    assert Path(set_by_user["kernel"]).parent == Path(set_by_user["mine"]).parent == Path(given)


STATE = """
import json, os, signal, sys, threading, warnings
import numba, numpy
from numba.core import caching, dispatcher

def state():
    return {
        "locators": [kind.__name__ for kind in caching.CacheImpl._locator_classes],
        "numba": {name: repr(value) for name, value in vars(numba.config).items() if name.isupper()},
        "dispatcher": dispatcher.FunctionCache is caching.FunctionCache,
        "environment": dict(os.environ),
        "warnings": list(map(repr, warnings.filters)),
        "numpy": numpy.geterr() | numpy.get_printoptions(),
        "signals": [repr(signal.getsignal(number)) for number in signal.valid_signals()],
        "hooks": [repr(sys.excepthook), repr(sys.unraisablehook), repr(threading.excepthook)],
        "threads": threading.active_count(),
        "files": sorted(os.path.join(*found) for root in sys.argv[1:] for found in walked(root)),
    }

def walked(root):
    return [(folder, name) for folder, _, names in os.walk(root) for name in names + ["."]]

before = state()
import core, core.client
print(json.dumps([before, state()], default=str))
"""


def test_an_import_changes_nothing_of_the_process(tmp_path: Path) -> None:
    """Numba, the environment, warnings, signals and threads stay as they are, and no file is made."""
    sources, home = tmp_path / "sources", tmp_path / "home"
    home.mkdir()
    shutil.copytree(CORE, sources / "core", ignore=shutil.ignore_patterns("__pycache__", "service"))
    env = {name: value for name, value in os.environ.items() if name not in UNSET}
    env |= {"PYTHONPATH": str(sources), "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    command = [sys.executable, "-B", "-c", STATE, str(home), str(sources)]
    found = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, check=True)
    before, after = json.loads(found.stdout)
    assert {key for key in before if before[key] != after[key]} == set()
