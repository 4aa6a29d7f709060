"""The table of a run's stages."""

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from components.pages.lab.run_tables import event_text, run_row, run_table
from core.config import RunConfig
from core.narrative import number
from core.problem import TrainingData

Stage = Mapping[str, Any]
"""One entry of core.tables.summaries.stages."""

TITLES = ("Stage", "From", "Length", "Floor Q₀", "Rate", "What began it")


def stage_table(config: RunConfig, stages: Sequence[Stage], run_id: str) -> html.Table:
    """All stages."""
    data = config.training_data()
    caption = html.Caption(f"Stages of {config.method.title}", className="visually-hidden")
    return run_table(caption, TITLES, [_row(stage, data) for stage in stages], run_id)


def _row(stage: Stage, data: TrainingData) -> html.Tr:
    rate = stage["rate"]
    texts = [
        str(stage["number"] + 1),
        number(stage["start"]),
        number(stage["end"] - stage["start"]),
        number(stage["floor"]),
        "–" if rate is None else number(rate, 2),
        ", ".join(event_text(kind, neuron, datum, data) for _, neuron, kind, datum in stage["changes"]),
    ]
    return run_row("stage", texts, stage["start"], more={"data-stage": str(stage["number"])})
