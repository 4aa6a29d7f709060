"""The tables of plateaus and of forecasts: what a row says, where it leads, when a forecast was right."""

from typing import Any

import numpy as np
import pytest

from components.pages.lab.run_tables import event_text, is_right, plateau_table, record_fold
from core.problem import TrainingData
from tests.components.tree import attribute, components, text_of

DATA = TrainingData(np.array([-1.0, 0.313, 1.0]), np.zeros(3))
ROW: dict[str, Any] = {
    "stage": 4,
    "from_frame": 9,
    "from_epoch": 70.5,
    "kind": "crossed",
    "at": 1200.0,
    "neuron": 6,
    "datum": 1,
    "happened_kind": "crossed",
    "happened_at": 1201.0,
    "happened_neuron": 6,
    "happened_datum": 1,
}
UNKNOWN = {"kind": "unknown", "neuron": None, "datum": None, "at": None}


def test_a_forecast_is_right_by_neuron_datum_and_epoch() -> None:
    assert is_right(ROW) is True
    assert is_right({**ROW, "neuron": 5}) is False and is_right({**ROW, "datum": 2}) is False
    assert is_right({**ROW, "at": 1216.0}) is False and is_right({**ROW, "at": 1213.0}) is True
    assert is_right({**ROW, **UNKNOWN}) is None
    assert is_right({**ROW, **UNKNOWN, "kind": "trained"}) is False


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (("crossed", 6, 1), "7 crossed 0.313"),
        (("pinned", 0, 2), "1 pinned at 1"),
        (("relocated", 2, -1), "3 relocated"),
        (("trained", None, None), "fully trained"),
        (("unknown", None, None), "unknown"),
    ],
)
def test_what_a_neuron_did_is_said_shortly(done: tuple[str, int | None, int | None], said: str) -> None:
    assert event_text(*done, DATA) == said


def test_the_record_counts_and_says_what_came_instead() -> None:
    fold = record_fold([ROW, {**ROW, "neuron": 5}, {**ROW, **UNKNOWN}], 1, DATA, "run")
    assert text_of(fold.children[0]) == "Forecasts: 1 of 2 right; no time for 1 later stage"
    rows = [part for part in components(fold) if attribute(part, "data-start")]
    assert [text_of(cell) for cell in rows[0].children] == ["5", "7 crossed 0.313", "1,200", "1,201", "yes"]
    assert text_of(rows[1].children[3]) == "7 crossed 0.313, 1,201" and rows[1].className == "pl-wrong"
    assert attribute(rows[0], "data-start") == "70.5"
    assert text_of(record_fold([], 0, DATA, "run").children[0]) == "No forecasts of this method yet"


def test_a_plateau_says_why_and_whether_it_goes_on() -> None:
    plateau = {
        "number": 2,
        "begin": 100.0,
        "end": 5e4,
        "loss_end": 0.25,
        "stage_first": 3,
        "stage_last": 7,
        "open": False,
        "why": "pinned",
    }
    table = plateau_table([plateau, {**plateau, "number": 3, "open": True, "why": "else"}], "run")
    rows = [part for part in components(table) if attribute(part, "data-start")]
    cells = [[text_of(cell) for cell in row.children] for row in rows]
    assert cells[0] == ["2", "100", "5·10⁴", "0.25", "5", "held by pinned neurons"]
    assert cells[1][2] == "goes on" and cells[1][5] == "else"
    assert (attribute(rows[0], "data-start"), attribute(rows[0], "data-end")) == ("100.0", "50000.0")
    assert text_of(plateau_table([], "run")).startswith("No plateau yet")
