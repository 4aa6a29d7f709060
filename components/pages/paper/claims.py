"""The claims on the Paper page: one card each, how firm its verdict is, and the runs behind it."""

import csv
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from dash import html

from components.common.prose import lettered, scroller
from core.narrative import number
from reproduction.claims import VERDICTS
from reproduction.registry import CLAIMS
from reproduction.samples import SAMPLES, Sample
from reproduction.shelf import DATA

Results = Mapping[str, Any]


def badge(verdict: str) -> html.Span:
    """A verdict in its colour."""
    return html.Span(VERDICTS[verdict], className=f"badge verdict-{verdict}")  # type: ignore[index]


def claim_card(name: str, results: Results) -> html.Article:
    """What the paper says, what was measured, the verdict, and what it hangs on."""
    claim, found = CLAIMS[name], results["claims"][name]
    rows = {
        "Paper": claim.paper,
        "Here": found["ours"],
        "Measured": claim.measured,
        "Counted": getattr(claim, "counts", ""),
        "Second seeds": second_seeds(found),
        "Sensitivity": sensitivity(found),
    }
    terms = [
        part
        for title, text in rows.items()
        if text
        for part in (
            html.Dt(title),
            html.Dd(lettered(text), className="ours" if title == "Here" else "told"),
        )
    ]
    links = [html.Li(html.A(title, href=href)) for title, href in run_links(name)]
    return html.Article(
        [
            html.Div(
                [html.P(lettered(claim.sentence), className="claim-sentence"), badge(found["verdict"])],
                className="claim-head",
            ),
            html.Dl(terms),
            html.P(lettered(found["why"]), className="why"),
            html.Details(
                [html.Summary(["The runs", _hidden(f" of: {claim.sentence}")]), html.Ul(links)],
                className="claim-runs",
            ),
        ],
        id=f"claim-{name}",
        className=f"claim verdict-{found['verdict']}",
    )


def _hidden(text: str) -> html.Span:
    """For those who hear the page: which of the many cards it is."""
    return html.Span(text, className="visually-hidden")


def second_seeds(found: Mapping[str, Any]) -> str:
    """What the second set of seeds says; empty where there is none."""
    if "again" not in found:
        return ""
    same = "the same verdict" if found["again"] == found["alone"] else VERDICTS[found["again"]]
    first = "" if found["alone"] == found["verdict"] else f" (the first: {VERDICTS[found['alone']]})"
    return f"{same}{first}: {found['ours_again']}"


def sensitivity(found: Mapping[str, Any]) -> str:
    """At which other thresholds the first set of seeds gives another verdict; empty where none was tried."""
    trials = found.get("trials", [])
    other = [trial for trial in trials if trial["verdict"] != found["alone"]]
    if trials and not other:
        return f"the same verdict at each of {len(trials)} other thresholds"
    return "; ".join(
        f"{trial['word']} {number(trial['value'])}: {VERDICTS[trial['verdict']]}" for trial in other
    )


def run_links(name: str) -> list[tuple[str, str]]:
    """The samples of a claim as studies that compute them again, or as one run in the Lab."""
    return [
        (f"{sample}: {_told(SAMPLES[sample])}", _href(SAMPLES[sample])) for sample in CLAIMS[name].samples
    ]


def _told(sample: Sample) -> str:
    return "one run, in the Lab" if sample.seeds == 1 else f"{sample.seeds} seeds, as a study"


def _href(sample: Sample) -> str:
    if sample.seeds == 1:
        return f"/?{sample.query}"
    return f"/study?{sample.query}&seed={sample.first}..{sample.first + sample.seeds - 1}"


def open_choices(results: Results) -> list[Any]:
    """What became of a number when a choice was changed that the paper leaves open."""
    rows = results.get("ablations", [])
    if not rows:
        return []
    cells = [[row[key] for key in ("asks", "choice", "median", "counts", "hits")] for row in rows]
    head = ("Question", "Choice", "Median", "Counted", "Share")
    return [_folded("What the paper leaves open", "Show the table of choices", head, cells, "choices")]


def run_times(folder: Path = DATA) -> list[Any]:
    """Seconds a run, from the file that the last reproduction wrote beside its numbers."""
    seconds: dict[str, list[float]] = {}
    try:
        with (folder / "runtimes.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                seconds.setdefault(row["sample"], []).append(float(row["seconds"]))
    except FileNotFoundError:
        return []
    cells = [
        [sample, str(len(times)), number(median(times)), number(sum(times))]
        for sample, times in seconds.items()
    ]
    head = ("Sample", "Runs", "Seconds a run (median)", "Seconds in all")
    return [_folded("Run times", "Show the table of run times", head, cells, "run-times")]


def _folded(
    title: str, summary: str, head: tuple[str, ...], rows: list[list[str]], name: str
) -> html.Section:
    body = [html.Tr([html.Td(lettered(cell)) for cell in row]) for row in rows]
    first = html.Thead(html.Tr([html.Th(text, scope="col") for text in head]))
    table = html.Table([first, html.Tbody(body)], className="claims")
    return html.Section(
        [
            html.H2(title),
            html.Details([html.Summary(summary), scroller(table, title)]),
        ],
        id=name,
        className="folded",
    )
