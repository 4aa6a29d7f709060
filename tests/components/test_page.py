"""The addresses of the app."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from plotly.offline import get_plotlyjs_version

from app import create_app
from components.common.document import ICON
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


@pytest.mark.parametrize("path", ["/", "/study", "/runs", "/paper", "/lessons"])
@pytest.mark.parametrize("query", ["q=\xff\xe9", "width=\xc3\xa9", "\x80"])
def test_bytes_in_a_query_that_are_no_text_are_no_error(client: FlaskClient, path: str, query: str) -> None:
    assert client.get(path, environ_overrides={"QUERY_STRING": query}).status_code == 200
