"""The Study page as an app of its own on the Lab's server."""

import re
from collections.abc import Callable
from contextlib import suppress
from html import escape
from typing import Any

from dash import Dash, html
from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from components.common.comparison import ALSO
from components.common.document import EAGER, ICON, header, markup
from components.common.view import split_query
from components.pages.study.callbacks import register_study
from components.pages.study.layout import introduction, ready_studies, study_layout
from components.pages.study.view import read_view
from core.config import join_query, runs_from_query
from core.config import split_query as split_pairs
from core.service import RunService
from core.service.visitors import Visitors

SHEETS = ("style.css", "style_icons.css", "style_classroom.css", "vendor/ag-grid.min.css", "study.css")
_UNNEEDED = r"<script [^>]*/(plateau_lab/|dash_table/|polyfill@)[^>]*></script>\n?"
"""Scripts that the page does without; of the polyfill the regenerator's runtime is needed alone."""
_IN_TURN = '<script type="text/plain" data-turn src='
"""A script that assets/study.js has run, in order and each in a task of its own."""
_FIRST = markup([html.A("Skip to the pictures", href="#study-pictures", className="skip"), header("/study")])


class StudyPage(Dash):
    """Dash with the page's own scripts and no others, one at a time; what does not change is plain HTML."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.renderer = 'addEventListener("study:loaded", () => new DashRenderer(), { once: true });'

    def interpolate_index(self, **parts: Any) -> str:
        """The HTML of the page; Dash's hook for changing it."""
        parts["scripts"] = re.sub(_UNNEEDED, "", parts["scripts"]).replace("<script src=", _IN_TURN)
        ready = ready_studies(unfolded=not read_view(request.query_string.decode())[0])
        parts["app_entry"] = (
            f'{_FIRST}<main id="study">{markup(introduction())}{parts["app_entry"]}{markup(ready)}</main>'
        )
        return str(super().interpolate_index(**parts))


def build_study(
    server: Flask, service: RunService, visitors: Visitors, styles: str, asset: Callable[[str], str]
) -> StudyPage:
    """Serve it at /study; `asset` says where the Lab's own files are."""
    app = StudyPage(
        __name__,
        server=server,
        routes_pathname_prefix="/study/",
        requests_pathname_prefix="/study/",
        assets_folder="no-assets",
        serve_locally=True,
        update_title=None,
        title="Study · Plateau Lab",
        suppress_callback_exceptions=True,
    )
    app.index_string = _index(styles, asset)
    app.layout = study_layout()
    register_study(app, service, visitors)

    @server.after_request
    def compile_beside(response: Response) -> Response:
        """Dash's own scripts, and the grid, which is the largest by far."""
        is_script = "/_dash-component-suites/" in request.path and request.path.endswith(".js")
        if is_script and response.status_code == 200:
            response.set_data(EAGER.encode() + response.get_data())
        return response

    @server.get("/study")
    def study() -> AnyResponse | str:
        """The page; with `seeds`, the settings that stand beside it, for so many seeds."""
        seeds = request.args.get("seeds", "")
        if seeds.isascii() and seeds.isdigit() and 1 <= int(seeds[:6]) <= service.settings.limits.study_runs:
            return redirect(f"/study?{_settings(request.query_string.decode(), int(seeds))}")
        return app.index()

    return app


def _settings(query: str, seeds: int) -> str:
    """The settings of a query, for so many seeds, in their canonical spelling if they are right."""
    try:
        pairs = split_pairs(split_query(query)[0], 4_096)
    except ValueError:
        pairs = {}
    for key in (ALSO, "seeds"):
        pairs.pop(key, "")
    asked = join_query(pairs | {"seed": f"0..{seeds - 1}"})
    with suppress(ValueError):
        return runs_from_query(asked).query
    return asked


def _tag(opening: str, address: str) -> str:
    return f'{opening}"{escape(address)}"></script>'


def _index(styles: str, asset: Callable[[str], str]) -> str:
    sheets = "\n".join(f'<link rel="stylesheet" href="{escape(asset(name))}">' for name in SHEETS)
    scripts = "\n".join(
        _tag("<script src=", asset(name)) for name in ("head.js", "study.js", "study_form.js")
    )
    first = "".join(_tag(_IN_TURN, asset(f"vendor/{name}.min.js")) for name in ("regenerator", "plotly-slim"))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
{{%metas%}}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{%title%}}</title>
<link rel="icon" href="{ICON}">
{scripts}
<style>{styles}</style>
{{%css%}}
{sheets}
</head>
<body class="reading">
{{%app_entry%}}
<footer>{{%config%}}{first}{{%scripts%}}{{%renderer%}}</footer>
</body>
</html>"""
