"""Run in a copy of the sources with the newcomers: what the page, the link and a run make of them."""

import json
import sys
from pathlib import Path

from app import create_app
from components.panels import SERVED
from components.panels.base import Occasion
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


client = create_app(Settings(home=Path(sys.argv[1]), workers=0)).server.test_client()
layout = json.dumps(client.get("/_dash-layout", headers={"Referer": "http://localhost/"}).get_json())
about = client.get("/about")
routed = client.post("/_dash-update-component", json=router_call("/about")).get_json()["response"]
drawn = client.post("/_dash-update-component", json=DRAW).get_json()["response"]
config = RunConfig.from_query("width=3&method=sign&epochs=20&outlier=0.5")
frames = tuple(train(config))
portrait = SERVED["phase"].build(
    Occasion(config=config, frame=frames[-1], neuron=1, theme="dark", history=lambda: frames)
)
moved = config.training_data().y - RunConfig.from_query("width=3").training_data().y
told = {
    "controls": [name for name in ("outlier", "sign", "dead", "phase") if f'"{name}"' in layout],
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
    "portrait": [len(trace["x"]) for trace in portrait["data"]],
}
print(json.dumps(told))
