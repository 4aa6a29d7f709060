"""What the interface says of itself, and the list of one's own runs.

GET    /api                  methods, targets, settings and limits
GET    /api/openapi.json     the contract (core.service.openapi)
GET    /docs/api             the same, to be read
GET    /api/runs             ?after= &limit= : the runs that this browser or script has started
DELETE /api/runs/<id>        take one from that list
"""

import json
from dataclasses import asdict
from html import escape
from typing import Any

from flask import Blueprint, Response

from ..config import FIELDS, NUMERICS_VERSION
from ..limits import Limits
from ..methods import METHODS
from ..problem import TARGETS
from .arguments import check_arguments, no_such_run, page_of
from .openapi import OPERATIONS, answer_examples, document
from .responses import json_response, with_etag
from .service import RunService
from .store import NAME
from .visitors import Visitors


def discovery_routes(service: RunService, visitors: Visitors, version: str) -> Blueprint:
    """Every route."""
    routes = Blueprint("discovery", __name__)
    about = _about(service.settings.limits, version)
    contract = document(version)
    readable = _page(version)
    routes.before_request(check_arguments)
    routes.after_request(with_etag)

    @routes.get("/api")
    def discovery() -> Response:
        return json_response(about)

    @routes.get("/api/openapi.json")
    def openapi() -> Response:
        return json_response(contract)

    @routes.get("/docs/api")
    def reference() -> Response:
        return Response(readable, mimetype="text/html")

    @routes.get("/api/runs")
    def own_runs() -> Response:
        shown, place = page_of(service.history.entries(visitors.current().handle))
        runs = [{**asdict(entry), "status": service.status(entry.id)} for entry in shown]
        return json_response({"runs": runs, **place})

    @routes.delete("/api/runs/<run_id>")
    def forget(run_id: str) -> Response:
        handle = visitors.current().handle
        own = {entry.id for entry in service.history.entries(handle)} if NAME.fullmatch(run_id) else set()
        if run_id not in own:
            raise no_such_run()
        service.history.remove(handle, run_id)
        return json_response({"id": run_id, "removed": True})

    return routes


def _about(limits: Limits, version: str) -> dict[str, Any]:
    return {
        "version": version,
        "numerics": NUMERICS_VERSION,
        "openapi": "/api/openapi.json",
        "documentation": "/docs",
        "methods": [
            {
                "name": each.name,
                "title": each.title,
                "summary": each.summary,
                "epochs": each.default_epochs,
                "rival": each.rival,
            }
            for each in METHODS.values()
        ],
        "targets": [
            {"name": each.name, "title": each.title, "formula": each.formula or None, "watch": each.watch}
            for each in TARGETS.values()
        ],
        "settings": [
            {
                "name": spec.name,
                "label": spec.label,
                "help": spec.help,
                "allowed": spec.allowed(limits) if spec.kind != "text" else "text",
                "default": spec.default,
                "methods": spec.methods,
            }
            for spec in FIELDS
        ],
        "limits": asdict(limits),
    }


def _page(version: str) -> str:
    """The contract as a page: one line per operation."""
    examples = answer_examples()
    rows = "".join(
        f"<tr><td><code>{each.method.upper()}</code></td><td><code>{escape(each.path)}</code></td>"
        f"<td>{escape(each.summary)}{_example(examples.get(each.name))}</td><td>{_parts(each)}</td></tr>"
        for each in OPERATIONS
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>HTTP · Plateau Lab</title>'
        '<meta name="viewport" content="width=device-width"><style>'
        "body{font:16px/1.5 system-ui;margin:2rem auto;"
        "max-width:70rem;padding:0 1rem;color-scheme:light dark}td{padding:.3rem .8rem .3rem 0;"
        "vertical-align:top}pre{max-width:44rem;max-height:24rem;overflow:auto;font-size:.8rem}"
        "</style></head><body>"
        f"<h1>HTTP interface, version {escape(version)}</h1><p>Bodies and answers are JSON; refusals are "
        'problems of RFC 9457. The <a href="/docs/reference/http.html">guide</a> tells of tokens, lists and '
        "errors. The machine-readable contract is "
        '<a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1).</p>'
        f"<table>{rows}</table></body></html>"
    )


def _example(answer: Any) -> str:
    if answer is None:
        return ""
    text = escape(json.dumps(answer, indent=2, ensure_ascii=False))
    return f"<details><summary>Example</summary><pre tabindex=0>{text}</pre></details>"


def _parts(each: Any) -> str:
    body = f"body: {', '.join(each.body.model_fields)}" if each.body else ""
    names = ", ".join(name.rpartition("_")[2] for name in each.arguments)
    return escape("; ".join(part for part in (body, f"arguments: {names}" if names else "") if part))
