"""One figure of the paper as a section of the page: pictures, numbers, claims, and the way into the Lab."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import orjson
from dash import html

from core.config import RunConfig
from core.methods import METHODS
from core.model import gaps
from core.run import count, number
from reproduction.claims import VERDICTS
from reproduction.figures import PaperFigure, Picture
from reproduction.registry import CLAIMS

Results = Mapping[str, Any]


def lettered(text: str) -> list[Any]:
    """Text with its subscripts l set as such: the small letter of the fonts is hard to tell from an i."""
    parts: list[Any] = []
    for part in text.split("ₗ"):
        parts += [part, html.Sub("l")]
    return parts[:-1]


def method_names() -> str:
    """Line styles of the legend's swatches, as CSS: the colour comes from the method's variable."""
    return "".join(f'.swatch[data-method="{name}"]{{background:var(--method-{name})}}' for name in METHODS)


def figure_section(figure: PaperFigure, results: Results) -> html.Section:
    """Everything about one figure."""
    race = figure.race()
    runs = results["figures"].get(figure.name, {})
    return html.Section(
        [
            html.Header(
                html.H2(lettered(figure.title)),
                className="figure-head",
            ),
            html.P(lettered(figure.text), className="figure-text"),
            html.Div(
                [_picture(figure, picture, index, race) for index, picture in enumerate(figure.pictures)],
                className=f"pictures pictures-{len(figure.pictures)}",
            ),
            *([_sets(race[0])] if figure.sets else []),
            html.Div(
                [
                    _legend(race, runs),
                    html.A("Open in the Lab", href=figure.link, className="button primary lab-link"),
                ],
                className="figure-foot",
            ),
            *([_needs_time(figure)] if figure.curves_only else []),
            *(
                [html.Div([_claim(name, results) for name in figure.claims], className="claim-list")]
                if figure.claims
                else []
            ),
        ],
        id=f"figure-{figure.name}",
        className="paper-figure",
    )


def _picture(figure: PaperFigure, picture: Picture, index: int, race: tuple[RunConfig, ...]) -> html.Figure:
    shown = [config for config in race if not picture.methods or config.method.name in picture.methods]
    runs = [
        {
            "id": config.run_id,
            "method": config.method.name,
            "curve": config.method.name in figure.curves_only,
        }
        for config in shown
    ]
    settings = {
        "panel": picture.panel,
        "runs": runs,
        "window": picture.window,
        "moment": picture.moment,
        "focus": picture.focus or shown[0].method.name,
    }
    name = f"{figure.name}-{index}"
    return html.Figure(
        [
            html.Div(
                id=f"plot-{name}",
                className="plot pl-loading",
                role="img",
                **{
                    "aria-label": f"{figure.title}. {picture.caption}",
                    "data-picture": orjson.dumps(settings).decode(),
                },
            ),
            html.Figcaption(lettered(picture.caption)),
        ],
        className="picture wide" if picture.wide else "picture",
    )


def _legend(race: tuple[RunConfig, ...], runs: Results) -> html.Ul:
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
        f"The run{'s' if len(titles) > 1 else ''} of {listed} ship{'' if len(titles) > 1 else 's'} as "
        f"curve{'s' if len(titles) > 1 else ''} only: the Lab computes the rest when you press Run there.",
        className="note",
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
    return html.Div(table, className="scroller")


def _claim(name: str, results: Results) -> html.Article:
    claim, found = CLAIMS[name], results["claims"][name]
    verdict = found["verdict"]
    return html.Article(
        [
            html.Div(
                [
                    html.P(lettered(claim.sentence), className="claim-sentence"),
                    html.Span(VERDICTS[verdict], className=f"badge verdict-{verdict}"),
                ],
                className="claim-head",
            ),
            html.Dl(
                [
                    html.Dt("Paper"),
                    html.Dd(claim.paper),
                    html.Dt("Here"),
                    html.Dd(lettered(found["ours"]), className="ours"),
                    html.Dt("Measured"),
                    html.Dd(lettered(claim.measured)),
                ]
            ),
            html.P(lettered(found["why"]), className="why"),
        ],
        id=f"claim-{name}",
        className=f"claim verdict-{verdict}",
    )
