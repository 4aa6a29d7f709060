"""What the scripts of the page must know, as one JSON document.

The browser needs the fields, their defaults and bounds, to write a link without
asking the server. It gets them from the same declarations that the server checks
against, so a new target, method or parameter appears in the page by itself.
"""

from typing import Any

from components.first_visit import FIRST_VISIT
from components.panels import PANELS
from components.presets import PRESETS
from components.view import VIEW_KEYS
from core.config import FIELDS, FieldSpec, epochs_field, parameter_fields
from core.limits import LIMITS, Limits
from core.methods import METHODS, Method
from core.problem import TARGETS, Target

SLIDERS: dict[str, tuple[float, float]] = {"noise": (0.0, 1.0), "width": (1.0, 300.0)}
"""Where the range worth sliding through is shorter than what is allowed; numbers beyond it can be typed."""

EXPORTS = (
    ("csv", "The run as CSV"),
    ("json", "The run as JSON"),
    ("npz", "The run for NumPy (NPZ)"),
)


def specification(limits: Limits = LIMITS) -> dict[str, Any]:
    """Fields, targets, methods, panels and presets, with every value as query text."""
    return {
        "fields": {spec.name: _field(spec, limits) for spec in FIELDS},
        "targets": {name: _target(target) for name, target in TARGETS.items()},
        "methods": {name: _method(method, limits) for name, method in METHODS.items()},
        "panels": [
            {"name": panel.name, "title": panel.title, "help": panel.help} for panel in PANELS.values()
        ],
        "presets": [{"name": preset.name, "query": preset.query, "note": preset.note} for preset in PRESETS],
        "view": sorted(VIEW_KEYS),
        "first_visit": FIRST_VISIT,
        "exports": EXPORTS,
        "limits": {"upload_bytes": limits.upload_bytes},
    }


def _field(spec: FieldSpec, limits: Limits) -> dict[str, Any]:
    return {
        "name": spec.name,
        "kind": spec.kind,
        "default": "" if spec.default is None else spec.write(spec.default),
        "slider": slider_range(spec, limits),
        "methods": spec.methods,
    }


def slider_range(spec: FieldSpec, limits: Limits) -> tuple[float, float, bool] | None:
    """Lower end, upper end, and whether the slider is logarithmic; None for what cannot slide."""
    if spec.kind not in ("int", "float"):
        return None
    low, high = SLIDERS.get(spec.name, (spec.low, spec.highest(limits)))
    high = min(high, spec.highest(limits))
    if spec.log and low <= 0:
        low = min(1.0, high * 1e-9)
    return low, high, spec.log


def _target(target: Target) -> dict[str, Any]:
    by_name = {spec.name: spec for spec in FIELDS}
    defaults = dict(target.defaults)
    if target.fixed:
        positions = [x for x, _ in target.data]
        defaults |= {"points": len(positions), "domain": (min(positions), max(positions))}
    return {
        "title": target.title,
        "watch": target.watch,
        "formula": target.formula,
        "fixed": target.fixed,
        "defaults": {key: by_name[key].write(value) for key, value in defaults.items()},
    }


def _method(method: type[Method], limits: Limits) -> dict[str, Any]:
    budget = epochs_field(method)
    highest = budget.highest(limits)
    return {
        "title": method.title,
        "epochs": budget.write(min(method.default_epochs, highest)),
        "highest": highest,
        "parameters": {name: spec.write(spec.default) for name, spec in parameter_fields(method).items()},
    }
