"""Whether the server is well, told without waiting."""

import shutil
import threading

import pytest

from tests.service.sites import Site


def test_health_is_told_at_once(site: Site) -> None:
    assert site.client().get("/healthz").json == {"status": "ok", "workers": 1}


@pytest.mark.slow
def test_health_does_not_wait_for_what_hangs(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.service.health.READY_SECONDS", 0.1)
    going = threading.Event()
    monkeypatch.setattr(site.scheduler, "workers", lambda: going.wait(60))
    client = site.client()
    for _ in range(10):
        assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert answer.status_code == 503 and answer.json is not None
    assert answer.json["workers"] == "does not answer" and "free" in answer.json["store"]
    going.set()


def test_readiness_names_what_is_wrong(site: Site) -> None:
    client = site.client()
    answer = client.get("/readyz")
    assert answer.status_code == 200 and answer.json is not None and answer.json["workers"] == "1 ready"
    shutil.rmtree(site.service.settings.home)
    answer = client.get("/readyz")
    assert answer.status_code == 503 and answer.json is not None and "home" in answer.json["store"]
