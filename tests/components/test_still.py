"""What Dash looks after, and what it does not: nothing of the page is lost on the way."""

from collections.abc import Iterator
from typing import Any

import pytest
from dash import Dash, Input, Output, dcc, html

from components import player
from components.pages.lab.layout import page_layout
from components.pages.lab.specification import specification
from components.pages.lab.still import spoken_to, stilled
from tests.components.tree import attribute, components

NAMED = frozenset({"heard"})


def elements(tree: list[Any]) -> Iterator[list[Any]]:
    """Every element of a tree."""
    for node in tree:
        if isinstance(node, list):
            yield node
            yield from elements(node[2:])


def test_plain_elements_travel_as_a_tree_around_what_lives() -> None:
    page = html.Div(
        [
            "Text & more",
            html.P(7, className="note", **{"data-x": "1"}),
            html.P(id="heard"),
            dcc.Store(id="store"),
        ]
    )
    still = stilled(page, NAMED)
    assert isinstance(still, player.Markup)
    assert still.tree == [["div", {}, "Text & more", ["p", {"className": "note", "data-x": "1"}, "7"], 0, 1]]
    assert [part.id for part in still.children] == ["heard", "store"]


def test_what_stands_inside_a_living_component_is_stilled_as_well() -> None:
    still = stilled(html.Div(html.Div([html.B("b"), dcc.Store(id="store")], id="heard")), NAMED)
    (heard,) = still.children
    assert heard.children.tree == [["b", {}, "b"], 0] and heard.children.children[0].id == "store"
    graph = player.Panel(dcc.Graph(id="graph"), id="plot", name="x")
    assert stilled(graph, NAMED).children.id == "graph", "nothing is wrapped for nothing"


def test_the_ids_that_callbacks_name_are_known() -> None:
    app = Dash("page")
    app.clientside_callback("() => 1", Output("a", "data"), Input({"type": "axis", "name": "time"}, "edit"))

    @app.callback(Output("b", "children"), Output("d", "hidden"), Input("e", "data"))
    def nothing(_: object) -> None:
        """Never called."""

    assert {"a", "b", "d", "e"} <= spoken_to(app)


def test_what_a_callback_may_name_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callbacks that Dash keeps apart until the first request, and names of several parts."""
    waiting = {"output": "of-no-app.children", "inputs": [{"id": "heard-of-no-app"}], "state": []}
    monkeypatch.setattr("components.pages.lab.still.GLOBAL_CALLBACK_LIST", [waiting])
    assert {"of-no-app", "heard-of-no-app"} <= spoken_to(Dash("page"))
    page = html.Div([html.P(id="plain"), html.P(id={"type": "one", "name": "of many"})])
    assert [part.id for part in stilled(page, NAMED).children] == [{"type": "one", "name": "of many"}]


def test_no_element_of_the_lab_is_lost() -> None:
    page = page_layout(specification())
    still = stilled(page, NAMED)
    living = list(components(still))
    plain = [node for part in living if isinstance(part, player.Markup) for node in elements(part.tree)]
    made = {node[1].get("id") for node in plain} | {str(attribute(part, "id")) for part in living}
    everything = list(components(page))
    assert {str(attribute(part, "id")) for part in everything if attribute(part, "id")} <= made
    markups = sum(isinstance(part, player.Markup) for part in living)
    assert len(plain) + len(living) - markups == len(everything)
