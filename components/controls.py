"""The settings form, generated from the declarations of the configuration's fields.

A field is declared once, in `core.config.FIELDS` (and a method's parameters in the
method itself): name, kind, bounds, symbol, words. From that declaration come the
query key, its check, and here its control. One word everywhere: the query key is
the control's `data-field`, its input is `field-<key>`, its message `error-<key>`.

Four things deserve more than their generic control and are put together in
`components.composed`: the presets, the target with its picture and own data, the
seed with its dice, and the methods with their budgets.
"""

from collections.abc import Sequence
from typing import Any

from dash import html

from components import ids
from components.composed import method_section, preset_section, target_section
from components.help import GROUPS
from components.native import Input
from components.presets import Preset
from core.config import FIELDS, FieldSpec

COMPOSED = frozenset({"target", "data", "method", "epochs"})
"""Fields that have a control of their own making."""

RARE = frozenset({"biases", "coefficients"})
"""Fields that most people never touch: behind a fold of their own."""


def settings_form(presets: Sequence[Preset]) -> html.Form:
    """All settings, in folds; the browser never submits it."""
    return html.Form(
        [
            preset_section(presets),
            *(_fold(group, about) for group, about in GROUPS.items()),
            html.P(id="error-query", className="field-error", role="alert"),
        ],
        id=ids.SETTINGS,
    )


def _fold(group: str, about: str) -> html.Details:
    """One group of settings: what was composed by hand, then the generic controls of its fields."""
    members = [spec for spec in FIELDS if spec.group == group and spec.name not in COMPOSED]
    composed = {"Target": target_section, "Method": method_section}
    digest = html.Span(id=f"digest-{group.lower()}", className="digest")
    rare = [field_control(spec) for spec in members if spec.name in RARE]
    return html.Details(
        [
            html.Summary([html.Span(group), digest], title=about),
            *(composed[group]() if group in composed else []),
            *(field_control(spec) for spec in members if spec.name not in RARE),
            *(
                [html.Details([html.Summary("Start from exact numbers"), *rare], className="subfold")]
                if rare
                else []
            ),
        ],
        open=True,
        className="fold",
        id=f"group-{group.lower()}",
    )


def field_control(spec: FieldSpec) -> html.Div:
    """Label with symbol and hint, the input that suits the kind, and room to say why a value is refused."""
    return html.Div(
        [
            field_label(spec),
            html.Div(_inputs(spec), className="field-row"),
            html.P(id=ids.error_id(spec.name), className="field-error", role="alert"),
        ],
        className=f"field kind-{spec.kind}",
        **{"data-field": spec.name, "data-kind": spec.kind},
    )


def field_label(spec: FieldSpec) -> html.Div:
    """The label in plain words, the paper's symbol, and the explanation behind a question mark."""
    symbol = [html.Span(spec.symbol, className="symbol")] if spec.symbol else []
    return html.Div(
        [
            html.Label([spec.label, *symbol], htmlFor=ids.field_id(spec.name), id=f"label-{spec.name}"),
            hint(spec.name, spec.label, spec.help),
        ],
        className="field-label",
    )


def hint(name: str, label: str, text: str) -> html.Span:
    """A question mark that shows a sentence; screen readers get the sentence with the input itself."""
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


def _inputs(spec: FieldSpec) -> list[Any]:
    described = {"aria-describedby": f"{ids.hint_id(spec.name)} {ids.error_id(spec.name)}"}
    identity: dict[str, Any] = {"id": ids.field_id(spec.name), "data-part": "value", **described}
    if spec.kind == "choice":
        options = [html.Option(text, value=value) for value, text in choice_texts(spec)]
        return [html.Select(options, **identity)]
    if spec.kind in ("int", "float"):
        number = Input(type="text", inputMode="decimal", autoComplete="off", className="number", **identity)
        return [*_slider(spec), number, *_dice(spec)]
    if spec.kind == "domain":
        return [
            Input(
                type="text",
                inputMode="decimal",
                autoComplete="off",
                className="number",
                **{**identity, "data-part": "low"},
            ),
            html.Span("to", className="between"),
            Input(
                type="text",
                inputMode="decimal",
                autoComplete="off",
                className="number",
                **{"data-part": "high", "aria-label": f"{spec.label}, upper end"},
            ),
        ]
    return [Input(type="text", autoComplete="off", spellCheck="false", className="wide", **identity)]


def _slider(spec: FieldSpec) -> list[Input]:
    if spec.name == "seed":
        return []
    return [
        Input(
            type="range",
            min=0,
            max=1000,
            step="any" if spec.kind == "float" else 1,
            tabIndex=-1,
            **{"data-part": "slider", "aria-hidden": "true"},
        )
    ]


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
