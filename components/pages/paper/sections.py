"""One figure of the paper as a section of the page: pictures, numbers, claims, and the way into the Lab."""

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import orjson
from dash import html

from components.common.prose import lettered, scroller
from components.pages.paper.claims import claim_card
from core.config import RunConfig
from core.methods import METHODS
from core.model import gaps
from core.narrative import count, number
from reproduction.figures import UNPICKED_SEED, PaperFigure, Picture

Results = Mapping[str, Any]
Race = tuple[RunConfig, ...]


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
            _pictures(figure, figure.pictures, race, figure.name, figure.curves_only),
            *([_sets(race[0])] if figure.sets else []),
            html.Div(
                [
                    _legend(race, runs),
                    html.A("Open in the Lab", href=figure.link, className="button primary lab-link"),
                ],
                className="figure-foot",
            ),
            *([_needs_time(figure)] if figure.curves_only else []),
            *(_unpicked(figure, results) if figure.unpicked else []),
            *(
                [html.Div([claim_card(name, results) for name in figure.claims], className="claim-list")]
                if figure.claims
                else []
            ),
        ],
        id=f"figure-{figure.name}",
        className="paper-figure",
    )


def _pictures(
    figure: PaperFigure, pictures: tuple[Picture, ...], race: Race, name: str, curves: Collection[str]
) -> html.Div:
    drawn = [
        _picture(figure, picture, f"{name}-{index}", race, curves) for index, picture in enumerate(pictures)
    ]
    return html.Div(drawn, className=f"pictures pictures-{sum(not picture.wide for picture in pictures)}")


def _unpicked(figure: PaperFigure, results: Results) -> list[Any]:
    """The same from a seed that was not looked at before it was chosen."""
    race, curves = figure.unpicked_race(), figure.unpicked_curves
    return [
        html.H3(f"The same from seed {UNPICKED_SEED}, which nobody picked", className="unpicked-head"),
        _pictures(figure, figure.unpicked, race, f"{figure.name}-unpicked", curves),
        html.Div(
            [
                _legend(race, results["runs"]),
                html.A(
                    "Compute it in the Lab" if curves else "Open it in the Lab",
                    href=figure.unpicked_link,
                    className="button lab-link",
                ),
            ],
            className="figure-foot",
        ),
    ]


def _picture(
    figure: PaperFigure, picture: Picture, name: str, race: Race, curves: Collection[str]
) -> html.Figure:
    shown = [config for config in race if not picture.methods or config.method.name in picture.methods]
    runs = [
        {
            "id": config.run_id,
            "method": config.method.name,
            "curve": config.method.name in curves,
        }
        for config in shown
    ]
    settings = {
        "panel": picture.panel,
        "runs": runs,
        "window": picture.window,
        "moment": picture.moment,
        "focus": picture.focus or shown[0].method.name,
        "domain": picture.domain,
    }
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
    return scroller(table, "The sets as a table")
