"""A lesson step by step, without a browser: what is told, what is shown, where it leads."""

from dataclasses import replace
from typing import Any

import pytest
from dash import no_update

from components.common.document import markup
from components.common.view import split_query
from components.pages.lab.callbacks.lesson import PLACES, Told, properties, read
from components.pages.lab.first_visit import MOMENT, RACE
from components.pages.lessons.folder import LessonFolder
from core.service.settings import Settings

LESSONS = LessonFolder(Settings().lessons).lessons()
PRESENTATION = "0123456789abcdef"
STEP_2 = "at=11000&epochs=1e7&lesson=pinned&seed=9&step=2&target=five"


class Votes:
    """Counts predictions as a presentation does."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, str, int]] = []

    def __call__(self, presentation: str, question: str, option: int) -> bool:
        if presentation:
            self.counted.append((presentation, question, option))
        return bool(presentation)


def done(told: Told, given: dict[str, Any] | None = None, votes: Votes | None = None) -> dict[str, Any]:
    shown = properties(told, given or {}, LESSONS, votes or Votes())
    assert set(shown) == set(PLACES)
    return shown


def test_a_link_that_names_only_a_lesson_is_led_to_its_first_step() -> None:
    shown = done(Told("lesson=pinned&theme=dark", "pinned", n=4))
    config, view = split_query(shown["go"]["query"])
    assert (view.lesson, view.theme, view.at) == ("pinned", "dark", 0.0) and "target=five" in config
    assert shown["go"]["n"] == 4 and shown["go"]["push"] is False
    assert shown["place"] == "1 of 5" and shown["back"] is True and shown["next"] == "Next"


def test_a_shared_moment_of_a_lesson_stays_where_it_is() -> None:
    shown = done(Told(STEP_2, "pinned", 2))
    assert shown["go"] is no_update and shown["place"] == "2 of 5" and shown["style"] == {"--done": "40%"}


def test_a_step_on_keeps_how_the_page_looks_and_not_the_moment() -> None:
    query = "at=0&lesson=pinned&present=1&seed=9&target=five&theme=dark&neuron=3"
    go = done(Told(query, "pinned", 2, moved=True))["go"]
    config, view = split_query(go["query"])
    assert go["push"] is True and (view.at, view.step, view.theme, view.present) == (11000.0, 2, "dark", True)
    assert view.neuron is None and "target=five" in config


@pytest.mark.parametrize("step", [-3, 0, 1])
def test_there_is_nothing_before_the_first_step(step: int) -> None:
    shown = done(Told(STEP_2, "pinned", step, moved=True))
    assert shown["place"] == "1 of 5" and split_query(shown["go"]["query"])[1].step == 1


def test_after_the_last_step_comes_the_next_lesson_and_at_last_the_lab() -> None:
    names = list(LESSONS)
    for name, following in zip(names, [*names[1:], ""], strict=True):
        steps = len(LESSONS[name].steps)
        last = done(Told(f"lesson={name}&target=f1", name, steps))
        assert last["next"] == "Go on" and "lesson-end" in markup(last["text"])
        go = done(Told(f"lesson={name}&target=f1", name, steps + 1, moved=True))["go"]
        found = go.get("href") or split_query(go["query"])[1].lesson
        assert found == (following or "/")


def test_a_prediction_is_answered_remembered_and_moves_the_lab() -> None:
    asked = done(Told(STEP_2, "pinned", 2))
    assert 'data-state="hides"' in markup(asked["text"]) and asked["next_class"] == "button"
    wrong = done(Told(STEP_2, "pinned", 2, option=(0, 0)))
    page = markup(wrong["text"])
    assert "Not quite." in page and 'data-state="shown"' in page and wrong["next_class"] == "button primary"
    assert split_query(wrong["go"]["query"])[1].at == 12000.0 and wrong["go"]["push"] is False
    again = done(Told(STEP_2, "pinned", 2, option=(0, 1)), wrong["given"])
    assert "Not quite." in markup(again["text"]) and again["go"] is no_update
    assert done(Told(STEP_2, "pinned", 2), wrong["given"])["given"] == wrong["given"]


def test_who_follows_is_counted_and_told_when_the_presenter_shows_the_answer() -> None:
    votes = Votes()
    waiting = done(Told(STEP_2, "pinned", 2, option=(0, 1), presentation=PRESENTATION), votes=votes)
    page = markup(waiting["text"])
    assert votes.counted == [(PRESENTATION, "pinned:2", 1)] and waiting["go"] is no_update
    assert 'aria-pressed="true"' in page and 'data-state="hides"' in page
    told = done(Told(STEP_2, "pinned", 2, reveal=True, presentation=PRESENTATION), waiting["given"], votes)
    assert len(votes.counted) == 1 and 'data-state="shown"' in markup(told["text"])
    silent = done(Told(STEP_2, "pinned", 2, reveal=True, presentation=PRESENTATION))
    assert '<strong class="verdict"></strong>' in markup(silent["text"])


def test_an_unknown_lesson_stands_beside_the_first_visit() -> None:
    shown = done(Told("lesson=none", "none"))
    config, view = split_query(shown["go"]["query"])
    assert "no such lesson" in markup(shown["text"]) and config == RACE
    assert (view.at, view.lesson) == (MOMENT, "none")
    assert done(Told("lesson=none&seed=3", "none"))["go"] is no_update


@pytest.mark.parametrize(
    "at",
    [
        {},
        {"lesson": ["pinned"], "step": "2", "query": 7, "n": None},
        {"lesson": "pinned", "step": 1e99, "option": [0], "query": "at=never"},
        {"lesson": "pinned", "step": 2, "option": [9, -1], "query": STEP_2},
        {"lesson": "pinned", "step": 2, "option": [0, 99], "query": STEP_2},
        {"lesson": "pinned", "step": -1, "option": ["a", "b"], "query": "%%%"},
    ],
)
def test_what_means_nothing_changes_nothing(at: dict[str, Any]) -> None:
    told = read(at)
    shown = done(told, {"pinned:2:0": {"chosen": 99, "shown": "yes"}, "pinned:2:1": 3})
    assert shown["go"] is no_update or isinstance(shown["go"], dict)
    assert "Not quite" not in markup(shown["text"])
    assert read({"lesson": "pinned", "step": 3}) == replace(Told(), lesson="pinned", step=3)
