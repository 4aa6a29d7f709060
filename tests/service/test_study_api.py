"""The HTTP interface to studies, over stored rows."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from core.config import runs_from_query
from core.service.service import RunService
from core.service.studies.api import study_routes
from core.service.studies.store import pack_record
from core.service.visitors import Visitors
from core.service.web import protect, register_errors
from core.study import COLUMNS
from core.study.study import row_of_run
from tests.service.services import at_once

QUERY = "seed=0..4&method=anls&epochs=20"
ROWS = [row_of_run(config) for config in runs_from_query(QUERY).configs]


@pytest.fixture
def service(tmp_path: Path) -> RunService:
    return at_once(tmp_path)[0]


@pytest.fixture
def server(service: RunService) -> Iterator[Flask]:
    server, visitors = Flask("test"), Visitors(service)
    server.before_request(visitors.greet)
    server.after_request(visitors.remember)
    server.register_blueprint(study_routes(service.studies, visitors))
    register_errors(server)
    protect(server, service.settings, list)
    yield server


@pytest.fixture
def client(server: Flask) -> FlaskClient:
    return server.test_client()


def fill(service: RunService, study: str, places: range) -> None:
    for place in places:
        service.studies._store.add(study, pack_record(place, ROWS[place], np.ones(3, dtype=np.float32)))


@pytest.mark.parametrize("more", [{"dry": "yes"}, {"dry": 1}, {"dry": None}, {"dri": True}])
def test_what_is_not_understood_starts_nothing(client: FlaskClient, more: dict[str, Any]) -> None:
    answer = client.post("/api/studies", json={"query": QUERY, **more})
    assert answer.status_code == 400 and answer.json is not None and next(iter(more)) in answer.json["error"]
    assert client.get("/api/studies").get_json()["studies"] == []


def test_a_dry_question_starts_nothing(client: FlaskClient) -> None:
    answer = client.post("/api/studies", json={"query": QUERY, "dry": True})
    assert answer.status_code == 200
    document = answer.get_json()
    assert document["runs"] == 5 and document["known"] is None and document["seconds"] > 0
    assert client.get(f"/api/studies/{document['id']}").status_code == 404
    assert client.get("/api/studies").get_json()["studies"] == []


def test_rows_come_as_they_are_done_and_export_has_one_line_a_run(
    client: FlaskClient, service: RunService
) -> None:
    begun = client.post("/api/studies", json={"query": QUERY})
    assert begun.status_code == 201
    study = begun.get_json()["id"]
    assert begun.headers["Location"] == f"/api/studies/{study}"
    assert begun.get_json()["status"] == "running" and begun.get_json()["mine"]
    fill(service, study, range(2))
    first = client.get(f"/api/studies/{study}").get_json()
    assert first["done"] == 2 and first["next"] == 2 and min(first["remaining"]) > 0
    assert [row["seed"] for row in first["rows"]] == [0, 1] and first["rows"][0] == ROWS[0]
    fill(service, study, range(2, 5))
    second = client.get(f"/api/studies/{study}?after=2").get_json()
    assert second["status"] == "finished" and [row["seed"] for row in second["rows"]] == [2, 3, 4]
    assert client.post("/api/studies", json={"query": QUERY}).status_code == 200
    text = client.get(f"/api/studies/{study}/export.csv").text
    lines = list(csv.DictReader(io.StringIO(text)))
    assert tuple(lines[0]) == COLUMNS and [float(line["loss"]) for line in lines] == [r["loss"] for r in ROWS]
    assert [entry["id"] for entry in client.get("/api/studies").get_json()["studies"]] == [study]


def test_only_the_starter_stops_and_resumes(client: FlaskClient, server: Flask) -> None:
    study = client.post("/api/studies", json={"query": QUERY}).get_json()["id"]
    assert server.test_client().post(f"/api/studies/{study}/stop").status_code == 403
    assert client.post(f"/api/studies/{study}/stop").get_json()["status"] == "stopped"
    assert client.post(f"/api/studies/{study}/resume").get_json()["status"] == "running"
    assert client.post(f"/api/studies/{'0' * 32}/stop").status_code == 404
    assert client.get("/api/studies/..").status_code == 404


def test_only_the_starter_deletes_and_late_rows_are_dropped(
    client: FlaskClient, server: Flask, service: RunService
) -> None:
    study = client.post("/api/studies", json={"query": QUERY}).get_json()["id"]
    fill(service, study, range(2))
    assert server.test_client().delete(f"/api/studies/{study}").status_code == 403
    assert client.delete(f"/api/studies/{study}").get_json() == {"id": study, "removed": True}
    fill(service, study, range(2, 4))
    assert client.get(f"/api/studies/{study}").status_code == 404
    assert client.delete(f"/api/studies/{study}").status_code == 404
    assert client.get("/api/studies").get_json()["studies"] == []
    again = client.post("/api/studies", json={"query": QUERY})
    assert again.status_code == 201 and again.get_json()["done"] == 0


def test_studies_come_in_pages(client: FlaskClient, service: RunService) -> None:
    ids = [
        client.post("/api/studies", json={"query": f"seed={seed}&epochs=5"}).get_json()["id"]
        for seed in range(service.settings.limits.studies_per_client)
    ]
    first = client.get("/api/studies?limit=1").get_json()
    rest = client.get(f"/api/studies?after={first['next']}").get_json()
    assert [one["id"] for one in first["studies"] + rest["studies"]] == ids[::-1] and rest["next"] is None


def test_what_is_wrong_is_named(client: FlaskClient) -> None:
    for query, word in (("seed=0..99999", "10,000"), ("width=0,5", "width"), ("nonsense=1,2", "nonsense")):
        for dry in (True, False):
            answer = client.post("/api/studies", json={"query": query, "dry": dry})
            assert answer.status_code == 400 and word in answer.get_json()["error"]
    assert client.post("/api/studies", json={}).status_code == 400


def test_a_browser_may_have_so_many_under_way_and_old_ones_go(
    client: FlaskClient, service: RunService
) -> None:
    client.get("/api/studies")
    allowed = service.settings.limits.studies_per_client
    for seed in range(allowed):
        assert client.post("/api/studies", json={"query": f"seed={seed}&epochs=5"}).status_code == 201
    refused = client.post("/api/studies", json={"query": "seed=77&epochs=5"})
    assert refused.status_code == 429 and f"{allowed} studies" in refused.get_json()["error"]
