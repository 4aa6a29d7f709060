"""The panels, in the order in which they are offered. Adding one is a file and a line here."""

from importlib import import_module
from typing import Any

from components.common.help import STANDSTILLS, TERMS
from components.common.theme import NEURON_COLOURS, css_variables, method_colour, method_dash
from components.common.view import TIMES
from components.panels.base import PRESENTED, AnyPanel, Panel, ServedPanel, presented
from components.panels.legend import MARKS, PICTURES
from core.methods import METHODS

__all__ = [
    "BOUND",
    "PANELS",
    "PLOT_CONFIG",
    "PRESENTED",
    "SERVED",
    "Panel",
    "presented",
    "specification",
]

_NAMES = (
    "loss",
    "fit",
    "biases",
    "coefficients",
    "pattern",
    "stationarity",
    "prediction",
    "rates",
    "candidates",
    "landscape",
    "sharpness",
)


def _panel(name: str) -> AnyPanel:
    panel: AnyPanel = import_module(f"components.panels.{name}").PANEL
    if panel.name != name:
        raise ValueError(f"components/panels/{name}.py: its panel is called {panel.name!r}, not {name!r}.")
    return panel


PANELS: dict[str, AnyPanel] = {name: _panel(name) for name in _NAMES}
BOUND: dict[str, Panel] = {name: panel for name, panel in PANELS.items() if isinstance(panel, Panel)}
"""Those that the browser fills from the frames it has."""
SERVED: dict[str, ServedPanel] = {
    name: panel for name, panel in PANELS.items() if isinstance(panel, ServedPanel)
}
"""Those whose figures Python makes."""

PLOT_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "responsive": False,
    "scrollZoom": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "displayModeBar": False,
    "doubleClick": False,
    "showTips": False,
}
"""How Plotly behaves in every panel: no tools of its own, no cloud."""


def specification(theme: str, scale: float = 1.0) -> dict[str, Any]:
    """Everything that the browser needs to draw, except the numbers: JSON, the same for everyone."""
    present = scale != 1.0
    return {
        "theme": theme,
        "scale": scale,
        "panels": [
            {
                "name": panel.name,
                "title": panel.title,
                "kind": panel.kind,
                "figure": presented(panel.figure(theme), theme, scale) if present else panel.figure(theme),
            }
            for panel in BOUND.values()
        ],
        "summaries": {name: panel.summary or panel.help for name, panel in PANELS.items()},
        "methods": {
            name: {"title": method.title, "colour": method_colour(theme, name), "dash": method_dash(name)}
            for name, method in METHODS.items()
        },
        "neurons": list(NEURON_COLOURS[theme]),
        "inks": {
            name.removeprefix("--"): value for name, value in css_variables(theme, present=present).items()
        },
        "times": {name: title for name, (_, title) in TIMES.items()},
        "terms": TERMS,
        "standstills": STANDSTILLS,
        "marks": MARKS,
        "config": PLOT_CONFIG,
        "pictures": PICTURES,
    }
