"""One figure of the paper as a card: its picture, a sentence, the verdicts, and the way into the Lab."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from dash import html

from components.common.prose import lettered, scroller
from components.pages.paper.claims import count_badges
from components.pages.paper.parts import part_of
from core.config import RunConfig
from core.methods import METHODS
from core.model import gaps
from core.narrative import count, number
from reproduction.figures import UNPICKED_SEED, PaperFigure, Picture

Results = Mapping[str, Any]
Race = tuple[RunConfig, ...]


def figure_card(figure: PaperFigure, results: Results) -> html.Article:
    """The first picture in sight; the others, the claims and their numbers one click further."""
    sentence, _, _ = figure.text.partition(". ")
    lead = figure.pictures[0]
    return html.Article(
        [
            html.Header(
                [
                    html.H3(lettered(figure.title)),
                    html.P(lettered(sentence if sentence.endswith(".") else f"{sentence}.")),
                ]
            ),
            _picture(figure, lead, f"{figure.name}-0"),
            html.Div(_body(figure, results), className="card-body"),
            html.P(
                html.A(
                    "Open in the Lab",
                    href=figure.link,
                    className="button primary",
                    **{"aria-label": f"Open in the Lab: {figure.title}"},
                ),
                className="card-foot",
            ),
        ],
        id=f"figure-{figure.name}",
        className="card paper-figure",
    )


def _body(figure: PaperFigure, results: Results) -> list[Any]:
    """What stands below the first picture: where the runs ended, and what can be unfolded."""
    race = figure.race()
    _, _, rest = figure.text.partition(". ")
    more = [
        _picture(figure, picture, f"{figure.name}-{at}") for at, picture in enumerate(figure.pictures) if at
    ]
    return [
        _legend(race, results["figures"].get(figure.name, {})),
        *([_claims(figure, results)] if figure.claims else []),
        *(
            [
                html.Details(
                    [
                        html.Summary(_more(len(more), figure)),
                        *([html.P(lettered(rest))] if rest else []),
                        html.Div(more, className="pictures"),
                        *([_sets(race[0])] if figure.sets else []),
                        *([_needs_time(figure)] if figure.curves_only else []),
                    ],
                    className="card-more",
                )
            ]
            if more or rest
            else []
        ),
        *(_unpicked(figure, results) if figure.unpicked else []),
    ]


def _more(pictures: int, figure: PaperFigure) -> str:
    if not pictures:
        return "The sets as a table" if figure.sets else "About this figure"
    return f"{pictures} more picture{'s' if pictures > 1 else ''}"


def _claims(figure: PaperFigure, results: Results) -> html.Details:
    """The verdicts in a row; unfolded, every claim with its numbers."""
    verdicts = [results["claims"][name]["verdict"] for name in figure.claims if name in results["claims"]]
    number_of = f"{len(verdicts)} claim{'s' if len(verdicts) > 1 else ''}"
    return html.Details(
        [
            html.Summary([html.Span(number_of, className="claims-count"), *count_badges(verdicts)]),
            part_of(f"claims:{figure.name}", className="claim-list"),
        ],
        className="card-claims",
    )


def _unpicked(figure: PaperFigure, results: Results) -> list[Any]:
    """The same from a seed that was not looked at before it was chosen."""
    pictures = [
        _picture(figure, picture, f"{figure.name}-unpicked-{at}")
        for at, picture in enumerate(figure.unpicked)
    ]
    words = "Compute it in the Lab" if figure.unpicked_curves else "Open it in the Lab"
    return [
        html.Details(
            [
                html.Summary(f"The same from seed {UNPICKED_SEED}, chosen in advance"),
                html.Div(pictures, className="pictures"),
                _legend(figure.unpicked_race(), results["runs"]),
                html.P(
                    html.A(
                        words,
                        href=figure.unpicked_link,
                        className="button",
                        **{"aria-label": f"{words}: {figure.title}, seed {UNPICKED_SEED}"},
                    )
                ),
            ],
            className="card-more",
        )
    ]


def _picture(figure: PaperFigure, picture: Picture, name: str) -> html.Figure:
    return html.Figure(
        [
            part_of(
                f"picture:{name}",
                className="plot",
                role="img",
                **{"aria-label": f"{figure.title}. {picture.caption}"},
            ),
            html.Figcaption(lettered(picture.caption)),
        ],
        className="picture wide" if picture.wide else "picture",
        id=f"plot-{name}",
    )


def _legend(race: Race, runs: Results) -> html.Ul:
    """The methods, and where each of them ended."""
    entries = []
    for config in race:
        name = config.method.name
        told = [html.Span(className="swatch", **{"data-method": name}), html.Strong(config.method.title)]
        if config.run_id in runs:
            ended = runs[config.run_id]
            told.append(
                html.Span(
                    f"loss {number(ended['loss'])} at epoch {count(ended['epoch'])}",
                    className="ended",
                    **{"data-run": config.run_id, "data-loss": repr(ended["loss"])},
                )
            )
        entries.append(html.Li(told))
    return html.Ul(entries, className="ended-list")


def _needs_time(figure: PaperFigure) -> html.P:
    titles = [METHODS[name].title for name in figure.curves_only]
    listed = titles[0] if len(titles) == 1 else ", ".join(titles[:-1]) + " and " + titles[-1]
    return html.P(
        f"Only the curves of {listed} ship. Press Run in the Lab to compute the rest.", className="note"
    )


def _sets(config: RunConfig) -> html.Div:
    """The sets U_l of the starting biases, as a table."""
    data, (b, _) = config.training_data(), config.initial()
    edges = [0, *sorted(gaps(data.x, b).tolist()), data.m]
    sets = [data.x[first:stop].tolist() for first, stop in pairwise(edges)]
    rows = [
        [html.Th("set", scope="row"), *(html.Td(["U", html.Sub(str(level))]) for level in range(len(sets)))],
        [html.Th(lettered("how many, uₗ"), scope="row"), *(html.Td(str(len(points))) for points in sets)],
        [
            html.Th("data points x", scope="row"),
            *(html.Td(", ".join(number(x) for x in points) or "none") for points in sets),
        ],
    ]
    table = html.Table(html.Tbody([html.Tr(row) for row in rows]), className="sets")
    return scroller(table, "The sets as a table")
