"""The HTTP interface has one way to say each thing (arguments, errors, pages), and names what it refuses."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import create_app
from core.service.models import StudyRequest
from core.service.openapi import OPERATIONS
from core.service.run_record import RunState
from core.service.settings import Settings
from tests.service.samples import put
from tests.service.sites import QUERY, RUN, URL, Site

PARTS = "multipart/form-data; boundary=x"
READS = [each for each in OPERATIONS if each.method == "get" and "{run_id}" in each.path]


def said(answer: Any) -> str:
    """What a refusal says; it is a problem of RFC 9457 as well."""
    assert 400 <= answer.status_code < 500, answer.status_code
    problem = answer.get_json()
    assert answer.mimetype == "application/problem+json"
    assert problem["error"] == problem["detail"] and problem["title"] and "status" not in problem
    return str(problem["error"])


def test_an_unknown_argument_is_refused_as_an_unknown_key_is(site: Site, run: FlaskClient) -> None:
    assert said(run.get(f"{URL}/frames?aftr=3")) == "aftr: unknown argument; did you mean after?"
    assert "there are none here" in said(run.get(f"{URL}/data?frame=1"))
    assert said(run.get("/api/studies?page=2")) == "page: unknown argument; allowed are after, limit."
    assert said(run.get(f"{URL}/frames?after=3&after=4")) == "after: given more than once."
    for each in READS:
        place = each.path.replace("{run_id}", RUN).replace("{kind}", "csv")
        assert "unknown argument" in said(run.get(f"{place}?nonsense=1")), place
    assert run.get("/healthz?probe=1").status_code == 200, "load balancers may say what they like"


def test_yes_and_no_are_read_and_not_guessed(site: Site) -> None:
    client = site.client()
    data: dict[str, Any] = {"data": "0,1\n1,2\n2,2\n", "content_type": "text/csv"}
    assert "id" not in client.post("/api/data?preview=yes", **data).get_json()
    assert "id" in client.post("/api/data?preview=no", **data).get_json()
    assert said(client.post("/api/data?preview=perhaps", **data)) == "preview: 'perhaps' must be yes or no"


def test_limit_and_after_mean_one_thing(site: Site, run: FlaskClient) -> None:
    study = run.post("/api/studies", json={"query": "seed=0..3&method=anls&epochs=5"}).get_json()["id"]
    for place in (f"{URL}/frames", "/api/runs", "/api/studies", f"/api/studies/{study}"):
        for wrong in ("0", "1001", "-1"):
            refused = said(run.get(f"{place}?limit={wrong}"))
            assert refused == f"limit: '{wrong}' must be a whole number from 1 to 1,000", place
        first = run.get(f"{place}?limit=1").get_json()
        assert "next" in first, place
    seen: list[int] = []
    after: dict[str, int] = {}
    while len(seen) < site.service.count(RUN):
        block = run.get(f"{URL}/frames", query_string={"limit": 1_000, **after}).get_json()
        seen, after = seen + block["index"], {"after": block["next"]}
    assert seen == list(range(site.service.count(RUN)))
    assert run.get(f"{URL}/frames", query_string=after).get_json()["next"] == after["after"]


def test_a_script_takes_the_columns_that_it_wants(run: FlaskClient) -> None:
    whole, some = run.get(f"{URL}/frames"), run.get(f"{URL}/frames?columns=loss,epoch")
    assert some.get_json()["loss"] == whole.get_json()["loss"] and "b" not in some.get_json()
    assert some.get_json()["index"] == whole.get_json()["index"] and len(some.data) < len(whole.data) / 4
    assert "'los' is not one of index, epoch" in said(run.get(f"{URL}/frames?columns=los"))
    assert "compact" in said(run.get(f"{URL}/frames?columns=loss&format=compact"))


def test_what_is_too_large_is_413_however_large(site: Site) -> None:
    client, limit = site.client(), site.service.settings.limits.upload_bytes
    line = b"0.123456789,1.123456789\n"
    for size in (limit + 1_000, 5 * limit):
        body = line * (size // len(line) + 1)
        plain = client.post("/api/data", data=body, content_type="text/csv")
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        form = client.post("/api/data", data=head + body + b"\r\n--x--\r\n", content_type=PARTS)
        for answer in (plain, form):
            assert answer.status_code == 413 and f"{limit:,}" in said(answer), size


def test_what_is_not_there_is_404(run: FlaskClient) -> None:
    for what in ("rates?stage=9999", "forecast?frame=9999", "candidates?frame=9999", "nothing"):
        answer = run.get(f"{URL}/{what}")
        assert answer.status_code == 404 and said(answer), what
    assert run.get("/api").is_json


def test_an_address_under_api_is_never_answered_with_a_page(tmp_path: Path) -> None:
    """The app has pages at every other address, and Flask would lead from one spelling to another."""
    client = create_app(Settings(home=tmp_path)).server.test_client()
    for place in ("/api/", "/api/nothing", "/api/runs/", "/api/runs//frames", "/api//runs", f"{URL}/nothing"):
        for method in ("GET", "POST", "DELETE"):
            answer = client.open(place, method=method)
            assert answer.status_code == 404 and "There is nothing at" in said(answer), (method, place)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_another_method_is_405_and_says_which_are_allowed(site: Site, method: str) -> None:
    client = site.client()
    for each in OPERATIONS:
        place = each.path.replace("{run_id}", RUN).replace("{study_id}", RUN).replace("{kind}", "csv")
        allowed = {other.method.upper() for other in OPERATIONS if other.path == each.path}
        if method not in allowed:
            answer = client.open(place, method=method)
            assert answer.status_code == 405, (method, place, answer.status_code)
            assert allowed <= set(answer.headers["Allow"].split(", ")), place
            assert method not in answer.headers["Allow"].split(", ")


def test_a_forecast_and_a_stage_have_the_names_that_they_have_in_python(site: Site, run: FlaskClient) -> None:
    told = run.get(f"{URL}/forecast?frame=0").get_json()
    assert told["frame_epoch"] == 0.0 and told["epoch"] > 0.0 and "at" not in told
    stage = run.get(f"{URL}/stages").get_json()["stages"][0]
    assert {"number", "first_frame", "last_frame", "is_open", "start", "end", "floor"} <= set(stage)
    assert (stage["stage"], stage["first"], stage["last"]) == (0, 0, stage["last_frame"])  # of version 2
    assert run.get(f"{URL}/plateaus").get_json().keys() == {"id", "plateaus"}


def test_a_field_is_named_or_left_out(site: Site) -> None:
    client = site.client()
    assert client.post("/api/runs", json={"query": "width=0"}).get_json()["field"] == "width"
    assert "field" not in client.post("/api/runs", json={"query": "nonsense=1"}).get_json()


def test_seconds_are_those_of_the_frames(site: Site, run: FlaskClient) -> None:
    put(site.store, RUN, RunState(status="running", seconds=0.0, frames=3))
    found = run.get(URL).get_json()
    assert found["seconds"] >= site.service.frames(RUN)[-1].seconds > 0.0


def test_a_stop_is_answered_when_the_run_has_stopped(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.scheduler.holding = True
    client = site.client()
    run = client.post("/api/runs", json={"query": f"{QUERY}&seed=4"}).get_json()["id"]
    put(site.store, run, RunState(status="running"))
    asked = iter(range(100))
    look = site.service.info

    def later(run_id: str) -> Any:
        if next(asked) == 2:
            put(site.store, run_id, RunState(status="stopped"))
            site.service._seen.clear()
        return look(run_id)

    monkeypatch.setattr(site.service, "info", later)
    stopped = client.post(f"/api/runs/{run}/stop")
    assert (stopped.status_code, stopped.get_json()["status"]) == (200, "stopped")
    put(site.store, run, RunState(status="running"))
    site.service._seen.clear()
    monkeypatch.setattr("core.service.api.STOP_SECONDS", 0.0)
    hanging = client.post(f"/api/runs/{run}/stop")
    assert (hanging.status_code, hanging.get_json()["status"]) == (202, "running")


def test_every_answer_that_may_be_asked_for_again_has_a_tag(site: Site, run: FlaskClient) -> None:
    study = run.post("/api/studies", json={"query": "seed=0..3&method=anls&epochs=5"}).get_json()["id"]
    run.post(f"/api/studies/{study}/stop")  # of one that goes on, the time that is left changes
    for each in OPERATIONS:
        if each.method != "get" or each.path in ("/healthz", "/api/frames"):
            continue
        place = each.path.replace("{run_id}", RUN).replace("{study_id}", study).replace("{kind}", "npz")
        place += "?epochs=500" if place.endswith("/end") else ""
        first = run.get(place, buffered=True)
        assert first.status_code == 200 and first.headers.get("ETag"), place
        again = run.get(place, headers={"If-None-Match": first.headers["ETag"]}, buffered=True)
        assert again.status_code == 304 and not again.data, place


def test_a_sign_that_means_nothing_is_named(site: Site) -> None:
    refused = said(site.client().post("/api/runs", json={"query": "target=sin(😀*x)"}))
    assert "'😀': it has no meaning in a formula" in refused
    assert site.client().post("/api/estimate", json={"query": "target=sin(π*x)"}).status_code == 200


def test_bodies_have_a_model() -> None:
    assert StudyRequest.model_config["strict"] and StudyRequest.model_config["extra"] == "forbid"


def test_pages_of_other_sites_may_ask_where_they_are_named(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, origins="https://notes.example.edu, https://b.example")
    server = create_app(settings).server
    client, theirs = server.test_client(), {"Origin": "https://b.example", "Sec-Fetch-Site": "cross-site"}
    asked = client.options("/api/runs", headers=theirs)
    assert asked.headers["Access-Control-Allow-Origin"] == "https://b.example"
    assert {"GET", "POST"} <= set(asked.headers["Access-Control-Allow-Methods"].split(", "))
    assert "authorization" in asked.headers["Access-Control-Allow-Headers"]
    sent = client.post("/api/estimate", json={"query": "target=five"}, headers=theirs)
    assert sent.status_code == 200 and "Access-Control-Allow-Credentials" not in sent.headers
    others = theirs | {"Origin": "https://evil.example"}
    assert client.post("/api/estimate", json={"query": "target=five"}, headers=others).status_code == 403
    assert "Access-Control-Allow-Origin" not in client.get("/api", headers=others).headers
    assert "Access-Control-Allow-Origin" not in client.get("/runs", headers=theirs).headers


def test_the_pages_say_405_too(tmp_path: Path) -> None:
    client = create_app(Settings(home=tmp_path)).server.test_client()
    places = {"DELETE": ("/", "/runs"), "POST": ("/healthz", "/docs/api"), "PUT": ("/readyz", "/api/runs")}
    for method, place in [(one, place) for one, listed in places.items() for place in listed]:
        answer = client.open(place, method=method)
        assert answer.status_code == 405, (method, place, answer.status_code)
        assert answer.headers["Allow"] and method not in answer.headers["Allow"].split(", "), place
