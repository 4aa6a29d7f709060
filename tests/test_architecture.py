"""The layout and import rules, read off the source.

core computes and never draws; only core.service touches files, clocks, processes and
the network. Methods do not know each other, nor do panels, so that each can be
added, read and removed alone.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from components.panels import PANELS
from core.methods import METHODS

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(p for folder in ("core", "components") for p in (ROOT / folder).rglob("*.py"))
PURE = [p for p in SOURCES if p.is_relative_to(ROOT / "core") and not p.is_relative_to(ROOT / "core/service")]

IMPURE_STDLIB = {
    "asyncio", "fcntl", "glob", "http", "io", "multiprocessing", "os", "pathlib", "pickle", "random",
    "secrets", "shutil", "signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time",
    "urllib.request",
}  # fmt: skip
PURE_PACKAGES = {"core", "numpy", "scipy", "numba"}
CLOCK_EXCEPTION = ("core/run/train.py", "time")
"""The wall-clock column of a frame is the one thing in the core that reads a clock."""
SHARED = {"base", "contract", "stepping", "hybrid"}
"""What methods, or panels, have in common: the contract, and bodies that differ in a step only."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_import_inside_a_function(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = [n.lineno for f in functions for n in ast.walk(f) if isinstance(n, ast.Import | ast.ImportFrom)]
    assert not inside, f"{name(path)} imports inside a function, on lines {inside}"


@pytest.mark.parametrize("path", PURE, ids=name)
def test_numerics_are_pure(path: Path) -> None:
    modules = set(imported_modules(path))
    packages = {m.split(".")[0] for m in modules}
    foreign = packages - PURE_PACKAGES - set(sys.stdlib_module_names)
    assert not foreign, f"{name(path)} imports {sorted(foreign)}"
    impure = {m for m in modules if m in IMPURE_STDLIB and (name(path), m) != CLOCK_EXCEPTION}
    assert not impure, f"{name(path)} imports {sorted(impure)}"
    assert not any(m.startswith("core.service") for m in modules), f"{name(path)} knows of runs"


@pytest.mark.parametrize("path", [p for p in SOURCES if name(p).startswith("core")], ids=name)
def test_core_never_draws(path: Path) -> None:
    packages = {m.split(".")[0] for m in imported_modules(path)}
    assert not packages & {"dash", "plotly", "components"}, f"{name(path)} draws"


@pytest.mark.parametrize("folder", ["core/methods", "components/panels"])
def test_siblings_do_not_know_each_other(folder: str) -> None:
    package = folder.replace("/", ".")
    for path in sorted((ROOT / folder).glob("*.py")):
        if path.stem in SHARED | {"__init__"}:
            continue
        siblings = {m.split(".")[2] for m in imported_modules(path) if m.startswith(package + ".")}
        assert siblings <= SHARED, f"{name(path)} imports {sorted(siblings - SHARED)}"


def test_one_file_and_one_line_for_each_method() -> None:
    files = {p.stem for p in (ROOT / "core/methods").glob("*.py")} - SHARED - {"__init__"}
    assert files == set(METHODS)
    for key, method in METHODS.items():
        assert key == method.name
        assert method.__module__ == f"core.methods.{key}"


def test_one_file_and_one_line_for_each_panel() -> None:
    files = {p.stem for p in (ROOT / "components/panels").glob("*.py")} - SHARED - {"__init__"}
    assert files == set(PANELS)
    for key, panel in PANELS.items():
        assert key == panel.name


@pytest.mark.parametrize(
    ("suite", "registry"),
    [
        ("tests/core/methods/test_contract.py", "METHODS"),
        ("tests/components/test_panels.py", "PANELS"),
        ("tests/core/problem/test_gallery.py", "TARGETS"),
    ],
)
def test_contract_suites_run_over_the_registry(suite: str, registry: str) -> None:
    """A suite parametrised over the registry itself cannot forget an entry."""
    tree = ast.parse((ROOT / suite).read_text())
    parametrised = [
        ast.unparse(decorator)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if "parametrize" in ast.unparse(decorator)
    ]
    assert any(registry in text for text in parametrised), f"{suite} is not parametrised over {registry}"
