"""Tokens: a script that has one acts for the browser that made it, until that revokes it."""

import re
from pathlib import Path

import pytest
from flask import current_app
from flask.testing import FlaskClient

from app import create_app
from components.common.document import markup
from components.pages.runs.own_runs import OwnRuns
from components.pages.runs.tokens import token_section
from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_documents import RedisDocuments
from core.service.files.browser_documents import DatabaseDocuments
from core.service.files.database import Database
from core.service.files.tokens import MAX_TOKENS, Tokens
from core.service.settings import Settings
from tests.service.conftest import RedisServer
from tests.service.sites import QUERY, RUN, Site

ME, OTHER = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.redis)])
def tokens(request: pytest.FixtureRequest, tmp_path: Path) -> Tokens:
    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis_server")
        store = RedisDocuments(connection(server.url), "tokens")
        for handle in (ME, OTHER):
            store.replace(handle, store.read(handle), b"[]")
        return Tokens(store)
    return Tokens(DatabaseDocuments(Database(tmp_path), "tokens"))


def test_a_token_names_who_made_it_until_it_is_revoked(tokens: Tokens) -> None:
    text, other = tokens.make(ME, "  my\n notebook "), tokens.make(OTHER, "")
    assert tokens.owner(text) == ME and tokens.owner(other) == OTHER
    (kept,) = tokens.entries(ME)
    assert kept.name == "my notebook" and kept.used > 0.0
    for wrong in ("", "x", text[:-1], text[:-1] + "g", text.replace(ME, OTHER), text + "0", f" {text}"):
        assert tokens.owner(wrong) is None
    assert tokens.revoke(OTHER, kept.id) is False and tokens.owner(text) == ME
    assert tokens.revoke(ME, kept.id) is True
    assert tokens.owner(text) is None and tokens.entries(ME) == []


def test_what_is_kept_does_not_let_anybody_act(tokens: Tokens) -> None:
    text = tokens.make(ME, "notebook")
    document = tokens._store.read(ME)
    assert document is not None and text[-32:].encode() not in document


def test_there_are_only_so_many(tokens: Tokens) -> None:
    for number in range(MAX_TOKENS):
        tokens.make(ME, str(number))
    with pytest.raises(ValueError, match="Revoke one"):
        tokens.make(ME, "one more")


def test_a_script_acts_for_the_browser_that_made_its_token(site: Site) -> None:
    site.scheduler.holding = True
    browser, script = site.client(), site.client()
    browser.get("/")
    browser.post("/api/runs", json={"query": QUERY})
    study = browser.post("/api/studies", json={"query": "seed=0..3&epochs=5"}).get_json()["id"]
    handle = site.service.history._store.handles()[0]
    sent = {"Authorization": f"Bearer {site.service.tokens.make(handle, 'script')}"}
    assert [run["id"] for run in script.get("/api/runs", headers=sent).get_json()["runs"]] == [RUN]
    assert script.get("/api/runs").get_json()["runs"] == []
    assert script.get(f"/api/runs/{RUN}", headers=sent).get_json()["mine"] is True
    assert script.post(f"/api/runs/{RUN}/stop").status_code == 403
    assert script.post(f"/api/runs/{RUN}/stop", headers=sent).get_json()["status"] == "stopped"
    assert script.post(f"/api/studies/{study}/stop", headers=sent).get_json()["status"] == "stopped"
    assert script.delete(f"/api/studies/{study}", headers=sent).status_code == 200
    started = script.post("/api/runs", json={"query": f"{QUERY}&seed=5"}, headers=sent).get_json()["id"]
    assert started in [run["id"] for run in browser.get("/api/runs").get_json()["runs"]]
    (kept,) = site.service.tokens.entries(handle)
    site.service.tokens.revoke(handle, kept.id)
    refused = script.get("/api/runs", headers=sent)
    assert refused.status_code == 401 and "revoked" in refused.get_json()["error"]
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def shown_to(browser: FlaskClient) -> str:
    """The section of the page, as this browser gets it."""
    with browser:
        browser.get("/runs")
        return markup(token_section(OwnRuns(current_app.extensions["runs"]).tokens()))


def test_tokens_are_made_and_revoked_on_the_page(tmp_path: Path) -> None:
    server = create_app(Settings(home=tmp_path)).server
    browser, script = server.test_client(), server.test_client()
    assert "Make a token" in shown_to(browser)
    made = browser.post("/runs/tokens", data={"name": "<b>mine</b>"})
    (token,) = set(re.findall(r"plateau_[0-9a-f]{48}", made.text))
    assert made.status_code == 200 and made.headers["Cache-Control"] == "no-store"
    page = shown_to(browser)
    assert "&lt;b&gt;mine&lt;/b&gt;" in page and token not in page
    sent = {"Authorization": f"Bearer {token}"}
    query = {"query": "target=five&method=lsq"}
    run = script.post("/api/runs", json=query, headers=sent).get_json()["id"]
    assert browser.get("/api/runs").get_json()["runs"][0]["id"] == run
    (end,) = re.findall(r"/runs/tokens/\w+/revoke", page)
    assert server.test_client().post(end).status_code == 303
    assert script.get("/api/runs", headers=sent).status_code == 200, "somebody else revokes nothing"
    assert browser.post(end).headers["Location"] == "/runs#tokens"
    assert script.get("/api/runs", headers=sent).status_code == 401
    assert "mine" not in shown_to(browser)


def test_a_home_of_an_earlier_day_gets_its_table(tmp_path: Path) -> None:
    database = Database(tmp_path)
    with database.transaction() as connection:
        connection.execute("DROP TABLE tokens")
    database.close()
    server = create_app(Settings(home=tmp_path)).server
    assert server.test_client().post("/runs/tokens", data={"name": ""}).status_code == 200
