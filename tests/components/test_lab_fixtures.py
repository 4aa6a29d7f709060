"""What the tests of the browser's half compare with is what the core says today."""

from typing import Any

import orjson
import pytest

from tests.components.lab_fixtures import FIXTURES, FOLDER, written

RATES = 1e-12
"""Rates are derived with LAPACK and NumPy's powers, whose last bits differ between processors
(docs/architecture.md says which numbers are promised); all else is equal bit by bit."""


@pytest.mark.parametrize("name", FIXTURES)
def test_the_fixture_is_what_the_core_says(name: str) -> None:
    held, now = (FOLDER / f"{name}.json").read_bytes(), written(name)
    if name == "race":
        held_runs, runs = orjson.loads(held), orjson.loads(now)
        for held_run, run in zip(held_runs, runs, strict=True):
            assert close(held_run.pop("rates"), run.pop("rates")), (
                "renew it: python -m tests.components.lab_fixtures"
            )
        held, now = orjson.dumps(held_runs), orjson.dumps(runs)
    if name == "panels":
        now = without_newcomers(orjson.loads(held), orjson.loads(now))
    assert held == now, "renew it: python -m tests.components.lab_fixtures"


def without_newcomers(held: dict[str, Any], now: dict[str, Any]) -> bytes:
    """The specification without panels and methods that nobody has written down yet."""
    names = [panel["name"] for panel in held["panels"]]
    now["panels"] = [panel for panel in now["panels"] if panel["name"] in names]
    for kind in ("methods", "summaries"):
        now[kind] = {name: value for name, value in now[kind].items() if name in held[kind]}
    return orjson.dumps(now, option=orjson.OPT_APPEND_NEWLINE)


def close(held: Any, now: Any) -> bool:
    """Whether two documents are alike but for the last bits of their numbers."""
    if isinstance(held, dict) and isinstance(now, dict):
        return held.keys() == now.keys() and all(close(value, now[key]) for key, value in held.items())
    if isinstance(held, list) and isinstance(now, list):
        return len(held) == len(now) and all(map(close, held, now))
    if isinstance(held, float) and isinstance(now, float):
        return held == pytest.approx(now, rel=RATES, abs=0.0)
    return bool(held == now)


def test_another_digit_is_a_difference() -> None:
    held = {"1": {"lower": [0.5, None, 3]}}
    assert close(held, {"1": {"lower": [0.5 + 1e-16, None, 3]}})
    for lower in ([0.5 + 1e-10, None, 3], [0.5, 0.0, 3], [0.5, None]):
        assert not close(held, {"1": {"lower": lower}})
