"""The examples in docstrings run, and every public name of the package has one."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import components.figures
import core
from core.study import StudyResult

SKIPPED = ("core.service", "core.__main__", "core.figures")
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(core.__path__, "core.")
    if not found.name.startswith(SKIPPED)
)
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
    for owner in (core.FitResult, StudyResult, core.RunConfig, found_at("core.client.LabClient")):
        methods = inspect.getmembers(owner, callable)
        named |= {
            f"{owner.__name__}.{name}": method
            for name, method in methods
            if name in vars(owner) and not name.startswith("_")
        }
    return named


NAMES = public_names()


def test_examples_run() -> None:
    failed = {}
    for name in [*MODULES, "components.figures.pictures"]:
        result = doctest.testmod(importlib.import_module(name))
        if result.failed:
            failed[name] = result.failed
    assert not failed


NUMPYDOC = ("core.theory", "core.model", "core.least_squares", "core.analysis", "core.frames")
"""Packages whose functions say what they take and give, with an example."""


@pytest.mark.parametrize("package", NUMPYDOC)
def test_public_functions_of_the_mathematics_have_numpydoc(package: str) -> None:
    module = importlib.import_module(package)
    functions = {name: getattr(module, name) for name in module.__all__}
    documents = {name: f.__doc__ or "" for name, f in functions.items() if inspect.isfunction(f)}
    sections = ("Parameters\n", "Returns\n", "Examples\n", ">>>")
    assert {n for n, document in documents.items() if not all(part in document for part in sections)} == set()


@pytest.mark.parametrize("name", sorted(NAMES))
def test_public_names_have_a_docstring_and_those_that_are_imported_an_example(name: str) -> None:
    text = inspect.getdoc(NAMES[name]) or ""
    assert text, name
    owner = name.split(".")[0]
    in_class = owner in ("FitResult", "StudyResult", "RunConfig", "LabClient")
    assert ">>>" in text or in_class, name


def test_methods_of_results_appear_in_an_example() -> None:
    """A method of a class that people import is shown in use, by its own docstring or that of its class."""
    for owner in (core.FitResult, StudyResult):
        methods = [
            name for name, value in vars(owner).items() if callable(value) and not name.startswith("_")
        ]
        shown = " ".join(
            line
            for text in (inspect.getdoc(owner), *(inspect.getdoc(getattr(owner, name)) for name in methods))
            for line in (text or "").splitlines()
            if line.lstrip().startswith((">>>", "..."))
        )
        assert not [name for name in methods if f".{name}(" not in shown]
