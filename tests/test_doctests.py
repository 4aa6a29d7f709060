"""The examples in docstrings run, and every public name of the package has one."""

import doctest
import importlib
import pkgutil

import pytest

import core

SKIPPED = ("core.service", "core.__main__", "core.figures")
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(core.__path__, "core.")
    if not found.name.startswith(SKIPPED)
)
CONSTANTS = {"METHODS", "TARGETS", "__version__"}


def test_examples_run() -> None:
    failed = {}
    for name in MODULES:
        result = doctest.testmod(importlib.import_module(name))
        if result.failed:
            failed[name] = result.failed
    assert not failed


@pytest.mark.parametrize("name", sorted(set(core.__all__) - CONSTANTS))
def test_public_names_have_an_example(name: str) -> None:
    assert ">>>" in (getattr(core, name).__doc__ or ""), name
