"""Forecasts over HTTP: the columns that the page draws, and the track record."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from core.narrative import forecast
from tests.service.sites import QUERY, URL, Site


@pytest.fixture
def client(site: Site) -> FlaskClient:
    client = site.client()
    client.post("/api/runs", json={"query": QUERY})
    return client


def get(client: FlaskClient, path: str) -> dict[str, Any]:
    answer = client.get(f"{URL}/{path}")
    assert answer.status_code == 200
    return dict(json.loads(answer.data))


def test_the_forecast_of_a_frame_is_that_of_the_core(client: FlaskClient, site: Site) -> None:
    run_id = URL.rsplit("/", 1)[1]
    config, frame = site.service.config(run_id), site.service.frames(run_id, 9, 10)[0]
    assert config is not None
    said, got = forecast(config, frame), get(client, "forecast?frame=10")
    assert (got["frame"], got["frame_epoch"]) == (10, frame.epoch)
    assert (got["kind"], got["epoch"], got["neuron"], got["datum"]) == (
        said.kind, said.epoch, said.neuron, said.datum,
    )  # fmt: skip
    assert (got["certified"], got["sentence"]) == (said.certified, said.sentence)
    assert (got["rests"], got["reached"]) == (said.rests, said.reached)
    first = got["events"][0]
    assert (first["epoch"], first["neuron"], first["datum"]) == (got["epoch"], got["neuron"], got["datum"])
    future = got["future"]
    samples = len(future["epoch"])
    assert len(future["loss"]) == samples
    for rows, now in ((future["b"], frame.b), (future["c"], frame.c)):
        assert len(rows) == config.width
        assert {len(row) for row in rows} == {samples}
        told = np.array([row[0] for row in rows], dtype=np.float32)
        assert told.tolist() == now.astype(np.float32).tolist(), "to seven digits"
    assert all(a < b for a, b in pairwise(future["epoch"]))
    assert future["epoch"][-1] == got["reached"]


def test_without_a_frame_it_is_the_last_one(client: FlaskClient) -> None:
    last = json.loads(client.get(URL).data)["frames"] - 1
    assert get(client, "forecast") == get(client, f"forecast?frame={last}")
    assert get(client, "forecast")["frame"] == last


def test_a_forecast_is_sent_once(client: FlaskClient) -> None:
    tag = client.get(f"{URL}/forecast?frame=3").headers["ETag"]
    assert client.get(f"{URL}/forecast?frame=3", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize(("path", "status"), [("forecast?frame=99999", 404), ("forecast?frame=x", 400)])
def test_what_is_not_there_is_refused(client: FlaskClient, path: str, status: int) -> None:
    answer = client.get(f"{URL}/{path}")
    assert answer.status_code == status
    assert "error" in json.loads(answer.data)


def test_runs_that_are_not_there(client: FlaskClient) -> None:
    for path in ("forecast", "forecasts"):
        assert client.get(f"/api/runs/{'0' * 32}/{path}").status_code == 404


def test_the_track_record_names_what_happened(client: FlaskClient) -> None:
    record = get(client, "forecasts")
    rows = record["rows"]
    assert record["left"] == 0
    stages = {entry["stage"]: entry for entry in get(client, "stages")["stages"]}
    assert rows
    for row in rows:
        stage, after = stages[row["stage"]], stages[row["stage"] + 1]
        assert stage["first"] <= row["from_frame"] <= stage["last"]
        happened = [row[f"happened_{key}"] for key in ("at", "neuron", "kind", "datum")]
        assert happened in after["changes"]
