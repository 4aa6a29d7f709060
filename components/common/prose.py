"""A line of prose with the four signs that lessons know, as Dash components. Anything else is text."""

import re
from collections.abc import Iterator
from typing import Any

from dash import html

_SIGNS = re.compile(r"\*\*(\S.*?)\*\*|\*(\S.*?)\*|`(.+?)`|\[([^\]]+)\]\(([^)\s]+)\)")
_TAGS = {"strong": html.Strong, "em": html.Em, "code": html.Code}


def inline(text: str) -> Iterator[tuple[str, str, str]]:
    """A line as (kind, text, address) with kind text, strong, em, code or link."""
    end = 0
    for found in _SIGNS.finditer(text):
        yield from _plain(text[end : found.start()])
        strong, em, code, name, address = found.groups()
        if address is not None and not address.startswith(("/", "?", "#", "https://")):
            raise ValueError(
                f"link to {address[:60]!r}: addresses that begin with /, ?, # or https:// are allowed"
            )
        kind = "strong" if strong else "em" if em else "code" if code else "link"
        yield kind, strong or em or code or name, address or ""
        end = found.end()
    yield from _plain(text[end:])


def _plain(text: str) -> Iterator[tuple[str, str, str]]:
    for sign in ("**", "`"):
        if sign in text:
            raise ValueError(f"{sign} is opened but not closed on this line")
    if text:
        yield "text", text, ""


def prose(text: str) -> list[Any]:
    """The line as children of a component."""
    return [
        html.A(shown, href=address) if kind == "link" else _TAGS[kind](shown) if kind in _TAGS else shown
        for kind, shown, address in inline(text)
    ]


def lettered(text: str) -> list[Any]:
    """Text with its subscripts l set as such: the small letter of the fonts is hard to tell from an i."""
    parts: list[Any] = []
    for part in text.split("ₗ"):
        parts += [part, html.Sub("l")]
    return parts[:-1]


def scroller(table: Any, name: str) -> html.Div:
    """A table that may be wider than the page, to be scrolled by keyboard too."""
    return html.Div(table, className="scroller", role="region", tabIndex=0, **{"aria-label": name})
