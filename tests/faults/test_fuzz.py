"""Thousands of hostile queries: refused, with a sentence, without a trace."""

import logging
import random
from pathlib import Path

import pytest

from core.config.fields import field_names
from tests.effort import cases
from tests.service.sites import Site

QUERIES = cases(1_000, of=10_000)
POISON = (
    "width=0", "width=1e9", "width=-1", "points=1", "points=1e99", "epochs=nan", "epochs=inf", "epochs=-5",
    "seed=1.5", "method=sdg", "method=", "target=__import__('os').system('true')", "target=x.__class__",
    "target=lambda:0", "target=1/0", "target=log(-1)", "target=" + "(" * 90, "target=9**9**9**9",
    "init=magic", "domain=1,0", "domain=1", "biases=nan,1", "learning_rate=0", "noise=-1",
    "sampling=random", "data=@" + "f" * 32, "data=@../../../../etc/passwd", "data=1:2", "unknown=1",
    "width=٣", "width=1&width=2", "=", "width",
)  # fmt: skip
ALPHABET = "abcxyz0123456789.,;:=&%+-*/()[]{}<>'\"\\ \t\n\0\r\x1b\u202e\u2028é∞𝛼🙂" + chr(0xDC80)


def hostile(chance: random.Random) -> str:
    """Rubbish around something that is wrong for certain."""
    parts = [chance.choice(POISON)]
    for _ in range(chance.randrange(4)):
        value = "".join(chance.choices(ALPHABET, k=chance.choice((0, 1, 3, 10, 40, 300))))
        name = chance.choice(field_names()) if chance.random() < 0.5 else value[:5]
        parts.append(f"{name}={value}")
    chance.shuffle(parts)
    query = "&".join(parts)
    return query * 200 if chance.random() < 0.01 else query


def test_hostile_queries(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    site = Site(tmp_path)
    client = site.client()
    chance = random.Random(10)
    said: dict[int, int] = {}
    with caplog.at_level(logging.WARNING):
        for number in range(QUERIES):
            query = hostile(chance)
            url = "/api/estimate" if number % 10 == 0 else "/api/runs"
            answer = client.post(url, json={"query": query})
            said[answer.status_code] = said.get(answer.status_code, 0) + 1
            assert 400 <= answer.status_code < 500, query
            assert answer.json is not None and answer.json["error"]
    print(f"\n{QUERIES} hostile queries: {said}")
    assert site.store.runs() == [] and site.scheduler.enqueued == []
    assert [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR] == []
