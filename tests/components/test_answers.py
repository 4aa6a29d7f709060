"""A question of the page: what hands did to the controls, what it means, and the runs that it starts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from components.pages.lab.edits import TWO_POINTS
from components.pages.lab.first_visit import RACE
from components.pages.lab.form_answer import Answer, answer_to
from components.pages.lab.resolve import resolve
from components.pages.lab.starting import continued, note_shown
from core.config import race_from_query
from core.config.run_config import RunConfig
from core.problem.gallery import TARGETS
from core.service.accounts import Client
from core.service.files import database
from core.service.files.database import FILE
from core.service.service import RunService
from core.service.settings import Settings

ME, OTHER = Client("me", "me"), Client("other", "other")


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    """A service that computes nothing: it is never started."""
    home = tmp_path_factory.mktemp("home")
    service = RunService(Settings(home=home, library=home / "library"))
    yield service
    service.close()


def asked(service: RunService, config: str, *edits: Any, cause: str = "change", view: str = "") -> Answer:
    question = {"version": 3, "cause": cause, "config": config, "view": view, "edits": list(edits)}
    return answer_to(question, service, ME)


def link(answer: Answer) -> str:
    assert not answer.errors, answer.errors
    return str(answer.told["canonical"])


def test_every_control_writes_the_link(service: RunService) -> None:
    start = "epochs=2000"
    for edits, means in (
        ([["field", "seed", "7"]], "epochs=2000&seed=7"),
        ([["field", "points", "10^4"]], "epochs=2000&points=10000"),
        ([["field", "width", "10"]], "epochs=2000"),
        ([["field", "domain:high", "2"]], "domain=-1,2&epochs=2000"),
        ([["field", "domain:low", "-2"], ["field", "domain:high", "2"]], "domain=-2,2&epochs=2000"),
        ([["field", "target", " x**2 "]], "epochs=2000&target=x**2"),
        ([["gallery", "name", "five"]], "epochs=2000&target=five"),
        ([["methods", "", ["gd", "anls"]], ["budget", "anls", "30"]], "epochs=2000,30&method=gd,anls"),
        (
            [["methods", "", ["gd", "anls"]], ["budget", "anls", "30"], ["methods", "", ["anls"]]],
            "epochs=30&method=anls",
        ),
        ([["budget", "gd", "3e4"]], "epochs=3e4"),
        ([["source", "formula", "f1"]], "epochs=2000&target=sin(pi*x)"),
        ([["preset", "name", "sin5"]], "target=sin5"),
        (
            [["network", "", {"b": [0.25, -0.5], "c": [1, 2.0]}]],
            "biases=0.25,-0.5&coefficients=1,2&epochs=2000",
        ),
    ):
        assert link(asked(service, start, *edits)) == means, edits


def test_edits_are_taken_in_order_and_nonsense_is_passed_over(service: RunService) -> None:
    edits = [
        ["field", "seed", "1"],
        ["field", "nothing", "1"],
        ["run", "x", 1],
        7,
        ["field", "seed", "2"],
        ["field"],
    ]
    assert link(asked(service, "", *edits)) == "seed=2"


def test_the_dice_draw_some_seed(service: RunService) -> None:
    answer = asked(service, "seed=5000", ["dice", "", None])
    assert 0 <= int(answer.texts.get("seed", "0")) < 1000


def test_a_formula_from_the_gallery_keeps_what_came_with_it(service: RunService) -> None:
    name = next(name for name, target in TARGETS.items() if target.formula and "width" in target.defaults)
    before = RunConfig.from_query(f"target={name}")
    answer = asked(service, f"target={name}", ["source", "formula", ""])
    after = RunConfig.from_query(link(answer))
    assert after.target != name
    assert (after.points, after.width, after.sampling) == (before.points, before.width, before.sampling)


def test_own_points_by_text_file_and_click(service: RunService) -> None:
    answer = asked(service, "epochs=2000&points=7", ["points", "text", "x;y\n0;0\n0,5;1\n1;0"])
    assert link(answer) == "data=0:0;0.5:1;1:0&epochs=2000" and "header" in " ".join(answer.draft.notes)
    for name, text, says in (
        ("text", "0,0\n1,oops", "line 2"),
        ("file", "  ", TWO_POINTS),
        ("text", None, TWO_POINTS),
    ):
        wrong = asked(service, "epochs=2000", ["points", name, text])
        assert says in wrong.errors["data"] and wrong.cause == "draft" and wrong.draft.source == "data"
    assert asked(service, "", ["source", "data", ""]).errors == {"data": TWO_POINTS}


def test_what_a_control_alone_knows_to_be_wrong_is_no_link(service: RunService) -> None:
    empty = asked(service, "seed=3", ["field", "target", " "])
    assert "formula" in empty.errors["target"] and empty.cause == "draft"
    none = asked(service, "", ["methods", "", []])
    assert none.errors == {"method": "Select at least one method."}
    wide = asked(service, "", ["network", "", {"b": [1.2345678] * 900, "c": [1.2345678] * 900}])
    assert "does not fit" in wide.errors["query"]
    assert "does not fit" in asked(service, "", ["network", "", None]).errors["query"]


def test_a_wrong_value_stands_in_the_link_with_its_message(service: RunService) -> None:
    answer = asked(service, "", ["field", "width", "0"], ["field", "points", "1e9"])
    assert set(answer.errors) == {"width", "points"} and answer.cause == "change"
    assert answer.told["config"] == "points=1000000000&width=0" and "canonical" not in answer.told


def test_a_link_that_nobody_touched_is_judged_as_it_was_written(service: RunService) -> None:
    assert "more than once" in asked(service, "width=3&width=4", cause="open").errors["width"]
    assert asked(service, "width=3&width=4", ["field", "width", "5"]).errors == {}
    assert "xaxis" in asked(service, "", cause="open", view="xaxis=parsecs").errors["query"]
    assert asked(service, "", cause="draft", view="xaxis=parsecs").errors == {}


def test_keys_that_mailers_add_are_left_out_and_told(service: RunService) -> None:
    answer = asked(service, "utm_source=mail&seed=3&fbclid=x%26y&%F0", cause="open")
    assert link(answer) == "seed=3" and answer.ignored[:2] == ("utm_source", "fbclid")
    again = asked(service, link(answer), cause="open")
    assert again.ignored == ()


def test_a_panel_that_is_not_here_is_named(service: RunService) -> None:
    question = {"version": 1, "cause": "open", "config": "seed=3", "view": "panels=loss,nope", "edits": []}
    assert answer_to(question, service, ME).ignored == ("the panel nope",)


def test_what_is_refused_names_its_field_and_offers_a_way_out(service: RunService) -> None:
    answer = asked(service, "width=0&seed=3", cause="open")
    assert answer.refusal.startswith("These settings cannot be run. Width: ") and answer.way_out == "seed=3"
    assert asked(service, "width=0", cause="open").way_out == "target=f1"
    assert asked(service, "seed=3", cause="open").refusal == ""


def test_what_is_cheap_starts_when_it_is_opened_or_changed_but_not_while_it_is_typed(
    service: RunService,
) -> None:
    run = RunConfig.from_query("epochs=1000&seed=4").run_id
    for cause in ("draft", "look"):
        asked(service, "epochs=1000&seed=4", cause=cause)
        assert service.info(run) is None
    changed = asked(service, "epochs=1000", ["field", "seed", "5"]).told
    assert changed["started"] and changed["instant"]
    waits = asked(service, "epochs=2e8&width=12", ["field", "seed", "5"]).told
    assert "started" not in waits and service.settings.instant_seconds < waits["seconds"]
    told = asked(service, "epochs=1000&seed=4", cause="open").told
    assert told["started"] and told["runs"][0]["exists"] and service.info(run) is not None
    expensive = asked(service, "epochs=9e8&width=12", cause="open").told
    assert "started" not in expensive and expensive["seconds"] > service.settings.cheap_seconds


def test_run_starts_what_the_controls_say(service: RunService) -> None:
    told = asked(service, "epochs=4e8&target=sin5", ["field", "seed", "12"], cause="run").told
    assert told["started"] and "seed=12" in told["runs"][0]["query"] and told["refused"] == ""
    info = service.info(told["runs"][0]["id"])
    assert info is not None and info.starter == ME.handle


def test_a_link_with_too_many_runs_for_one_visitor_comes_back_for_the_rest(service: RunService) -> None:
    most = service.settings.limits.per_client
    begun = [
        asked(service, f"epochs=1000&seed={first}..{first + 6}", cause="run").told for first in (20, 30, 40)
    ]
    told = next(answer for answer in begun if answer["refused"])
    assert told["started"] and told["wait"] > 0 and str(most) in told["refused"]
    assert 0 < sum(run["exists"] for run in told["runs"]) < len(told["runs"])
    full = asked(service, "epochs=1000&seed=10", cause="run").told
    assert not full["started"] and full["refused"] and full["wait"] == 0


@contextmanager
def writing(home: Path) -> Iterator[None]:
    """Somebody else writes into the database, on a disk that takes its time."""
    with closing(sqlite3.connect(home / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_a_start_that_a_slow_disk_keeps_waiting_comes_back(
    service: RunService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    with writing(service.settings.home):
        late = asked(service, "epochs=1e9&width=30", cause="run")
        assert "busy" in late.told["refused"] and not late.told["started"]
        assert late.told["wait"] > 0, "the page asks again by itself"
    assert asked(service, "epochs=1e9&width=30", cause="run").told["started"]


def test_a_stop_on_a_slow_disk_is_not_lost(service: RunService, monkeypatch: pytest.MonkeyPatch) -> None:
    (run,) = asked(service, "epochs=1e9&width=30", cause="run").found["runs"]
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    with writing(service.settings.home):
        asked(service, "epochs=1e9&width=30", cause="stop")
    assert service.status(run["id"]) == "stopped"


def test_only_the_starter_stops_a_run(service: RunService) -> None:
    asked(service, "epochs=4e8&seed=2", cause="run")
    question = {"version": 1, "cause": "stop", "config": "epochs=4e8&seed=2", "edits": []}
    assert "started" in answer_to(question, service, OTHER).told["refused"]
    told = answer_to(question, service, ME).told
    assert told["refused"] == "" and told["runs"][0]["state"] == "halted"
    run = told["runs"][0]["id"]
    again = asked(service, "epochs=4e8&seed=2", cause="run").told
    assert again["started"] and again["runs"][0]["id"] == run and service.status(run) == "queued"


def test_continue_gives_ten_times_the_budget_to_what_the_budget_ended(
    service: RunService, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "epochs=1000,50&method=gd,anls"
    asked(service, query, cause="run")
    found = resolve(query, service)
    known = {run["id"]: service.info(run["id"]) for run in found["runs"]}

    def told(run_id: str) -> Any:
        info = known[run_id]
        used_up = "anls" not in info.query  # type: ignore[union-attr]
        return type("Told", (), {"status": "finished", "may_continue": used_up, "epoch": reached})()

    reached = 20.0
    monkeypatch.setattr(service, "info", told)
    assert continued(found, service) == "epochs=1e4,50&method=gd,anls"
    reached = 400.0
    assert continued(found, service) == "epochs=1e4,500&method=gd,anls", "the server has more of ANLS"
    monkeypatch.undo()
    assert continued(found, service) == query, "what is under way needs no longer budget"


def test_what_the_server_has_after_the_budget_is_shown_without_computing(service: RunService) -> None:
    asked(service, "epochs=1e4&seed=3", cause="run")
    edits = [["budget", "gd", "10000"]]
    question = {"version": 1, "cause": "further", "config": "epochs=1000&seed=3,4", "edits": edits}
    told = answer_to(question, service, ME).told
    assert told["canonical"] == "epochs=1e4&seed=3,4" and not told.get("started")
    assert [run["epochs"] for run in told["runs"]] == [1e4, 1e4]
    assert service.status(told["runs"][1]["id"]) is None


@pytest.mark.parametrize("cause", ["open", "change"])
def test_a_run_that_others_have_started_is_in_ones_own_list_of_runs(service: RunService, cause: str) -> None:
    alice, bob = Client("a" * 16, "a" * 16), Client("b" * 16, "b" * 16)
    expensive = "epochs=1e8&seed=7"
    config = RunConfig.from_query(expensive)
    service.submit(config, alice)
    before = service.history.entries(alice.handle)
    for _ in range(2):
        for client in (alice, bob, Client("c" * 16, "?@address", known=False)):
            answer_to(
                {"version": 1, "cause": cause, "config": expensive, "view": "", "edits": []}, service, client
            )
    assert service.history.entries(alice.handle) == before
    assert [entry.id for entry in service.history.entries(bob.handle)] == [config.run_id]
    assert service.history.entries("c" * 16) == []


def test_the_example_of_the_first_visit_is_nobodys_own_run(service: RunService) -> None:
    visitor = Client("d" * 16, "d" * 16)
    runs = [
        {"exists": True, "id": config.run_id, "query": config.to_query()} for config in race_from_query(RACE)
    ]
    note_shown({"canonical": RACE, "runs": runs}, service, visitor)
    assert service.history.entries(visitor.handle) == []
    note_shown({"canonical": f"{RACE}&noise=0.1", "runs": runs}, service, visitor)
    assert len(service.history.entries(visitor.handle)) == 2
