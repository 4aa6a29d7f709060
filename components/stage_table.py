"""The table of a run's stages: a row leads to its stage; the browser only marks the current one."""

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from core.config import RunConfig
from core.run import number
from core.types import FloatArray

Stage = Mapping[str, Any]
"""One entry of core.service.history.stages."""

TITLES = ("Stage", "From", "Length", "Floor Q₀", "Rate", "What began it")
VERBS = {
    "crossed": "crossed",
    "pinned": "pinned at",
    "released": "released from",
    "moved": "moved over",
    "relocated": "relocated",
}


def stage_table(config: RunConfig, stages: Sequence[Stage], run_id: str) -> html.Table:
    """All stages; where a row leads is in its data, so that a click needs no server."""
    x = config.training_data().x
    return html.Table(
        [
            html.Caption(f"Stages of {config.method.title}", className="visually-hidden"),
            html.Thead(html.Tr([html.Th(title, scope="col") for title in TITLES])),
            html.Tbody([_row(stage, x) for stage in stages]),
        ],
        className="pl-table",
        **{"data-run": run_id},
    )


def _row(stage: Stage, x: FloatArray) -> html.Tr:
    name = str(stage["stage"] + 1)
    jump = html.Button(name, className="pl-jump", type="button", **{"aria-label": f"Jump to stage {name}"})
    rate = stage["rate"]
    texts = [
        number(stage["start"]),
        number(stage["end"] - stage["start"]),
        number(stage["floor"]),
        "–" if rate is None else number(rate, 2),
        began(stage, x),
    ]
    return html.Tr(
        [html.Td(jump), *(html.Td(text) for text in texts)],
        **{"data-stage": str(stage["stage"]), "data-start": repr(float(stage["start"]))},
    )


def began(stage: Stage, x: FloatArray) -> str:
    """What began a stage, short enough for a table."""
    return ", ".join(
        f"{neuron + 1} {VERBS[kind]}" + (f" {number(float(x[datum]))}" if datum >= 0 else "")
        for _, neuron, kind, datum in stage["changes"]
    )
