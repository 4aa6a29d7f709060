"""The signs of the pictures: what each means, and which traces light up when somebody asks."""

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
    Sign("plateau", "▬", "plateau: the loss hardly falls; its number stands above it", ("plateaus",)),
    Sign("floor", "╌", "floor: the loss cannot fall below it during this stage", ("floors",)),
    Sign("stage", "┊", "a tick and a change of tint: the next stage", ("stages", "ticks")),
    Sign("best", "⋯", "smallest loss known for this width", ("best",)),
    Sign("datum", "□", "data point; in Biases a dashed line", ("data", "data_lines")),
    Sign("bias", "×", "bias: where a neuron begins to see the data", ("crosses_free",)),
    Sign("macroscopic", "●", "mean of the data that the same neurons see", ("macroscopic",)),
    Sign("crosses", "○", "a neuron crosses a data point", ("crossings",)),
    Sign("pinned", "◆", "a neuron is pinned to a data point", ("pins", "pinned", "crosses_pinned")),
    Sign("dead", "×", "grey: a dead neuron, which never moves again", ("dead", "crosses_dead")),
    Sign("forecast", "•••", "what the theory says comes next", ("future_loss", "future_neurons")),
)

MARKS = {sign.term: list(sign.tables) for sign in SIGNS}


def legend() -> html.Details:
    """A list of the signs that opens above the sentence; each lights up its marks under the pointer."""
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
            html.Summary("Signs", className="button", title="What the marks in the pictures mean"),
            html.Div([html.Ul(rows, className="legend-rows")]),
        ],
        id="legend",
    )
