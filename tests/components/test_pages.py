"""One Dash app with pages: what Dash's registry knows is in the navigation, at its address, and allowed."""

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import dash
import pytest
from flask.testing import FlaskClient

from app import create_app
from components.common.navigation import listed_pages
from core.service import Settings

LISTED = [
    ("/", "Lab"),
    ("/study", "Study"),
    ("/lessons", "Lessons"),
    ("/paper", "Paper"),
    ("/runs", "Runs"),
]
LINK = r'<a (?:aria-current="page" )?href="([^"]*)">(\w+)</a>'
INLINE = r"<script(?![^>]*(?:src=|application/json))[^>]*>(.*?)</script>"
CONTENT, STORE, LOCATION = "_pages_content", "_pages_store", "_pages_location"


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return create_app(Settings(home=tmp_path)).server.test_client()


def router_call(path: object, search: object = "") -> dict[str, object]:
    """What Dash's scripts ask when an address is opened."""
    return {
        "output": f"..{CONTENT}.children...{STORE}.data..",
        "outputs": [{"id": CONTENT, "property": "children"}, {"id": STORE, "property": "data"}],
        "inputs": [
            {"id": LOCATION, "property": "pathname", "value": path},
            {"id": LOCATION, "property": "search", "value": search},
        ],
        "changedPropIds": [f"{LOCATION}.pathname"],
    }


def test_the_navigation_is_the_page_registry(client: FlaskClient) -> None:
    listed = [(page["path"], page["name"]) for page in listed_pages()]
    assert listed[: len(LISTED)] == LISTED
    assert "/admin" in {page["path"] for page in dash.page_registry.values()}
    for path, _ in LISTED[1:]:
        text = client.get(path).text
        links = re.findall(LINK, text[text.index("<nav") :])
        assert links[: len(listed)] == listed, path
        assert f'<a aria-current="page" href="{path}">' in text


def test_the_lab_links_to_all_pages(client: FlaskClient) -> None:
    layout = client.get("/_dash-layout", headers={"Referer": "http://localhost/"}).get_json()
    links: set[tuple[str, object]] = set()

    def look(part: dict[str, Any]) -> dict[str, Any]:
        if isinstance(part.get("href"), str) and isinstance(part["children"], str):
            links.add((part["href"].partition("?")[0], part["children"]))
        return part

    json.loads(json.dumps(layout), object_hook=look)
    assert set(LISTED) <= links


@pytest.mark.parametrize("path", ["/", "/study"])
def test_every_inline_script_is_allowed_by_its_hash(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["Content-Security-Policy"]
    inline = re.findall(INLINE, answer.text, re.DOTALL)
    assert inline, "Dash starts its renderer so, and writes a page's title"
    assert any("document.title" in script for script in inline)
    for script in inline:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy, script
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


def test_the_router_gives_every_page_and_refuses_what_is_no_address(client: FlaskClient) -> None:
    client.get("/")
    titles = {
        "/": "Plateau Lab",
        "/study": "Study · Plateau Lab",
        "/lessons": "Lessons · Plateau Lab",
        "/paper": "The paper, reproduced · Plateau Lab",
        "/runs": "Runs · Plateau Lab",
    }
    for path, title in titles.items():
        answer = client.post("/_dash-update-component", json=router_call(path, "?width=7"))
        assert answer.status_code == 200
        assert answer.get_json()["response"][STORE]["data"]["title"] == title
    odd: list[tuple[object, object]] = [(None, ""), (3, ""), ("study", ""), ("/study", ["?"]), ("/", None)]
    for call in (router_call(*pair) for pair in odd):
        answer = client.post("/_dash-update-component", json=call)
        assert answer.status_code == 400
        assert "an address must be a text" in answer.get_json()["error"]


def test_where_no_page_is_nothing_is_drawn(client: FlaskClient) -> None:
    for path in ("/no-such-page", "/study/x", "/pages/lab"):
        assert client.get(path).status_code == 404


def test_pages_have_their_own_scripts_and_styles(client: FlaskClient) -> None:
    lab, study = (
        " ".join(re.findall(r'(?:src|href)="(/[^"]*)"', client.get(path).text)) for path in ("/", "/study")
    )
    assert "plotly-slim" in lab and "lab.min.js" in lab and "dash_ag_grid" not in lab and "study." not in lab
    assert "lab.min.js" in study and "dash_ag_grid" in study and "study.css" in study
    assert "player.css" in lab and "player.css" not in study
