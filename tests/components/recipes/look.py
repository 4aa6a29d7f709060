"""Run in a copy of the sources with the newcomers: what the page, the link and a run make of them."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from app import create_app
from components.panels import SERVED
from components.panels.base import PanelRequest
from core.config import RunConfig
from core.run import train
from core.service import Settings


def refusal(query: str) -> str:
    """What is said of a query that is refused."""
    try:
        RunConfig.from_query(query)
    except ValueError as error:
        return str(error)
    return ""


def router_call(path: str) -> dict[str, object]:
    """What Dash's scripts ask when an address is opened."""
    return {
        "output": ".._pages_content.children..._pages_store.data..",
        "outputs": [
            {"id": "_pages_content", "property": "children"},
            {"id": "_pages_store", "property": "data"},
        ],
        "inputs": [
            {"id": "_pages_location", "property": "pathname", "value": path},
            {"id": "_pages_location", "property": "search", "value": ""},
        ],
        "changedPropIds": ["_pages_location.pathname"],
    }


DRAW = {
    "output": "..about-losses.figure...about-said.children..",
    "outputs": [
        {"id": "about-losses", "property": "figure"},
        {"id": "about-said", "property": "children"},
    ],
    "inputs": [{"id": "about-bins", "property": "value", "value": 5}],
    "changedPropIds": ["about-bins.value"],
}
"""What they ask when its slider stands at 5."""


def spread_answer(moment: dict[str, object]) -> TestResponse:
    """What they are answered when a panel has told its moment."""
    call = {
        "output": "spread.figure",
        "outputs": {"id": "spread", "property": "figure"},
        "inputs": [{"id": "plot-spread", "property": "moment", "value": moment}],
        "changedPropIds": ["plot-spread.moment"],
    }
    return client.post("/_dash-update-component", json=call)


def spread_answers(request: PanelRequest) -> dict[str, object]:
    """A moment that is gone, one that is there, and what a mistake of the callback's author comes to."""
    gone = spread_answer({"run": "0" * 32, "frame": 3, "asked": 1}).status_code
    spread.shown = lambda _: request
    figures = [
        spread_answer({"theme": "dark", "size": size}).get_json()["response"]["spread"]["figure"]
        for size in ("screen", "present")
    ]
    spread.shown = None
    failed = spread_answer({"theme": "dark", "asked": 2}).get_json()["sideUpdate"]["plot-spread"]["answer"]
    trace = figures[0]["data"][0]
    small, large = (figure["layout"]["font"]["size"] for figure in figures)
    return {
        "kind": trace["type"],
        "larger": large / small,
        "gone": gone,
        "failed": failed,
    }


spread: Any = import_module("components.panels.spread")
client = create_app(Settings(home=Path(sys.argv[1]), workers=1)).server.test_client()
layout = json.dumps(client.get("/_dash-layout", headers={"Referer": "http://localhost/"}).get_json())
about = client.get("/about")
routed = client.post("/_dash-update-component", json=router_call("/about")).get_json()["response"]
drawn = client.post("/_dash-update-component", json=DRAW).get_json()["response"]
config = RunConfig.from_query("width=3&method=sign&epochs=20&outlier=0.5")
frames = tuple(train(config))
request = PanelRequest(config=config, frame=frames[-1], neuron=1, theme="dark", history=lambda: frames)
portrait = SERVED["phase"].build(request)
moved = config.training_data().y - RunConfig.from_query("width=3").training_data().y
told = {
    "controls": [name for name in ("outlier", "sign", "dead", "phase", "spread") if f'"{name}"' in layout],
    "query": config.to_query(),
    "run_id": RunConfig.from_query("").run_id,
    "refusal": refusal("outlier=500"),
    "moved": float(abs(moved).max()),
    "epochs": [frame.epoch for frame in frames],
    "losses": [frame.loss for frame in frames],
    "panels": [panel["name"] for panel in client.get("/api/panels?theme=light").get_json()["panels"]],
    "page": {
        "listed": 'href="/about"' in client.get("/runs").text and '"/about"' in layout,
        "status": about.status_code,
        "title": routed["_pages_store"]["data"]["title"],
        "said": drawn["about-said"]["children"],
        "slim": "plotly-slim" in about.text,
    },
    "spread": spread_answers(request),
    "portrait": [len(trace["x"]) for trace in portrait["data"]],
}
print(json.dumps(told))
