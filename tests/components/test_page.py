"""The addresses of the app."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from plotly.offline import get_plotlyjs_version

from app import create_app
from components import player
from components.common import ids
from components.common.document import ICON
from components.common.view import split_query
from components.pages.lab.first_visit import FIRST_VISIT
from components.pages.lab.layout import page_layout
from components.pages.lab.prefilled import prefilled
from components.pages.lab.specification import specification
from core.config.run_config import RunConfig
from core.service.service import RunService
from core.service.settings import Settings

ASSETS = Path(__file__).resolve().parents[2] / "assets"


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    server = create_app(Settings(home=tmp_path)).server
    return server.test_client()


def test_the_page_needs_no_polyfill(client: FlaskClient) -> None:
    text = client.get("/").text
    assert "dash_renderer" in text and "polyfill" not in text


def test_one_script_of_its_own_and_one_plotly(client: FlaskClient) -> None:
    """The slim Plotly must be the very version that plotly.py writes figures for."""
    text = client.get("/").text
    scripts = [part.split('"')[0].split("?")[0] for part in text.split('script src="')[1:]]
    own = [script for script in scripts if script.startswith("/assets/")]
    assert own == ["/assets/head.js", "/assets/lab.min.js", "/assets/vendor/plotly-slim.min.js"]
    head = (ASSETS / "vendor" / "plotly-slim.min.js").read_text("utf-8")[:200]
    assert f"v{get_plotlyjs_version()}," in head


@pytest.mark.parametrize("path", ["/nothing", "/lab/", "/apis", "/a/b?c=d"])
def test_where_nothing_is_the_server_says_so(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404 and "There is no such page" in answer.text
    assert answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/lessons", "/paper", "/nothing"])
def test_every_page_brings_its_icon_along(client: FlaskClient, path: str) -> None:
    text = client.get(path).text
    assert f'<link rel="icon" href="{ICON}">' in text and "favicon" not in text


@pytest.mark.parametrize("path", ["/", "/lessons", "/paper", "/_dash-layout", "/_favicon.ico"])
def test_where_something_is_it_is_there(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 200


def test_the_settings_of_a_link_are_in_the_page_before_anything_is_asked(tmp_path: Path) -> None:
    service = RunService(Settings(home=tmp_path))
    filled = prefilled(page_layout(specification()), service)

    def told(address: str) -> dict[str, Any]:
        with Flask("page").test_request_context("/_dash-layout", headers={"Referer": address}):
            known = [part for part in filled()._traverse() if getattr(part, "id", "") == ids.SPECIFICATION]
        data: dict[str, Any] = known[0].data
        return data

    def fields(address: str) -> dict[str, str]:
        with Flask("page").test_request_context("/_dash-layout", headers={"Referer": address}):
            page = filled()
        return {
            part.element: getattr(part, "text", "")
            for part in page._traverse()
            if isinstance(part, player.Entry) and str(getattr(part, "element", "")).startswith("field-")
        }

    first = fields("http://lab.example/")
    assert first["field-epochs-gd"] == "1e7" and first["field-seed"] == "4"
    other = fields("http://lab.example/?width=7&target=x**2&at=3&utm_source=mail")
    assert other["field-width"] == "7" and other["field-target"] == "x**2" and other["field-seed"] == "0"
    assert fields("http://lab.example/?width=0")["field-width"] == "0"
    assert fields("http://lab.example/") == first, "one visitor's link is not another's"
    assert told("http://lab.example/?width=7&at=3")["shown"] == "width=7"
    assert told("http://lab.example/?at=3")["shown"] == split_query(FIRST_VISIT)[0]
    opened = told("http://lab.example/?theme=dark")["answer"]
    assert opened["cause"] == "open" and all(run["exists"] for run in opened["runs"]), (
        "nothing is left to ask"
    )
    assert "answer" not in told("http://lab.example/?width=7"), "what is not here yet is asked for"
    assert "answer" not in told("http://lab.example/?width=0")
    assert "answer" not in told("http://lab.example/?at=x"), "nor is what cannot be looked at so"
    assert service.info(RunConfig.from_query("width=7&target=x**2").run_id) is None, "a look starts nothing"
    service.close()


@pytest.mark.parametrize("path", ["/", "/study", "/runs", "/paper", "/lessons"])
@pytest.mark.parametrize("query", ["q=\xff\xe9", "width=\xc3\xa9", "\x80"])
def test_bytes_in_a_query_that_are_no_text_are_no_error(client: FlaskClient, path: str, query: str) -> None:
    assert client.get(path, environ_overrides={"QUERY_STRING": query}).status_code == 200
