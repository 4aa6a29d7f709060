"""The page /paper: every figure and claim of the paper, as this code finds them.

Nothing is computed for it. Pictures are drawn in the browser by the Lab's own panels, from
runs that ship with the app; claims and verdicts come from the last reproduction.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from dash import html
from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from components.document import document
from components.paper_figures import figure_section, lettered, method_names
from components.prose import prose
from core.config import NUMERICS_VERSION
from reproduction.claims import COUNTED, VERDICTS
from reproduction.errata import errata
from reproduction.figures import FIGURES
from reproduction.ready_studies import READY
from reproduction.registry import CLAIMS
from reproduction.shelf import DATA

SCRIPTS = ("vendor/plotly-slim.min.js", "lab.min.js")
SHEETS = ("style.css", "style_icons.css", "player.css", "style_classroom.css", "paper.css")

Results = Mapping[str, Any]


def read_results(folder: Path = DATA) -> Results | None:
    """What the last reproduction found; None when there has been none."""
    try:
        results: Results = orjson.loads((folder / "results.json").read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return results


def paper_page(results: Results | None, errata_items: list[str]) -> list[Any]:
    """The body of the page."""
    if results is None:
        return [html.H1("The paper, reproduced"), html.P("There are no results yet: run make reproduce.")]
    return [
        html.H1("The paper, reproduced"),
        *_introduction(results),
        _overview(results),
        *(figure_section(figure, results) for figure in FIGURES.values()),
        _errata(errata_items),
    ]


def _introduction(results: Results) -> list[Any]:
    verdicts = [entry["verdict"] for entry in results["claims"].values()]
    counts = [
        html.A(
            [html.Strong(str(verdicts.count(name))), f" {title}"],
            href="#claims",
            className=f"count verdict-{name}",
        )
        for name, title in COUNTED.items()
    ]
    stamp = results["stamp"]
    old = [] if stamp["numerics"] == NUMERICS_VERSION else [" The numerics have changed since."]
    return [
        html.P(
            [
                "M. Ainsworth and Y. Shin, ",
                html.A(
                    html.Em(
                        "Plateau Phenomenon in Gradient Descent Training of ReLU networks: Explanation, "
                        "Quantification and Avoidance"
                    ),
                    href="https://arxiv.org/abs/2007.07213",
                    rel="noopener",
                ),
                " (2020): each figure drawn again by the Lab's own panels, each numerical claim measured "
                "again, over many seeds where it is a matter of luck.",
            ],
            className="lead",
        ),
        html.P([html.Span(f"{len(verdicts)} claims"), *counts], className="counts"),
        html.P(
            [
                f"Computed by Plateau Lab {stamp['version']} from {stamp['runs']:,} runs. ",
                html.Code("make reproduce"),
                " computes all of it again. The pictures show seeds picked because they resemble the "
                "paper's; the "
                "verdicts are over all seeds.",
                *old,
            ],
            className="note",
        ),
        html.P(
            [
                "Over many starts at once: ",
                *[
                    part
                    for title, query, _ in READY
                    for part in (html.A(title, href=f"/study?{query}"), ". ")
                ],
            ],
            className="note",
        ),
    ]


def _overview(results: Results) -> html.Section:
    rows = [
        html.Tr(
            [
                html.Td(html.A(lettered(claim.sentence), href=f"#claim-{name}")),
                html.Td(claim.paper),
                html.Td(lettered(results["claims"][name]["ours"])),
                html.Td(_badge(results["claims"][name]["verdict"])),
            ]
        )
        for name, claim in CLAIMS.items()
        if name in results["claims"]
    ]
    head = html.Thead(html.Tr([html.Th(text, scope="col") for text in ("Claim", "Paper", "Here", "Verdict")]))
    return html.Section(
        [
            html.H2("All claims"),
            html.Details(
                [
                    html.Summary("Show the table of all claims"),
                    html.Div(html.Table([head, html.Tbody(rows)], className="claims"), className="scroller"),
                ]
            ),
        ],
        id="claims",
    )


def _badge(verdict: str) -> html.Span:
    return html.Span(dict(VERDICTS)[verdict], className=f"badge verdict-{verdict}")  # type: ignore[index]


def _errata(items: list[str]) -> html.Section:
    return html.Section(
        [
            html.H2("Errata"),
            html.P("Slips found in the paper while implementing it; each has a test here."),
            html.Ol([html.Li(prose(item)) for item in items], className="errata"),
        ],
        id="errata",
    )


def paper_routes(styles: str, asset: Any) -> Blueprint:
    """The page and the thinned curves that it draws."""
    routes = Blueprint("paper", __name__)
    curves = {path.name: path for path in DATA.glob("*.json")}

    @routes.get("/paper")
    def page() -> Response:
        body = document(
            "The paper, reproduced",
            paper_page(read_results(), errata()),
            styles=styles + method_names(),
            sheets=tuple(asset(name) for name in SHEETS),
            head_script=asset("head.js"),
            scripts=tuple(asset(name) for name in SCRIPTS),
            current="/paper",
        )
        return Response(body, content_type="text/html; charset=utf-8")

    @routes.get("/api/paper/<name>")
    def curve(name: str) -> Response:
        if name not in curves:
            raise NotFound("No such curve.")
        response = Response(curves[name].read_bytes(), content_type="application/json")
        response.headers["Cache-Control"] = "private, max-age=3600"
        return response

    return routes
