"""The six pictures of the report, drawn from shipped runs by the figure functions that notebooks use."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plotly.graph_objects import Box, Figure

from components.common.theme import NEURON_COLOURS
from components.figures import biases, fit, loss, prediction
from core.config import RunConfig
from core.frames import Frame
from core.service import decode_frame, read_volume
from reproduction.criteria import criteria
from reproduction.figures import FIGURES
from reproduction.measures import at
from reproduction.runs import Tables
from reproduction.shipping import LIBRARY

SIZE = {"width": 760, "height": 380}
JUMP, MOST = (-0.06, 0.06), 1e6
"""The part of f2 that is drawn, and the largest rise."""


@dataclass(frozen=True)
class Shipped:
    """A run of the library, as the figure functions want it."""

    config: RunConfig
    frames: Sequence[Frame]


def shipped(figure: str, *methods: str) -> Iterator[Shipped]:
    """The runs of a figure by these methods."""
    for config in FIGURES[figure].race():
        if config.method.name in methods:
            volume = read_volume(LIBRARY / f"{config.run_id}.xz")
            yield Shipped(config, [decode_frame(payload) for payload in volume.payloads])


def cut_offs(tables: Tables) -> Figure:
    """How far the prediction error of LS/GD rises, one point per seed, for each cut-off of its solver."""
    ablation, limits = criteria().ablations["cut-off"], criteria().limits()
    seeds = tables.varied[f"cut-off-{ablation.changes[0]}"]
    near = at("error_rise_near", limits["similar"])
    rises = {"none, near iteration 200": [tables.base[ablation.base][seed][near] for seed in seeds]}
    for change in ablation.changes:
        rises[change] = [one["error_rise"] for one in tables.varied[f"cut-off-{change}"].values()]
    points = {"boxpoints": "all", "jitter": 0.4, "pointpos": 0, "fillcolor": "rgba(0,0,0,0)"}
    colours = NEURON_COLOURS["light"]
    picture = Figure(
        [
            Box(
                y=[min(value, MOST) for value in values],
                name=name,
                marker_color=colour,
                line_width=0,
                **points,
            )
            for (name, values), colour in zip(rises.items(), colours, strict=False)
        ]
    )
    picture.update_yaxes(
        type="log", title="largest rise of the error (at most 10⁶)", exponentformat="power", dtick=1
    )
    picture.update_xaxes(title="singular values below this part of the largest are dropped", type="category")
    return picture.update_layout(template="simple_white", showlegend=False, margin={"t": 20, "r": 20})


def at_the_jump(_: Tables) -> Figure:
    """The networks of ANLS and the hybrids beside the jump of f2."""
    found = fit(shipped("f2-race", "ls_gd", "ls_adam", "anls"))
    return found.update_xaxes(range=JUMP)


def _drawn(draw: Callable[..., Figure], figure: str, methods: Sequence[str], _: Tables) -> Figure:
    return draw(list(shipped(figure, *methods)))


HYBRIDS = ("ls_gd", "ls_adam", "anls")
PICTURES: dict[str, tuple[str, Callable[[Tables], Figure]]] = {
    "cut-offs": (
        "Rise of LS/GD's error on f₂ by its solver's cut-off; one point per seed.",
        cut_offs,
    ),
    "f2-errors": (
        "Prediction errors on f₂, one seed.",
        partial(_drawn, prediction, "f2-race", HYBRIDS),
    ),
    "f2-jump": (
        "The same networks at the jump: both hybrids spike, as for few seeds.",
        at_the_jump,
    ),
    "sin5-race": (
        "GD against ANLS on sin 5πx.",
        partial(_drawn, loss, "sin5-race", ("gd", "anls")),
    ),
    "f1": (
        "GD on sin πx: loss, and floor of every stage.",
        partial(_drawn, loss, "f1", ("gd",)),
    ),
    "f1-biases": (
        "The biases of that run.",
        partial(_drawn, biases, "f1", ("gd",)),
    ),
}
"""Caption and drawing by file name; what differs comes first."""


def draw_all(folder: Path, tables: Tables) -> None:
    """Write the pictures; without Chromium the report keeps those that it has."""
    os.environ.setdefault(
        "BROWSER_PATH", os.environ.get("PLATEAU_CHROMIUM") or shutil.which("chromium") or ""
    )
    if not os.environ["BROWSER_PATH"]:
        print("No Chromium here: the report keeps the pictures it has.", file=sys.stderr)
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, (_, draw) in PICTURES.items():
        svg = draw(tables).to_image(format="svg", **SIZE).decode()
        (folder / f"{name}.svg").write_text(unnamed(svg), encoding="utf-8")
    for old in {*folder.glob("*.svg")} - {folder / f"{name}.svg" for name in PICTURES}:
        old.unlink()


def unnamed(svg: str) -> str:
    """A drawing with names that do not differ from one time to the next."""
    for place, name in enumerate(dict.fromkeys(re.findall(r"(?<=id=\")[^\"]+", svg))):
        svg = re.sub(rf"(?<=[\"#']){re.escape(name)}(?=[\"')])", f"p{place}", svg)
    return re.sub(r"(?<= trace)[0-9a-f]{6}(?=\")", "", svg) + "\n"
