"""What stands under the panels: the timeline with its buttons, and the sentence about the moment.

The player finds the parts by their classes, on a page as in a replay file. A page gives them as
`player.Player(**player_parts(), race=…)`.
"""

from typing import Any

from dash import html

from components.common.document import markup
from components.common.view import TIMES

SPEEDS = ("0.25", "0.5", "1", "2", "4")
BEFORE_THE_FIRST = "Once the network learns, you read here why its loss stands still, and what ends that."


def _button(
    name: str, label: str, act: str, content: Any, by: str = "", expanded: bool | None = None
) -> html.Button:
    """A button that does something with the moment (`act`), forward or back (`by`), or opens a part."""
    told = {"aria-label": label, "data-act": act, **({"data-by": by} if by else {})}
    told |= {} if expanded is None else {"aria-expanded": str(expanded).lower()}
    return html.Button(content, className=f"pl-button pl-{name}", type="button", title=label, **told)


def _icon(name: str) -> html.Span:
    return html.Span(className=f"icon icon-{name}", **{"aria-hidden": "true"})


def _word(text: str) -> html.Span:
    """What the two buttons beside it lead to; they say it themselves to those who hear the page."""
    return html.Span(text, className="pl-word", **{"aria-hidden": "true"})


def _choice(name: str, label: str, options: dict[str, str]) -> html.Select:
    listed = [html.Option(text, value=value) for value, text in options.items()]
    return html.Select(listed, className=f"pl-choice pl-{name}", title=label, **{"aria-label": label})


def player_parts() -> dict[str, Any]:
    """The properties of a Player that are HTML."""
    return {"timeline": markup(timeline_parts()), "story": markup(story_parts())}


def timeline_parts() -> list[Any]:
    """Buttons, the track with its thumb, and where the moment is read."""
    controls = [
        _button("play", "Play (space)", "play", _icon("play")),
        _button("back", "Previous stage (shift ←)", "stage", _icon("back"), "-1"),
        _word("stage"),
        _button("next", "Next stage (shift →)", "stage", _icon("next"), "1"),
        _button("plateau", "Previous plateau (j)", "plateau", _icon("plateau-back"), "-1"),
        _word("plateau"),
        _button("plateau", "Next plateau (k)", "plateau", _icon("plateau-next"), "1"),
        _button("fall", "Previous drop (u)", "fall", _icon("fall-back"), "-1"),
        _word("drop"),
        _button("fall", "Next drop (i)", "fall", _icon("fall-next"), "1"),
        _choice("pace", "Speed", {speed: f"{speed}×" for speed in SPEEDS}),
        _choice("time", "Horizontal axis", {name: short for name, (short, _) in TIMES.items()}),
        _button("live", "Follow the run live (End)", "live", "Live"),
    ]
    slider = {"role": "slider", "aria-label": "Epoch", "aria-orientation": "horizontal"}
    slider |= {"aria-valuemin": "0", "aria-valuenow": "0"}
    # on a phone the rest of the controls is one tap away
    extra = _button("extra", "More controls", "extra", _icon("more"), expanded=False)
    strip = [html.Canvas(className="pl-stages"), html.Div(className="pl-thumb")]
    return [
        html.Div(controls, className="pl-controls"),
        html.Div(strip, className="pl-track", tabIndex=0, **slider),
        extra,
        html.Output([html.Span(), html.Span(), html.Span()], className="pl-read"),
    ]


LESSONS = {
    "floor": ("crossing", "at its floor"),
    "slow": ("rate", "still creeping"),
    "pinned": ("pinned", "pinned neurons"),
    "dead": ("pinned", "dead neurons"),
    "step": ("stability", "too large a step"),
}
"""For each reason of a standstill (core.narrative.plateaus), the lesson that explains it."""


def lesson_links() -> html.Div:
    """One per reason; the player shows the one for the plateau on screen."""
    links = [
        html.A(f"Lesson: {words}", href=f"/?lesson={name}", hidden=True, **{"data-why": why})
        for why, (name, words) in LESSONS.items()
    ]
    return html.Div(links, className="pl-lessons")


def story_parts(*, is_offline: bool = False) -> list[Any]:
    """What happens; what ends it, and the forecast; why, behind a fold; and what screen readers hear.

    A file that is read offline has no lessons to link to.
    """
    more = [html.P(), html.P(), html.P(), *([] if is_offline else [lesson_links()])]
    predicted = [html.Span(), " ", html.Span(className="pl-outcome"), " "]
    certain = html.Span("this stage is guaranteed to end", className="pl-certain")
    return [
        html.Div(
            [
                html.P(BEFORE_THE_FIRST, className="pl-sentence", tabIndex=0),
                html.Div(
                    [
                        html.Span(className="pl-ends"),
                        " ",
                        html.Span(className="pl-when"),
                        " ",
                        html.Span([*predicted, certain], className="pl-forecast", tabIndex=0, hidden=True),
                    ],
                    className="pl-ending",
                ),
            ],
            className="pl-words",
        ),
        html.Details(
            [html.Summary("Why?"), html.Div(more, className="pl-more")],
            className="pl-why",
            hidden=True,
        ),
        html.P(className="visually-hidden pl-spoken", **{"aria-live": "polite"}),
    ]
