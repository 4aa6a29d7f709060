"""Pages of text beside the Lab: Dash's HTML components written out as a plain document.

The Lab needs Dash in the browser; a page to read does not. Such a page is made
of the same components, so that one way of writing HTML serves both, and is sent
finished: it stands at once, works without scripts, and every text in it is escaped
here and nowhere else.
"""

from html import escape
from typing import Any
from urllib.parse import quote

from dash import html
from dash.development.base_component import Component

from components.common.navigation import header

_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
_TAGS = {"MapEl": "map", "ObjectEl": "object"}
_SPELLED = {"className": "class", "htmlFor": "for", "tabIndex": "tabindex", "colSpan": "colspan"}
_SPELLED |= {"rowSpan": "rowspan", "srcSet": "srcset", "dateTime": "datetime"}
ICON = "data:image/svg+xml," + quote(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" '
    'fill="#0b6b63"/><path d="M6 9h7v7h7v7h6" fill="none" stroke="#fff" stroke-width="3" '
    'stroke-linejoin="round" stroke-linecap="round"/></svg>'
)
"""A staircase; it comes with the page, so that nobody asks for it."""
EAGER = "//# allFunctionsCalledOnLoad\n"
"""First line of a script that Chromium then compiles beside the page while it comes, and not function by
function on the page's own thread when each is first called; other browsers pass it over."""


def markup(node: Any) -> str:
    """HTML text of a component, a list of them, or a string."""
    if node is None:
        return ""
    if isinstance(node, list | tuple):
        return "".join(markup(part) for part in node)
    if not isinstance(node, Component):
        return escape(str(node), quote=False)
    tag = tag_of(node)
    properties = node.to_plotly_json()["props"]
    children = properties.pop("children", None)
    # Dash lists wildcard properties in the order of a set, which differs from process to process.
    opening = "".join(_attribute(name, properties[name]) for name in sorted(properties))
    return f"<{tag}{opening}>" if tag in _VOID else f"<{tag}{opening}>{markup(children)}</{tag}>"


def tag_of(node: Component) -> str:
    """The name of the element that a component stands for."""
    kind: str = node.to_plotly_json()["type"]
    return _TAGS.get(kind, kind.lower())


def _attribute(name: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    spelled = _SPELLED.get(name, name if "-" in name else name.lower())
    if value is True:
        return f" {spelled}"
    if isinstance(value, dict):
        value = ";".join(f"{_dashed(key)}:{part}" for key, part in value.items())
    return f' {spelled}="{escape(str(value))}"'


def _dashed(name: str) -> str:
    """fontSize, as React spells it, in CSS."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


def document(
    title: str,
    body: Any,
    *,
    styles: str,
    sheets: tuple[str, ...],
    head_script: str,
    current: str,
    scripts: tuple[str, ...] = (),
) -> str:
    """A whole page with the header that all pages share; `current` is its own path."""
    content = [
        html.A("Skip to the text", href="#text", className="skip"),
        header(current),
        html.Main(body, id="text", className="text-page", tabIndex=-1),
    ]
    linked = "".join(f'<link rel="stylesheet" href="{escape(sheet)}">\n' for sheet in sheets)
    run = "".join(f'<script src="{escape(script)}" defer></script>\n' for script in (head_script, *scripts))
    run = run.replace(" defer", "", 1)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)} · Plateau Lab</title>
<link rel="icon" href="{ICON}">
{run}<style>{styles}</style>
{linked}</head>
<body class="reading">
{markup(content)}
</body>
</html>"""
