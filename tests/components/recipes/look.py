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


client = create_app(Settings(home=Path(sys.argv[1]), workers=0)).server.test_client()
layout = client.get("/_dash-layout").text
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
    "portrait": [len(trace["x"]) for trace in portrait["data"]],
}
print(json.dumps(told))
