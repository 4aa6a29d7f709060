"""Small things that were once wrong: names of hosts, cookies, versions, limits, presentations, files."""

import json
import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import Client as Browser

from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service import presence
from core.service.events import JsonFormatter
from core.service.presence import MemoryPresence
from core.service.serving import announce
from core.service.settings import Settings
from core.service.visitors import Visitors
from core.service.web import protect, register_errors
from core.service.workers import child
from core.service.workers.child import begin_child
from tests.service.samples import place, request, state_of
from tests.service.services import ALICE, at_once
from tests.service.sites import QUERY, Site


def server_of(settings: Settings) -> Browser:
    service, _, _ = at_once(settings.home, settings)
    server = Flask("test")
    visitors = Visitors(service)
    server.before_request(visitors.greet)
    server.after_request(visitors.remember)
    register_errors(server)
    protect(server, settings, list)
    server.add_url_rule("/", "page", lambda: "<p>page")
    server.add_url_rule("/same", "same", lambda: ("x", 200, {"Cache-Control": "public, max-age=300"}))
    return server.test_client()


def test_only_known_hosts_are_served(tmp_path: Path) -> None:
    browser = server_of(Settings(home=tmp_path, hosts="lab.example.edu"))
    assert browser.get("/", base_url="https://lab.example.edu").status_code == 200
    assert browser.get("/", base_url="http://localhost:8050").status_code == 200
    refused = browser.get("/", base_url="http://evil.example")
    assert refused.status_code == 400 and "PLATEAU_HOSTS" in refused.text


@pytest.mark.parametrize(
    ("ancestors", "base", "says", "lacks"),
    [
        ("'self'", "http://lab.example.edu", "SameSite=Lax", "Secure"),
        ("'self'", "https://lab.example.edu", "Secure; HttpOnly; Path=/; SameSite=Lax", "Partitioned"),
        ("https://course.example", "https://lab.example.edu", "SameSite=None; Partitioned", "Lax"),
        ("https://course.example", "http://lab.example.edu", "SameSite=Lax", "None"),
    ],
)
def test_the_cookie_is_secure_and_comes_along_in_a_frame(
    tmp_path: Path, ancestors: str, base: str, says: str, lacks: str
) -> None:
    browser = server_of(Settings(home=tmp_path, frame_ancestors=ancestors, hosts="lab.example.edu"))
    cookie = browser.get("/", base_url=base).headers["Set-Cookie"]
    assert says in cookie and lacks not in cookie
    fresh = server_of(Settings(home=tmp_path))
    assert "Set-Cookie" not in fresh.get("/same").headers, "what caches may share is nobody's"


def test_an_answer_is_named_by_its_content(site: Site) -> None:
    browser = site.client()
    started = browser.post("/api/runs", json={"query": QUERY}).json
    assert started is not None
    url = f"/api/runs/{started['id']}"
    tags = {browser.get(f"{url}/{part}").headers["ETag"] for part in ("frames", "data", "frames")}
    assert len(tags) == 2 and not any(started["id"] in tag for tag in tags)


def test_a_run_of_another_version_is_not_gone_on_with(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    foreign = "f" * 32
    place(store, foreign, request(QUERY, 1_000))
    scheduler.follow(foreign)
    state = state_of(store, foreign)
    assert state.status == "failed" and "another version" in state.reason
    service.close()


def test_a_limit_that_is_lowered_locks_nothing_that_is_there(tmp_path: Path) -> None:
    service, _, _ = at_once(tmp_path)
    config = RunConfig.from_query("target=five&width=30&epochs=50")
    service.submit(config, ALICE)
    service.close()
    lowered = Settings(home=tmp_path, library=tmp_path / "none", limits=replace(LIMITS, width=8, epochs=10))
    service, _, _ = at_once(tmp_path, lowered)
    known = service.config(config.run_id)
    assert known is not None and known.run_id == config.run_id
    service.close()


def test_a_flood_of_presentations_closes_the_longest_silent_ones_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(presence, "_LARGEST", 100)
    presence_here = MemoryPresence()
    presence_here.publish("quiet", "a")
    for number in range(99):
        presence_here.publish(f"talk{number}", "b")
    presence_here.publish("quiet", "c")
    for number in range(60):
        presence_here.publish(f"flood{number}", "d")
    assert presence_here.published("quiet") == "c" and presence_here.published("talk98") == "b"
    assert presence_here.published("talk0") is None


def test_what_a_process_writes_is_its_owner_s_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0o022)
    try:
        monkeypatch.setattr(os, "dup2", lambda *_: None)
        monkeypatch.setattr("core.service.workers.child.guard_process", lambda *_: None)
        _, events = begin_child("test")
        events.close()
        (tmp_path / "file").touch()
        assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    finally:
        os.umask(before)


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_heartbeat_ends_quietly_with_what_it_is_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "BEAT_SECONDS", 0.01)
    read, write = os.pipe()
    with os.fdopen(read) as heard, os.fdopen(write, "w") as events:
        beat = threading.Thread(target=child._beat, args=(events,))
        beat.start()
        assert json.loads(heard.readline()) == child.BEAT
        events.close()
        beat.join(60)
        assert not beat.is_alive()


def test_a_log_has_no_line_that_is_not_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Where standard output is no terminal, what a server says when it starts is an event as well."""
    caplog.set_level("INFO", "plateau")
    announce("http://127.0.0.1:8050", Settings(home=tmp_path), is_own_token=True)
    assert capsys.readouterr().out == ""
    (record,) = caplog.records
    line = json.loads(JsonFormatter().format(record))
    assert line["event"] == "server is up" and line["address"] == "http://127.0.0.1:8050"
    assert line["admin_token_file"] == str(tmp_path / "admin-token")
