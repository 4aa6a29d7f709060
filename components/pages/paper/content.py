"""What the Paper page says: the claims that differ first, then the figures as cards, then tables and files.

Nothing is computed for it. Pictures are drawn from runs that ship with the app; claims and verdicts come from
the last reproduction.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from dash import dcc, html

from components.common.prose import lettered, prose, scroller
from components.pages.paper import shipped
from components.pages.paper.claims import (
    badge,
    claim_card,
    differing_claims,
    open_choices,
    run_times,
)
from components.pages.paper.figure_card import figure_card
from components.pages.paper.parts import part_of
from core.config import NUMERICS_VERSION
from core.service import BIBTEX, DOI
from core.service import TITLE as PAPER_TITLE
from reproduction.claims import CLAIMS
from reproduction.criteria import criteria
from reproduction.errata import errata
from reproduction.figures import FIGURES
from reproduction.second import second_sentence
from reproduction.shipping import DATA, SECOND
from reproduction.verdicts import BY_OUR_WORD, COUNTED

Results = Mapping[str, Any]
TITLE = "The paper, reproduced"
UNDECIDED = (
    "Not decidable means that more seeds are needed, or that the paper leaves open what it means. "
    "Each such claim says which."
)


def read_results(folder: Path = DATA) -> Results | None:
    """What the last reproduction found; None when there has been none."""
    try:
        results: Results = orjson.loads((folder / "results.json").read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return results


@cache
def _results() -> Results | None:
    return read_results()


def paper_page(results: Results | None = None, errata_items: list[str] | None = None) -> list[Any]:
    """The page; what is given instead of what ships is for tests."""
    results = results or _results()
    if results is None:
        return no_results()
    items = errata() if errata_items is None else errata_items
    return [
        html.H1(TITLE),
        *_introduction(results),
        differing_claims(results),
        html.Section(
            [
                html.H2("Figures"),
                html.Div(
                    [figure_card(figure, results) for figure in FIGURES.values()],
                    className="cards two",
                ),
            ],
            id="figures",
        ),
        html.Section(
            [
                html.H2("Tables"),
                _folded("claims", f"All {len(results['claims'])} claims"),
                _folded("choices", "What the paper leaves open"),
                _folded("times", "Run times"),
            ],
            id="tables",
        ),
        _errata(items),
        *_to_take_away(),
    ]


def no_results() -> list[Any]:
    """The page before the first reproduction."""
    return [
        html.H1(TITLE),
        html.P(["There are no results yet. Run ", html.Code("make reproduce"), " to compute them."]),
    ]


def part(name: str, theme: str) -> Any:
    """What one part of the page holds."""
    kind, _, which = name.partition(":")
    results = _results() or {}
    if kind == "picture" and which in shipped.places():
        return dcc.Graph(
            figure=shipped.drawn(which, theme),
            config={"displayModeBar": False, "responsive": True},
            style={"height": "100%"},
        )
    if kind == "claims" and which in FIGURES:
        return [claim_card(claim, results) for claim in FIGURES[which].claims]
    tables: dict[str, Callable[[Results], Any]] = {
        "claims": claims_table,
        "choices": open_choices,
        "times": run_times,
    }
    return tables[which](results) if kind == "table" and which in tables else []


def _introduction(results: Results) -> list[Any]:
    verdicts = {name: entry["verdict"] for name, entry in results["claims"].items()}
    counts = [
        html.Li(
            [html.Strong(str(list(verdicts.values()).count(name))), f" {title}"],
            className=f"count verdict-{name}",
        )
        for name, title in COUNTED.items()
    ]
    stamp = results["stamp"]
    remarks = [] if stamp["numerics"] == NUMERICS_VERSION else [" The numerics have changed since."]
    remarks += [] if stamp.get("criteria") == criteria().digest else [" The criteria have changed since."]
    first = criteria().first
    seeds = (
        f"Verdicts rest on seeds from {first} on. {BY_OUR_WORD} {second_sentence(verdicts)}".rstrip()
        if stamp.get("confirmed")
        else f"Verdicts are provisional: the seeds from {first} on, which confirm them, have no runs yet."
    )
    return [
        html.P(
            [
                "Every figure of ",
                html.A("Ainsworth and Shin (2021)", href=f"https://doi.org/{DOI}", rel="noopener"),
                f" drawn again, and each of its {len(verdicts)} claims tested on runs from many seeds.",
            ],
            className="lead",
        ),
        html.Ul(counts, className="counts", **{"aria-label": f"Verdicts on {len(verdicts)} claims"}),
        html.P(UNDECIDED, className="note", hidden="undecided" not in verdicts.values()),
        html.Details(
            [
                html.Summary("How this was computed"),
                html.P(
                    [
                        html.Em(PAPER_TITLE),
                        ", SIAM J. Sci. Comput. 43(5), A3438–A3468 (2021). Claims, figures and errata are "
                        "of its ",
                        html.A("preprint", href="https://arxiv.org/abs/2007.07213", rel="noopener"),
                        ".",
                    ]
                ),
                html.P(
                    [
                        f"Computed by Plateau Lab {stamp['version']}, in {stamp['runs']:,} runs. The "
                        f"{stamp['known_runs']:,} runs of seeds known before are kept as earlier numerics "
                        f"gave them. {seeds} ",
                        "The criteria were not all written before results were known: ",
                        html.A("what happened, and when", href="/docs/reproduction.html#what-was-known-when"),
                        ". The pictures show seeds that resemble the paper's. The verdicts count all seeds.",
                        *remarks,
                    ]
                ),
            ],
            className="note",
        ),
    ]


def _folded(name: str, title: str) -> html.Details:
    """A table that is made when it is unfolded."""
    return html.Details([html.Summary(title), part_of(f"table:{name}")], id=f"table-{name}")


def claims_table(results: Results) -> Any:
    """All claims, one row each."""
    rows = [
        html.Tr(
            [
                html.Td(lettered(claim.sentence)),
                html.Td(claim.paper),
                html.Td(lettered(results["claims"][name]["ours"])),
                html.Td(badge(results["claims"][name]["verdict"])),
            ]
        )
        for name, claim in CLAIMS.items()
        if name in results["claims"]
    ]
    head = html.Thead(html.Tr([html.Th(text, scope="col") for text in ("Claim", "Paper", "Here", "Verdict")]))
    return scroller(html.Table([head, html.Tbody(rows)], className="claims"), "All claims as a table")


def _errata(items: list[str]) -> html.Section:
    return html.Section(
        [
            html.H2("Errata"),
            html.P("Slips found in the preprint while it was implemented. Each has a test here."),
            html.Details(
                [
                    html.Summary(f"Show {len(items)} errata"),
                    html.Ol([html.Li(prose(item)) for item in items], className="errata"),
                ]
            ),
        ],
        id="errata",
    )


def _to_take_away() -> list[Any]:
    """What to cite, and the numbers as files."""
    files = [
        part
        for name in data_files()
        for part in (html.A(name, href=f"/paper/data/{name}", download=name), " ")
    ]
    return [
        html.Section(
            [
                html.H2("Cite and download"),
                html.P(["The numbers behind this page: ", *files], className="note", id="downloads"),
                html.P(
                    [
                        html.Code("make reproduce"),
                        " computes the verdicts and figures again. "
                        "Seeds known before, and the second set, stay as they are.",
                    ],
                    className="note",
                ),
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
                        html.Span(id="bibtex-status", role="status"),
                    ],
                    id="cite",
                ),
            ],
            id="take-away",
        )
    ]


def data_files(folder: Path = DATA) -> dict[str, Path]:
    """The numbers behind the page that can be taken away, by file name."""
    tables = sorted(path for pattern in ("*.csv", "*.csv.gz") for path in folder.glob(pattern))
    return {
        path.name: path for path in (*tables, folder / "results.json", folder / SECOND.name) if path.exists()
    }
