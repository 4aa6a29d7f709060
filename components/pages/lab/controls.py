"""The settings form, generated from the declarations of the configuration's fields.

A field is declared once, in `core.config.FIELDS` (and a method's parameters in the
method itself): name, kind, bounds, symbol, words. From that declaration come the
query key, its check, and here its control, which has a `value`. One word everywhere: the query
key is the name of the control in callbacks, `{"type": "field", "name": key}`; its message is
`error-<key>`.

Four things deserve more than their generic control and are put together in
`components.pages.lab.sections`: the presets, the target with its picture and own data, the
seed with its dice, and the methods with their budgets.
"""

from collections.abc import Sequence
from typing import Any

from dash import html

from components import player
from components.common import ids
from components.common.help import GROUPS
from components.pages.lab.presets import Preset
from components.pages.lab.sections import method_section, preset_section, target_section
from components.pages.lab.writing import line, number, slider, slider_range
from core.config import FIELDS, FieldSpec
from core.limits import LIMITS, Limits

BY_HAND = frozenset({"target", "data", "method", "epochs"})
"""Fields that have a control of their own making."""

RARE = frozenset({"units", "labels", "calendar", "biases", "coefficients"})
"""Fields that most people never touch: behind a fold of their own."""
RARE_FOLDS = {"Network": "Start from exact numbers", "Data": "Names and scale"}


def settings_form(presets: Sequence[Preset], limits: Limits = LIMITS) -> html.Form:
    """All settings, in folds; the browser never submits it."""
    return html.Form(
        [
            preset_section(presets),
            *(_fold(group, about, limits) for group, about in GROUPS.items()),
            html.P(id="error-query", className="field-error", role="alert"),
            html.A("Open them as a study", id="study-link", href="/study", hidden=True),
        ],
        id=ids.SETTINGS,
    )


def _fold(group: str, about: str, limits: Limits) -> html.Details:
    """One group of settings: what was written by hand, then the generic controls of its fields."""
    members = [spec for spec in FIELDS if spec.group == group and spec.name not in BY_HAND]
    own = target_section() if group == "Target" else method_section() if group == "Method" else []
    digest = html.Span(id=f"digest-{group.lower()}", className="digest")
    rare = [field_control(spec, limits) for spec in members if spec.name in RARE]
    return html.Details(
        [
            html.Summary([html.Span(group), digest], title=about),
            *own,
            *(field_control(spec, limits) for spec in members if spec.name not in RARE),
            *([html.Details([html.Summary(RARE_FOLDS[group]), *rare], className="subfold")] if rare else []),
        ],
        open=True,
        className="fold",
        id=f"group-{group.lower()}",
    )


def field_control(spec: FieldSpec, limits: Limits = LIMITS) -> html.Div:
    """Label with symbol and hint, the input that suits the kind, and room to say why a value is refused."""
    return html.Div(
        [
            field_label(spec),
            html.Div(_inputs(spec, limits), className="field-row"),
            html.P(id=ids.error_id(spec.name), className="field-error", role="alert"),
        ],
        id=f"{ids.BOX}{spec.name}",
        className=f"field kind-{spec.kind}",
        role="group",
        **{
            "data-field": spec.name,
            "data-kind": spec.kind,
            "aria-labelledby": f"label-{spec.name}",
            "aria-describedby": f"{ids.hint_id(spec.name)} {ids.error_id(spec.name)}",
        },
    )


def field_label(spec: FieldSpec) -> html.Div:
    """The label in plain words, the paper's symbol, and the explanation behind a question mark."""
    symbol = [html.Span(spec.symbol, className="symbol")] if spec.symbol else []
    first = f"{spec.name}:low" if spec.kind == "domain" else spec.name
    label = html.Label([spec.label, *symbol], htmlFor=ids.element_id("field", first), id=f"label-{spec.name}")
    return html.Div([label, hint(spec.name, spec.label, spec.help)], className="field-label")


def hint(name: str, label: str, text: str) -> html.Span:
    """A question mark that shows a sentence; screen readers get the sentence with the field."""
    return html.Span(
        [
            html.Button(
                "?",
                className="hint",
                type="button",
                title=text,
                **{"aria-label": f"About: {label}", "data-hint": text},
            ),
            html.Span(text, id=ids.hint_id(name), className="visually-hidden"),
        ]
    )


def _inputs(spec: FieldSpec, limits: Limits) -> list[Any]:
    identity = ids.control("field", spec.name)
    if spec.kind == "choice":
        return [
            player.Select(
                id=identity, options=[*choice_texts(spec), (",".join(spec.choices), "all of these")]
            )
        ]
    if spec.kind in ("int", "float"):
        slides = slider_range(spec, limits) is not None
        beside = slider(f"field {spec.name}", spec.label) if slides else []
        return [*beside, number(identity), *_dice(spec)]
    if spec.kind == "domain":
        upper = html.Label(
            f"{spec.label}, upper end",
            htmlFor=ids.element_id("field", f"{spec.name}:high"),
            className="visually-hidden",
        )
        ends = [number(ids.control("field", f"{spec.name}:{end}")) for end in ("low", "high")]
        return [ends[0], html.Span("to", className="between"), upper, ends[1]]
    return [line(identity)]


def _dice(spec: FieldSpec) -> list[html.Button]:
    if spec.name != "seed":
        return []
    return [
        html.Button(
            html.Span(className="icon icon-dice", **{"aria-hidden": "true"}),
            id="dice",
            className="button",
            type="button",
            title="Another seed",
            **{"aria-label": "Another seed"},
        )
    ]


def choice_texts(spec: FieldSpec) -> list[tuple[str, str]]:
    """What a choice is called on screen."""
    return [(value, value.replace("_", " ")) for value in spec.choices]
