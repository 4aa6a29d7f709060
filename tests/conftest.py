"""How random tests draw their cases, and what runs first."""

import os

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None, max_examples=50)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("PLATEAU_HYPOTHESIS", "repeatable"))

LONGEST = (
    "reproduction/test_processors.py",
    "test_architecture.py::test_every_module_imports_alone",
    "core/theory/test_convergence.py",
    "core/test_interrupts.py",
    "core/test_interpreted.py",
    "core/test_processors.py",
    "reproduction/test_shipped.py",
    "reproduction/test_measures.py",
    "faults/",
)
"""Begun first: begun last, one of them keeps a core busy while the other has nothing left to do."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        name = item.nodeid.removeprefix("tests/")
        return next((k for k, start in enumerate(LONGEST) if name.startswith(start)), len(LONGEST))

    items.sort(key=place)
