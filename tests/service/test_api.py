"""The HTTP interface, over a service that computes at once."""

import csv
import gzip
import io
import json
from collections import Counter
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from flask.testing import FlaskClient

from core.config.run_config import RunConfig
from core.narrative.plateaus import Reason, plateaus_of
from core.service.files.file_store import FileStore
from core.service.run_record import RunState
from core.service.visitors import NOBODY
from tests.service.samples import put, request_of
from tests.service.sites import QUERY, RUN, URL, Site
from tests.service.test_encoding import decode


def test_a_run_is_started_once(site: Site) -> None:
    client = site.client()
    first = client.post("/api/runs", json={"query": QUERY})
    assert first.status_code == 201 and first.json is not None
    assert first.json["id"] == RUN and first.json["url"].startswith("/?")
    again = site.client().post("/api/runs", json={"query": "epochs=1e3&target=five"})
    assert again.status_code == 200 and again.json is not None and again.json["id"] == RUN


def test_a_race_starts_a_run_for_each_method(site: Site) -> None:
    answer = site.client().post("/api/runs", json={"query": "target=five&method=gd,adam&epochs=100"})
    assert answer.status_code == 201 and answer.json is not None and len(answer.json["runs"]) == 2
    assert answer.json["id"] == answer.json["runs"][0]["id"] != answer.json["runs"][1]["id"]


def test_info_says_all(site: Site, run: FlaskClient) -> None:
    mine = run.get(URL).json
    assert mine is not None and mine["mine"] is True and mine["status"] == "finished"
    assert RunConfig.from_query(mine["config"]).run_id == RUN
    assert mine["epoch"] == 1_000 and mine["loss"] > 0 and mine["frames"] == site.service.count(RUN)
    theirs = site.client().get(URL).json
    assert theirs is not None and theirs["mine"] is False


def test_frames_come_once_each(site: Site, run: FlaskClient) -> None:
    everything = run.get(f"{URL}/frames").json
    assert everything is not None
    head = everything["head"]
    assert everything["index"] == list(range(head)) and everything["status"] == "finished"
    truth = site.service.frames(RUN)
    assert everything["loss"] == [frame.loss for frame in truth]
    assert everything["b"] == [frame.b.tolist() for frame in truth]
    some = run.get(f"{URL}/frames?after={head - 3}").json
    assert some is not None and some["index"] == [head - 2, head - 1]
    assert run.get(f"{URL}/frames?after={head - 1}").json["index"] == []  # type: ignore[index]
    assert run.get(f"{URL}/frames?after={head + 50}").json["index"] == []  # type: ignore[index]


def test_frames_of_wide_networks_come_in_parts(
    site: Site, run: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However large a run is, an answer takes no more than so much of the server's time and memory."""
    width, head = RunConfig.from_query(QUERY).width, site.service.count(RUN)
    monkeypatch.setattr("core.service.frame_views.MOST_BIASES", 50 * width + 3)
    seen: list[int] = []
    while len(seen) < head:
        part = run.get(f"{URL}/frames?after={len(seen) - 1}").json
        assert part is not None and 0 < len(part["index"]) <= 50 and part["head"] == head
        seen += part["index"]
    assert seen == list(range(head))
    assert len(run.get(f"{URL}/frames?after=-1&limit=1000").json["index"]) == 50  # type: ignore[index]


def test_blocks_end_at_multiples_of_the_limit(run: FlaskClient) -> None:
    seen: list[int] = []
    while True:
        block = run.get(f"{URL}/frames?after={len(seen) - 1}&limit=64").json
        assert block is not None and len(block["index"]) <= 64
        seen += block["index"]
        if len(seen) == block["head"]:
            break
        assert len(seen) % 64 == 0
    assert seen == list(range(len(seen)))
    assert run.get(f"{URL}/frames?after=9&limit=64").json["index"] == list(range(10, 64))  # type: ignore[index]


@pytest.mark.parametrize("packed", [True, False])
def test_the_compact_form_is_the_same_for_all(site: Site, run: FlaskClient, packed: bool) -> None:
    headers = {"Accept-Encoding": "gzip" if packed else "identity"}
    answer = run.get(f"{URL}/frames?format=compact", headers=headers)
    assert answer.headers.get("Content-Encoding") == ("gzip" if packed else None)
    body = gzip.decompress(answer.data) if packed else answer.data
    header, columns = decode(body)
    frames = site.service.frames(RUN)
    assert header["count"] == len(frames) and columns["loss"][0].tolist() == [f.loss for f in frames]
    assert site.client().get(f"{URL}/frames?format=compact", headers=headers).data == answer.data


def test_what_changes_without_a_frame_is_in_a_header(site: Site, run: FlaskClient) -> None:
    other = site.client()
    other.get("/")
    other.get(f"{URL}/frames")
    told = json.loads(run.get(f"{URL}/frames").headers["Plateau-Run"])
    assert told["status"] == "finished" and told["watching"] == 2 and told["epochs"] == 1_000
    theirs = json.loads(other.get(f"{URL}/frames").headers["Plateau-Run"])
    assert told["mine"] == run.get(URL).get_json()["mine"]
    assert theirs["mine"] == other.get(URL).get_json()["mine"]


def test_a_finished_run_is_not_sent_again(run: FlaskClient) -> None:
    for url in (f"{URL}/frames", f"{URL}/frames?format=compact", f"{URL}/stages", f"{URL}/plateaus"):
        first = run.get(url)
        again = run.get(url, headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304 and not again.data


def test_an_unfinished_run_has_no_etag(site: Site, run: FlaskClient) -> None:
    put(site.store, RUN, RunState(status="queued"))
    answer = run.get(f"{URL}/frames")
    assert "ETag" not in answer.headers and answer.headers["Cache-Control"] == "no-store"


def test_stages_tell_their_story(site: Site, run: FlaskClient) -> None:
    document = run.get(f"{URL}/stages").json
    assert document is not None
    stages = document["stages"]
    frames = site.service.frames(RUN)
    assert [s["stage"] for s in stages] == sorted({frame.stage for frame in frames})
    assert stages[0]["first"] == 0 and stages[-1]["last"] == len(frames) - 1 and stages[-1]["open"]
    for stage, following in pairwise(stages):
        assert stage["last"] + 1 == following["first"] and stage["end"] == following["start"]
        assert following["changes"] and following["story"]["headline"]


def test_the_first_frames_have_a_stage_table_of_their_own(site: Site, run: FlaskClient) -> None:
    head = len(site.service.frames(RUN)) // 2
    document = run.get(f"{URL}/stages?head={head}").get_json()
    first = site.service.frames(RUN)[:head]
    assert document["stages"][-1]["last"] == head - 1 and document["stages"][-1]["end"] <= first[-1].epoch
    assert all(plateau["last"] < head for plateau in document["plateaus"])
    whole = run.get(f"{URL}/stages").get_json()
    assert run.get(f"{URL}/stages?head=1000000").get_json() == whole != document
    assert run.get(f"{URL}/stages?head=0").status_code == 400


def test_plateaus_say_why_they_stand_still(site: Site) -> None:
    query = "target=five&method=gd&epochs=20000"
    client = site.client()
    client.post("/api/runs", json={"query": query})
    config = RunConfig.from_query(query)
    found = client.get(f"/api/runs/{config.run_id}/plateaus").get_json()["plateaus"]
    assert client.get(f"/api/runs/{config.run_id}/stages").get_json()["plateaus"] == found
    frames = site.service.frames(config.run_id)
    assert (
        found == json.loads(json.dumps([asdict(plateau) for plateau in plateaus_of(config, frames)]))
        and found
    )
    assert all(entry["sentence"] and entry["why"] in get_args(Reason) for entry in found)


@pytest.mark.parametrize("what", ["data", "rates?stage=0", "candidates?frame=3"])
def test_what_panels_show_besides(run: FlaskClient, what: str) -> None:
    answer = run.get(f"{URL}/{what}")
    assert answer.status_code == 200 and isinstance(answer.json, dict)


def test_exports_hold_the_frames(site: Site, run: FlaskClient) -> None:
    frames = site.service.frames(RUN)
    rows = list(csv.DictReader(io.StringIO(run.get(f"{URL}/export.csv", buffered=True).text)))
    assert [float(row["loss"]) for row in rows] == [frame.loss for frame in frames]
    assert [float(row["b2"]) for row in rows] == [frame.b[1] for frame in frames]
    document = run.get(f"{URL}/export.json", buffered=True).json
    assert document is not None and document["c"] == [frame.c.tolist() for frame in frames]
    assert RunConfig.from_query(document["query"]).run_id == RUN
    with np.load(io.BytesIO(run.get(f"{URL}/export.npz", buffered=True).data), allow_pickle=False) as arrays:
        assert arrays["b"].tobytes() == np.array([frame.b for frame in frames]).tobytes()
        assert arrays["x"].tolist() == document["x"] and len(arrays["changes"]) > 0
        assert "seconds" not in arrays and "seconds" not in document and "seconds" not in rows[0]
    timed = [run.get(f"{URL}/export.{kind}?seconds=yes", buffered=True) for kind in ("csv", "json", "npz")]
    spent = [frame.seconds for frame in frames]
    assert [float(row["seconds"]) for row in csv.DictReader(io.StringIO(timed[0].text))] == spent
    assert timed[1].json is not None and timed[1].json["seconds"] == spent
    with np.load(io.BytesIO(timed[2].data), allow_pickle=False) as arrays:
        assert arrays["seconds"].tolist() == spent
    assert run.get(f"{URL}/export.exe").status_code == 404


def test_only_the_starter_stops(site: Site, run: FlaskClient) -> None:
    site.scheduler.holding = True
    query = QUERY + "&seed=9"
    started = run.post("/api/runs", json={"query": query}).json
    assert started is not None
    url = f"/api/runs/{started['id']}/stop"
    refused = site.client().post(url)
    assert refused.status_code == 403 and refused.json is not None and "started" in refused.json["error"]
    forged = site.client()
    forged.set_cookie("plateau", "0" * 32 + ".signature")
    assert forged.post(url).status_code == 403
    stopped = run.post(url)
    assert stopped.status_code == 200 and stopped.json is not None and stopped.json["status"] == "stopped"


def test_a_quota_says_when_to_come_back(site: Site) -> None:
    site.scheduler.full = True
    answer = site.client().post("/api/runs", json={"query": QUERY})
    assert answer.status_code == 429 and answer.headers["Retry-After"] == "7"
    told = {"title": "Too Many Requests", "detail": "Full.", "error": "Full.", "retry_after": 7}
    assert answer.json == told and answer.mimetype == "application/problem+json"


def test_clients_without_a_cookie_share_a_quota(site: Site) -> None:
    site.scheduler.holding = True
    quotas = set()
    for seed in range(3):
        started = site.client().post("/api/runs", json={"query": f"{QUERY}&seed={seed}"}).json
        assert started is not None
        order = request_of(site.store, started["id"])
        assert order is not None
        quotas.add(order.quota)
    assert len(quotas) == 1


def test_uploads_can_be_run(site: Site) -> None:
    client = site.client()
    text = "x,y\n0,1\n1,0\n1,2\n2,5\n"
    answers = [
        client.post("/api/data", data=text, content_type="text/csv").json,
        client.post("/api/data", json={"csv": text}).json,
        client.post("/api/data", data={"file": (io.BytesIO(text.encode()), "a.csv")}).json,
    ]
    assert answers[0] is not None and answers[0] == answers[1]
    assert answers[2] is not None and answers[2]["labels"] == "a.csv|x|y"
    assert answers[2]["id"] == answers[0]["id"] and answers[0]["notes"] == [
        "4 rows give 3 points: rows with the same x are averaged"
    ]
    started = client.post("/api/runs", json={"query": f"data={answers[0]['data']}&epochs=10"})
    assert started.status_code == 201
    other = client.post("/api/data", data={"points": (io.BytesIO(text.encode()), "a.csv"), "name": "x"})
    assert other.json == answers[2], "one file is the file, whatever its part is called"
    two = {"a": (io.BytesIO(b"0,1"), "a.csv"), "b": (io.BytesIO(b"1,1"), "b.csv")}
    unclear = client.post("/api/data", data=two)
    assert unclear.status_code == 400 and unclear.json is not None and "'a', 'b'" in unclear.json["error"]
    none = client.post("/api/data", data={"csv": text}, content_type="multipart/form-data")
    assert none.status_code == 400 and none.json is not None and "file" in none.json["error"]
    wrong = client.post("/api/data", data="1,2,3,4", content_type="text/csv")
    assert wrong.status_code == 400 and wrong.json is not None and "at least two" in wrong.json["error"]
    assert client.post("/api/data", data=b"0" * 20_000_000).status_code == 413


def test_columns_are_chosen_and_a_preview_keeps_nothing(site: Site) -> None:
    client = site.client()
    text = "index,bmi,target\n0,32.1,151\n1,21.6,75\n2,30.5,141\n"
    shown = client.post("/api/data?preview=1", data=text, content_type="text/csv").json
    assert shown is not None and "id" not in shown
    assert (shown["x"], shown["y"], shown["weight"]) == (2, 3, None)
    kept = client.post(
        "/api/data?x=bmi&y=index&weight=target&name=d", data=text, content_type="text/csv"
    ).json
    assert kept is not None and kept["labels"] == "d|bmi|index" and kept["weight"] == 3
    started = client.post("/api/runs", json={"query": f"{kept['query']}&epochs=10"})
    assert started.status_code == 201


def test_an_estimate_starts_nothing(site: Site) -> None:
    answer = site.client().post("/api/estimate", json={"query": "target=f1&method=gd,anls&epochs=1e4,5"}).json
    assert answer is not None and answer["cheap"] is True and answer["seconds"] > 0
    assert [each["status"] for each in answer["runs"]] == [None, None] and site.store.runs() == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"query": "width=0"}, "width"),
        ({"query": "target=import os"}, "target"),
        ({"query": "nonsense=1"}, None),
        ({"query": 5}, None),
        ({"query": QUERY, "querry": ""}, None),
        ({"query": QUERY, "dry": True}, None),
        ({}, None),
        ([], None),
        ("text", None),
        (None, None),
    ],
)
def test_what_is_wrong_is_named(site: Site, body: Any, field: str | None) -> None:
    for url in ("/api/runs", "/api/estimate"):
        answer = site.client().post(url, json=body)
        assert answer.status_code == 400 and answer.json is not None and answer.json["error"]
        assert answer.json.get("field") == field
    assert site.store.runs() == []


def test_the_server_itself_is_no_viewer(site: Site, run: FlaskClient) -> None:
    def watching() -> int:
        return int(json.loads(run.get(f"{URL}/frames").headers["Plateau-Run"])["watching"])

    before = watching()
    client = site.client()
    for _ in range(2):
        assert client.get(f"{URL}/frames", environ_overrides={NOBODY: True}).status_code == 200
    assert watching() == before


def test_what_is_said_beside_the_frames_is_never_of_another_status(
    site: Site, run: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> str:
        return str(json.loads(run.get(f"{URL}/frames").headers["Plateau-Run"])["status"])

    monkeypatch.setattr("core.service.frame_views._CHANGING_SECONDS", 60.0)
    assert told() == "finished"
    known = site.service.info(RUN)
    assert known is not None
    monkeypatch.setattr(site.service, "status", lambda _: "queued")
    monkeypatch.setattr(site.service, "info", lambda _: replace(known, status="queued"))
    assert told() == "queued"


OTHER = "target=five&width=6&method=adam&epochs=100"
UNKNOWN = "0" * 32


def test_frames_of_several_runs_come_in_one_answer(site: Site, run: FlaskClient) -> None:
    other = run.post("/api/runs", json={"query": OTHER}).get_json()["id"]
    answer = run.get(f"/api/frames?runs={RUN}:10,{other}:-1,{UNKNOWN}:-1")
    first, second, third = answer.get_json()["runs"]
    assert answer.headers["Cache-Control"] == "no-store"
    for told, name, after in ((first, RUN, 10), (second, other, -1)):
        alone = run.get(f"/api/runs/{name}/frames?after={after}")
        assert told["id"] == name and told["frames"] == alone.get_json()
        assert told["run"] == json.loads(alone.headers["Plateau-Run"])
    assert third == {"id": UNKNOWN, "error": third["error"], "status_code": 404} and "POST" in third["error"]


@pytest.mark.parametrize("packed", [True, False])
def test_frames_of_several_runs_have_a_compact_form(site: Site, run: FlaskClient, packed: bool) -> None:
    other = run.post("/api/runs", json={"query": OTHER}).get_json()["id"]
    headers = {"Accept-Encoding": "gzip" if packed else "identity"}
    answer = run.get(f"/api/frames?format=compact&runs={other}:3,{UNKNOWN}:0,{RUN}:-1", headers=headers)
    body = gzip.decompress(answer.data) if packed else answer.data
    length = int.from_bytes(body[:4], "little")
    at = 4 + length
    told = json.loads(body[4:at])["runs"]
    assert [one["id"] for one in told] == [other, UNKNOWN, RUN] and told[1]["bytes"] == 0
    for one, after in zip(told, (3, 0, -1), strict=True):
        if "error" not in one:
            alone = run.get(f"/api/runs/{one['id']}/frames?format=compact&after={after}")
            assert body[at : at + one["bytes"]] == alone.data
        at += one["bytes"]
    assert at == len(body)


def test_who_asks_for_several_runs_watches_each(site: Site, run: FlaskClient) -> None:
    other = run.post("/api/runs", json={"query": OTHER}).get_json()["id"]
    viewer = site.client()
    viewer.get("/")
    viewer.get(f"/api/frames?runs={RUN}:-1,{other}:-1")
    assert all(run.get(f"/api/runs/{name}").get_json()["watching"] == 2 for name in (RUN, other))


@pytest.mark.parametrize(
    "runs", ["", "x:0", RUN, f"{RUN}:", f"{RUN}:-2", f"{RUN}:1e3", ",", ",".join([f"{RUN}:0"] * 17)]
)
def test_wrong_lists_of_runs_are_refused(run: FlaskClient, runs: str) -> None:
    answer = run.get("/api/frames", query_string={"runs": runs})
    assert answer.status_code == 400 and answer.get_json()["error"].startswith("runs: ")


@pytest.mark.parametrize(
    "question", ["after=x", "after=-2", "after=1e3", "after=" + "9" * 30, "limit=-1", "format=xml", "after=٣"]
)
def test_wrong_numbers_are_refused(run: FlaskClient, question: str) -> None:
    answer = run.get(f"{URL}/frames?{question}")
    assert (
        answer.status_code == 400
        and answer.json is not None
        and question.split("=")[0] in answer.json["error"]
    )


@pytest.mark.parametrize("name", ["0" * 32, "0" * 31, "x", RUN.upper(), RUN + "0", "%00", "..%2f..%2fsecret"])
def test_unknown_runs_are_404(site: Site, name: str) -> None:
    client = site.client()
    for end in (
        "",
        "/frames",
        "/stages",
        "/data",
        "/rates",
        "/candidates",
        "/export.csv",
        "/export.npz",
    ):
        answer = client.get(f"/api/runs/{name}{end}")
        assert answer.status_code == 404 and answer.json is not None and answer.json["error"]
    assert client.post(f"/api/runs/{name}/stop").status_code == 404


def test_errors_under_the_interface_are_json(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = site.client()
    for answer in (client.get("/api/nothing"), client.put("/api/runs/x/y"), client.put("/api/runs"),
                   client.delete(URL), client.post("/api/nothing/at/all")):  # fmt: skip
        assert 400 <= answer.status_code < 500 and answer.json is not None and answer.json["error"]

    def breaks(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(site.service, "status", breaks)
    answer = client.get(f"{URL}/frames")
    assert answer.status_code == 500 and answer.json is not None and "secret" not in answer.text


def test_what_a_browser_starts_by_the_interface_is_in_its_list_of_runs(site: Site) -> None:
    stranger, browser = site.client(), site.client()
    stranger.post("/api/runs", json={"query": QUERY})
    kept = site.service.history._store
    assert kept.handles() == []  # nobody could ask for that list
    browser.get("/")
    assert browser.post("/api/runs", json={"query": QUERY}).status_code == 200
    (handle,) = kept.handles()
    assert [(entry.id, entry.query) for entry in site.service.history.entries(handle)] == [
        (RUN, RunConfig.from_query(QUERY).to_query())
    ]


def test_a_request_is_parsed_once_and_its_record_is_read_no_more_often_than_it_may_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the change, by the change itself, and after what follows from it."""
    site, counts = Site(tmp_path), Counter[str]()
    site.scheduler.holding = True

    def counting(name: str, real: Any) -> Any:
        def counted(*given: Any, **more: Any) -> Any:
            counts[name] += 1
            return real(*given, **more)

        return counted

    parse = counting("parsed", RunConfig.__dict__["_all_from_query"].__func__)
    monkeypatch.setattr(RunConfig, "_all_from_query", classmethod(parse))
    monkeypatch.setattr(RunConfig, "to_query", counting("written", RunConfig.to_query))
    monkeypatch.setattr(FileStore, "_decoded", counting("record read", FileStore._decoded))
    client = site.client()
    client.get("/")
    assert client.post("/api/runs", json={"query": QUERY}).status_code == 201
    assert counts == {"parsed": 1, "written": 1, "record read": 3}
