"""The four controls that are more than one input: presets, target, methods with budgets, own data."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from dash import dcc, html

from components import player
from components.common import ids
from components.common.help import BUDGET_HELP, DATA_HELP, POINTS_EXAMPLE
from components.pages.lab.presets import Preset
from components.pages.lab.writing import line, number, slider
from core.methods import METHODS
from core.problem import TARGETS

SOURCES = [
    {"value": "gallery", "label": "Gallery"},
    {"value": "formula", "label": "Formula"},
    {"value": "data", "label": "My data"},
]
FIRST_METHODS = ("gd", "adam", "anls")
"""What a newcomer chooses from; the others are folded away unless they run."""


def preset_section(presets: Sequence[Preset]) -> html.Div:
    """A list of links, by group; choosing one replaces the whole configuration."""
    groups = [
        (group, [(preset.name, preset.title) for preset in members])
        for group, members in groupby(presets, key=lambda preset: preset.group)
    ]
    return html.Div(
        [
            html.Label("Start from", htmlFor=ids.element_id("preset", "name")),
            player.Select(id=ids.control("preset", "name"), options=[("", "own settings"), *groups]),
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
                player.Choices(id=ids.control("source", "target"), options=SOURCES, value="gallery"),
            ],
            className="segmented",
            id="source",
        ),
        html.Div(
            [
                html.Label(
                    "Target function",
                    htmlFor=ids.element_id("gallery", "name"),
                    className="visually-hidden",
                ),
                player.Select(id=ids.control("gallery", "name"), options=_gallery()),
                html.P(id="target-watch", className="note"),
            ],
            id=f"{ids.SOURCE_PART}gallery",
        ),
        html.Div(
            html.Div(
                [
                    html.Label(["Formula in ", html.Em("x")], htmlFor=ids.element_id("field", "target")),
                    line(ids.control("field", "target"), "sin(pi*x) + abs(x)", "wide code"),
                    html.P(id="target-read", className="note"),
                    html.P(id="error-target", className="field-error", role="alert"),
                    html.A("Use it", id="target-use", className="button", href="/", hidden=True),
                ],
                id=f"{ids.BOX}target",
            ),
            id=f"{ids.SOURCE_PART}formula",
            hidden=True,
        ),
        player.Sketch(id=ids.control("points", "sketch"), element="thumbnail"),
        html.Div(
            [
                html.P(DATA_HELP, className="note"),
                html.Label(
                    "Data points", htmlFor=ids.element_id("points", "text"), className="visually-hidden"
                ),
                dcc.Textarea(
                    id=ids.control("points", "text"),
                    value="",
                    className="wide code",
                    placeholder=POINTS_EXAMPLE,
                    rows=5,
                    spellCheck=False,
                ),
                html.Div(
                    [
                        html.Button("Open a file", id="data-open", type="button", className="button"),
                        html.Button("Clear", id="data-clear", type="button", className="button"),
                    ],
                    className="field-row",
                ),
                html.P(id="error-data", className="field-error", role="alert"),
                html.P(id="data-notes", className="note"),
            ],
            id=f"{ids.SOURCE_PART}data",
            hidden=True,
        ),
    ]


def _gallery() -> list[Any]:
    """The targets by name, and the measured ones as a group of their own."""
    made = [(name, target.title) for name, target in TARGETS.items() if not target.source]
    measured = [(name, target.title) for name, target in TARGETS.items() if target.source]
    return [*made, ("Measured", measured)]


def method_section() -> list[Any]:
    """The race: a chip for each method in its colour and line style, all but three folded away unless they
    run, and the budget of each that runs."""
    return [
        html.Fieldset(
            [
                html.Legend("Methods to race", className="visually-hidden"),
                _methods("first"),
                html.Details(html.Summary("More methods"), id="more-methods", className="subfold"),
                _methods("more"),
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


def method_group(name: str) -> str:
    """Which of the two lists of chips has a method."""
    return "first" if name in FIRST_METHODS else "more"


def _methods(group: str) -> player.Choices:
    options = [
        {
            "value": method.name,
            "label": method.title,
            "title": method.summary,
            "help": f"{method.title}: {method.summary}",
        }
        for method in METHODS.values()
        if method_group(method.name) == group
    ]
    return player.Choices(
        id=ids.control("methods", group),
        options=options,
        value=[],
        multiple=True,
        optionClassName=f"chip chip-{group}",
        marks="method",
    )


def _budget(name: str, title: str) -> html.Div:
    return html.Div(
        [
            html.Label(title, htmlFor=ids.element_id("budget", name), className="budget-name"),
            *slider(f"budget {name}", title),
            number(ids.control("budget", name)),
        ],
        id=f"{ids.BUDGET_ROW}{name}",
        className="field-row budget",
        hidden=True,
        **{"data-method": name},
    )
