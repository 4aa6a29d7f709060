"""The claims on the Paper page: one card each, how firm its verdict is, and the runs behind it."""

import csv
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from dash import html

from components.common.prose import lettered, scroller
from core.narrative import number
from reproduction.claims import CLAIMS
from reproduction.samples import SAMPLES, Sample
from reproduction.shipping import DATA
from reproduction.verdicts import COUNTED, VERDICTS, counted

Results = Mapping[str, Any]


def badge(verdict: str) -> html.Span:
    """A verdict in its colour."""
    return html.Span(VERDICTS[verdict], className=f"badge verdict-{verdict}")  # type: ignore[index]


def count_badges(verdicts: Sequence[str]) -> list[html.Span]:
    """How many have each verdict, in the order of the verdicts."""
    counts = {name: verdicts.count(name) for name in COUNTED}
    return [
        html.Span(f"{number_of} {counted(name, number_of)}", className=f"badge verdict-{name}")
        for name, number_of in counts.items()
        if number_of
    ]


def differing_claims(results: Results) -> html.Section:
    """The claims that this code does not confirm: what the paper says, what is found, and why."""
    names = [name for name, found in results["claims"].items() if found["verdict"] == "differs"]
    return html.Section(
        [
            html.H2(f"{len(names)} claim{'s' * (len(names) != 1)} that our runs contradict"),
            html.Ul([html.Li(_difference(name, results)) for name in names], className="differing"),
        ],
        id="differ",
        hidden=not names,
    )


def _difference(name: str, results: Results) -> html.Details:
    claim, found = CLAIMS[name], results["claims"][name]
    return html.Details(
        [
            html.Summary(lettered(claim.sentence)),
            _terms({"Paper": claim.paper, "Here": found["ours"]}),
            *_evidence(name, found),
        ],
        id=f"differs-{name}",
    )


def claim_card(name: str, results: Results) -> html.Article:
    """What the paper says, what was measured, the verdict, and what it hangs on."""
    claim, found = CLAIMS[name], results["claims"][name]
    return html.Article(
        [
            html.Div(
                [html.P(lettered(claim.sentence), className="claim-sentence"), badge(found["verdict"])],
                className="claim-head",
            ),
            _terms({"Paper": claim.paper, "Here": found["ours"]}),
            *_evidence(name, found),
        ],
        id=f"claim-{name}",
        className=f"claim verdict-{found['verdict']}",
    )


def _evidence(name: str, found: Mapping[str, Any]) -> list[Any]:
    """Why a verdict is what it is, how firm it is, and the runs behind it."""
    claim = CLAIMS[name]
    links = [
        html.Li(html.A(title, href=href))
        for title, href in run_links(name, confirmed=found.get("confirmed", False))
    ]
    return [
        html.P(lettered(found["why"]), className="why"),
        _terms(
            {
                "Measured": claim.measured,
                "Counted": getattr(claim, "counts", ""),
                "Seeds known before": known_seeds(found),
                "Decided by": would_take(found),
                "Sensitivity": sensitivity(found),
            }
        ),
        html.Details(
            [html.Summary(["The runs", _hidden(f" of: {claim.sentence}")]), html.Ul(links)],
            className="claim-runs",
        ),
    ]


def _terms(rows: Mapping[str, str]) -> html.Dl:
    return html.Dl(
        [
            part
            for title, text in rows.items()
            if text
            for part in (
                html.Dt(title),
                html.Dd(lettered(text), className="ours" if title == "Here" else "told"),
            )
        ]
    )


def _hidden(text: str) -> html.Span:
    """For those who hear the page: which of the many cards it is."""
    return html.Span(text, className="visually-hidden")


def known_seeds(found: Mapping[str, Any]) -> str:
    """What the seeds say that were known before the criteria were last changed; empty where no others are."""
    if not found.get("confirmed"):
        return ""
    same = "the same verdict" if found["explored"] == found["verdict"] else VERDICTS[found["explored"]]
    return f"{same}: {found['ours_explored']}"


def would_take(found: Mapping[str, Any]) -> str:
    """How many seeds would decide a claim that is not decided; empty where it is."""
    count = found.get("would_tell", 0.0)
    if not count:
        return ""
    if count == "∞":
        return "no number of seeds decides it"
    return f"about {number(count, 2)} seeds, if the share stays"


def sensitivity(found: Mapping[str, Any]) -> str:
    """At which other thresholds the same seeds give another verdict; empty where none was tried."""
    trials = found.get("trials", [])
    other = [trial for trial in trials if trial["verdict"] != found["verdict"]]
    if trials and not other:
        return f"the same verdict at each of {len(trials)} other thresholds"
    return "; ".join(
        f"{trial['word']} {number(trial['value'])}: {VERDICTS[trial['verdict']]}" for trial in other
    )


def run_links(name: str, *, confirmed: bool = False) -> list[tuple[str, str]]:
    """The samples of a claim as studies that compute them again, or as one run in the Lab."""
    found = [SAMPLES[sample] for sample in CLAIMS[name].samples]
    samples = [sample.confirming() for sample in found] if confirmed else found
    return [(f"{sample.name}: {_told(sample)}", _href(sample)) for sample in samples]


def _told(sample: Sample) -> str:
    return "one run, in the Lab" if sample.seeds == 1 else f"{sample.seeds} seeds, as a study"


def _href(sample: Sample) -> str:
    if sample.seeds == 1:
        return f"/?{sample.query}&seed={sample.first}" if sample.first else f"/?{sample.query}"
    return f"/study?{sample.query}&seed={sample.first}..{sample.first + sample.seeds - 1}"


def open_choices(results: Results) -> Any:
    """What became of a number when a choice was changed that the paper leaves open."""
    cells = [
        [row[key] for key in ("asks", "choice", "median", "counts", "hits")]
        for row in results.get("ablations", [])
    ]
    return _table("Choices", ("Question", "Choice", "Median", "Counted", "Share"), cells)


def run_times(_: Results, folder: Path = DATA) -> Any:
    """Seconds per run, from the file that the last reproduction wrote beside its numbers."""
    seconds: dict[str, list[float]] = {}
    with suppress(FileNotFoundError), (folder / "runtimes.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            seconds.setdefault(row["sample"], []).append(float(row["seconds"]))
    cells = [
        [sample, str(len(times)), number(median(times)), number(sum(times))]
        for sample, times in seconds.items()
    ]
    return _table("Run times", ("Sample", "Runs", "Seconds per run (median)", "Seconds in all"), cells)


def _table(title: str, head: tuple[str, ...], rows: list[list[str]]) -> Any:
    if not rows:
        return html.P("There are none yet.", className="note")
    body = [html.Tr([html.Td(lettered(cell)) for cell in row]) for row in rows]
    first = html.Thead(html.Tr([html.Th(text, scope="col") for text in head]))
    return scroller(html.Table([first, html.Tbody(body)], className="claims"), title)
