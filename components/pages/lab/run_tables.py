"""The short tables above that of the stages: the plateaus of a run, and how the forecasts fared.

Where a row leads is in its data, so that a click needs no server; the browser marks the current one.
"""

from collections.abc import Mapping, Sequence
from math import ceil, inf
from typing import Any

from dash import html

from components.common.help import STANDSTILLS
from core.narrative import number, place_of_datum
from core.problem import TrainingData

Entry = Mapping[str, Any]
"""A plateau of core.tables.summaries, or a row of a track record."""

NEAR = 0.01
"""A forecast is right to an epoch and this share of it."""
VERBS = {
    "crossed": "crossed",
    "pinned": "pinned at",
    "released": "released from",
    "moved": "moved over",
    "relocated": "relocated",
    "hopping": "begins to hop over",
    "settled": "no longer hops over",
}
VERDICTS = {True: "yes", False: "no", None: "–"}


def event_text(kind: str, neuron: int | None, datum: int | None, data: TrainingData) -> str:
    """What a neuron did, as "7 crossed 0.313"."""
    if neuron is None:
        return "fully trained" if kind == "trained" else kind
    where = f" {place_of_datum(data, datum)}" if datum is not None and datum >= 0 else ""
    return f"{neuron + 1} {VERBS.get(kind, kind)}{where}"


def run_table(
    caption: html.Caption | None, titles: Sequence[str], rows: Sequence[html.Tr], run: str
) -> html.Table:
    """A table of one run."""
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in titles]))
    parts = [*([caption] if caption else []), head, html.Tbody(list(rows))]
    return html.Table(parts, className="pl-table", **{"data-run": run})


def run_row(
    what: str, texts: Sequence[str], start: float, end: float | None = None, more: Mapping[str, str] = {}
) -> html.Tr:
    """A row that leads to an epoch; `what` is what its first cell numbers."""
    label = {"aria-label": f"Go to {what} {texts[0]}"}
    jump = html.Button(texts[0], className="pl-jump", type="button", **label)
    extent = {"data-start": repr(float(start))} | ({} if end is None else {"data-end": repr(float(end))})
    return html.Tr([html.Td(jump), *(html.Td(text) for text in texts[1:])], **extent, **more)


def plateau_table(plateaus: Sequence[Entry], run: str) -> html.Table:
    """Where the loss stands still, and why."""
    rows = [
        run_row(
            "plateau",
            [
                str(one["number"]),
                number(one["begin"]),
                "goes on" if one["open"] else number(one["end"]),
                number(one["loss_end"]),
                str(one["stage_last"] - one["stage_first"] + 1),
                STANDSTILLS.get(one["why"], str(one["why"])),
            ],
            one["begin"],
            one["end"],
        )
        for one in plateaus
    ]
    caption = html.Caption("Plateaus" if rows else "No plateau yet")
    return run_table(caption, ("Plateau", "From", "To", "Loss", "Stages", "Why it stands still"), rows, run)


def is_right(row: Entry) -> bool | None:
    """The right one and, nearly, when; None where nothing was predicted."""
    if row["kind"] == "unknown":
        return None
    came = row["happened_neuron"], row["happened_datum"]
    same = row["kind"] == row["happened_kind"] if came[0] is None else (row["neuron"], row["datum"]) == came
    when = row["happened_at"]
    return same and abs((inf if row["at"] is None else row["at"]) - when) <= 1 + NEAR * when


def record_fold(rows: Sequence[Entry], left: int, data: TrainingData, run: str) -> html.Details:
    """All forecasts of a run, so that one can bet against them."""
    verdicts = [is_right(row) for row in rows]
    told = [verdict for verdict in verdicts if verdict is not None]
    more = f"; no time for {left} later {'stage' if left == 1 else 'stages'}" if left else ""
    title = (
        f"Forecasts: {sum(told)} of {len(told)} right{more}" if told else "No forecasts of this method yet"
    )
    shown = [_record_row(row, verdict, data) for row, verdict in zip(rows, verdicts, strict=True)]
    table = run_table(None, ("Stage", "Predicted", "At", "Happened", "Right?"), shown, run)
    return html.Details([html.Summary(title), table])


def _record_row(row: Entry, verdict: bool | None, data: TrainingData) -> html.Tr:
    came = event_text(row["happened_kind"], row["happened_neuron"], row["happened_datum"], data)
    texts = [
        str(row["stage"] + 1),
        event_text(row["kind"], row["neuron"], row["datum"], data),
        "" if row["at"] is None else _whole(row["at"]),
        _whole(row["happened_at"]) if verdict else f"{came}, {_whole(row['happened_at'])}",
        VERDICTS[verdict],
    ]
    # no end: the moment of a forecast is a point in time, which no other moment lies in
    start = row["from_epoch"]
    return run_row("stage", texts, start, start, {"className": "pl-wrong"} if verdict is False else {})


def _whole(epoch: float) -> str:
    """To the last digit, for what is compared: the epoch at whose end it has happened."""
    return f"{ceil(epoch):,}"
