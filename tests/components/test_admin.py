"""The page for whoever looks after the server: behind its token, with everything that can be ended."""

from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from dash.exceptions import PreventUpdate
from flask import Flask
from pydantic import SecretStr

from app import create_app
from components.pages.admin.callbacks import look
from components.pages.admin.content import admin_page
from components.pages.admin.routes import admin_routes
from core.config import RunConfig
from core.service import Client, RunService, Settings, overview
from tests.components.test_pages import router_call
from tests.components.tree import text_of
from tests.service.services import ALICE, AtOnce, at_once

QUERY = "target=five&method=gd&epochs=1000"
TOKEN = "open sesame"
Site = tuple[Flask, RunService, AtOnce]


def made(home: Path, token: str) -> Site:
    none, secret = home / "none", SecretStr(token)
    settings = Settings(home=home, library=none, study_library=none, admin_token=secret)
    service, scheduler, _ = at_once(home, settings)
    server = Flask("test")
    server.register_blueprint(admin_routes(service, lambda: "the page"))
    return server, service, scheduler


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return made(tmp_path, TOKEN)


def basic(password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(f"any:{password}".encode()).decode()}


def test_only_with_the_token(site: Site) -> None:
    browser = site[0].test_client()
    refused = browser.get("/admin")
    assert refused.status_code == 401 and "Basic" in refused.headers["WWW-Authenticate"]
    assert browser.get("/admin", headers=basic("wrong")).status_code == 401
    assert browser.post("/admin", data={"kind": "run", "name": "0" * 32}).status_code == 401
    assert browser.get("/admin", headers=basic(TOKEN)).status_code == 200
    assert browser.get("/admin", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_link_with_the_token_opens_a_browser(site: Site) -> None:
    browser = site[0].test_client()
    assert browser.get("/admin?token=wrong").status_code == 401
    opened = browser.get(f"/admin?token={TOKEN}")
    assert opened.status_code == 303 and opened.headers["Location"] == "/admin"
    assert browser.get("/admin").status_code == 200 and site[0].test_client().get("/admin").status_code == 401


def test_without_a_token_for_nobody(tmp_path: Path) -> None:
    browser = made(tmp_path, "")[0].test_client()
    for path, headers in (("/admin", {}), ("/admin?token=", {}), ("/admin", basic(""))):
        assert browser.get(path, headers=headers).status_code == 401
    browser.set_cookie("plateau_admin", "")
    assert browser.get("/admin").status_code == 401


def test_everything_is_listed_and_can_be_ended(site: Site) -> None:
    server, service, scheduler = site
    browser = server.test_client()
    scheduler.holding = True
    config = RunConfig.from_query(QUERY)
    service.submit(config, ALICE)
    study, _ = service.studies.submit("target=five&method=gd&epochs=100&seed=0..3", "bob", "bob")
    service.presentations.publish("0123456789abcdef", "{}")
    page = text_of(admin_page(overview(service)))
    assert "queued, 0 go first" in page and "0 of 4" in page and "01234567" in page and "of 2,000 MB" in page
    for kind, name in (("run", config.run_id), ("study", study.id), ("presentation", "0123456789abcdef")):
        answer = browser.post(f"/admin?kind={kind}", data={"name": name}, headers=basic(TOKEN))
        assert answer.status_code == 303
    assert service.status(config.run_id) == "stopped" and service.presentations.names() == []
    assert service.studies.active() == []
    empty = text_of(admin_page(overview(service)))
    assert all(
        text in empty for text in ("No run is under way.", "No study is under way.", "Nobody presents.")
    )
    service.close()


@pytest.mark.parametrize("kind", ["run", "study", "presentation", "", "everything"])
def test_what_is_not_there_cannot_be_ended(site: Site, kind: str) -> None:
    browser = site[0].test_client()
    for name in ("", "0" * 32, "../secret"):
        answer = browser.post("/admin", data={"kind": kind, "name": name}, headers=basic(TOKEN))
        assert answer.status_code == 404 and "There is no such" in answer.get_data(as_text=True)


def test_visitors_still_cannot_end_what_others_started(site: Site) -> None:
    _, service, scheduler = site
    scheduler.holding = True
    config = RunConfig.from_query(QUERY)
    service.submit(config, ALICE)
    with pytest.raises(PermissionError):
        service.stop(config.run_id, replace(ALICE, handle="mallory"))
    assert isinstance(ALICE, Client)
    service.close()


def test_dash_gives_the_page_to_nobody_without_the_token(tmp_path: Path) -> None:
    """Neither its layout nor what its callback shows."""
    server = create_app(Settings(home=tmp_path, admin_token=SecretStr(TOKEN))).server
    stranger, keeper = server.test_client(), server.test_client()
    assert stranger.get("/admin").status_code == 401
    opened = keeper.get(f"/admin?token={TOKEN}")
    assert opened.status_code == 303 and keeper.get("/admin").status_code == 200
    for browser, sees in ((stranger, False), (keeper, True)):
        page = browser.post("/_dash-update-component", json=router_call("/admin"))
        assert page.status_code == 200 and ("Runs under way" in page.text) == sees
    kept = keeper.get_cookie("plateau_admin")
    assert kept is not None
    with server.test_request_context(headers={"Cookie": f"plateau_admin={kept.value}"}):
        assert "Runs under way" in text_of(look(1))
    with server.test_request_context(headers={"Cookie": "plateau_admin="}), pytest.raises(PreventUpdate):
        look(1)
    other = keeper.post(
        "/admin?kind=run", data={"name": "0" * 32}, headers={"Origin": "https://evil.example"}
    )
    assert other.status_code == 403
    renamed = keeper.post("/admin?kind=run", data={"name": "0" * 32}, headers={"Host": "evil.example"})
    assert renamed.status_code == 400
