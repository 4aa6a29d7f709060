"""Thousands of malformed requests to every route of the whole application, Dash's own included: never a 5xx,
and no traceback in the log for what a client did wrong."""

import json
import logging
import random
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from app import create_app
from core.service.settings import Settings
from tests.effort import cases

REQUESTS = cases(1_000, of=10_000)
ODD_TEXTS = (
    "", "0", "-1", "nan", "1e999", "0" * 32, "f" * 32, "x" * 300, "..", "%2e%2e", "null", "[]", "{}", "é∞🙂",
    "a\u202eb", "<script>", "'; --", "1;2", "@" + "0" * 32, "width=1&width=2", "lib", "dash_table", "v9_9",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e308, "", "x", "0" * 32, [], {}, [[]], ["a", {"b": None}], {"run": 7},
    {"run": ["0" * 32]}, {"race": [{"id": None}]}, "x" * 5_000, {"a": {"a": {"a": {}}}}, ["1"] * 40,
)  # fmt: skip
ODD_BODIES = (
    b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"\x80" * 40, b'"text"', b"[" * 5_000, b'{"query": 1}',
    b"1e999",
    b'{"a":' * 2_000, b"--x\r\nContent-Disposition: form-data\r\n\r\n",
)  # fmt: skip
RAW_QUERIES = ("q=\xff\xe9", "\x80", "width=\xc3\xa9", "seed=0..\xb2&\xff=\xff", "q=\xed\xa0\x80")
"""Bytes as they are, which a server hands over one by one."""
TYPES = ("application/json", "text/csv", "multipart/form-data; boundary=x", "text/plain", "")


def address(rule: Rule, chance: random.Random) -> str:
    """The rule with something odd in each place, and odd keys after it."""
    path = str(rule)
    for name in rule.arguments:
        for kind in ("", "path:", "int:", "string:"):
            path = path.replace(f"<{kind}{name}>", chance.choice(ODD_TEXTS))
    keys = ("after", "limit", "format", "frame", "stage", "theme", "size", "runs", "link", "at", "path", "q")
    chosen = chance.sample(keys, chance.randrange(4))
    return path + ("?" + "&".join(f"{key}={chance.choice(ODD_TEXTS)}" for key in chosen) if chosen else "")


def callback(callbacks: dict[str, Any], chance: random.Random) -> bytes:
    """A call of one of a page's own callbacks with odd values, and now and then of another form."""
    known = [one for one in callbacks.items() if "callback" in one[1] or chance.random() < 0.1]
    output, entry = chance.choice(known)

    def told(listed: list[dict[str, Any]]) -> Any:
        if chance.random() < 0.1:
            return chance.choice(ODD_VALUES)
        return [{**one, "value": chance.choice(ODD_VALUES)} for one in listed]

    def place(one: str, what: str) -> Any:
        if '["' in one:
            kind = chance.choice(("field", json.loads(one)["type"]))
            return [{"id": {"type": kind, "name": "width"}, "property": what}]
        return {"id": json.loads(one) if one.startswith("{") else one, "property": what}

    # A callback without outputs goes by a hash, which has no dot.
    plain = [part.rsplit(".", 1) for part in output.strip(".").split("...") if "." in part]
    outputs: Any = [place(one, what) for one, what in plain]
    changed = [f"{one['id']}.{one['property']}" for one in entry["inputs"]]
    document = {
        "output": output if chance.random() < 0.9 else chance.choice(ODD_VALUES),
        "outputs": outputs[0] if len(outputs) == 1 and not output.startswith("..") else outputs,
        "inputs": told(entry["inputs"]),
        "state": told(entry["state"]),
        "changedPropIds": changed if chance.random() < 0.8 else chance.choice(ODD_VALUES),
    }
    for key in list(document):
        if chance.random() < 0.05:
            del document[key]
    return json.dumps(document).encode()


def send(client: FlaskClient, rules: list[Rule], pages: Any, chance: random.Random) -> Any:
    """One malformed request: method, address and answer."""
    if chance.random() < 0.5:
        page = chance.choice(pages)
        place, method = f"{page.config.routes_pathname_prefix}_dash-update-component", "POST"
        body = callback(page.callback_map, chance)
        answer = client.post(place, data=body, content_type="application/json")
        return method, place, body[:600], answer
    rule = chance.choice(rules)
    method = chance.choice(sorted(rule.methods or {"GET"}))
    place = address(rule, chance)
    value = json.dumps(chance.choice(ODD_VALUES)).encode()
    body = chance.choice(ODD_BODIES) if chance.random() < 0.5 else value
    raw = {"QUERY_STRING": chance.choice(RAW_QUERIES)} if chance.random() < 0.1 else {}
    kind = chance.choice(TYPES)
    answer = client.open(place, method=method, data=body, content_type=kind, environ_overrides=raw)
    return method, place, body[:600], answer


@pytest.mark.fault
def test_malformed_requests_to_every_route(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Settings(home=tmp_path, requests_per_minute=0, work_per_minute=0, uploads_per_minute=0))
    app.server.config["PROPAGATE_EXCEPTIONS"] = False
    client = app.server.test_client()
    client.get("/")
    rules = list(app.server.url_map.iter_rules())
    chance = random.Random(19)
    said: dict[int, int] = {}
    with caplog.at_level(logging.WARNING):
        for _ in range(REQUESTS):
            method, place, body, answer = send(client, rules, [app], chance)
            said[answer.status_code] = said.get(answer.status_code, 0) + 1
            answer.close()
            well = answer.status_code < 500 or place.startswith("/readyz")
            assert well, (method, place, body, answer.status_code)
            assert not [r for r in caplog.records if r.exc_info], (method, place, body)
    print(f"\n{REQUESTS} malformed requests to {len(rules)} routes: {said}")
