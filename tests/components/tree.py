"""Walking a tree of Dash components."""

from collections.abc import Iterator
from typing import Any

from dash.development.base_component import Component


def components(root: Any) -> Iterator[Any]:
    """Every component below and including the root."""
    if isinstance(root, list | tuple):
        for child in root:
            yield from components(child)
    elif isinstance(root, Component):
        yield root
        yield from components(list(root.to_plotly_json()["props"].values()))


def kind(component: Any) -> str:
    """The name of a component's class, as the browser knows it."""
    return str(component.to_plotly_json()["type"])


def attribute(component: Any, name: str) -> Any:
    """A property of a component, None where it was not set."""
    return getattr(component, name, None)


def text_of(root: Any) -> str:
    """All text of a tree, in order."""
    if root is None:
        return ""
    if isinstance(root, str | int | float):
        return str(root)
    if isinstance(root, list | tuple):
        return "".join(text_of(child) for child in root)
    options = "".join(text_of(option) for option in getattr(root, "options", None) or ())
    return options + text_of(getattr(root, "children", None))
