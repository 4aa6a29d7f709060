"""Random requests by the OpenAPI document, right and wrong ones: the answers are as it says, and no 5xx."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from flask import request
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error, unsupported_method
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core.service.openapi import OPERATIONS
from tests.effort import SEARCHING, cases
from tests.service.sites import RUN, Site

EXAMPLES = cases(8, of=280)
"""Of each operation and each kind: some hundred for every day, more than 10,000 in the long tests."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
SERVED: Counter[str] = Counter()
"""Requests that the server has seen, by method."""
LEAST = 10_000 if SEARCHING else 300
QUERIES = ("target=five&method=lsq", "seed=0..1&target=five&method=lsq", "target=five&method=anls&epochs=3")
QUIET = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, dict[str, str], str]]:
    """The document as the server sends it; the headers of somebody who has runs; the name of a study."""
    site = Site(tmp_path_factory.mktemp("home"))

    @site.server.before_request
    def count() -> None:
        SERVED[request.method] += 1

    handle = "0123456789abcdef"
    sent = {"Authorization": f"Bearer {site.service.tokens.make(handle, 'schemathesis')}"}
    client = site.client()
    client.post("/api/runs", json={"query": "target=five&method=gd&epochs=1000"}, headers=sent)
    study = client.post("/api/studies", json={"query": "seed=0..3&method=anls&epochs=5"}, headers=sent)
    yield schemathesis.openapi.from_wsgi("/api/openapi.json", site.server), sent, study.get_json()["id"]


ASKED: set[str] = set()
"""Operations and kinds that were gone through."""


@pytest.mark.slow
@pytest.mark.xdist_group("schemathesis")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["right", "wrong"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: f"{each.method}-{each.path}")
def test_answers_are_as_the_document_says(asked: Any, operation: Any, mode: GenerationMode) -> None:
    schema, sent, study = asked
    wrong = mode is GenerationMode.NEGATIVE
    if wrong and not (operation.arguments or operation.body or "{" in operation.path):
        return  # there is nothing to say wrong

    @QUIET
    @given(
        schema[operation.path][operation.method.upper()].as_strategy(generation_mode=mode),
        st.booleans(),
        st.sampled_from(QUERIES),
    )
    def ask(case: Any, known: bool, query: str) -> None:
        if known and not wrong:
            for name, value in (("run_id", RUN), ("study_id", study)):
                if name in case.path_parameters:
                    case.path_parameters[name] = value
            if isinstance(case.body, dict) and "query" in case.body:
                case.body["query"] = query
        # The library's transport neither unpacks answers nor closes them.
        plain = {"Accept-Encoding": "identity"}
        case.call_and_validate(checks=CHECKS, headers=plain | (sent if known else {}))

    ask()
    ASKED.add(f"{operation.name} {mode}")


@pytest.mark.slow
@pytest.mark.xdist_group("schemathesis")
def test_enough_was_asked() -> None:
    print(f"\n{SERVED.total():,} requests: {dict(SERVED)}")
    if {f"{operation.name} {GenerationMode.POSITIVE}" for operation in OPERATIONS} <= ASKED:
        assert SERVED.total() >= LEAST
