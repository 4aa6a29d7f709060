"""The HTTP interface to studies.

POST /api/studies {"query"}                201 new, 200 known: what GET says, without rows
POST /api/studies {"query", "dry": true}   200: {"id", "query", "runs", "seconds", "known"}, nothing starts
GET  /api/studies                          ?after= &limit= : the studies that this browser has started
GET  /api/studies/<id>                     ?after= (rows that you have) &limit= : status, done, rows
DELETE /api/studies/<id>                   the starter only
POST /api/studies/<id>/stop                the starter only
POST /api/studies/<id>/resume              the starter only
GET  /api/studies/<id>/export.csv          one line a run
"""

from dataclasses import asdict
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, request, stream_with_context
from werkzeug.exceptions import NotFound

from ...study import COLUMNS
from ..arguments import body_of, check_arguments, most_entries, page_of, whole_number
from ..models import StudyRequest
from ..openapi import LARGEST_NUMBER, MOST_ENTRIES
from ..responses import json_response, refused_value, with_etag
from ..store import NAME
from ..visitors import Visitors
from .info import StudyInfo
from .service import Studies
from .store import record_row


def study_routes(studies: Studies, visitors: Visitors) -> Blueprint:
    """Every route."""
    api = StudyApi(studies, visitors)
    routes = Blueprint("studies", __name__)
    study = "/api/studies/<study_id>"
    for rule, view, method in (
        ("/api/studies", api.begin, "POST"),
        ("/api/studies", api.listing, "GET"),
        (study, api.look, "GET"),
        (study, api.delete, "DELETE"),
        (f"{study}/stop", api.stop, "POST"),
        (f"{study}/resume", api.resume, "POST"),
        (f"{study}/export.csv", api.export, "GET"),
    ):
        routes.add_url_rule(rule, view.__name__, view, methods=[method])
    routes.before_request(check_arguments)
    routes.after_request(with_etag)
    routes.register_error_handler(ValueError, refused_value)
    return routes


class StudyApi:
    """The views."""

    def __init__(self, studies: Studies, visitors: Visitors) -> None:
        self._studies, self._visitors = studies, visitors

    def begin(self) -> Response:
        """Start a study or find it; or say what it would be."""
        asked = body_of(StudyRequest)
        query = asked.query
        if asked.dry:
            plan = self._studies.plan(query)
            known = self._studies.info(plan.id)
            return json_response(
                {
                    "id": plan.id,
                    "query": plan.query,
                    "runs": len(plan.runs),
                    "seconds": self._studies.seconds(plan),
                    "known": known.status if known else None,
                }
            )
        client = self._visitors.current()
        info, new = self._studies.submit(query, client.handle, client.quota)
        where = {"Location": f"/api/studies/{info.id}"}
        return json_response(self._described(info), 201 if new else 200, where)

    def listing(self) -> Response:
        """The browser's own studies."""
        found = self._studies.listing(self._visitors.current().handle)
        shown, place = page_of(found)
        return json_response({"studies": [self._described(info) for info in shown], **place})

    def look(self, study_id: str) -> Response:
        """How far it is, and the rows that the asker does not have."""
        after = whole_number("after", 0, 0, LARGEST_NUMBER)
        info = self._known(study_id)
        rows = self._studies.records(study_id, after, most_entries() or MOST_ENTRIES)
        front = json_response(self._described(info) | {"after": after, "next": after + len(rows)}).get_data()
        body = front[:-1] + b',"rows":[' + b",".join(map(record_row, rows)) + b"]}"
        return Response(body, 200, {"Cache-Control": "no-store"}, mimetype="application/json")

    def delete(self, study_id: str) -> Response:
        """Forget it."""
        self._known(study_id)
        self._studies.delete(study_id, self._visitors.current().handle)
        return json_response({"id": study_id, "removed": True})

    def stop(self, study_id: str) -> Response:
        """Let it rest."""
        self._known(study_id)
        return self._answer(self._studies.stop(study_id, self._visitors.current().handle))

    def resume(self, study_id: str) -> Response:
        """Go on."""
        self._known(study_id)
        return self._answer(self._studies.resume(study_id, self._visitors.current().handle))

    def export(self, study_id: str) -> Response:
        """The table as a file."""
        info = self._known(study_id)
        name = f"plateau-study-{study_id[:8]}.csv"
        saved = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "private, no-cache",
        }
        lines = stream_with_context(self._studies.csv(study_id))
        response = Response(lines, 200, saved, mimetype="text/csv")
        # Rows are only ever added.
        response.set_etag(sha256(f"{study_id}:{info.done}:{COLUMNS}".encode()).hexdigest()[:32])
        response.make_conditional(request)
        return response

    def _known(self, study_id: str) -> StudyInfo:
        info = self._studies.info(study_id) if NAME.fullmatch(study_id) else None
        if info is None:
            raise NotFound("This server does not have that study; start it with POST /api/studies.")
        return info

    def _answer(self, info: StudyInfo | None) -> Response:
        assert info is not None
        return json_response(self._described(info))

    def _described(self, info: StudyInfo) -> dict[str, Any]:
        mine = info.starter == self._visitors.current().handle
        return {**asdict(info), "mine": mine, "url": f"/study?{info.query}"}
