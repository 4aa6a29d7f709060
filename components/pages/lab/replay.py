"""A race to take away: one HTML file that plays from disk, without a server and without a network.

The file holds the player's scripts, the figures and the answers that the player would
ask a server for (see components/player/src/store/source.ts), so it shows what the Lab shows. Answers that
cost much and are seldom looked at, decay rates and candidates of wide networks, are left
out, and the frames of long runs of wide networks are thinned; changes of stage are kept.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from dash import html

from components.common import ids
from components.common.buttons import icon_button
from components.common.document import EAGER, markup
from components.common.run_styles import run_looks
from components.common.theme import THEME_NAMES
from components.pages.lab.run_tables import plateau_table
from components.pages.lab.stage_table import stage_table
from components.panels import BOUND, specification
from components.panels.section import bare_plot, panel_section
from components.player.parts import story_parts, timeline_parts
from core.config import RunConfig
from core.frames import Frame
from core.service import (
    Reader,
    RunInfo,
    candidate_columns,
    data_columns,
    json_columns,
    plateaus,
    rate_columns,
    stages,
)

ASSETS = Path(__file__).resolve().parents[3] / "assets"
SCRIPTS = ("vendor/plotly-slim.min.js", "lab.min.js")
STYLES = ("style.css", "style_panels.css", "style_icons.css", "player.css", "replay.css")
LARGEST = 400_000
"""Biases in one file, frames times width: about 10 MB of text for everything."""
NARROW = 20
"""Networks up to this width come with the decay rates of each stage and the candidates of each frame."""


def replay_page(
    reader: Reader, runs: Sequence[RunInfo], *, styles: str, link: str, moment: float | None
) -> str:
    """The file as text; KeyError for a run that is not there any more."""
    answers: dict[str, Any] = {f"/api/panels?theme={theme}": specification(theme) for theme in THEME_NAMES}
    race, configs = [], []
    plateau_tables, stage_tables = [], []
    for info in runs:
        run_id, config = info.id, reader.config(info.id)
        if config is None:
            raise KeyError(run_id)
        known = run_answers(info, config, reader.frames(run_id))
        answers |= known
        path = f"/api/runs/{run_id}"
        plateau_tables.append(plateau_table(known[f"{path}/stages"]["plateaus"], run_id))
        stage_tables.append(stage_table(config, known[f"{path}/stages"]["stages"], run_id))
        race.append({"id": run_id, "method": config.method.name, "query": info.query})
        configs.append(config)
    race = [entry | look for entry, look in zip(race, run_looks(configs), strict=True)]
    title = " and ".join(entry["title"] for entry in race)
    return _document(
        title,
        _body(title, link, plateau_tables, stage_tables),
        answers,
        {"race": race, "moment": moment},
        styles,
    )


def run_answers(info: RunInfo, config: RunConfig, frames: Sequence[Frame]) -> dict[str, Any]:
    """What the API would say of one run, by path."""
    frames = thinned(frames, max(50, LARGEST // config.width))
    path, told = f"/api/runs/{info.id}", [frame.in_units(config.scale) for frame in frames]
    status = "finished" if info.status in ("running", "queued", "paused") else info.status
    answers: dict[str, Any] = {
        path: {**asdict(info), "status": status, "active": False, "frames": len(frames), "watching": 0},
        f"{path}/frames": orjson.loads(json_columns(info.id, status, len(frames), len(frames), told)),
        f"{path}/stages": {
            "id": info.id,
            "stages": stages(config, frames),
            "plateaus": plateaus(config, frames),
        },
        f"{path}/data": data_columns(config),
    }
    if config.width <= NARROW:
        for frame in frames:
            answers[f"{path}/candidates?frame={frame.index}"] = candidate_columns(config, frame)
        for stage, group in groupby(frames, key=lambda frame: frame.stage):
            answers[f"{path}/rates?stage={stage}"] = rate_columns(config, list(group))
    return answers


def thinned(frames: Sequence[Frame], most: int) -> list[Frame]:
    """At most so many frames, with new indices: the first of each stage, and of the others an even choice."""
    if len(frames) <= most:
        return list(frames)
    firsts = [next(group).index for _, group in groupby(frames, key=lambda frame: frame.stage)]
    room = most - len(firsts)
    if room < 2:
        chosen = np.unique(np.linspace(0, len(frames) - 1, most).round().astype(int))
    else:
        chosen = np.union1d(firsts, np.linspace(0, len(frames) - 1, room).round().astype(int))
    return [replace(frames[old], index=new) for new, old in enumerate(chosen.tolist())]


def _document(
    title: str, body: list[Any], answers: dict[str, Any], opening: dict[str, Any], styles: str
) -> str:
    written = "".join(f"<script>{_script((ASSETS / name).read_text('utf-8'))}</script>\n" for name in SCRIPTS)
    sheets = "".join(f"<style>{(ASSETS / name).read_text('utf-8')}</style>\n" for name in STYLES)
    return f"""<!DOCTYPE html>
<html lang="en" class="replay" data-theme="light" data-booted="1">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} · Plateau Lab replay</title>
<style>{styles}</style>
{sheets}</head>
<body>
{markup(body)}
<script type="application/json" id="replay-data">{_json(answers)}</script>
<script type="application/json" id="replay-opening">{_json(opening)}</script>
{written}</body>
</html>
"""


def _body(
    title: str, link: str, plateau_tables: list[html.Table], stage_tables: list[html.Table]
) -> list[Any]:
    return [
        html.Header(
            [
                html.H1("Plateau Lab", className="brand"),
                html.P(
                    html.Span([f"{title}. Recorded from ", html.A("this run", href=link), "."]),
                    className="run-line",
                ),
                icon_button("theme-button", "Light or dark", "theme"),
            ],
            id="bar",
        ),
        html.Main(
            [
                html.Div(id="method-tabs"),
                html.Div([panel_section(panel, bare_plot(panel)) for panel in BOUND.values()], id="panels"),
                html.Details(
                    [
                        html.Summary("Plateaus and stages"),
                        html.Div(plateau_tables, id=ids.PLATEAU_TABLE),
                        html.Div(stage_tables, id=ids.STAGE_TABLE, **{"data-part": "stages"}),
                    ],
                    id=ids.RUN_TABLES,
                    className="stages-fold",
                ),
            ]
        ),
        html.Div(
            [
                html.Div(timeline_parts(), id="timeline"),
                html.Div(html.Div(story_parts(is_offline=True), id="explanation"), className="moment"),
            ],
            id="moment-bar",
        ),
    ]


def _json(document: object) -> str:
    """JSON inside HTML: no text in it may end the script element or open a comment."""
    text = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS).decode()
    return text.replace("<", "\\u003c")


def _script(text: str) -> str:
    """A script within the page. There is no time to compile it beside the page, all of it or in part."""
    return text.removeprefix(EAGER).replace("</script", "<\\/script").replace("<!--", "<\\!--")
