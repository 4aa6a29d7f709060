"""The form of the Study page: one field per setting that people vary, and the methods.

It is plain HTML, there before any script. The link below it is what is run, so a setting without a field can
be studied too; assets/study_form.js keeps both the same.
"""

from typing import Any

from dash import html

from components.common.native import Input
from components.common.settings import usual_epochs
from core.config import FIELDS, FieldSpec
from core.methods import METHODS
from core.problem import TARGETS

_SPECS = {spec.name: spec for spec in FIELDS}
_VARIED = {
    "seed": "Seeds",
    "width": "Widths",
    "learning_rate": "Learning rates",
    "points": "Points",
    "noise": "Noise",
}
_OF_TARGET = frozenset({"width", "points", "noise"})
LISTS = "One value, a list (5,10,20) or a range (0..19). An empty field means the usual value."
BUDGET = "One for all methods, or one per method, separated by commas."


def study_form() -> html.Form:
    """What varies; the browser never submits it."""
    fields = [_target(), *(_field(_SPECS[name], title) for name, title in _VARIED.items())]
    return html.Form(
        [
            html.Div([*fields, _field(_SPECS["epochs"], "Epochs", BUDGET)], className="study-fields"),
            html.P(LISTS, className="study-said", id="study-lists"),
            *(_methods(heading, rival=rival) for heading, rival in (("Methods", False), ("Rivals", True))),
        ],
        id="study-form",
        **{"aria-label": "What varies"},
    )


def _field(spec: FieldSpec, title: str, about: str = LISTS) -> html.Div:
    usual = "" if spec.default is None or spec.name in _OF_TARGET else spec.write(spec.default)
    described = {"aria-describedby": "study-lists"} if about == LISTS else {}
    text = Input(
        id=f"vary-{spec.name}",
        type="text",
        name=spec.name,
        title=about,
        placeholder=usual or "usual",
        spellCheck="false",
        autoComplete="off",
        **described,
    )
    return html.Div([html.Label(title, htmlFor=f"vary-{spec.name}"), text])


def _target() -> html.Div:
    entries = [html.Option(target.title, value=name) for name, target in TARGETS.items()]
    choice = html.Select(entries, id="vary-target", name="target")
    return html.Div([html.Label("Target", htmlFor="vary-target"), choice])


def _methods(heading: str, *, rival: bool) -> html.Fieldset:
    chips: list[Any] = [
        html.Label(
            [
                Input(type="checkbox", name="method", value=name, **{"data-epochs": usual_epochs(name)}),
                html.Span(method.title),
            ],
            className="study-chip",
            title=method.summary,
        )
        for name, method in METHODS.items()
        if method.rival == rival
    ]
    return html.Fieldset([html.Legend(heading), *chips], className="study-chips")
