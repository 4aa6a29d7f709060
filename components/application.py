"""The Lab as a page of the app: layout, callbacks, routes, and the HTML they stand in."""

import re
from html import escape
from typing import Any

from dash import Dash, html
from flask import Response

from components.common.document import ICON, document, markup
from components.common.theme_styles import theme_styles
from components.pages.admin.page import admin_routes
from components.pages.lab.callbacks import register_callbacks
from components.pages.lab.callbacks.form import names_of
from components.pages.lab.layout import page_layout
from components.pages.lab.prefilled import prefilled
from components.pages.lab.presentations import room_routes
from components.pages.lab.routes import page_routes
from components.pages.lab.specification import specification
from components.pages.lab.still import spoken_to, stilled
from components.pages.lab.welcome import WHAT
from components.pages.lessons.folder import Shelf
from components.pages.lessons.page import lesson_routes
from components.pages.paper.routes import paper_routes
from components.pages.runs.page import runs_routes
from components.query_worker import register_answers
from core.service import RunService, network_origin

TITLE = "Plateau Lab"
DESCRIPTION = (
    "Watch why gradient descent on a ReLU network gets stuck, and how active neuron least squares gets out."
)


SELDOM = ("dash_ag_grid", "dash_table")
"""Scripts that a page is sent only if it has one of their components."""


class LabPage(Dash):
    """Dash without its polyfill, an eighth of the loading time: who needs it cannot run the rest anyway.

    The one part of it that Dash's own components do need, the regenerator's runtime, is in the bundle.
    """

    missing = ""
    """What stands at an address where nothing is."""
    unneeded: tuple[str, ...] = ()
    """Packages of components whose scripts Dash would send wherever they are known."""

    def interpolate_index(self, **parts: Any) -> str:
        """The HTML of the page; Dash's hook for changing it."""
        unneeded = "|".join(("polyfill@", *(f"{name}/" for name in self.unneeded)))
        parts["scripts"] = re.sub(rf"<script [^>]*/({unneeded})[^>]*></script>\n?", "", parts["scripts"])
        return str(super().interpolate_index(**parts))

    def index(self, *args: Any, **parts: Any) -> Any:
        """The page, for its own address only; Dash answers any other with it, too."""
        if parts.get("path"):
            return Response(self.missing, 404, mimetype="text/html")
        return super().index(*args, **parts)


def build_page(app: LabPage, service: RunService) -> None:
    """Give the app its page. Call it before the content-security policy is computed."""
    app.title = TITLE
    # Written into the head by hand, before the first paint; not a second time with the others.
    others = r"(ag-grid\.min|paper|replay|runs|study)\.css"
    app.config.assets_ignore = rf"^((head|study|regenerator\.min)\.js|{others})$"
    app.index_string = index_page(app.get_asset_url("head.js"), app.get_asset_url("lab.jpg"))
    settings = service.settings
    known = specification(settings.limits, network_origin(settings))
    layout = page_layout(known, settings.limits, settings.frame_ancestors)
    register_answers()
    service.queries.module = "components.query_worker"
    shelf = Shelf(settings.lessons)
    register_callbacks(app, service, shelf, names_of(layout))
    filled = prefilled(layout, service)
    app.layout = lambda: stilled(filled(), spoken_to(app))
    used = {getattr(part, "_namespace", "") for part in layout._traverse()}
    app.unneeded = tuple(name for name in SELDOM if name not in used)
    app.server.register_blueprint(page_routes(service))
    app.server.register_blueprint(room_routes(service))
    sheets = tuple(app.get_asset_url(f"{name}.css") for name in ("style", "style_icons", "style_classroom"))
    app.server.register_blueprint(
        lesson_routes(service, shelf, theme_styles(), sheets, app.get_asset_url("head.js"))
    )
    app.server.register_blueprint(admin_routes(service, theme_styles(), app.get_asset_url))
    app.server.register_blueprint(runs_routes(service, theme_styles(), app.get_asset_url))
    app.missing = document(
        "Not found",
        [html.H1("There is no such page"), html.P(["The Lab is ", html.A("here", href="/"), "."])],
        styles=theme_styles(),
        sheets=sheets,
        head_script=app.get_asset_url("head.js"),
        current="",
    )
    app.server.register_blueprint(paper_routes(theme_styles(), app.get_asset_url))


def index_page(head_script: str, picture: str) -> str:
    """The HTML around Dash: inks before everything else, and a skeleton until the page stands.

    Without scripts it says what the page is and needs, and shows a picture of it.
    """
    needs = [
        html.H1(TITLE),
        html.P(WHAT),
        html.P("The Lab draws in your browser and needs JavaScript: please allow it for this page."),
        html.P(
            [
                "To be read without it: ",
                html.A("the lessons' titles", href="/lessons"),
                " and ",
                html.A("every figure and claim of the paper, reproduced", href="/paper"),
                ".",
            ]
        ),
        html.Img(src=picture, alt="Four linked pictures of a training run", className="noscript-picture"),
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
<script src="{escape(head_script)}"></script>
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
