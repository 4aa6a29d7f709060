"""Buttons with a drawn sign."""

from typing import Any

from dash import html


def icon_button(
    name: str, label: str, icon: str, *, text: str = "", class_name: str = "", **more: Any
) -> html.Button:
    """A button with a drawn sign; `text` is what wide screens show beside it."""
    identity = {"id": name} if name else {}
    return html.Button(
        [
            html.Span(className=f"icon icon-{icon}", **{"aria-hidden": "true"}),
            *([html.Span(text, className="button-text")] if text else []),
        ],
        className=f"button quiet {class_name}".strip(),
        title=label,
        type="button",
        **{"aria-label": label, **identity, **more},
    )
