"""What the scripts of the page must know, as one JSON document.

Defaults and spelling are none of it: the settings are known in Python alone
(components.common.settings), and the browser says what was touched. Bounds are, so that what is
allowed can be in the address bar before the server has answered.
"""

from typing import Any

from components.common import ids
from components.common.view import DEFAULT_QUERY, default_texts
from components.pages.lab.first_visit import FIRST_VISIT
from components.pages.lab.writing import slider_scales
from components.panels import PANELS
from core.config import FIELDS, FORMER_VIEW_KEYS
from core.limits import LIMITS, Limits
from core.service import PAPER

EXPORTS = (
    ("/api/runs/{run}/export.csv", "The run as CSV"),
    ("/api/runs/{run}/export.json", "The run as JSON"),
    ("/api/runs/{run}/export.npz", "The run for NumPy (NPZ)"),
    ("/comparison.zip?{race}", "All runs with data, queries and a program (ZIP)"),
    ("/replay.html?{race}", "A replay that needs no server (HTML)"),
)
"""Where the menu of a panel leads; the browser fills in the run on screen, or the whole race."""


def specification(limits: Limits = LIMITS, origin: str = "") -> dict[str, Any]:
    """The player, the panels, the keys of a view, what a page without settings opens on, and the server's
    address for others where its own machine calls it by another."""
    return {
        "player": ids.PLAYER,
        "panels": [{"name": panel.name, "title": panel.title} for panel in PANELS.values()],
        "view": default_texts(),
        "former_view": FORMER_VIEW_KEYS,
        "default_query": DEFAULT_QUERY,
        "first_visit": FIRST_VISIT,
        "exports": EXPORTS,
        "origin": origin,
        "cite": PAPER,
        "limits": {"upload_bytes": limits.upload_bytes},
        "sliders": slider_scales(limits),
        "plain": _plain(limits),
    }


def _plain(limits: Limits) -> dict[str, dict[str, Any]]:
    """What a single number or a choice may be; "method" and "epochs" are controls of another kind."""
    found: dict[str, dict[str, Any]] = {}
    for spec in FIELDS:
        if spec.kind in ("int", "float"):
            whole = spec.kind == "int"
            found[spec.name] = {"low": spec.low, "high": spec.highest(limits), "whole": whole}
        elif spec.kind == "choice":
            found[spec.name] = {"choices": spec.choices}
    return found
