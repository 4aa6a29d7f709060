"""What the first visitor reads is there with the page: no kernel is compiled, no worker is asked for it."""

import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app import create_app
from components.pages.lab.first_visit import first_queries
from core.service import RunService, Settings, write_answer


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    made = RunService(Settings(home=tmp_path_factory.mktemp("home")))
    yield made
    made.close()


def is_same(one: Any, other: Any) -> bool:
    """Whether two documents say the same; some numbers are only promised to three digits."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6)
    return bool(one == other)


def test_its_tables_are_what_would_be_answered_now(service: RunService, tmp_path: Path) -> None:
    queries = list(first_queries(service))
    for query in queries:
        write_answer(service, query, tmp_path / "now")
        with service.queries.ask(query, "somebody") as shipped:
            before, now = (
                json.loads(gzip.decompress(packed))
                for packed in (shipped.read(), (tmp_path / "now").read_bytes())
            )
        assert is_same(before, now), "run python -m reproduction.first_visit and commit what it writes"
    assert len(list(service.settings.answer_library.iterdir())) == len(queries)


def test_they_are_answered_without_being_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(Settings(home=tmp_path))
    monkeypatch.setattr("core.service.queries.service.write_answer", pytest.fail)
    made = RunService(Settings(home=tmp_path / "other"))
    queries, client = list(first_queries(made)), app.server.test_client()
    made.close()
    for query in queries:
        frame = f"?frame={query.number}" if query.kind == "forecast" else ""
        answer = client.get(f"/api/runs/{query.run}/{query.kind}{frame}")
        assert answer.status_code == 200, (query, answer.text)
