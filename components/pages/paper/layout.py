"""The page /paper: every figure and claim of the paper, as this code finds them.

Nothing is computed for it. Pictures are drawn in the browser by the Lab's own panels, from
runs that ship with the app; claims and verdicts come from the last reproduction.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from dash import html

from components.common.document import document
from components.common.prose import lettered, prose, scroller
from components.pages.paper.claims import badge, open_choices, run_times
from components.pages.paper.panels import paper_specification
from components.pages.paper.sections import figure_section, method_names
from core.config import NUMERICS_VERSION
from core.service import BIBTEX
from reproduction.claims import COUNTED
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
        _contents(),
        _overview(results),
        *(figure_section(figure, results) for figure in FIGURES.values()),
        *open_choices(results),
        *run_times(),
        _errata(errata_items),
    ]


def _contents() -> html.Nav:
    """Where each part of a long page begins."""
    figures = ((f"figure-{name}", lettered(figure.title)) for name, figure in FIGURES.items())
    parts = [("claims", "All claims"), *figures, ("errata", "Errata")]
    entries = [html.Li(html.A(title, href=f"#{place}")) for place, title in parts]
    return html.Nav(html.Ul(entries), className="contents", **{"aria-label": "On this page"})


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
        *_to_take_away(),
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


def _to_take_away() -> list[Any]:
    """What to cite, and the numbers as files."""
    files = [
        part
        for name in data_files()
        for part in (html.A(name, href=f"/paper/data/{name}", download=name), " ")
    ]
    return [
        html.Details(
            [
                html.Summary("Cite the paper (BibTeX)"),
                html.Textarea(
                    BIBTEX,
                    id="bibtex",
                    readOnly=True,
                    rows=BIBTEX.count("\n") + 1,
                    **{"aria-label": "BibTeX entry of the paper"},
                ),
                html.Button("Copy BibTeX", id="copy-bibtex", type="button", className="button"),
                html.Span(id="bibtex-told", role="status"),
            ],
            id="cite",
        ),
        html.P(["The numbers behind this page: ", *files], className="note", id="downloads"),
    ]


def data_files(folder: Path = DATA) -> dict[str, Path]:
    """The numbers behind the page that can be taken away, by file name."""
    tables = sorted(path for pattern in ("*.csv", "*.csv.gz") for path in folder.glob(pattern))
    return {path.name: path for path in (*tables, folder / "results.json") if path.exists()}


def _overview(results: Results) -> html.Section:
    rows = [
        html.Tr(
            [
                html.Td(html.A(lettered(claim.sentence), href=f"#claim-{name}")),
                html.Td(claim.paper),
                html.Td(lettered(results["claims"][name]["ours"])),
                html.Td(badge(results["claims"][name]["verdict"])),
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
                    scroller(
                        html.Table([head, html.Tbody(rows)], className="claims"), "All claims as a table"
                    ),
                ]
            ),
        ],
        id="claims",
    )


def _errata(items: list[str]) -> html.Section:
    return html.Section(
        [
            html.H2("Errata"),
            html.P("Slips found in the paper while implementing it; each has a test here."),
            html.Ol([html.Li(prose(item)) for item in items], className="errata"),
        ],
        id="errata",
    )


def paper_document(styles: str, asset: Callable[[str], str]) -> str:
    """The whole page as HTML."""
    return document(
        "The paper, reproduced",
        paper_page(read_results(), errata()),
        styles=styles + method_names(),
        sheets=tuple(asset(name) for name in SHEETS),
        head_script=asset("head.js"),
        scripts=tuple(asset(name) for name in SCRIPTS),
        current="/paper",
    )


@cache
def panels(theme: str) -> bytes:
    """How the panels of the page are drawn in a theme."""
    return orjson.dumps(paper_specification(theme))


@cache
def curves() -> dict[str, Path]:
    """The thinned curves that the page draws, by file name."""
    return {path.name: path for path in DATA.glob("*.json")}
