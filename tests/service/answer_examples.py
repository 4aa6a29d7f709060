"""The example answers of the OpenAPI document, core/service/answer_examples.json.

`python -m tests.service.answer_examples` asks a server for one small run and one small study, and writes what
it answers.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from core.service import openapi
from tests.service.sites import Site

RUN_QUERY = "target=five&method=anls&width=2&epochs=2"
STUDY_QUERY = "target=five&method=anls&width=2&epochs=2&seed=0..1"
LONGEST_LIST = 2
"""Entries of a list that an example shows, where entries are objects."""
FIXED = {
    "at": 1790000000.0,
    "placed": 1790000000.0,
    "seconds": 0.05,
    "rate": 0.0,
    "estimate": 0.4,
    "remaining": [0.3, 0.7],
    "version": "3.0.0",
}
"""What differs between two machines, and what the examples say instead."""


def asked() -> dict[str, Any]:
    """An answer to each operation that has one in JSON, by operation: `get /api/runs`."""
    with tempfile.TemporaryDirectory() as home:
        site = Site(Path(home))
        token = site.service.tokens.make("0123456789abcdef", "examples")
        client = site.client()
        headers = {"Authorization": f"Bearer {token}"}
        names: dict[str, str] = {}
        found = {}
        for each in sorted(openapi.OPERATIONS, key=_order):
            path = each.path.format(kind="json", **{"run_id": "", "study_id": ""} | names)
            answer = client.open(
                path + _arguments(each.path, names),
                method=each.method.upper(),
                json=_body(each.path) if each.body else None,
                headers=headers,
            )
            answer.close()
            if not answer.is_json or each.path == "/api/openapi.json" or "export" in each.path:
                continue
            assert answer.status_code in (200, 201), (each.path, answer.text)
            assert answer.json is not None
            if each.method == "post" and each.path in ("/api/runs", "/api/studies"):
                names["run_id" if each.path == "/api/runs" else "study_id"] = answer.json["id"]
            found[each.name] = _shortened(answer.json)
        return found


def _order(each: openapi.Operation) -> int:
    """Things are made first and deleted last."""
    acts_on_one = each.method == "post" and "{" in each.path
    return 1 if acts_on_one else {"post": 0, "get": 2, "delete": 3}[each.method]


def _body(path: str) -> dict[str, str]:
    if path == "/api/data":
        return {"csv": "x,y\n0,1\n1,3\n2,2\n"}
    return {"query": STUDY_QUERY if path == "/api/studies" else RUN_QUERY}


def _arguments(path: str, names: dict[str, str]) -> str:
    if path == "/api/frames":
        return f"?runs={names['run_id']}:-1"
    return "?epochs=2" if path.endswith("/end") else ""


def _shortened(value: Any) -> Any:
    """An answer without what differs between machines, its lists of objects cut."""
    if isinstance(value, dict):
        return {
            name: FIXED[name] if name in FIXED and each is not None else _shortened(each)
            for name, each in value.items()
        }
    if isinstance(value, list):
        shown = value[:LONGEST_LIST] if value and isinstance(value[0], dict) else value
        return [_shortened(each) for each in shown]
    return value


if __name__ == "__main__":
    text = json.dumps(asked(), indent=1, ensure_ascii=False)
    openapi.EXAMPLES_FILE.write_text(text + "\n", encoding="utf-8")
    print(f"{openapi.EXAMPLES_FILE.name}: {len(text):,} characters")
