"""Follow me: what a presenter says reaches all who have the link, and nobody can speak for another."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from components.common.document import markup
from components.pages.lab.callbacks.presentation import histogram, picture, shown_path
from components.pages.lab.presentations import presentation_routes, read_document
from components.pages.lessons.folder import LessonFolder
from core.service.accounts import Client
from core.service.cluster.redis_backend import RedisPresence
from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_store import RedisStore
from core.service.files.database import Database
from core.service.files.presentations import DatabasePresence
from core.service.presence import (
    ANSWERS_SECONDS,
    PRESENTATION_SECONDS,
    MemoryPresence,
    Presence,
    Presentations,
)
from core.service.service import RunService
from core.service.settings import Settings
from core.service.visitors import Visitors

PRESENTATION, OTHER = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture(params=["embedded", pytest.param("redis", marks=pytest.mark.redis)])
def presence(request: pytest.FixtureRequest) -> Presence:
    if request.param == "embedded":
        return MemoryPresence()
    settings = Settings()
    url = request.getfixturevalue("redis_url")
    return RedisPresence(RedisStore(connection(url), settings.limits, settings.lease_seconds))


def test_rooms_are_listed_until_they_are_closed(presence: Presence) -> None:
    presence.publish("presentation", "shown")
    presence.publish("other", "shown too")
    assert sorted(presence.presentations()) == ["other", "presentation"]
    presence.publish("other", "")
    assert presence.presentations() == ["presentation"]


def test_an_audience_follows_on_after_a_restart_and_nobody_who_is_gone_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.service.presence._LARGEST", 10)
    database = Database(tmp_path)
    before = DatabasePresence(database)
    for number in range(30):
        before.publish(f"flood{number}", "passing by")
    assert len(before._written) <= 11
    before.publish(PRESENTATION, "first")
    before.publish(PRESENTATION, "a moment later")
    before.publish(OTHER, "shown")
    before.publish(OTHER, "")
    killed = DatabasePresence(database)
    assert killed.published(PRESENTATION) == "first" and killed.published(OTHER) is None
    before.close()
    ended = DatabasePresence(database)
    assert ended.published(PRESENTATION) == "a moment later" and OTHER not in ended.presentations()
    database.close()


def test_the_last_word_counts_and_rooms_are_apart(presence: Presence) -> None:
    assert presence.published(PRESENTATION) is None
    presence.publish(PRESENTATION, '{"query": "ä"}')
    presence.publish(PRESENTATION, '{"query": "at=2"}')
    assert presence.published(PRESENTATION) == '{"query": "at=2"}'
    assert presence.published(OTHER) is None


def test_who_follows_a_presenter_is_counted_and_so_is_who_watches_a_run(presence: Presence) -> None:
    audience, run = Presentations(presence), "0" * 32
    for name in ("a", "b", "b"):
        audience.attend(PRESENTATION, Client(name, name))
    audience.attend(PRESENTATION, None)
    assert audience.followers(PRESENTATION) == 2 and audience.followers(OTHER) == 0
    presence.touch(run, "a")
    assert presence.watching(run) == 1 and presence.idle(run) < 60.0
    audience.answer(PRESENTATION, "pinned:2", "a", 3)
    assert audience.answers(PRESENTATION, "pinned:2") == {3: 1}


def test_a_room_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr("core.service.presence.time.monotonic", lambda: clock[0])
    presence = MemoryPresence()
    presence.publish(PRESENTATION, "{}")
    clock[0] += PRESENTATION_SECONDS - 1
    assert presence.published(PRESENTATION) == "{}"
    clock[0] += 2
    assert presence.published(PRESENTATION) is None


def test_answers_are_counted_once_a_viewer_and_forgotten_after_the_hour(
    presence: Presence, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = f"{PRESENTATION} pinned:2"
    for viewer, option in (("a", 0), ("b", 1), ("c", 1), ("a", 1)):
        presence.answer(question, viewer, option)
    assert dict(presence.answers(question)) == {1: 3}
    assert dict(presence.answers(f"{OTHER} pinned:2")) == {}
    if isinstance(presence, MemoryPresence):
        late = time.monotonic() + ANSWERS_SECONDS + 1
        monkeypatch.setattr("core.service.presence.time.monotonic", lambda: late)
        assert dict(presence.answers(question)) == {}
        presence.answer(question, "d", 0)
        assert dict(presence.answers(question)) == {0: 1}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Flask]:
    service = RunService(Settings(home=tmp_path, library=tmp_path / "none"))
    visitors = Visitors(service)
    server = Flask("test")
    server.extensions["runs"] = service
    server.before_request(visitors.greet)
    server.after_request(visitors.remember)
    server.register_blueprint(presentation_routes(service))
    yield server
    service.close()


def presented_by(client: FlaskClient, **document: object) -> str:
    answer = client.post("/api/presentations", json={"query": "at=5&seed=3", **document})
    assert answer.status_code == 200
    return str(json.loads(answer.data)["presentation"])


def test_a_browser_publishes_in_its_own_room_only(site: Flask) -> None:
    presenter, viewer = site.test_client(), site.test_client()
    presentation = presented_by(presenter, playing=True, speed=2, live=True)
    assert presented_by(presenter, live=True) == presentation
    seen = json.loads(viewer.get(f"/api/presentations/{presentation}").data)
    assert (seen["query"], seen["at"], seen["playing"], seen["live"]) == ("at=5&seed=3", 5.0, False, True)
    assert (
        seen["mine"] is False
        and json.loads(presenter.get(f"/api/presentations/{presentation}").data)["mine"] is True
    )
    other = presented_by(viewer, query="at=9")
    assert other != presentation
    assert json.loads(viewer.get(f"/api/presentations/{presentation}").data)["serial"] == seen["serial"]


@pytest.mark.parametrize("presentation", ["0123456789abcdef", "x", "0123456789ABCDEF", "0" * 17, "..%2f"])
def test_a_room_without_a_presenter_is_empty(site: Flask, presentation: str) -> None:
    answer = site.test_client().get(f"/api/presentations/{presentation}")
    assert answer.status_code in (200, 404)
    if answer.status_code == 200:
        assert json.loads(answer.data) == {"serial": 0, "live": False, "mine": False}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (None, "query"),
        ([], "query"),
        ({"query": 3}, "query"),
        ({"query": "at=soon"}, "at ="),
        ({"query": "panels=<b>"}, "panels"),
        ({"query": "colour=red"}, "no key of a link"),
        ({"query": "a" * 40_000}, "bytes"),
        ({"query": "at=1", "speed": 1e9}, "speed"),
        ({"query": "at=1", "speed": float("nan")}, "speed"),
        ({"query": "at=1", "speed": "fast"}, "speed"),
    ],
)
def test_only_what_a_link_can_hold_is_published(body: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_document(body, 16_384)


def test_the_presenter_sees_how_many_follow_and_what_they_predict(site: Flask, tmp_path: Path) -> None:
    presenter, *audience = (site.test_client() for _ in range(4))
    presenter.get("/api/presentations/none")
    presentation = presenter.post(
        "/api/presentations", json={"query": "lesson=pinned&step=2", "live": True}
    ).get_json()["presentation"]
    for place, phone in enumerate(audience):
        phone.get("/api/presentations/none")  # a cookie
        assert phone.get(f"/api/presentations/{presentation}").get_json()["revealed"] is False
        option = {"question": "pinned:2", "option": min(place, 1)}
        assert phone.post(f"/api/presentations/{presentation}/answer", json=option).status_code == 200
    service: RunService = site.extensions["runs"]
    assert service.presentations.followers(presentation) == 3
    shown = markup(histogram(service, LessonFolder(Settings().lessons), presentation))
    assert "3 answered." in shown and "<li" not in shown and "--share" not in shown, "not before the answer"
    presenter.post(
        "/api/presentations", json={"query": "lesson=pinned&step=2", "live": True, "revealed": True}
    )
    shown = markup(histogram(service, LessonFolder(Settings().lessons), presentation))
    assert "3 answered" in shown and shown.count("<li") == 3 and "--share:67%" in shown
    assert shown_path(service, presentation) == (f"/?follow={presentation}&lesson=pinned&step=2", False)
    assert shown_path(service, OTHER) == ("", False) and picture("") == []
    presenter.post(
        "/api/presentations", json={"query": f"data={'1:2;' * 900}", "live": True, "playing": True}
    )
    assert shown_path(service, presentation) == ("", True)
    folder = LessonFolder(tmp_path)
    assert histogram(service, folder, presentation) == [] == histogram(service, folder, OTHER)
    for wrong in (
        None,
        {"question": "pinned:2", "option": -1},
        {"question": "<b>:2", "option": 0},
        {"option": 1},
    ):
        assert audience[0].post(f"/api/presentations/{presentation}/answer", json=wrong).status_code == 400
