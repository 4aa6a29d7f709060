"""Figures of the server: who may read them, and that they count; and what the log says."""

import json
import logging
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from flask_caching import Cache
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from core.service.cache import CONFIGURATION, Answers
from core.service.events import JsonFormatter, log_event
from core.service.files.frame_file import FrameIndex
from core.service.metrics import ServiceFigures, register_metrics
from core.service.store import StoreError
from core.service.studies.store import RequestedStudy, pack_record
from tests.service.sites import QUERY, RUN, URL, Site

TOKEN = "open sesame"


@pytest.fixture
def watched(site: Site) -> Site:
    site.service.settings = replace(site.service.settings, admin_token=SecretStr(TOKEN))
    register_metrics(site.server, site.service, Answers(Cache(site.server, config=CONFIGURATION)))
    return site


def figures(client: FlaskClient) -> dict[str, list[tuple[dict[str, str], float]]]:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
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
    assert told["plateau_workers_ready"] == [({}, 1.0)] and told["plateau_queue_wait_seconds"] == [({}, 0.0)]
    assert told["plateau_runs"] == [({"status": "running"}, 0.0), ({"status": "queued"}, 0.0)]
    assert {labels["how"] for labels, _ in told["plateau_answers_total"]} == {"kept", "made"}
    assert {labels["what"] for labels, _ in told["plateau_queries"]} == {"workers", "queued", "made"}


def test_epochs_and_frames_are_counted_as_they_are_recorded(watched: Site) -> None:
    client = watched.client()
    assert figures(client)["plateau_frames_total"] == [({}, 0.0)]
    client.post("/api/runs", json={"query": QUERY})
    told, known = figures(client), client.get(URL).json
    assert known is not None and known["frames"] > 1
    assert told["plateau_frames_total"] == [({}, known["frames"])]
    assert told["plateau_epochs_total"] == [({}, known["epoch"])]
    client.post("/api/runs", json={"query": QUERY})
    assert figures(client)["plateau_frames_total"] == told["plateau_frames_total"], "one run, recorded once"
    assert told["process_resident_memory_bytes"][0][1] > 1e7


def lines(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    told = [json.loads(record.message) for record in caplog.records if record.name == "plateau"]
    return [line for line in told if line["event"] == event]


def test_a_run_that_waits_is_counted_with_its_wait(watched: Site) -> None:
    watched.scheduler.holding = True
    client = watched.client()
    client.post("/api/runs", json={"query": QUERY})
    told = figures(client)
    assert ({"status": "queued"}, 1.0) in told["plateau_runs"]
    assert told["plateau_queue_wait_seconds"][0][1] > 0.0


def test_the_log_has_a_line_for_a_request_and_for_a_run_with_their_names(
    watched: Site, caplog: pytest.LogCaptureFixture
) -> None:
    watched.service.settings = replace(watched.service.settings, log_requests=True)
    client = watched.client()
    assert client.post("/api/runs", json={"query": QUERY}).status_code == 201
    client.get(f"{URL}/frames")
    asked, looked = lines(caplog, "request")
    assert asked["route"] == "/api/runs" and asked["status"] == 201 and asked["client"] == looked["client"]
    assert looked["run"] == RUN and looked["id"] != asked["id"] and looked["seconds"] >= 0.0
    (wanted,), (begun,), (ended,) = (lines(caplog, f"run {what}") for what in ("asked for", "begins", "ends"))
    assert {line["run"] for line in (wanted, begun, ended)} == {RUN}
    assert wanted["client"] == asked["client"] and ended["frames"] > 10
    assert ended["how"].startswith("finished")


def test_only_trouble_is_told_unless_all_is_wanted(
    watched: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = watched.client()
    assert client.get("/api/runs/nonsense").status_code == 404
    assert client.post("/api/runs", json={"query": "width=-3"}).status_code == 400
    assert lines(caplog, "request") == []

    def away(run_id: str) -> None:
        raise StoreError("Redis is away.")

    monkeypatch.setattr(watched.service, "info", away)
    assert client.get(f"/api/runs/{'0' * 32}").status_code == 503
    (told,) = lines(caplog, "request")
    assert told["status"] == 503 and told["run"] == "0" * 32
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize(
    ("token", "sent", "may"),
    [
        ("", "", False),
        ("", "Bearer ", False),
        ("secret", "Bearer secret", True),
        ("secret", "Basic YW55OnNlY3JldA==", True),
        ("secret", "Bearer wrong", False),
        ("secret", "", False),
        ("secret", "Bearer ∞", False),
    ],
)
def test_who_may_read_them(site: Site, token: str, sent: str, may: bool) -> None:
    site.service.settings = replace(site.service.settings, admin_token=SecretStr(token))
    register_metrics(site.server, site.service)
    headers = {"Authorization": sent.encode().decode("latin-1")} if sent else {}
    answer = site.client().get("/metrics", headers=headers)
    assert answer.status_code == (200 if may else 401)


def test_the_figures_read_no_row_of_a_study(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    studies = site.service.studies
    order = RequestedStudy("seed=0..9", "starter", "alice", 1.0, 10, ("seed",), 1.5)
    for number in range(20):
        studies._store.place(f"{number:032x}", order)
        studies._store.add(f"{number:032x}", pack_record(0, {"seed": 0}, np.ones(3, dtype=np.float32)))
    assert len(studies.active()) == 20
    monkeypatch.setattr(FrameIndex, "read", lambda *_: pytest.fail("rows are read"))
    assert len(studies.under_way()) == 20
    figures = {one.name: one for one in ServiceFigures(site.service, None).collect()}
    assert figures["plateau_studies_active"].samples[0].value == 20


def test_every_line_of_the_log_is_json(caplog: pytest.LogCaptureFixture) -> None:
    formatter = JsonFormatter()
    log_event("run ends", run="ab", seconds=1.5, reason="")
    logging.getLogger("elsewhere").warning("%s is gone", "it")
    try:
        raise ValueError("wrong")
    except ValueError:
        logging.getLogger("elsewhere").exception("failed")
    event, warning, failure = (json.loads(formatter.format(record)) for record in caplog.records)
    assert (event["event"], event["run"], event["seconds"]) == (
        "run ends",
        "ab",
        1.5,
    ) and "reason" not in event
    assert (
        warning["message"] == "it is gone" and warning["level"] == "WARNING" and warning["time"].endswith("Z")
    )
    assert "ValueError: wrong" in failure["trace"]
