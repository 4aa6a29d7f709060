"""The page as Dash sees it: the components that something speaks to, with plain elements around them.

Dash looks after every component of a page. That costs the browser about a fifth of a millisecond each when
the page is opened, and whenever one of them changes all are asked whether it was they. Labels, boxes and
buttons that no callback names need none of it: they travel as a tree of tags, attributes and texts, and one
component makes elements of them (components/player/src/components/Markup.tsx).
"""

import copy
from collections.abc import Collection
from typing import Any

from dash import Dash
from dash._callback import GLOBAL_CALLBACK_LIST
from dash.development.base_component import Component

from components import player
from components.common.document import tag_of
from components.common.native import Input


def spoken_to(app: Dash) -> frozenset[str]:
    """The ids that callbacks name: those of the app, and those that Dash has not given to it yet."""
    named: set[str] = set()
    for callback in (*app._callback_list, *GLOBAL_CALLBACK_LIST):
        named |= {place["id"] for place in (*callback["inputs"], *callback["state"])}
        named |= {place.rpartition(".")[0] for place in callback["output"].strip(".").split("...")}
    return frozenset(named)


def stilled(part: Any, named: Collection[str]) -> Component:
    """A component or a list of them as one, in which Dash sees none but those that have to do with it."""
    living: list[Component] = []
    tree = _trees(part, named, living)
    return living[0] if tree == [0] else player.Markup(living, tree=tree)


def _trees(part: Any, named: Collection[str], living: list[Component]) -> list[Any]:
    """Texts, elements, and the places of living components, which are numbers."""
    if part is None:
        return []
    if isinstance(part, list | tuple):
        return [node for each in part for node in _trees(each, named, living)]
    if not isinstance(part, Component):
        return [str(part)]
    if not _is_plain(part, named):
        living.append(_around_still(part, named))
        return [len(living) - 1]
    attributes = part.to_plotly_json()["props"]
    return [[tag_of(part), attributes, *_trees(attributes.pop("children", None), named, living)]]


def _is_plain(part: Any, named: Collection[str]) -> bool:
    if isinstance(part, Input) and getattr(part, "id", "") in named:
        raise ValueError(f"a callback names the input {part.id!r}, no Dash component: use player.Entry")
    is_element = isinstance(part, Input) or getattr(part, "_namespace", "") == "dash_html_components"
    name = getattr(part, "id", "")
    # A name of several parts is one of many that a callback may mean.
    return is_element and isinstance(name, str) and name not in named


def _around_still(part: Component, named: Collection[str]) -> Component:
    """A living component with what is plain inside it stilled."""
    twin = copy.copy(part)
    for prop in ("children", *getattr(part, "_children_props", ())):
        inside = getattr(part, prop, None)
        if isinstance(inside, list | tuple | Component):
            setattr(twin, prop, stilled(inside, named))
    return twin
