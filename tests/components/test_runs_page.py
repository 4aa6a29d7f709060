"""The page of one's own runs, and the link that compares some of them."""

import dataclasses
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from dash import html
from flask import Flask
from flask.testing import FlaskClient

from components.common.comparison import read_comparison
from components.common.run_styles import plain_title
from components.figures.thumbnail import curve_picture
from components.pages.runs import callbacks
from components.pages.runs.entry import entry_item, matches, stands
from components.pages.runs.listing import A_PAGE, no_runs, run_list
from components.pages.runs.own_runs import OwnRuns, beside
from components.pages.runs.routes import runs_routes
from core.config import RunConfig
from core.methods import METHODS
from core.narrative import number
from core.service import HistoryEntry
from core.service.service import RunInfo
from core.service.visitors import Visitors
from tests.components.tree import components, text_of
from tests.service.services import at_once

QUERIES = ("epochs=50&seed=3", "epochs=50&seed=4", "epochs=20&method=anls&seed=3")


class Browsers:
    """A server, and a browser that has run three things."""

    def __init__(self, home: Path) -> None:
        self.service, _, _ = at_once(home)
        self.server = Flask(__name__)
        self.server.extensions["runs"] = self.service
        self.visitors = Visitors(self.service)
        self.server.after_request(self.visitors.remember)
        self.server.add_url_rule("/me", view_func=lambda: self.visitors.current().handle)
        self.server.register_blueprint(runs_routes(self.service))
        self.cookie = self.new()
        with self.asking():
            me = self.visitors.current()
        for query in QUERIES:
            self.service.submit(RunConfig.from_query(query), me)

    def new(self) -> str:
        """The cookie of another browser."""
        client: FlaskClient = self.server.test_client()
        client.get("/me")
        cookie = client.get_cookie("plateau")
        assert cookie is not None
        return cookie.value

    @contextmanager
    def asking(self, cookie: str = "") -> Iterator[OwnRuns]:
        """As a callback is called: in a request of a browser."""
        headers = {"Cookie": f"plateau={cookie or self.cookie}"}
        with self.server.test_request_context(headers=headers):
            yield OwnRuns(self.service)


@pytest.fixture
def browsers(tmp_path: Path) -> Browsers:
    return Browsers(tmp_path)


def run_id(query: str) -> str:
    return RunConfig.from_query(query).run_id


def names(own: OwnRuns, search: str = "") -> list[str]:
    return [entry.id for entry in own.entries(search)]


def listed(own: OwnRuns, search: str = "", selected: Any = (), edited: str = "") -> list[Any]:
    return run_list(own.entries(search), own.service.info, selected, edited)


def links(part: Any) -> list[str]:
    return [each.href for each in components(part) if isinstance(each, html.A)]


def test_it_lists_what_was_run_with_pictures(browsers: Browsers) -> None:
    with browsers.asking() as own:
        shown = listed(own)
    assert list(links(shown)[::2]) == [f"/?{query}" for query in reversed(QUERIES)]
    assert "sin πx, GD, seed 3" in text_of(shown) and "finished, loss" in text_of(shown)
    client = browsers.server.test_client()
    picture = client.get(f"/runs/{run_id(QUERIES[0])}.svg")
    assert picture.mimetype == "image/svg+xml" and len(re.findall(r"\d+\.\d,\d+\.\d", picture.text)) > 20
    assert len(picture.data) < 3_000
    assert client.get("/runs/0123.svg").status_code == 404
    empty = client.get(f"/runs/{'ab' * 16}.svg")
    assert empty.status_code == 200 and empty.headers["Cache-Control"] == "no-store"


def test_names_are_told_and_found(browsers: Browsers) -> None:
    with browsers.asking() as own:
        own.rename(run_id(QUERIES[1]), "<script>x</script>", "stuck, f1", "a note")
        assert names(own, "stuck") == [run_id(QUERIES[1])]
        told = text_of(listed(own, "stuck"))
        assert "<script>x</script>" in told and "a note" in told and "f1" in told
        assert names(own, "nowhere") == []


def test_pin_delete_and_restore(browsers: Browsers) -> None:
    first, second, third = map(run_id, QUERIES)
    with browsers.asking() as own:
        own.pin(first, pinned=True)
        assert names(own) == [first, third, second]
        own.rename(first, "mine", "a, b", "why")
        assert beside(first, names(own)) == third and beside(second, names(own)) == third
        gone = own.delete(first)
        assert names(own) == [third, second] and own.delete(first) is None
        assert own.restore(gone) == first
        assert names(own) == [first, third, second]
        entry = own.entries()[0]
        assert (entry.name, entry.tags, entry.note, entry.pinned) == ("mine", ("a", "b"), "why", True)
        for wrong in (
            {"query": "width=0", "at": 1},
            {"query": "seed=9", "at": float("nan")},
            {"at": 1e300},
            3,
        ):
            assert own.restore(wrong) == ""
        assert len(names(own)) == 3


def test_another_browser_sees_and_changes_nothing(browsers: Browsers) -> None:
    with browsers.asking(browsers.new()) as other:
        assert names(other) == [] and other.delete(run_id(QUERIES[0])) is None
        other.pin(run_id(QUERIES[0]), pinned=True)
    with browsers.asking() as own:
        assert len(names(own)) == 3 and not own.entries()[-1].pinned


def test_selected_runs_become_one_link(browsers: Browsers) -> None:
    with browsers.asking() as own:
        assert own.comparison([run_id(query) for query in QUERIES[:2]]) == "/?epochs=50&seed=3,4"
        selected = [run_id(query) for query in QUERIES[1:]]
        link = own.comparison(selected).removeprefix("/?")
        assert link == "also=epochs:50~method:~seed:4&epochs=20&method=anls&seed=3"
        assert {config.run_id for config in read_comparison(link).configs} == set(selected)
        for few in ([], [run_id(QUERIES[0])], [run_id(QUERIES[0]), "0" * 32]):
            with pytest.raises(ValueError, match="Select two runs or more"):
                own.comparison(few)


def test_what_is_selected_on_other_pages_is_counted() -> None:
    places = [{"type": "runs-select", "run": run} for run in ("b", "c")]
    assert callbacks.count(["a", "b"], None, places) == (
        "Compare 2 runs",
        "1 more selected on other pages",
        False,
    )
    assert callbacks.count(["b"], None, places) == ("Compare 1 run", "", True)
    assert callbacks.count(None, None, []) == ("Compare", "", True)


def test_an_empty_list_says_what_to_do() -> None:
    empty = no_runs("", is_past_the_end=False)
    assert "first screen does not count" in text_of(empty) and links(empty) == ["/"]
    assert "No run matches “anls”" in text_of(no_runs("anls", is_past_the_end=False))
    assert "no more runs" in text_of(no_runs("", is_past_the_end=True))


def test_a_list_is_shown_by_pages(browsers: Browsers) -> None:
    with browsers.asking():
        for first, newer_is_hidden, items in ((0, True, 3), (A_PAGE, False, 0)):
            body, newer, older, head = callbacks.show("", first, None, 0, None)
            assert newer is newer_is_hidden and older is True and head is False
            assert len([part for part in components(body) if isinstance(part, html.Li)]) == items
        assert callbacks.show("nowhere", 0, None, 0, None)[3] is False, "the search stays"


def test_pictures_share_one_scale() -> None:
    """A loss that falls to a tenth falls as far in every picture, whatever its unit."""

    def heights(picture: str) -> list[float]:
        return [float(y) for _, y in re.findall(r"(\d+\.\d),(\d+\.\d)", picture)]

    small, large = (heights(curve_picture([(0, k), (100, k / 10)], 5)) for k in (1e-3, 1e6))
    assert small == large and small[0] < small[1]
    (_, deep) = heights(curve_picture([(0, 1.0), (100, 1e-30)], 5))
    (_, end) = heights(curve_picture([(0, 1.0), (100, 1e-4)], 5))
    assert deep == end, "what lies beyond the scale is cut off"


def info_of(status: str, **more: Any) -> RunInfo:
    fields: dict[str, Any] = {field.name: 0 for field in dataclasses.fields(RunInfo)}
    return RunInfo(**fields | {"status": status, "outcome": "", "loss": None, "position": None} | more)


def test_how_a_run_stands_is_said_in_words() -> None:
    assert stands(info_of("queued", position=2)) == "waiting, 2 before it"
    assert stands(info_of("queued")) == "waiting" and stands(info_of("running")) == "computing"
    assert stands(info_of("queued", reason="Compiling it.")) == "waiting (compiling it)"
    assert stands(info_of("running", loss=0.25)) == "computing, loss 0.25"
    assert stands(info_of("failed", outcome="diverged", loss=9.0)) == "diverged, loss 9"
    assert stands(None).startswith("not kept here")


def test_only_the_starter_is_offered_to_stop_what_is_computed() -> None:
    entry = HistoryEntry("ab" * 16, "epochs=50", 0.0)

    def offered(info: RunInfo | None, owner: str) -> bool:
        return "Stop" in text_of(run_list([entry], lambda _: info, (), owner=owner))

    for status in ("queued", "running"):
        assert offered(info_of(status, starter="me"), "me")
        assert not offered(info_of(status, starter="me"), "other")
    assert not offered(info_of("finished", starter="me"), "me") and not offered(None, "me")


def test_a_picture_is_asked_for_only_where_there_are_points() -> None:
    entry = HistoryEntry("ab" * 16, "epochs=50", 0.0)

    def pictures(info: RunInfo | None) -> int:
        item = entry_item(entry, info, decades=5, is_selected=False, is_edited=False)
        return sum(isinstance(part, html.Img) for part in components(item))

    assert pictures(info_of("running", frames=3, loss=1.0)) == 1
    assert pictures(None) == pictures(info_of("queued")) == 0


def test_an_entry_always_tells_width_seed_and_epochs() -> None:
    """In its title, or below it, and not twice."""
    usual = {name: number(METHODS[name].default_epochs) for name in ("gd", "anls")}
    for query, told in (
        ("epochs=50", "width 10 · seed 0 · 50 epochs"),
        ("method=anls", f"width 10 · seed 0 · {usual['anls']} epochs"),
        ("biases=0,1,2&coefficients=1,1,1&seed=4", f"width 3 · {usual['gd']} epochs"),
        ("target=five&epochs=1e6", "10⁶ epochs"),
    ):
        item = entry_item(
            HistoryEntry("ab" * 16, query, 0.0), None, decades=5, is_selected=False, is_edited=False
        )
        assert told in text_of(item) and " · seed 4" not in text_of(item)


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("width 10", True), ("width=10", True), ("width 1", False), ("seed 0", True), ("seed 10", False),
        ("epochs 1e5", True), ("epochs 100000", True), ("η 0.01", True), ("learning rate 0.01", True),
        ("learning rate 0.1", False), ("method gd", True), ("gd width 10", True), ("anls width 10", False),
        ("start he", True), ("target f1", True), ("seed sowing", True), ("Lesson seed 0", True),
        ("seed reaping", False), ("0.01", True), ("width", False),
    ],
)  # fmt: skip
def test_a_search_reads_settings_also_the_usual_ones(search: str, found: bool) -> None:
    entry = HistoryEntry("ab" * 16, "epochs=1e5&learning_rate=0.01", 0.0, name="lesson", note="seed sowing")
    assert matches(entry, search) is found


def test_a_title_says_what_is_not_as_usual() -> None:
    assert plain_title("epochs=10&method=anls&width=20") == "sin πx, ANLS, width 20"
