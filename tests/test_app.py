"""A web process of several: it waits for the Redis that keeps the runs, and for nothing else."""

from types import SimpleNamespace

import pytest

import app
from core.service import Settings, StoreError


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens at a start whose first two tries fail."""
    told: list[str] = []

    def create(settings: Settings) -> SimpleNamespace:
        told.append(settings.redis_url)
        if len(told) < 3:
            raise StoreError("The Redis server that keeps the runs cannot be reached.")
        runs = SimpleNamespace(start=lambda: told.append("started"))
        return SimpleNamespace(server=SimpleNamespace(extensions={"runs": runs}))

    monkeypatch.setattr(app, "create_app", create)
    monkeypatch.setattr(app, "AGAIN_SECONDS", 0.0)
    return told


def test_a_redis_that_is_away_is_waited_for(starts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATEAU_REDIS_URL", "redis://somewhere")
    assert app.server_from_environment().extensions["runs"]
    assert starts == ["redis://somewhere"] * 3 + ["started"]


def test_a_home_that_cannot_be_used_is_an_error(starts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLATEAU_REDIS_URL", raising=False)
    with pytest.raises(StoreError):
        app.server_from_environment()
    assert starts == [""]
