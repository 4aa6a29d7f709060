"""The links between pages, from Dash's page registry: whoever registers a page is listed."""

from collections.abc import Mapping
from typing import Any

import dash
from dash import html

from components.common.buttons import icon_button


def listed_pages() -> list[Mapping[str, Any]]:
    """The registered pages in their order; one registered with `listed=False` is not in the navigation."""
    return [page for page in dash.page_registry.values() if page.get("listed", True)]


def page_links(current: str, more: Mapping[str, Mapping[str, Any]] | None = None) -> list[html.A]:
    """A link to every listed page, the current one marked; `more` has further attributes by path."""
    return [
        html.A(
            page["name"],
            **{
                "href": page["path"],
                **({"aria-current": "page"} if page["path"] == current else {}),
                **(more or {}).get(page["path"], {}),
            },
        )
        for page in listed_pages()
    ]


def header(current: str) -> html.Header:
    """What all pages but the Lab begin with: links to all pages, and light or dark (assets/head.js)."""
    return html.Header(
        [
            html.A("Plateau Lab", href="/", className="brand"),
            html.Nav(page_links(current), className="pages", **{"aria-label": "Pages"}),
            icon_button("reading-theme", "Light or dark", "theme"),
        ],
        id="bar",
    )
