"""A class of thirty is served, whoever sends more than a class is told when to go on."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import create_app
from core.service import request_limits
from core.service.request_limits import WORK, MemoryCounts, limit_requests
from core.service.settings import Settings
from core.service.visitors import Visitors
from tests.service.conftest import RedisServer
from tests.service.sites import QUERY, URL, Site

SMALL: dict[str, Any] = {
    "requests_per_minute": 30,
    "work_per_minute": 6,
    "uploads_per_minute": 3,
    "people_per_address": 4,
}


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine has no second minute."""
    moment = time.time()
    monkeypatch.setattr(request_limits, "now", lambda: moment)


def limited(site: Site, **changed: Any) -> Site:
    limit_requests(site.server, replace(site.service.settings, **SMALL | changed), Visitors(site.service))
    return site


def browser(site: Site) -> FlaskClient:
    """One that has a cookie."""
    client = site.client()
    client.get("/healthz")
    assert client.get_cookie("plateau") is not None
    return client


def statuses(client: FlaskClient, path: str, times: int, **sent: Any) -> list[int]:
    return [client.open(path, **sent).status_code for _ in range(times)]


def test_who_asks_too_much_is_told_when_to_go_on(site: Site) -> None:
    limited(site)
    mine, other = browser(site), browser(site)
    assert statuses(mine, URL, 30) == [404] * 30
    refused = mine.get(URL)
    assert refused.status_code == 429 and refused.json is not None and "minute" in refused.json["error"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert refused.json["retry_after"] == int(refused.headers["Retry-After"])
    assert mine.get("/healthz").status_code == 200, "how the server is costs nothing"
    assert other.get(URL).status_code == 404, "one browser's limit is not another's"


def test_an_address_has_the_limit_of_so_many_people(site: Site) -> None:
    limited(site)
    for _ in range(4):
        assert statuses(browser(site), URL, 30) == [404] * 30
    assert browser(site).get(URL).status_code == 429, "a new cookie helps nobody"
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert browser(site).get(URL, environ_base=elsewhere).status_code == 404


def test_what_costs_time_has_tighter_limits(site: Site) -> None:
    limited(site)
    client = browser(site)
    post: Any = {"method": "POST", "json": {"query": QUERY}}
    assert statuses(client, "/api/estimate", 3, **post) == [200] * 3
    assert statuses(client, "/api/runs", 3, **post) == [201, 200, 200]
    assert client.open("/api/runs", **post).status_code == 429
    assert client.get(f"{URL}/export.csv").status_code == 429
    assert client.get(f"{URL}/frames").status_code == 200, "who may start nothing more may still look"
    data = {"method": "POST", "data": "0,1\n1,2\n2,4\n", "content_type": "text/csv"}
    assert statuses(client, "/api/data", 4, **data) == [201, 201, 201, 429]


def test_what_has_expired_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000.0]
    monkeypatch.setattr(request_limits, "now", lambda: clock[0])
    counts = MemoryCounts()
    for number in range(900):
        assert counts.incr(f"old {number}", 60.0) == 1
    assert counts.incr("old 7", 60.0) == counts.get("old 7") == 2 and counts.get_expiry("old 7") == 1_060.0
    clock[0] += 60.0
    assert counts.get("old 7") == 0 and counts.incr("old 7", 60.0) == 1
    for number in range(900):
        counts.incr(f"new {number}", 60.0)
    assert counts.get("new 0") == counts.get("old 7") == 1 and counts.reset() == 901


def test_cookies_thrown_away_gain_nothing(site: Site) -> None:
    limited(site)
    post: Any = {"method": "POST", "json": {"query": QUERY}}
    assert [site.client().open("/api/estimate", **post).status_code for _ in range(7)] == [200] * 6 + [429]
    polls = [site.client().get(URL).status_code for _ in range(60)]
    assert polls == [404] * 60, "a class of scripts without cookies may look all the same"


def test_a_class_of_thirty_is_within_the_limits_as_they_are() -> None:
    settings = Settings()
    polls = 60 * 2
    assert settings.requests_per_minute >= 5 * polls, "each may race five methods"
    assert settings.requests_per_minute * settings.people_per_address >= 30 * 5 * polls
    assert settings.people_per_address >= 30


def test_limits_can_be_lifted(site: Site) -> None:
    limited(site, requests_per_minute=0, people_per_address=0)
    client = browser(site)
    assert statuses(client, URL, 200) == [404] * 200
    data = {"method": "POST", "data": "0,1\n1,2\n2,4\n", "content_type": "text/csv"}
    assert statuses(client, "/api/data", 4, **data)[-1] == 429, "of a person still, if not of an address"


def test_what_is_named_is_there(tmp_path: Path) -> None:
    server = create_app(Settings(home=tmp_path)).server
    known = {f"{method} {rule}" for rule in server.url_map.iter_rules() for method in rule.methods or ()}
    assert known >= WORK
    server.extensions["runs"].close()


@pytest.mark.redis
def test_web_processes_count_together_and_alone_while_redis_is_away(
    tmp_path: Path, redis_server: RedisServer, redis_url: str
) -> None:
    here, there = (limited(Site(tmp_path / name), redis_url=redis_url) for name in ("here", "there"))
    for site in (here, there):
        assert statuses(browser(site), URL, 30) == [404] * 30
        assert statuses(browser(site), URL, 30) == [404] * 30
    assert browser(here).get(URL).status_code == 429, "four people's, in two processes"
    redis_server.stop()
    try:
        assert browser(here).get(URL).status_code == 404
        assert statuses(browser(here), URL, 31) == [404] * 30 + [429]
    finally:
        redis_server.start()
