"""Fingerprints of everything that a run records and shows, to be compared between processors.

`python -m tests.core.digest` prints them as JSON: the bytes of data, starts, names and all
frames (the wall clock aside) of a set of runs with every method, and what is derived from them.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import numpy as np

from core import RunConfig
from core.analysis.best_known import best_known
from core.frames.frame import Frame
from core.methods import METHODS
from core.narrative.plateaus import plateaus_of
from core.run import train
from core.service.export import csv_lines
from core.service.records import encode_frame
from core.tables.pictures import candidate_columns, data_columns, forecast_columns
from core.tables.summaries import stages
from core.theory import fully_trained_network
from tests.service.samples import timeless

PROBLEMS = {
    "waves": "target=f1&points=60&seed=3",
    "formula": "target=exp(-2*x)*tanh(3*x)%2Blog(x%2B2)/cosh(x)-atan(x)**3%2Bcbrt(x)&points=37&noise=0.1"
    "&sampling=uniform",
    "jump": "target=f2&points=80&width=25&seed=7",
    "pins": "target=five&seed=2",
    "weights": "data=-1:2:3;-0.5:0;0:1:2;0.25:-1;0.5:0.5;1:2:4&width=6&init=uniform&seed=1",
    "far": "target=sin(x)&domain=1000,1007&points=40&width=8&units=1003.5,3.5,0,1",
}
EPOCHS: dict[str, float] = {
    "gd": 1e4, "adam": 5e3, "flow": 1e5, "lsq": 1,
    "ls_gd": 100, "ls_adam": 100, "anls": 100, "anls_plus": 100,
    "momentum": 2e3, "nesterov": 2e3, "sgd": 300,
}  # fmt: skip
TWICE = ("waves", "pins")
"""Problems of which what is derived is looked at too."""


def fingerprint(*parts: bytes) -> str:
    whole = sha256()
    for part in parts:
        whole.update(part)
    return whole.hexdigest()[:16]


def derived(config: RunConfig) -> dict[str, Any]:
    """What the page and the exports make of a run: no rates, no sharpness, whose last bits are LAPACK's."""
    data, frames = config.training_data(), list(train(config))
    b, c = fully_trained_network(data, np.array([-0.4, 0.1, 0.6]))
    return {
        "csv": fingerprint("".join(csv_lines(config.width, [frames])).encode()),
        "construction": fingerprint(b.tobytes(), c.tobytes()),
        "pictures": fingerprint(*(dumps(part).encode() for part in pictures(config, frames))),
        "best known": best_known(data, config.width).loss.hex(),
    }


def pictures(config: RunConfig, frames: list[Frame]) -> Iterator[dict[str, Any]]:
    """What panels and tables show besides the frames."""
    yield {"stages": stages(config, frames)}
    yield data_columns(config)
    yield candidate_columns(config, frames[-1])
    yield from (forecast_columns(config, frame) for frame in frames[:: max(1, len(frames) // 5)])
    yield {"plateaus": [asdict(plateau) for plateau in plateaus_of(config, frames)]}


def dumps(columns: dict[str, Any]) -> str:
    return json.dumps(columns, default=lambda array: array.tolist())


def digest() -> dict[str, Any]:
    """By run: name, data, start, frames; by problem: what is derived."""
    found: dict[str, Any] = {}
    for name, problem in PROBLEMS.items():
        for method in METHODS:
            config = RunConfig.from_query(f"{problem}&method={method}&epochs={EPOCHS.get(method, 100):g}")
            data = config.training_data()
            frames = [timeless(encode_frame(frame)) for frame in train(config)]
            found[f"{name} {method}"] = [
                config.run_id,
                fingerprint(data.x.tobytes(), data.y.tobytes(), data.w.tobytes()),
                fingerprint(*(array.tobytes() for array in config.initial())),
                len(frames),
                fingerprint(*frames),
            ]
        if name in TWICE:
            found[name] = derived(RunConfig.from_query(f"{problem}&method=gd&epochs=3e3"))
    return found


if __name__ == "__main__":
    print(json.dumps(digest()))
