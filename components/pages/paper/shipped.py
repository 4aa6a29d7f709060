"""The runs behind the pictures: those that ship whole, and those of which only the curve ships."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Any

import numpy as np
import orjson
from flask import current_app
from plotly.graph_objects import Figure

from components.figures.paper import paper_figure
from components.figures.runs import runs_of
from core.config import RunConfig
from core.frames import Frame
from reproduction.figures import FIGURES, PaperFigure, Picture
from reproduction.shipping import DATA

Race = tuple[RunConfig, ...]


@dataclass(frozen=True)
class ShippedRun:
    """A run as the figure functions take it."""

    config: RunConfig
    frames: tuple[Frame, ...]


@dataclass(frozen=True)
class Place:
    """A picture of the page: of which figure, of which runs."""

    figure: PaperFigure
    picture: Picture
    race: Race
    curves: tuple[str, ...]
    """Methods of which only the curve ships."""

    @property
    def shown(self) -> Race:
        """The runs in the picture, the one in the focus first where the picture shows a single one."""
        picture = self.picture
        shown = [run for run in self.race if not picture.methods or run.method.name in picture.methods]
        return tuple(shown)


@cache
def places() -> dict[str, Place]:
    """Every picture of the page by its name."""
    found: dict[str, Place] = {}
    for name, figure in FIGURES.items():
        kinds = (
            (name, figure.pictures, figure.race(), figure.curves_only),
            (f"{name}-unpicked", figure.unpicked, figure.unpicked_race(), figure.unpicked_curves),
        )
        for begin, pictures, race, curves in kinds:
            for number, picture in enumerate(pictures):
                found[f"{begin}-{number}"] = Place(figure, picture, race, curves)
    return found


_drawing = Lock()
"""Pictures that are asked for at once share runs, which are read once if they are drawn one by one."""


def drawn(name: str, theme: str) -> Figure:
    """A picture, finished; KeyError for a name that there is not."""
    with _drawing:
        return _drawn(name, theme)


@lru_cache(maxsize=128)
def _drawn(name: str, theme: str) -> Figure:
    place = places()[name]
    runs = [_run(config, config.method.name in place.curves) for config in place.shown]
    picture = place.picture
    return paper_figure(
        picture.panel,
        runs_of(runs, theme),
        theme,
        moment=picture.moment,
        window=picture.window,
        domain=picture.domain,
    )


@lru_cache(maxsize=4)
def _run(config: RunConfig, is_curve: bool) -> ShippedRun:
    if not is_curve:
        return ShippedRun(config, tuple(current_app.extensions["runs"].frames(config.run_id)))
    return ShippedRun(config, tuple(_curve(orjson.loads((DATA / f"{config.run_id}.json").read_bytes()))))


def _curve(told: Mapping[str, Any]) -> list[Frame]:
    """Every frame carries the last network, and only the last one shows it."""
    columns, last = told["columns"], told["last"]
    b, c = (np.array(last[name], dtype=np.float64) for name in "bc")
    gap, pin = (np.array(last[name], dtype=np.int64) for name in ("gap", "pin"))
    points = len(told["data"]["x"])

    def frame(index: int) -> Frame:
        values: dict[str, Any] = {
            name: np.nan if row[index] is None else row[index] for name, row in columns.items()
        }
        return Frame(index=index, b=b, c=c, gap=gap, pin=pin, changes=(), points=points, **values)

    return [frame(index) for index in range(len(columns["epoch"]))]
