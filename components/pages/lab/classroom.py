"""What the Lab page has for lectures: a QR code in the corner, a bar for followers, a way out of a frame."""

from dash import dcc, html

from components.common import ids

BEAT = 1500
"""Milliseconds between two looks at the audience; only a browser that presents takes them."""


def presenter_corner() -> html.Div:
    """In present mode: the code that brings the audience to the very moment on the screen."""
    return html.Div(
        [
            dcc.Interval(id=ids.PRESENTATION_BEAT, interval=BEAT, disabled=True),
            html.Div(id="corner-code", className="corner-code"),
            html.P(
                [html.Span("Scan to follow", id="corner-scan"), html.Span(id="corner-count")],
                className="corner-note",
                id="corner-note",
            ),
        ],
        id="corner",
        className="corner",
        hidden=True,
    )


def follow_bar() -> html.Div:
    """For those who follow a presenter: whether they do, and the way back when they have taken over."""
    return html.Div(
        [
            html.Span(className="dot", id="follow-dot", **{"aria-hidden": "true"}),
            html.Span(id="follow-text"),
            html.Button(
                "Follow the presenter",
                id="follow-again",
                className="button primary",
                type="button",
                hidden=True,
            ),
        ],
        id="follow-bar",
        role="status",
        hidden=True,
    )


def embed_link() -> html.A:
    """In an iframe: the same moment in the whole Lab, in a window of its own."""
    return html.A(
        ["Plateau Lab ", html.Span("↗", **{"aria-hidden": "true"})],
        id="embed-open",
        href="/",
        target="_blank",
        rel="noopener",
        title="Open this moment in Plateau Lab",
    )
