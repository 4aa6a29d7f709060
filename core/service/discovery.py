"""What the interface says of itself, and the list of one's own runs.

GET    /api                  methods, targets, settings and limits
GET    /api/openapi.json     the contract (core.service.openapi)
GET    /docs/api             the same, to be read
GET    /api/runs             ?after= &limit= : the runs that this browser or script has started
DELETE /api/runs/<id>        take one from that list
"""

import hashlib
from dataclasses import asdict
from html import escape
from typing import Any

import orjson
from flask import Blueprint, Response, request

from ..config import FIELDS, NUMERICS_VERSION
from ..limits import Limits
from ..methods import METHODS
from ..problem import TARGETS
from .arguments import no_such_run, whole_number
from .openapi import OPERATIONS, document
from .service import RunService
from .store import NAME
from .visitors import Visitors
from .web import json_response

PAGE = 100
"""Runs of one answer, unless another number is asked for."""
MAX_PAGE = 500


def discovery_routes(service: RunService, visitors: Visitors, version: str) -> Blueprint:
    """Every route."""
    routes = Blueprint("discovery", __name__)
    about = _lasting(_about(service.settings.limits, version))
    contract = _lasting(document(version))
    readable = _page(version)

    @routes.get("/api")
    def discovery() -> Response:
        return about()

    @routes.get("/api/openapi.json")
    def openapi() -> Response:
        return contract()

    @routes.get("/docs/api")
    def reference() -> Response:
        return Response(readable, mimetype="text/html")

    @routes.get("/api/runs")
    def own_runs() -> Response:
        after = whole_number("after", 0, 0, 1 << 40)
        limit = whole_number("limit", PAGE, 1, MAX_PAGE)
        entries = service.history.entries(visitors.current().handle)
        shown = entries[after : after + limit]
        runs = [{**asdict(entry), "status": service.status(entry.id)} for entry in shown]
        last = after + len(shown)
        return json_response({"runs": runs, "after": after, "next": last if last < len(entries) else None})

    @routes.delete("/api/runs/<run_id>")
    def forget(run_id: str) -> Response:
        handle = visitors.current().handle
        own = {entry.id for entry in service.history.entries(handle)} if NAME.fullmatch(run_id) else set()
        if run_id not in own:
            raise no_such_run()
        service.history.remove(handle, run_id)
        return json_response({"id": run_id, "removed": True})

    return routes


def _lasting(answer: dict[str, Any]) -> Any:
    """A view of what never changes while the server runs, with an ETag."""
    body = orjson.dumps(answer)
    tag = hashlib.sha256(body).hexdigest()[:32]

    def view() -> Response:
        response = Response(body, mimetype="application/json")
        response.set_etag(tag)
        response.headers["Cache-Control"] = "no-cache"
        response.make_conditional(request)
        return response

    return view


def _about(limits: Limits, version: str) -> dict[str, Any]:
    return {
        "version": version,
        "numerics": NUMERICS_VERSION,
        "openapi": "/api/openapi.json",
        "documentation": "/docs",
        "methods": [
            {"name": each.name, "title": each.title, "epochs": each.default_epochs, "rival": each.rival}
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
    rows = "".join(
        f"<tr><td><code>{each.method.upper()}</code></td><td><code>{escape(each.path)}</code></td>"
        f"<td>{escape(each.summary)}</td><td>{_parts(each)}</td></tr>"
        for each in OPERATIONS
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>HTTP · Plateau Lab</title>'
        '<meta name="viewport" content="width=device-width"><style>'
        "body{font:16px/1.5 system-ui;margin:2rem auto;"
        "max-width:70rem;padding:0 1rem;color-scheme:light dark}td{padding:.3rem .8rem .3rem 0;"
        "vertical-align:top}</style></head><body>"
        f"<h1>HTTP interface, version {escape(version)}</h1><p>Bodies and answers are JSON. Errors are "
        "<code>{&quot;error&quot;: …}</code>. The machine-readable contract is "
        '<a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1).</p>'
        f"<table>{rows}</table></body></html>"
    )


def _parts(each: Any) -> str:
    body = f"body: {', '.join(each.body.model_fields)}" if each.body else ""
    names = ", ".join(name.rpartition("_")[2] for name in each.arguments)
    return escape("; ".join(part for part in (body, f"arguments: {names}" if names else "") if part))
