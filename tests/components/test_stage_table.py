"""The stage table: the core's stages, each row with the way to its beginning."""

from pathlib import Path

from components.pages.lab.callbacks.tables import record_of, tables_of
from components.pages.lab.stage_table import TITLES, stage_table
from core.config.run_config import RunConfig
from core.narrative.numbers import number
from core.run.train import train
from core.tables.summaries import stages
from tests.components.tree import attribute, components, text_of
from tests.service.services import ALICE, at_once

CONFIG = RunConfig.from_query("epochs=2000&target=five&width=5")
FRAMES = list(train(CONFIG))
STAGES = stages(CONFIG, FRAMES)


def test_every_stage_has_a_row_that_knows_where_it_begins() -> None:
    table = stage_table(CONFIG, STAGES, CONFIG.run_id)
    rows = [part for part in components(table) if attribute(part, "data-stage") is not None]
    assert len(STAGES) > 2 and [float(attribute(row, "data-start")) for row in rows] == [
        stage["start"] for stage in STAGES
    ]
    for row, stage in zip(rows, STAGES, strict=True):
        cells = [text_of(cell) for cell in row.children]
        assert len(cells) == len(TITLES)
        assert cells[0] == str(stage["stage"] + 1) and cells[3] == number(stage["floor"])


def test_what_began_a_stage_is_said_with_its_neuron_and_its_datum() -> None:
    first, later = (next(iter(stage["changes"]), None) for stage in STAGES[:2])
    assert first is None and later is not None
    text = text_of(stage_table(CONFIG, STAGES[:2], CONFIG.run_id))
    _, neuron, kind, datum = later
    verb = {"crossed": "crossed", "pinned": "pinned at"}[kind]
    assert text.endswith(f"{neuron + 1} {verb} {number(CONFIG.training_data().x[datum])}")


def test_a_stage_without_a_rate_and_a_change_without_a_datum_are_said_too() -> None:
    odd = {**STAGES[0], "rate": None, "changes": [[0.0, 2, "relocated", -1]]}
    assert text_of(stage_table(CONFIG, [odd], CONFIG.run_id)).endswith("–3 relocated")


def test_only_a_run_that_is_here_has_a_table(tmp_path: Path) -> None:
    service = at_once(tmp_path)[0]
    service.submit(CONFIG, ALICE)
    tables = tables_of(service, {"run": CONFIG.run_id, "count": 3, "status": "running"})
    assert tables is not None and attribute(tables[0], "data-run") == CONFIG.run_id
    assert text_of(tables[0]) == text_of(stage_table(CONFIG, STAGES, CONFIG.run_id))
    assert text_of(tables[1]).startswith(("Plateaus", "No plateau yet"))
    record = record_of(service, {"run": CONFIG.run_id})
    assert record is not None and " right" in text_of(record)
    shorter = tables_of(service, {"run": CONFIG.run_id, "head": 20, "status": "finished"})
    assert shorter is not None
    assert text_of(shorter[0]) == text_of(stage_table(CONFIG, stages(CONFIG, FRAMES[:20]), CONFIG.run_id))
    for told in ({}, {"run": 7}, {"run": "../../etc"}, {"run": "0" * 32}):
        assert tables_of(service, told) is None and record_of(service, told) is None
    service.close()
