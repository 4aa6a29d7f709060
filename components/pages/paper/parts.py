"""A part of the page that is made when somebody comes near it (assets/reading.js, callbacks.py)."""

from typing import Any

from dash import html

PART = "paper-part"


def part_of(name: str, **properties: Any) -> html.Div:
    """The empty part."""
    return html.Div(id={"type": PART, "name": name}, **{"data-near": "", **properties})
