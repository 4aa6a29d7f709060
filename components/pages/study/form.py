"""The form of the Study page: one field per setting that people vary, and chips for targets and methods.

The link below it is what is run, so a setting without a field can be studied too. One clientside callback
keeps both the same (`form` in assets/study.js); what it has to know is in a `dcc.Store`.
"""

from typing import Any

from dash import dcc, html

from components import player
from components.common.settings import usual_epochs
from components.common.view import VIEW_KEYS
from components.pages.study.view import StudyView
from core.config import FIELDS, FORMER_VIEW_KEYS, FieldSpec
from core.methods import METHODS
from core.problem import TARGETS

_SPECS = {spec.name: spec for spec in FIELDS}
_TITLES = {
    "seed": "Seeds",
    "width": "Widths",
    "learning_rate": "Learning rates",
    "points": "Points",
    "noise": "Noise",
    "epochs": "Epochs",
}
VARIED = tuple(_TITLES)
"""The settings that have a field of text."""
_OF_TARGET = frozenset({"width", "points", "noise"})
LISTS = "One value, a list (5,10,20) or a range (0..19). An empty field means the usual value."
SHOWN = 8
"""So many chips of a kind stand there at first; as assets/study.css says."""
BUDGET = "One for all methods, or one per method, separated by commas."
PAUSE = 500
"""Milliseconds after which what is typed is planned: to lay out ten thousand runs takes seconds."""
FIRST = "seed=0..19&method=gd,anls&epochs=1e5,500"
"""What a link without a study asks."""


def study_form() -> html.Div:
    """What varies."""
    fields = [_field(_SPECS[name], title) for name, title in _TITLES.items()]
    return html.Div(
        [
            dcc.Store(id="study-known", data=_known()),
            html.Div(fields, className="study-fields"),
            html.P(LISTS, className="study-remark", id="study-lists"),
            _chips("Targets", "target", _targets()),
            _chips("Methods", "method", _methods(rival=False)),
            _chips("Rivals", "rival", _methods(rival=True)),
        ],
        id="study-form",
        role="group",
        **{"aria-label": "What varies"},
    )


def _known() -> dict[str, Any]:
    """What the browser has to know to keep form and link the same."""
    return {
        "first": FIRST,
        "pause": PAUSE,
        "view": sorted({*VIEW_KEYS, *FORMER_VIEW_KEYS, *StudyView._fields}),
        "fields": VARIED,
        "targets": _targets(),
        "usual": {"target": _SPECS["target"].default, "method": _SPECS["method"].default},
        "picks": StudyView()._asdict(),
        "rivals": [name for name, method in METHODS.items() if method.rival],
        "epochs": {name: usual_epochs(name) for name in METHODS},
    }


def _field(spec: FieldSpec, title: str) -> html.Div:
    usual = "" if spec.default is None or spec.name in _OF_TARGET else spec.write(spec.default)
    identity = f"vary-{spec.name}"
    text = dcc.Input(
        id=identity,
        type="text",
        placeholder=f"usual: {usual}" if usual else "by target",
        spellCheck="false",
        autoComplete="off",
    )
    about = BUDGET if spec.name == "epochs" else LISTS
    return html.Div([html.Label(title, htmlFor=identity), text], title=about)


def _chips(heading: str, name: str, options: list[dict[str, str]]) -> html.Fieldset:
    chips = player.Choices(
        id=f"vary-{name}", options=options, value=[], multiple=True, optionClassName="study-chip"
    )
    more = [html.Details(html.Summary(f"More {heading.lower()}"), className="study-more")]
    return html.Fieldset(
        [html.Legend(heading), chips, *(more if len(options) > SHOWN else [])], className="study-chips"
    )


def _targets() -> list[dict[str, str]]:
    return [{"value": name, "label": target.title} for name, target in TARGETS.items()]


def _methods(*, rival: bool) -> list[dict[str, str]]:
    return [
        {"value": name, "label": method.title, "title": method.summary}
        for name, method in METHODS.items()
        if method.rival == rival
    ]
