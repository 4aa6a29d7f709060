"""What the tests of the browser's half compare with is what the core says today."""

import pytest

from tests.components.lab_fixtures import FIXTURES, FOLDER, written


@pytest.mark.parametrize("name", FIXTURES)
def test_the_fixture_is_what_the_core_says(name: str) -> None:
    held = (FOLDER / f"{name}.json").read_bytes()
    assert held == written(name), "renew it: python -m tests.components.lab_fixtures"
