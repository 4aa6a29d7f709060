"""What numbers and texts are written into, and the slider beside a number."""

from typing import Any

from dash import dcc, html

from components.common import ids
from core.config import FIELDS, FieldSpec, epochs_field
from core.limits import LIMITS, Limits
from core.methods import METHODS

SLIDERS: dict[str, tuple[float, float]] = {"noise": (0.0, 1.0), "width": (1.0, 300.0)}
"""Where the range worth sliding through is shorter than what is allowed; numbers beyond it can be typed."""
NO_SLIDER = frozenset({"seed", "epochs"})
"""A seed has no scale; a budget is a method's."""
STEPS = 1000
"""Places of a slider."""


def number(identity: dict[str, str] | str) -> dcc.Input:
    """A number; a text to the browser, since a list of numbers can stand there too."""
    return dcc.Input(
        id=identity, type="text", value="", inputMode="decimal", className="number", autoComplete="off"
    )


def line(identity: dict[str, str], placeholder: str = "", class_name: str = "wide") -> dcc.Input:
    """One line of text."""
    return dcc.Input(
        id=identity,
        type="text",
        value="",
        className=class_name,
        placeholder=placeholder,
        autoComplete="off",
        spellCheck=False,
    )


def slider(name: str, label: str) -> list[Any]:
    """The slider beside a number; the browser keeps the two equal (shell/sliders.ts)."""
    spoken = html.Label(
        f"{label}, slider", htmlFor=ids.element_id("slider", name), className="visually-hidden"
    )
    identity = ids.control("slider", name)
    return [
        spoken,
        dcc.Input(id=identity, type="range", min=0, max=STEPS, step=1, value=0, className="slider"),
    ]


def slider_scales(limits: Limits = LIMITS) -> dict[str, tuple[float, float, bool, bool]]:
    """Of each slider its ends, whether it is logarithmic, and whether it goes by whole numbers."""
    scales = {}
    for spec in FIELDS:
        found = slider_range(spec, limits)
        if found is not None:
            scales[f"field {spec.name}"] = (*found, spec.kind == "int")
    for name, method in METHODS.items():
        scales[f"budget {name}"] = (1.0, epochs_field(method).highest(limits), True, False)
    return scales


def slider_range(spec: FieldSpec, limits: Limits) -> tuple[float, float, bool] | None:
    """Lower end, upper end, and whether the slider is logarithmic; None for what cannot slide."""
    if spec.kind not in ("int", "float") or spec.name in NO_SLIDER:
        return None
    low, high = SLIDERS.get(spec.name, (spec.low, spec.highest(limits)))
    high = min(high, spec.highest(limits))
    if spec.log and low <= 0:
        low = min(1.0, high * 1e-9)
    return low, high, spec.log
