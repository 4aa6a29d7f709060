"""The ready studies: cards with a picture of each, drawn once from the files that ship."""

from collections.abc import Sequence
from functools import cache
from math import log10

import numpy as np
from dash import html
from flask import current_app

from components.common.theme import THEME_NAMES
from components.pages.study.groups import groups_of
from components.pages.study.table import StudyTables
from core.service import study_id_of
from core.study import bands
from reproduction.ready_studies import READY

WIDTH, HEIGHT, MARGIN = 320, 130, 6
SMALLEST = 1e-16
KEY = "They open at once. Each line is the median loss of a group over its epochs, both on logarithmic axes."


def ready_studies(*, unfolded: bool) -> html.Details:
    """Studies that open at once."""
    cards = [
        html.Li(
            html.A(
                [
                    *(_picture(place, theme) for theme in THEME_NAMES),
                    html.Strong(title, className="card-title"),
                    html.Span(said, className="note"),
                ],
                href=f"/study?{query}",
                className="card",
            )
        )
        for place, (title, query, said) in enumerate(READY)
    ]
    return html.Details(
        [
            html.Summary("Ready studies"),
            html.P(KEY, className="study-remark"),
            html.Ul(cards, className="cards"),
        ],
        id="study-ready",
        open=unfolded,
    )


def _picture(place: int, theme: str) -> html.Img:
    """Of the two the page shows the one of its theme."""
    source = f"/study/ready/{place}.svg?theme={theme}"
    return html.Img(src=source, alt="", width=WIDTH, height=HEIGHT, className=f"in-{theme}")


@cache
def ready_picture(place: int, theme: str) -> str:
    """The median loss of each group of a ready study over epochs, both logarithmic, as SVG without axes."""
    query = READY[place][1]
    studies = current_app.extensions["runs"].studies
    info = studies.info(study_id_of(query))
    table = StudyTables(studies).table(info)
    differing = [key for key in info.differing if key != "seed"]
    lines = []
    key = "method" if "method" in differing else differing[0]
    for group in groups_of(table, key, theme):
        found = bands([table.curves[at] for at in group.places if len(table.curves[at])], (0.5,))
        losses = np.maximum(found.quantiles[0], SMALLEST)
        lines.append((group.colour, [*zip((found.epochs + 1.0).tolist(), losses.tolist(), strict=True)]))
    return _curves(lines)


def _curves(lines: Sequence[tuple[str, Sequence[tuple[float, float]]]]) -> str:
    points = [point for _, line in lines for point in line if np.isfinite(point[1])]
    ends = [(log10(min(values)), log10(max(values))) for values in zip(*points, strict=True)]
    (left, right), (low, high) = ends

    def at(x: float, y: float) -> str:
        across = (log10(x) - left) / max(right - left, 1e-9)
        up = (log10(y) - low) / max(high - low, 1e-9)
        return (
            f"{MARGIN + across * (WIDTH - 2 * MARGIN):.1f},{HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN):.1f}"
        )

    drawn = []
    for colour, line in lines:
        kept = [at(x, y) for x, y in line if np.isfinite(y)]
        # A method that is done at once is a dot.
        if len(kept) == 1:
            x, y = kept[0].split(",")
            drawn.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>')
        else:
            drawn.append(f'<polyline points="{" ".join(kept)}" stroke="{colour}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none" '
        f'stroke-width="2" stroke-linejoin="round">{"".join(drawn)}</svg>'
    )
