"""The one Dash app: its pages, the HTML around them, and the routes beside them.

Dash finds the pages by itself: every file below components/pages that calls `dash.register_page` is one.
Beside Dash's own arguments a page may name

    assets   files of assets/ that it needs beside those that every page has
    without  scripts that it does without, as regular expressions
    above    a function that gives components, sent as plain HTML before what Dash draws
    below    another, for what comes after it
    main     the id of its main element, for styles of its own; else it is laid out as a page of text
    listed   whether it is in the navigation
"""

import logging
import re
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dash
from dash import Dash, html
from dash.development.base_component import Component
from flask import Flask, Response, has_request_context, request

from components.common import ids
from components.common.callback_guard import mapping
from components.common.document import ICON, document, markup
from components.common.navigation import header
from components.common.theme_styles import theme_styles
from components.pages.admin.routes import admin_routes
from components.pages.lab.callbacks import register_callbacks
from components.pages.lab.callbacks.form import names_of
from components.pages.lab.layout import page_layout
from components.pages.lab.presentations import presentation_routes
from components.pages.lab.routes import page_routes
from components.pages.lab.specification import specification
from components.pages.lab.welcome import WHAT
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.routes import lesson_routes
from components.pages.paper.routes import paper_routes
from components.pages.runs.routes import runs_routes
from components.pages.runs.tokens import token_routes
from components.pages.study.callbacks import register_study
from components.pages.study.routes import study_routes
from components.query_worker import register_answers
from core.service import RunService, network_origin
from core.service.visitors import Visitors

log = logging.getLogger(__name__)

TITLE = "Plateau Lab"
DESCRIPTION = (
    "Watch why gradient descent on a ReLU network gets stuck, and how active neuron least squares gets out."
)
FOLDER = Path(__file__).parent / "pages"
ASSETS = Path(__file__).parent.parent / "assets"
_HEAD = "head.js"
"""Written into the head by hand, before the first paint."""
_OWN = (
    *(r"ag-grid\.min\.css", r"plotly-slim\.min\.js"),
    *(r"(paper|replay|runs|study)\.css", r"(reading|study)\.js"),
)
"""Assets of some pages only."""
_LAB_ONLY = r"(player|style_panels|style_controls)\.css"
_READ = ("style", "style_icons", "style_classroom", "style_reading")
"""Style sheets of the pages without Dash."""


class Application(Dash):
    """Dash with an index of our own for each page, and 404 where no page is."""

    missing = ""
    """What stands at an address where nothing is."""

    def __init__(self, name: str, server: Flask) -> None:
        super().__init__(
            name,
            server=server,
            pages_folder=str(FOLDER),
            use_pages=True,
            include_pages_meta=False,
            # Callbacks of one page name components that another does not have.
            suppress_callback_exceptions=True,
            serve_locally=True,
            compress=True,
            update_title=None,
            title=TITLE,
            on_error=say_failure,
        )
        ignored = "|".join([re.escape(_HEAD), *_OWN])
        self.config.assets_ignore = rf"^({ignored})$"

    def interpolate_index(self, **parts: Any) -> str:
        """The HTML of a page; Dash's hook for changing it."""
        page = page_at(request.path) or {"path": "/"}
        for name in ("scripts", "css"):
            parts[name] = self._chosen(parts[name], page) + self._added(page, name)
        is_lab = page["path"] == "/"
        whole = _lab_index(self.get_asset_url) if is_lab else _page_index(self.get_asset_url, page)
        parts["title"] = page.get("title", TITLE)
        for name, text in parts.items():
            whole = whole.replace(f"{{%{name}%}}", text)
        return whole

    def _chosen(self, tags: str, page: Mapping[str, Any]) -> str:
        without = [*page.get("without", ()), *(() if page["path"] == "/" else (_LAB_ONLY,))]
        if not without:
            return tags
        return re.sub(rf"<(script|link) [^>]*({'|'.join(without)})[^>]*>(</script>)?\n?", "", tags)

    def _added(self, page: Mapping[str, Any], kind: str) -> str:
        form = {
            "scripts": ("js", '<script src="{}"></script>'),
            "css": ("css", '<link rel="stylesheet" href="{}">'),
        }
        end, tag = form[kind]
        return "".join(
            tag.format(escape(f"{self.get_asset_url(name)}?m={(ASSETS / name).stat().st_mtime}"))
            for name in page.get("assets", ())
            if name.endswith(end)
        )

    def index(self, *args: Any, **parts: Any) -> Any:
        """A page, or 404; Dash would answer any address with its first page."""
        if page_at(f"/{parts.get('path', '')}") is None:
            return Response(self.missing, 404, mimetype="text/html")
        return super().index(*args, **parts)


def say_failure(error: Exception) -> None:
    """A panel whose callback fails says so in its place; of other callbacks it is Dash's affair."""
    for told in dash.ctx.inputs_list:
        entry = mapping(told)
        if entry.get("property") == "moment" and str(entry.get("id")).startswith(ids.plot_id("")):
            log.error("The callback of the panel %s failed", entry["id"], exc_info=error)
            asked = mapping(entry.get("value")).get("asked")
            sentence = "This panel could not be drawn. The server's log says why."
            dash.set_props(entry["id"], {"answer": {"asked": asked, "error": sentence}})
            return
    raise error


def page_at(path: str) -> Mapping[str, Any] | None:
    """The page that is registered at an address; path templates are Dash's affair."""
    pages = dash.page_registry.values()
    found = next((page for page in pages if page["path"].rstrip("/") == path.rstrip("/")), None)
    return found or next((page for page in pages if page["path_template"] and _fits(page, path)), None)


def _fits(page: Mapping[str, Any], path: str) -> bool:
    """Whether an address is of a page whose path has variables in it, such as /asset/<name>."""
    pattern = re.sub(r"<[^>]*>", "[^/]+", page["path_template"])
    return re.fullmatch(pattern, path) is not None


def build_pages(app: Application, service: RunService) -> None:
    """Give the app what its pages need: layouts, callbacks and routes."""
    app.server.extensions["app"] = app
    settings, asset = service.settings, app.get_asset_url
    known = specification(settings.limits, network_origin(settings))
    layout = page_layout(known, settings.limits, settings.frame_ancestors)
    register_answers()
    service.queries.module = "components.query_worker"
    folder = app.server.extensions["lessons"] = LessonFolder(settings.lessons)
    register_callbacks(app, service, folder, names_of(layout))
    register_study(app, service, Visitors(service))
    app.server.extensions["lab_layout"] = layout
    app.layout = _layout(layout)
    sheets = tuple(asset(f"{name}.css") for name in _READ)
    for routes in (
        page_routes(service),
        presentation_routes(service),
        study_routes(settings.limits.study_runs),
        lesson_routes(service, folder, theme_styles(), sheets, asset(_HEAD)),
        admin_routes(service, partial(app.index, path="admin")),
        runs_routes(service),
        token_routes(service, theme_styles(), (*(f"{name}.css" for name in _READ), "runs.css"), asset),
        paper_routes(),
    ):
        app.server.register_blueprint(routes)
    app.missing = document(
        "Not found",
        [
            html.H1("There is no such page"),
            html.P("Check the address, or choose a page above.", className="lead"),
            html.A("Open the Lab", href="/", className="button primary"),
        ],
        styles=theme_styles(),
        sheets=sheets,
        head_script=asset(_HEAD),
        current="",
    )


def _layout(lab: Component) -> Callable[[], Component]:
    """What the browser asks for first: Dash's page container, into which its router puts the page.

    The Lab comes at once to whoever says to be there: the router would build the page anew at every step back
    in the history, which is a step back in the settings.
    """

    def first() -> Component:
        asked = request.referrer if has_request_context() else None
        return lab if asked and urlsplit(asked).path == "/" else html.Div(dash.page_container)

    return first


def _page_index(asset: Callable[[str], str], page: Mapping[str, Any]) -> str:
    """The HTML around a page that Dash draws: the header of all pages, which needs no script, and a place."""
    name = page.get("main", "text")
    before = markup([html.A("Skip to the page", href=f"#{name}", className="skip"), header(page["path"])])
    above, below = (markup(page[key]()) if key in page else "" for key in ("above", "below"))
    look = "" if "main" in page else ' class="text-page"'
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
{{%metas%}}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{%title%}}</title>
<link rel="icon" href="{ICON}">
<script src="{escape(asset(_HEAD))}"></script>
<style>{theme_styles()}</style>
{{%css%}}
</head>
<body class="reading">
{before}
<main id="{name}"{look} tabindex="-1">{above}{{%app_entry%}}{below}</main>
<footer>{{%config%}}{{%scripts%}}{{%renderer%}}</footer>
</body>
</html>"""


def _lab_index(asset: Callable[[str], str]) -> str:
    """The HTML around the Lab: inks before everything else, and a skeleton until the page stands.

    Without scripts it says what the page is and needs, and shows a picture of it.
    """
    needs = [
        html.H1(TITLE),
        html.P(WHAT),
        html.P("The Lab draws in your browser and needs JavaScript: please allow it for this page."),
        html.P(["You can read ", html.A("the documentation", href="/docs"), " without it."]),
        html.Img(
            src=asset("lab.jpg"), alt="Four linked pictures of a training run", className="noscript-picture"
        ),
    ]
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
{{%metas%}}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{escape(DESCRIPTION)}">
<meta name="color-scheme" content="light dark">
<title>{{%title%}}</title>
<link rel="icon" href="{ICON}">
<script src="{escape(asset(_HEAD))}"></script>
<link rel="preload" href="/_dash-layout" as="fetch" crossorigin fetchpriority="low">
<link rel="preload" href="/_dash-dependencies" as="fetch" crossorigin fetchpriority="low">
<style>{theme_styles()}</style>
{{%css%}}
</head>
<body>
<noscript><style>#skeleton, #react-entry-point {{ display: none }}</style>
{markup(html.Main(needs, className="text-page"))}</noscript>
<div id="skeleton" aria-hidden="true">
<div class="bar"><b>{TITLE}</b></div>
<div class="side"><i></i><i></i><i></i><i></i><i></i></div>
<div class="tiles"><i></i><i></i><i></i><i></i></div>
</div>
{{%app_entry%}}
<footer>{{%config%}}{{%scripts%}}{{%renderer%}}</footer>
</body>
</html>"""
