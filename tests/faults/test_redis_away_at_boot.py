"""Web processes that start while Redis is away: alive at once, and they begin by themselves when it comes."""

import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.faults.programs import App
from tests.service.conftest import RedisServer
from tests.service.services import wait_for

pytestmark = pytest.mark.redis
GUNICORN = (str(Path(sys.executable).parent / "gunicorn"), "--threads", "4", "wsgi:application")


def test_health_answers_and_the_rest_says_when_to_come_back(tmp_path: Path) -> None:
    redis = RedisServer(tmp_path)
    with App(tmp_path / "home", GUNICORN, PLATEAU_REDIS_URL=redis.url) as app:
        seconds = app.start()
        assert app.get("/healthz") == {"status": "ok", "workers": 0}
        for path in ("/", "/readyz", "/api/runs/" + "0" * 32):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(app.address + path, timeout=20)
            with refused.value as answer:
                assert answer.code == 503 and answer.headers["Retry-After"]
                assert b"The server is starting" in answer.read()
        try:
            redis.start()
            wait_for(lambda: answers(app, "/"), 60)
            assert app.post("/api/runs", {"query": "target=five&epochs=100"})["status"] == "queued"
        finally:
            redis.stop()
        print(f"\nhealth answered {seconds:.1f} s after the start, without a Redis")


def answers(app: App, path: str) -> bool:
    try:
        with urllib.request.urlopen(app.address + path, timeout=20) as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError as error:
        error.close()
        return False
