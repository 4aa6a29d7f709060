"""Figures of the server: who may read them, and that they count."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from core.service.metrics import register_metrics
from tests.service.sites import Site


@pytest.fixture
def watched(site: Site) -> Site:
    register_metrics(site.server, site.service)
    return site


def figures(client: FlaskClient) -> dict[str, list[tuple[dict[str, str], float]]]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((sample.labels, sample.value))
    return found


def test_requests_are_counted_by_rule_and_not_by_address(watched: Site) -> None:
    client = watched.client()
    for name in ("0" * 32, "1" * 32, "2" * 32):
        client.get(f"/api/runs/{name}")
    told = figures(client)
    counted = [
        (labels, value)
        for labels, value in told["plateau_request_seconds_count"]
        if "run_id" in labels["route"]
    ]
    assert counted == [({"route": "/api/runs/<run_id>", "method": "GET", "status": "404"}, 3.0)]
    assert told["plateau_workers_ready"] == [({}, 1.0)] and told["plateau_runs_busy"] == [({}, 0.0)]
    assert {labels["what"] for labels, _ in told["plateau_desk"]} == {"clerks", "queued", "made"}


@pytest.mark.parametrize(
    ("token", "sent", "address", "forwarded", "may"),
    [
        ("", "", "127.0.0.1", "", True),
        ("", "", "192.0.2.7", "", False),
        ("", "", "127.0.0.1", "192.0.2.7", False),
        ("secret", "Bearer secret", "192.0.2.7", "192.0.2.9", True),
        ("secret", "Bearer wrong", "127.0.0.1", "", False),
        ("secret", "", "127.0.0.1", "", False),
        ("secret", "Bearer ∞", "127.0.0.1", "", False),
    ],
)
def test_who_may_read_them(
    site: Site, token: str, sent: str, address: str, forwarded: str, may: bool
) -> None:
    site.service.settings = replace(site.service.settings, admin_token=token)
    register_metrics(site.server, site.service)
    headers = {"Authorization": sent.encode().decode("latin-1")} if sent else {}
    if forwarded:
        headers["X-Forwarded-For"] = forwarded
    answer = site.client().get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == (200 if may else 403)
