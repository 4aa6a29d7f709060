"""The examples in docstrings run, and every public name of the package has one."""

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import components.figures
import core
from core.client import LabClient
from core.study import StudyResult
from tests.service.sites import Site, served

SKIPPED = ("core.service", "core.__main__", "core.figures")
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(core.__path__, "core.")
    if not found.name.startswith(SKIPPED)
)
OWNERS = (core.FitResult, StudyResult, core.RunConfig, LabClient)
"""Classes whose methods people call."""
CONSTANTS = {"METHODS", "TARGETS", "__version__"}
REFERENCE = (Path(__file__).parents[1] / "docs/reference/python.md").read_text()
LISTED = re.findall(r"^::: ([\w.]+)$", REFERENCE, re.MULTILINE)
"""What the reference shows."""


def found_at(path: str) -> Any:
    """What a dotted name names."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def public_names() -> dict[str, Any]:
    """All that people use by name: what the package offers, what the reference shows, and their methods."""
    offered = {f"core.{name}": getattr(core, name) for name in set(core.__all__) - CONSTANTS}
    figures = {f"figures.{name}": getattr(components.figures, name) for name in components.figures.__all__}
    named = offered | figures | {path: found_at(path) for path in LISTED}
    for owner in OWNERS:
        methods = inspect.getmembers(owner, callable)
        named |= {
            f"{owner.__name__}.{name}": method
            for name, method in methods
            if name in vars(owner) and not name.startswith("_")
        }
    return named


NAMES = public_names()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A Lab where `LabClient()` looks for one."""
    with served(Site(tmp_path_factory.mktemp("home"))) as url, pytest.MonkeyPatch.context() as patch:
        patch.setattr(LabClient.__init__, "__defaults__", (url, None, ""))
        yield


@pytest.mark.parametrize("name", [*MODULES, "components.figures.pictures"])
@pytest.mark.usefixtures("lab")
def test_examples_run(name: str) -> None:
    assert not doctest.testmod(importlib.import_module(name)).failed


NUMPYDOC = (
    *("core.theory", "core.model", "core.least_squares", "core.analysis", "core.frames", "core.methods.anls"),
    *("core.config", "core.study", "core.problem", "core.problem.tables", "core.run", "core.fitting"),
)
"""Packages whose functions say what they take and give, with an example."""


@pytest.mark.parametrize("package", NUMPYDOC)
def test_public_functions_have_numpydoc(package: str) -> None:
    module = importlib.import_module(package)
    functions = [(name, inspect.unwrap(getattr(module, name))) for name in module.__all__]
    documents = {name: function.__doc__ or "" for name, function in functions if inspect.isfunction(function)}
    sections = ("Parameters\n", "Returns\n", "Examples\n", ">>>")
    assert {n for n, document in documents.items() if not all(part in document for part in sections)} == set()


@pytest.mark.parametrize("name", sorted(NAMES))
def test_public_names_have_a_docstring_and_those_that_are_imported_an_example(name: str) -> None:
    text = inspect.getdoc(NAMES[name]) or ""
    assert text, name
    assert ">>>" in text or name.split(".")[0] in {owner.__name__ for owner in OWNERS}, name


@pytest.mark.parametrize("owner", OWNERS, ids=lambda owner: owner.__name__)
def test_methods_appear_in_an_example(owner: type) -> None:
    """A method of a class that people import is shown in use, by its own docstring or that of its class."""
    names = [name for name in vars(owner) if not name.startswith("_") and callable(getattr(owner, name))]
    documents = (inspect.getdoc(owner), *(inspect.getdoc(getattr(owner, name)) for name in names))
    lines = [line for text in documents for line in (text or "").splitlines()]
    shown = " ".join(line for line in lines if line.lstrip().startswith((">>>", "...")))
    assert not [name for name in names if f".{name}(" not in shown]
