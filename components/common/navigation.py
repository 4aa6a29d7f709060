"""The links between pages, from Dash's page registry: whoever registers a page is listed."""

from collections.abc import Mapping
from typing import Any

import dash
from dash import html

from components.common.buttons import icon_button


def listed_pages() -> list[Mapping[str, Any]]:
    """The registered pages in their order; one registered with `listed=False` is not in the navigation."""
    return [page for page in dash.page_registry.values() if page.get("listed", True)]


def header(current: str) -> html.Header:
    """What all pages but the Lab begin with: links to the others, and light or dark (assets/head.js)."""
    links = [
        html.A(
            page["name"],
            href=page["path"],
            **({"aria-current": "page"} if page["path"] == current else {}),
        )
        for page in listed_pages()
    ]
    return html.Header(
        [
            html.A("Plateau Lab", href="/", className="brand"),
            html.Nav(links, className="pages", **{"aria-label": "Pages"}),
            icon_button("reading-theme", "Light or dark", "theme"),
        ],
        id="bar",
    )
