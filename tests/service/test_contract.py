"""The OpenAPI document is the truth about the routes: each has its line, and answers fit their schemas."""

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from app import create_app
from core import __version__
from core.methods import METHODS
from core.service.openapi import OPERATIONS, answer_examples, document
from core.service.settings import Settings
from tests.service.answer_examples import asked

DOCUMENT = document(__version__)
INTERNAL = ("/api/lab", "/api/panels", "/api/paper", "/api/presentations")
"""Routes of the page alone, which may change with it."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return create_app(Settings(home=tmp_path_factory.mktemp("home"))).server


@pytest.fixture
def client(server: Any) -> FlaskClient:
    found: FlaskClient = server.test_client()
    return found


def fits(answer: Any, method: str, path: str) -> None:
    """Check that an answer is as the document says."""
    content = DOCUMENT["paths"][path][method]["responses"][str(answer.status_code)]["content"]
    validator_of(content[answer.mimetype]["schema"]).validate(answer.json)


def validator_of(schema: dict[str, Any]) -> Draft202012Validator:
    """A validator that knows the document's models."""
    text = json.dumps({**schema, "$defs": DOCUMENT["components"]["schemas"]})
    return Draft202012Validator(json.loads(text.replace("#/components/schemas/", "#/$defs/")))


def test_answers_fit_their_schemas(client: FlaskClient) -> None:
    started = client.post("/api/runs", json={"query": "target=five&method=lsq"})
    assert started.status_code == 201 and started.json is not None
    fits(started, "post", "/api/runs")
    name = started.json["id"]
    for path in (
        "/api",
        "/api/runs",
        "/api/runs/{run_id}",
        "/api/runs/{run_id}/frames",
        "/api/studies",
        "/healthz",
    ):
        fits(client.get(path.replace("{run_id}", name)), "get", path)
    for query in ("target=five", "widht=3", "target=five&width=0"):
        fits(client.post("/api/estimate", json={"query": query}), "post", "/api/estimate")
    fits(client.post("/api/studies", json={"query": "seed=0..3", "dry": True}), "post", "/api/studies")
    fits(client.get("/api/runs/" + 32 * "0"), "get", "/api/runs/{run_id}")


def test_every_answer_has_an_example_that_fits_its_schema() -> None:
    examples = answer_examples()
    assert set(examples) == {each.name for each in OPERATIONS if each.answer is not None}
    for each in OPERATIONS:
        if each.answer is not None:
            content = DOCUMENT["paths"][each.path][each.method]["responses"]["200"]["content"]
            assert content["application/json"]["example"] == examples[each.name]
            validator_of(content["application/json"]["schema"]).validate(examples[each.name])


def test_the_examples_are_what_a_server_says_today() -> None:
    assert keys_of(asked()) == keys_of(answer_examples()), "run python -m tests.service.answer_examples"


def keys_of(value: Any) -> Any:
    """An answer without its values."""
    if isinstance(value, dict):
        return {name: keys_of(each) for name, each in value.items()}
    return [keys_of(each) for each in value if isinstance(each, dict)] if isinstance(value, list) else None


def test_every_route_has_its_line_and_every_line_its_route(server: Any) -> None:
    routes = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in server.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api")
    }
    told = {(each.method, each.path) for each in OPERATIONS if each.path.startswith("/api")}
    assert told <= routes, told - routes
    assert {route for route in routes - told if not route[1].startswith(INTERNAL)} == set()


def test_it_says_what_it_knows(client: FlaskClient) -> None:
    about = client.get("/api").json
    assert about is not None and {each["name"] for each in about["methods"]} == set(METHODS)
    assert about["limits"]["width"] == 1024
    tag = client.get("/api/openapi.json").headers["ETag"]
    assert client.get("/api/openapi.json", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/api/openapi.json").json == DOCUMENT
    assert "/api/runs" in client.get("/docs/api").text


def test_own_runs_are_listed_and_taken_from_the_list(server: Any, client: FlaskClient) -> None:
    client.get("/api/runs")  # a newcomer's runs are kept once it is known
    queries = [f"target=five&method=lsq&seed={seed}" for seed in (11, 12, 13)]
    ids = [client.post("/api/runs", json={"query": query}).json["id"] for query in queries]  # type: ignore[index]
    listed = client.get("/api/runs?limit=2").json
    assert listed is not None and len(listed["runs"]) == 2 and listed["next"] == 2
    rest = client.get("/api/runs?after=2").json
    assert rest is not None and rest["next"] is None
    assert {run["id"] for run in listed["runs"] + rest["runs"]} == set(ids)
    assert server.test_client().get("/api/runs").json["runs"] == []
    assert server.test_client().delete(f"/api/runs/{ids[0]}").status_code == 404
    assert client.delete(f"/api/runs/{ids[0]}").status_code == 200
    assert len(client.get("/api/runs").json["runs"]) == 2  # type: ignore[index]
    refused = client.put("/api/runs", json={})
    assert refused.status_code == 405 and {"GET", "POST"} <= set(refused.headers["Allow"].split(", "))


def test_bodies_are_strict(client: FlaskClient) -> None:
    query = {"query": "seed=0..1"}
    bodies: list[Any] = [query | {"dry": "yes"}, query | {"wet": True}, {"query": 3}, [], {}]
    for body in bodies:
        assert client.post("/api/studies", json=body).status_code == 400
