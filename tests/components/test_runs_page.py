"""The page of one's own runs, and the link that compares some of them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from components.comparing import overlay_query
from components.overlay import plain_title
from components.runs_page import runs_routes
from core.config import RunConfig, runs_from_query
from core.service.service import RunService
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
    assert text.count("<li>") == 1
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
    assert client.get("/runs").text.count("<li>") == 3


def test_ticked_runs_become_one_link(page: tuple[FlaskClient, RunService]) -> None:
    client, _ = page
    answer = client.get("/runs/compare", query_string={"run": [run_id(query) for query in QUERIES[:2]]})
    assert answer.status_code == 302 and answer.headers["Location"] == "/?epochs=50&seed=3,4"
    assert client.get("/runs/compare").status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        "seed=0..3&epochs=100",
        "width=5,10&method=gd,anls&epochs=100,20",
        "learning_rate=0.01,0.001&epochs=50",
        "target=f1,sin(3*x)&epochs=50",
        "target=five&seed=1,2&epochs=50",
        "biases=0,1;2,3&coefficients=1,1&epochs=10",
        "data=0:1;1:2;2:0&seed=1,2&epochs=10",
    ],
)
def test_the_runs_of_a_link_lead_back_to_it(query: str) -> None:
    found = runs_from_query(query)
    datasets = {c.dataset[0]: c.dataset[1] for c in found.configs if c.dataset}
    again = runs_from_query(overlay_query(found.configs, datasets=datasets), datasets=datasets)
    assert {config.run_id for config in again.configs} == {config.run_id for config in found.configs}


def test_runs_that_cannot_share_a_link_say_so() -> None:
    own = RunConfig.from_query("data=0:1;1:2;2:0&epochs=10")
    with pytest.raises(ValueError, match="cannot share"):
        overlay_query([own, RunConfig.from_query("epochs=10")], datasets=dict([own.dataset or ("", "")]))
    many = [RunConfig.from_query(f"seed={i}&width={5 + i}&epochs=10") for i in range(4)]
    with pytest.raises(ValueError, match="16 would be shown"):
        overlay_query(many)


def test_a_title_says_what_is_not_as_usual() -> None:
    assert plain_title("epochs=10&method=anls&width=20") == "sin πx, ANLS, width 20"
