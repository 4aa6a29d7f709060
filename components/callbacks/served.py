"""Panels whose figures Python makes: one callback each, on the moment that the panel itself tells.

A panel tells its moment when it is on screen and the moment has come to rest, so that nothing is
computed for pictures that nobody sees or that would be out of date before they are drawn.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from dash import Dash, Input, Output, no_update

from components import ids
from components.gate import mapping
from components.panels import SERVED
from components.panels.base import Occasion, ServedPanel
from components.routes import RUN_ID
from components.theme import THEME_NAMES
from core.run import Frame
from core.service import RunService

MOST = 300
"""Frames of a history."""
KEPT = 4096
"""Frames that are kept for the next picture: those of a dozen histories."""


def register_served(app: Dash, service: RunService) -> None:
    """A callback for every panel of the registry that Python draws."""
    for panel in SERVED.values():
        _register(app, service, panel)


def _register(app: Dash, service: RunService, panel: ServedPanel) -> None:
    @app.callback(
        Output(ids.graph_id(panel.name), "figure"),
        Input(ids.plot_id(panel.name), "moment"),
        prevent_initial_call=True,
    )
    def draw(moment: object) -> Any:
        occasion = occasion_of(service, mapping(moment))
        return no_update if occasion is None else panel.build(occasion)


def thinned(count: int) -> list[int]:
    """Which of so many frames make a history: every 2^k-th and the last, so that a longer run has the same
    ones or half of them."""
    stride = 1
    while count > stride * (MOST - 1):
        stride *= 2
    return sorted({*range(0, count, stride), max(count - 1, 0)})


@lru_cache(maxsize=KEPT)
def _frame(service: RunService, run: str, index: int) -> Frame:
    """One frame; recorded frames never change."""
    return service.frames(run, index - 1, index)[0]


def history_of(service: RunService, run: str) -> tuple[Frame, ...]:
    """The frames of a run up to now, thinned; none of a run that is being deleted."""
    try:
        return tuple(_frame(service, run, index) for index in thinned(service.count(run)))
    except IndexError:
        return ()


def occasion_of(service: RunService, moment: Mapping[str, Any]) -> Occasion | None:
    """What a told moment means; None for one that means nothing here, such as a run that was deleted."""
    run, index, neuron = moment.get("run"), moment.get("frame"), moment.get("neuron")
    if not isinstance(run, str) or not RUN_ID.fullmatch(run) or not isinstance(index, int) or index < 0:
        return None
    config = service.config(run)
    frames = service.frames(run, index - 1, index) if config else []
    if config is None or not frames:
        return None
    theme = moment.get("theme")
    return Occasion(
        config=config,
        frame=frames[0],
        neuron=neuron - 1 if isinstance(neuron, int) and neuron > 0 else None,
        theme=theme if theme in THEME_NAMES else THEME_NAMES[0],
        history=partial(history_of, service, run),
    )
