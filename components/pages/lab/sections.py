"""The four controls that are more than one input: presets, target, methods with budgets, own data."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from dash import html

from components import player
from components.common import ids
from components.common.help import BUDGET_HELP, DATA_HELP, POINTS_EXAMPLE
from components.common.native import Input
from components.pages.lab.presets import Preset
from core.config import epochs_field
from core.limits import Limits
from core.methods import METHODS
from core.problem import TARGETS

SOURCES = (("gallery", "Gallery"), ("formula", "Formula"), ("data", "My data"))


def preset_section(presets: Sequence[Preset]) -> html.Div:
    """A list of links, by group; choosing one replaces the whole configuration."""
    groups = [
        (group, [(preset.name, preset.title) for preset in members])
        for group, members in groupby(presets, key=lambda preset: preset.group)
    ]
    return html.Div(
        [
            html.Label("Start from", htmlFor="preset"),
            player.Entry(
                options=[("", "own settings"), *groups],
                kind="select",
                id=ids.control("preset", "name"),
                element="preset",
            ),
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
                            player.Tick(
                                id=ids.control("source", value), element=f"source-{value}", group="source"
                            ),
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
                player.Entry(
                    options=_gallery(),
                    kind="select",
                    id=ids.control("gallery", "name"),
                    element="field-target-name",
                ),
                html.P(id="target-watch", className="note"),
            ],
            id=f"{ids.SOURCE_PART}gallery",
            **{"data-source": "gallery"},
        ),
        html.Div(
            [
                html.Label(["Formula in ", html.Em("x")], htmlFor="field-target"),
                player.Entry(
                    kind="text",
                    id=ids.control("field", "target"),
                    element="field-target",
                    className="wide code",
                    placeholder="sin(pi*x) + abs(x)",
                    describedBy="error-target",
                ),
                html.P(id="target-read", className="note"),
                html.P(id="error-target", className="field-error", role="alert"),
                html.A("Use it", id="target-use", className="button", href="/", hidden=True),
            ],
            id=f"{ids.SOURCE_PART}formula",
            hidden=True,
            **{"data-source": "formula"},
        ),
        player.Sketch(id=ids.control("points", "sketch"), element="thumbnail"),
        html.Div(
            [
                html.P(DATA_HELP, className="note"),
                html.Label("Data points", htmlFor="data-text", className="visually-hidden"),
                player.Entry(
                    kind="area",
                    id=ids.control("points", "text"),
                    element="data-text",
                    className="wide code",
                    placeholder=POINTS_EXAMPLE,
                    describedBy="error-data",
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
            id=f"{ids.SOURCE_PART}data",
            hidden=True,
            **{"data-source": "data"},
        ),
    ]


def _gallery() -> list[Any]:
    """The targets by name, and the measured ones as a group of their own."""
    made = [(name, target.title) for name, target in TARGETS.items() if not target.source]
    measured = [(name, target.title) for name, target in TARGETS.items() if target.source]
    return [*made, ("Measured", measured)]


def method_section(limits: Limits) -> list[Any]:
    """The race: a chip for each method in its colour and line style, the rivals apart, and the budget of each
    that runs."""
    return [
        html.Fieldset(
            [
                html.Legend("Methods to race", className="visually-hidden"),
                *(
                    part
                    for heading, rival in (("The paper's, and ANLS+", False), ("Rivals", True))
                    for part in (
                        html.Span(heading, className="chips-head"),
                        *(_chip(name) for name, method in METHODS.items() if method.rival == rival),
                    )
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
                *(_budget(name, method.title, limits) for name, method in METHODS.items()),
                html.P(id="error-epochs", className="field-error", role="alert"),
            ],
            className="field",
            **{"data-field": "epochs", "data-kind": "budget"},
        ),
    ]


def _chip(name: str) -> html.Label:
    method = METHODS[name]
    return html.Label(
        [
            player.Tick(id=ids.control("method", name), label=f"{method.title}: {method.summary}"),
            html.Span(className="swatch", **{"aria-hidden": "true"}),
            html.Span(method.title),
        ],
        className="chip",
        title=method.summary,
        **{"data-method": name},
    )


def _budget(name: str, title: str, limits: Limits) -> html.Div:
    return html.Div(
        [
            html.Label(title, htmlFor=f"field-epochs-{name}", className="budget-name"),
            player.Entry(
                kind="number",
                id=ids.control("budget", name),
                element=f"field-epochs-{name}",
                slider=[1.0, epochs_field(METHODS[name]).highest(limits)],
                logarithmic=True,
                describedBy="error-epochs",
            ),
        ],
        id=f"{ids.BUDGET_ROW}{name}",
        className="field-row budget",
        hidden=True,
        **{"data-method": name},
    )
