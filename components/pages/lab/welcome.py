"""For those who are here for the first time: what this is, and where to begin."""

from dash import html

from components.common.buttons import icon_button

WHAT = (
    "A small neural network learns a curve by gradient descent (GD), and for long stretches its error, the "
    "loss, stands still. Here you see why, what ends that, and how ANLS gets out."
)
LESSON = "plateau"
"""Where to begin."""
MINUTES = 4
"""As its head says."""


def begin_link() -> html.A:
    """The clear beginning."""
    return html.A(f"Start: {MINUTES} minutes", href=f"/?lesson={LESSON}", className="button primary")


def welcome() -> html.Section:
    """A strip above the pictures until it is closed; the help brings it back."""
    return html.Section(
        [
            html.P(WHAT),
            begin_link(),
            icon_button("welcome-close", "Close this introduction", "close"),
        ],
        id="welcome",
        **{"aria-label": "What this is"},
    )
