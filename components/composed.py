"""The four controls that are more than one input: presets, target, methods with budgets, own data."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from dash import html

from components.help import BUDGET_HELP, DATA_HELP
from components.native import Input
from components.presets import Preset
from core.methods import METHODS
from core.problem import TARGETS

SOURCES = (("gallery", "Gallery"), ("formula", "Formula"), ("data", "My data"))


def preset_section(presets: Sequence[Preset]) -> html.Div:
    """A list of links, by group; choosing one replaces the whole configuration."""
    groups = [
        html.Optgroup([html.Option(preset.title, value=preset.name) for preset in members], label=group)
        for group, members in groupby(presets, key=lambda preset: preset.group)
    ]
    return html.Div(
        [
            html.Label("Start from", htmlFor="preset"),
            html.Select([html.Option("own settings", value=""), *groups], id="preset"),
            html.P(id="preset-note", className="note"),
        ],
        className="presets",
    )


def target_section() -> list[Any]:
    """Where the data come from: a named target, a formula, or the reader's own points."""
    return [
        html.Fieldset(
            [
                html.Legend("Source of the target", className="visually-hidden"),
                *(
                    html.Label(
                        [
                            Input(type="radio", name="source", value=value, id=f"source-{value}"),
                            html.Span(text),
                        ]
                    )
                    for value, text in SOURCES
                ),
            ],
            className="segmented",
            id="source",
        ),
        html.Div(
            [
                html.Label("Target function", htmlFor="field-target-name", className="visually-hidden"),
                html.Select(
                    [html.Option(target.title, value=name) for name, target in TARGETS.items()],
                    id="field-target-name",
                ),
                html.P(id="target-watch", className="note"),
            ],
            **{"data-source": "gallery"},
        ),
        html.Div(
            [
                html.Label(["Formula in ", html.Em("x")], htmlFor="field-target"),
                Input(
                    id="field-target",
                    type="text",
                    className="wide code",
                    autoComplete="off",
                    spellCheck="false",
                    placeholder="sin(pi*x) + abs(x)",
                    **{"aria-describedby": "error-target"},
                ),
            ],
            **{"data-source": "formula"},
        ),
        html.P(id="error-target", className="field-error", role="alert"),
        html.Div(id="thumbnail", role="img", **{"aria-label": "The data and the target"}),
        html.Div(
            [
                html.P(DATA_HELP, className="note"),
                html.Label("Data points", htmlFor="data-text", className="visually-hidden"),
                html.Textarea(
                    id="data-text",
                    className="wide code",
                    rows=5,
                    placeholder="-1, 0.2\n0, 0.9\n1, 0.4",
                    spellCheck="false",
                    **{"aria-describedby": "error-data"},
                ),
                html.Div(
                    [
                        html.Label(
                            [
                                "Open a file",
                                Input(
                                    type="file", id="data-file", accept=".csv,.txt,.tsv,text/csv,text/plain"
                                ),
                            ],
                            className="button file",
                        ),
                        html.Button("Clear", id="data-clear", type="button", className="button"),
                    ],
                    className="field-row",
                ),
                html.P(id="error-data", className="field-error", role="alert"),
                html.P(id="data-notes", className="note"),
            ],
            **{"data-source": "data"},
        ),
    ]


def method_section() -> list[Any]:
    """The race: a chip for each method in its colour and line style, and the budget of each that runs."""
    return [
        html.Fieldset(
            [
                html.Legend("Methods to race", className="visually-hidden"),
                *(
                    html.Label(
                        [
                            Input(
                                type="checkbox",
                                name="method",
                                value=name,
                                **{"aria-label": f"{method.title}: {method.summary}"},
                            ),
                            html.Span(className="swatch", **{"aria-hidden": "true"}),
                            html.Span(method.title),
                        ],
                        className="chip",
                        title=method.summary,
                        **{"data-method": name},
                    )
                    for name, method in METHODS.items()
                ),
            ],
            className="chips",
            id="methods",
        ),
        html.P(id="error-method", className="field-error", role="alert"),
        html.Div(
            [
                html.Div(
                    [
                        html.Span("Budget", id="label-epochs"),
                        html.Button(
                            "?",
                            className="hint",
                            type="button",
                            title=BUDGET_HELP,
                            **{"aria-label": "About: Budget", "data-hint": BUDGET_HELP},
                        ),
                    ],
                    className="field-label",
                ),
                *(_budget(name, method.title) for name, method in METHODS.items()),
                html.P(id="error-epochs", className="field-error", role="alert"),
            ],
            className="field",
            **{"data-field": "epochs", "data-kind": "budget"},
        ),
    ]


def _budget(name: str, title: str) -> html.Div:
    return html.Div(
        [
            html.Label(title, htmlFor=f"field-epochs-{name}", className="budget-name"),
            Input(
                type="range",
                min=0,
                max=1000,
                step=1,
                tabIndex=-1,
                **{"data-part": "slider", "aria-hidden": "true"},
            ),
            Input(
                id=f"field-epochs-{name}",
                type="text",
                inputMode="decimal",
                autoComplete="off",
                className="number",
                **{"data-part": "value", "aria-describedby": "error-epochs"},
            ),
        ],
        className="field-row budget",
        hidden=True,
        **{"data-method": name},
    )
