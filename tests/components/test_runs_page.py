"""The page of one's own runs, and the link that compares some of them."""

import dataclasses
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from components.common.comparison import read_comparison
from components.common.document import markup
from components.common.run_styles import plain_title
from components.pages.runs.entry import Place, entry_item, matches, stands
from components.pages.runs.page import runs_page, runs_routes
from core.config import RunConfig
from core.methods import METHODS
from core.narrative import number
from core.service import HistoryEntry
from core.service.service import RunInfo, RunService
from core.service.visitors import Visitors
from tests.service.services import at_once

QUERIES = ("epochs=50&seed=3", "epochs=50&seed=4", "epochs=20&method=anls&seed=3")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[tuple[FlaskClient, RunService]]:
    """A browser that has run three things."""
    service, _, _ = at_once(tmp_path)
    server = Flask(__name__)
    visitors = Visitors(service)
    server.after_request(visitors.remember)
    server.register_blueprint(runs_routes(service, "", lambda name: f"/assets/{name}"))
    client = server.test_client()
    client.get("/runs")
    cookie = client.get_cookie("plateau")
    assert cookie is not None
    with server.test_request_context(headers={"Cookie": f"plateau={cookie.value}"}):
        me = visitors.current()
    for query in QUERIES:
        config = RunConfig.from_query(query)
        service.submit(config, me)
    yield client, service


def run_id(query: str) -> str:
    return RunConfig.from_query(query).run_id


def test_it_lists_what_was_run_with_pictures(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    text = client.get("/runs").text
    assert [text.index(f'href="/?{query.replace("&", "&amp;")}"') for query in reversed(QUERIES)]
    assert "sin πx, GD, seed 3" in text and "finished, loss" in text
    picture = client.get(f"/runs/{run_id(QUERIES[0])}.svg")
    assert picture.mimetype == "image/svg+xml" and len(re.findall(r"\d+\.\d,\d+\.\d", picture.text)) > 20
    assert len(picture.data) < 3_000
    assert client.get("/runs/0123.svg").status_code == 404


def test_names_are_text_and_are_found(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    form = {"do": "save", "name": "<script>x</script>", "tags": "stuck, f1", "note": '"><img src=x>'}
    answer = client.post(f"/runs/{run_id(QUERIES[1])}", data=form)
    assert answer.status_code == 303
    text = client.get("/runs?q=stuck").text
    assert "&lt;script&gt;x&lt;/script&gt;" in text and "<script>x" not in text and "<img src=x" not in text
    assert text.count("<li ") == 1
    assert "Nothing matches." in client.get("/runs?q=nowhere").text


def test_pin_and_delete(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    client.post(f"/runs/{run_id(QUERIES[0])}", data={"do": "pin"})
    text = client.get("/runs").text
    assert text.index(QUERIES[0].replace("&", "&amp;")) < text.index(QUERIES[2].replace("&", "&amp;"))
    client.post(f"/runs/{run_id(QUERIES[0])}", data={"do": "delete"})
    assert QUERIES[0].replace("&", "&amp;") not in client.get("/runs").text


def test_another_browser_sees_and_changes_nothing(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    other = client.application.test_client()
    assert "Nothing yet" in other.get("/runs").text
    other.post(f"/runs/{run_id(QUERIES[0])}", data={"do": "delete"})
    assert client.get("/runs").text.count("<li ") == 3


def test_selected_runs_become_one_link(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    answer = client.get("/runs/compare", query_string={"run": [run_id(query) for query in QUERIES[:2]]})
    assert answer.status_code == 302 and answer.headers["Location"] == "/?epochs=50&seed=3,4"


def test_exactly_the_selected_runs_become_one_link(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    selected = [run_id(query) for query in QUERIES[1:]]
    answer = client.get("/runs/compare", query_string={"run": selected, "q": "seed 3", "from": "40"})
    assert answer.status_code == 302
    link = answer.headers["Location"].removeprefix("/?")
    assert link == "also=epochs:50~method:~seed:4&epochs=20&method=anls&seed=3"
    assert {config.run_id for config in read_comparison(link).configs} == set(selected)


def test_a_refusal_keeps_ticks_and_search(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    for asked in ({}, {"run": run_id(QUERIES[0])}):
        answer = client.get("/runs/compare", query_string=asked | {"q": "gd"})
        assert answer.status_code == 400 and "Select two runs or more" in answer.text
        assert 'class="runs-error" role="alert"' in answer.text and 'value="gd"' in answer.text
        assert answer.text.count("<li ") == 2 and answer.text.count(" checked ") == len(asked)


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


def test_a_picture_is_asked_for_only_where_there_are_points(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    entry = HistoryEntry("ab" * 16, "epochs=50", 0.0)
    assert "<img" in markup(entry_item(entry, info_of("running", frames=3, loss=1.0), Place()))
    for info in (None, info_of("queued")):
        assert "<img" not in markup(entry_item(entry, info, Place()))
    empty = client.get(f"/runs/{'ab' * 16}.svg")
    assert empty.status_code == 200 and empty.mimetype == "image/svg+xml"
    assert empty.headers["Cache-Control"] == "no-store"


def test_an_entry_always_tells_width_seed_and_epochs() -> None:
    usual = {name: number(METHODS[name].default_epochs) for name in ("gd", "anls")}
    for query, told in (
        ("epochs=50", "width 10 · seed 0 · 50 epochs"),
        ("method=anls", f"width 10 · seed 0 · {usual['anls']} epochs"),
        ("biases=0,1,2&coefficients=1,1,1&seed=4", f"width 3 · seed 4 · {usual['gd']} epochs"),
        ("target=five&epochs=1e6", "10⁶ epochs"),
    ):
        assert told in markup(entry_item(HistoryEntry("ab" * 16, query, 0.0), None, Place()))


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


def test_after_a_change_one_is_back_at_the_entry(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    first, second, third = (run_id(query) for query in QUERIES)
    for change in ({"do": "pin"}, {"do": "unpin"}, {"do": "save", "name": "a"}):
        answer = client.post(f"/runs/{first}", data=change | {"q": "seed 3", "from": "0"})
        assert answer.headers["Location"] == f"/runs?q=seed+3#run-{first}"
    assert f'id="run-{first}"' in client.get("/runs").text
    gone = client.post(f"/runs/{second}", data={"do": "delete"}).headers["Location"]
    assert gone.endswith(f"#run-{first}")
    text = client.get(gone).text
    assert "Deleted from this list: sin πx, GD, seed 4." in text and text.count("<li ") == 2
    fields = dict(re.findall(r'name="(\w+)" type="hidden" value="([^"]*)"', text.split("runs-undo")[1]))
    back = client.post("/runs/undo", data={key: unescape(value) for key, value in fields.items()})
    assert back.headers["Location"] == f"/runs#run-{second}"
    text = client.get("/runs").text
    places = [text.index(f'id="run-{name}"') for name in (third, second, first)]
    assert places == sorted(places)
    for wrong in ({"query": "width=0", "at": "1"}, {"query": "seed=9", "at": "nan"}, {"at": "1e300"}, {}):
        assert client.post("/runs/undo", data=wrong).headers["Location"] == "/runs"
    assert client.get("/runs").text.count("<li ") == 3


def test_past_the_end_there_are_no_more(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    text = client.get("/runs?from=999").text
    assert "There are no more." in text and "Newer ones" in text and "Nothing matches" not in text
    entries = [HistoryEntry(f"{place:032x}", f"epochs=50&seed={place}", -place) for place in range(100)]
    text = markup(runs_page(entries, lambda _: None, Place("gd", 40)))
    ways = re.findall(r'<button class="button" form="compare" name="from"[^>]* value="(\d+)">(\w+)', text)
    assert ways == [("0", "Search"), ("0", "Newer"), ("80", "Older")]


def test_ticks_outlive_a_search_a_turn_of_the_page_and_a_change(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    first, second, third = (run_id(query) for query in QUERIES)
    ticked = {"run": [first, "0" * 32]}  # one that is no longer listed is forgotten
    text = client.get("/runs", query_string=ticked | {"q": "seed 4", "from": ["40", "0"]}).text
    assert text.count("<li ") == 1 and f'id="run-{second}"' in text, "the last of two pages counts"
    assert text.count('name="run" type="hidden"') == 3, "in the form of the ticks, and where names are given"
    assert f'name="run" type="hidden" value="{first}"' in text and "1 selected out of sight" in text
    text = client.get("/runs", query_string=ticked).text
    assert text.count(" checked ") == 1 and "out of sight" not in text
    answer = client.post(f"/runs/{third}", data=ticked | {"do": "pin", "from": "0", "q": ""})
    assert client.get(answer.headers["Location"]).text.count(" checked ") == 1


def test_a_title_says_what_is_not_as_usual() -> None:
    assert plain_title("epochs=10&method=anls&width=20") == "sin πx, ANLS, width 20"
