"""What holds for everything under /api, whoever adds a route: methods, unknown addresses, errors in JSON."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from app import create_app
from core.service import RunService, Settings

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    home: Path = tmp_path_factory.mktemp("home")
    server = create_app(Settings(home=home, library=home / "none", study_library=home / "none")).server
    yield server.test_client()
    service: RunService = server.extensions["runs"]
    service.close()


def addresses(client: FlaskClient) -> dict[str, set[str]]:
    """An address for every rule under /api, and what may be done there."""
    found: dict[str, set[str]] = {}
    for rule in client.application.url_map.iter_rules():
        if str(rule).startswith("/api/"):
            address = re.sub(r"<kind>", "csv", re.sub(r"<(?!kind)[^>]*>", "0" * 32, str(rule)))
            found.setdefault(address, set()).update(rule.methods or ())
    return {address: {*methods, "OPTIONS"} for address, methods in found.items()}


def test_the_wrong_method_is_told_which_are_right(client: FlaskClient) -> None:
    known = addresses(client)
    assert len(known) > 15 and known["/api/runs"] == {"GET", "HEAD", "POST", "OPTIONS"}
    for address, allowed in known.items():
        asked = client.options(address)
        assert asked.status_code == 200 and set(asked.headers["Allow"].split(", ")) == allowed, address
        for method in METHODS:
            if method not in allowed:
                answer = client.open(address, method=method)
                assert answer.status_code == 405, (method, address)
                assert set(answer.headers["Allow"].split(", ")) == allowed
                assert answer.json is not None and method in answer.json["error"]


@pytest.mark.parametrize("address", ["/api/", "/api/nothing", "/api/runs/", "/api/runs/x/y/z"])
@pytest.mark.parametrize("method", [*METHODS, "OPTIONS"])
def test_there_is_nothing_at_other_addresses(client: FlaskClient, address: str, method: str) -> None:
    answer = client.open(address, method=method)
    assert answer.status_code == 404 and answer.json is not None and answer.json["error"]


def test_a_page_is_still_a_page(client: FlaskClient) -> None:
    assert client.get("/apiary").mimetype == "text/html" and client.get("/").mimetype == "text/html"
