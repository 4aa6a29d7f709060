"""The legend of the charts: what each mark means, and which traces light up when somebody asks."""

from dataclasses import dataclass

from dash import html


@dataclass(frozen=True)
class Sign:
    """One mark of the pictures."""

    term: str
    """Its name in the glossary, or one of its own."""
    glyph: str
    text: str
    tables: tuple[str, ...]
    """What the traces that draw it are bound to, see components.panels.base."""


SIGNS = (
    Sign("plateau", "▬", "plateau: the loss stands still; its number is above it", ("plateaus",)),
    Sign("floor", "╌", "floor: the loss cannot drop below it during this stage", ("floors",)),
    Sign("stage", "┊", "a tick and a change of tint: the next stage", ("stages", "ticks")),
    Sign("best", "⋯", "smallest loss known for this width", ("best",)),
    Sign("datum", "□", "data point; in Biases a dashed line", ("data", "data_lines")),
    Sign("bias", "×", "bias: where a neuron begins to see the data", ("crosses_free",)),
    Sign("macroscopic", "●", "mean of the data that the same neurons see", ("macroscopic",)),
    Sign("crosses", "○", "a neuron crosses a data point", ("crossings",)),
    Sign("pinned", "◆", "a neuron is pinned to a data point", ("pins", "pinned", "crosses_pinned")),
    Sign("hops", "⋈", "a neuron begins to hop: the step is too large here", ("hops",)),
    Sign("dead", "×", "grey: a dead neuron, which never moves again", ("dead", "crosses_dead")),
    Sign(
        "forecast",
        "•••",
        "what the theory says comes next; a ring at each crossing",
        ("future_loss", "future_neurons"),
    ),
)

PICTURES = {
    "omitted": [
        *("stages", "ticks", "end", "outside"),
        *("future_loss", "future_neurons", "future_events", "future_crossings", "future_pins"),
    ],
    "single": [
        "floors",
        "plateaus",
        "lines",
        "macroscopic",
        "crosses_free",
        "crosses_pinned",
        "crosses_dead",
    ],
    "legend": {
        "best": "best known",
        "floors": "floor of the stage",
        "plateaus": "plateau",
        "data": "data",
        "truth": "target",
        "lines": "regression lines",
        "macroscopic": "means",
        "crosses_free": "bias",
        "crosses_pinned": "pinned bias",
        "crosses_dead": "dead",
        "pinned": "pinned",
        "pins": "is pinned",
        "hops": "begins to hop",
        "crossings": "crosses a data point",
        "dead": "dead neuron",
        "data_lines": "data point",
        "trained": "fully trained",
    },
}
"""Of a picture that is saved: what is left out, what is left out beside other runs, and its legend."""

MARKS = {sign.term: list(sign.tables) for sign in SIGNS} | {"creeping": ["plateaus"]}


def legend() -> html.Details:
    """A list of the marks that opens above the sentence; each lights up its traces under the pointer."""
    rows = [
        html.Li(
            [html.Span(sign.glyph, className=f"sign sign-{sign.term}", **{"aria-hidden": "true"}), sign.text],
            tabIndex=0,
            **{"data-term": sign.term},
        )
        for sign in SIGNS
    ]
    return html.Details(
        [
            html.Summary("Legend", className="button", title="What the marks in the charts mean"),
            html.Div([html.Ul(rows, className="legend-rows")]),
        ],
        id="legend",
    )
