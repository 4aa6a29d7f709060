"""Two things at once: whatever comes between the steps of a request, nothing acknowledged is lost."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from core.service.run_record import RunState
from tests.service.interposed import Interposed
from tests.service.samples import put
from tests.service.sites import RUN, URL, Site

SHORT, LONG = ({"query": f"target=five&method=gd&epochs={epochs}"} for epochs in (1_000, 5_000))
Act = Callable[[FlaskClient], object]


def paused_site(home: Path) -> tuple[Site, Interposed, FlaskClient]:
    """A server whose one run is paused because nobody was looking, and the browser that started it."""
    site = Site(home)
    between = Interposed(site.service._store)
    site.service._store = between
    starter = site.client()
    starter.get("/")
    site.scheduler.holding = True
    assert starter.post("/api/runs", json=SHORT).status_code == 201
    site.scheduler.held.clear()
    put(site.store, RUN, RunState(status="paused"))
    return site, between, starter


def interleaved(home: Path, act: Act) -> list[Site]:
    """A poll by somebody else, with `act` by the starter after each call that it makes to the store."""
    site, between, starter = paused_site(home / "count")
    viewer = site.client()
    viewer.get("/")
    between.after(0, lambda: None)
    assert viewer.get(URL).status_code == 200
    sites = []
    for number in range(1, between.calls + 1):
        site, between, starter = paused_site(home / str(number))
        viewer = site.client()
        viewer.get("/")
        between.after(number, partial(act, starter))
        assert viewer.get(URL).status_code == 200
        sites.append(site)
    assert sites
    return sites


def submit(starter: FlaskClient) -> None:
    assert starter.post("/api/runs", json=LONG).status_code == 200


def stop(starter: FlaskClient) -> None:
    assert starter.post(f"{URL}/stop").status_code == 200


@pytest.fixture(autouse=True)
def always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.service.service.SNAPSHOT_SECONDS", 0.0)


def test_a_poll_that_races_a_submit_leaves_the_raised_budget(tmp_path: Path) -> None:
    budgets = [site.client().get(URL).get_json()["epochs"] for site in interleaved(tmp_path, submit)]
    assert set(budgets) == {5_000.0}


def test_a_poll_that_races_a_stop_revives_nothing(tmp_path: Path) -> None:
    statuses = [site.client().get(URL).get_json()["status"] for site in interleaved(tmp_path, stop)]
    assert set(statuses) == {"stopped"}
