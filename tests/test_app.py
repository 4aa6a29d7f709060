"""A web process of several: while it cannot start, it says so at once, and starts by itself."""

import threading
from collections.abc import Iterator

import pytest
from werkzeug.test import Client

import wsgi
from core.service import StoreError
from core.service.workers import troubles
from tests.service.services import wait_for


class Starting:
    """A start that fails until it may succeed."""

    def __init__(self) -> None:
        self.may, self.tries, self.held = False, 0, threading.Event()
        self.held.set()

    def __call__(self) -> object:
        self.tries += 1
        assert self.held.wait(60)
        if not self.may:
            raise StoreError("The Redis server that keeps the runs cannot be reached.")

        def served(_: object, start_response: object) -> list[bytes]:
            start_response("200 OK", [])  # type: ignore[operator]
            return [b"served"]

        return served


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Starting]:
    made = Starting()
    monkeypatch.setattr(wsgi, "server_from_environment", made)
    monkeypatch.setattr(troubles, "RETRY_SECONDS", 0.02)
    yield made
    made.may = True
    made.held.set()


def test_a_process_that_cannot_start_is_alive_and_tells_everybody_to_come_back(starting: Starting) -> None:
    browser = Client(wsgi.PerProcess())
    starting.held.clear()
    for _ in range(3):  # nobody waits while it hangs
        alive = browser.get("/healthz")
        assert alive.status_code == 200 and alive.json == {"status": "ok", "workers": 0}
    starting.held.set()
    wait_for(lambda: starting.tries > 3)
    for answer in (browser.get("/"), browser.post("/api/runs", json={"query": ""})):
        assert answer.status_code == 503 and answer.headers["Retry-After"] == "2" and answer.json is not None
        assert "The server is starting" in answer.json["error"] and "Redis" in answer.json["error"]
    ready = browser.get("/readyz")
    assert ready.status_code == 503 and ready.json is not None and "Redis" in ready.json["server"]
    starting.may = True
    wait_for(lambda: browser.get("/").status_code == 200)
    assert browser.get("/healthz").data == b"served"


def test_settings_that_are_wrong_are_told_before_anything_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLATEAU_WORKERS", "none")
    with pytest.raises(ValueError, match="PLATEAU_WORKERS"):
        wsgi.PerProcess()
