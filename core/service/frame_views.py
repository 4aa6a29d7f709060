"""The frames of runs over HTTP: those that a viewer does not have yet, made once for all who ask the same."""

import gzip
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, request
from werkzeug.exceptions import BadRequest, NotFound

from .arguments import most_entries, no_such_run, runs_asked, whole_number
from .cache import Answers
from .encoding import COLUMNS, compact_columns, joined_compact, joined_json, json_columns
from .openapi import LARGEST_NUMBER
from .run_record import ENDED
from .service import RunInfo, RunService
from .visitors import Visitors

_CHANGING_SECONDS = 0.5
MOST_BIASES = 1 << 17
"""In one answer to `frames`, frames times width: more are asked for again, block by block."""
_TYPES = {"json": "application/json", "compact": "application/octet-stream"}


@dataclass(frozen=True)
class _Block:
    """The next frames of a run for somebody who has some: how they are called in the cache, and made."""

    status: str
    key: str
    make: Callable[[], bytes]


class FrameViews:
    """The views of frames."""

    def __init__(self, service: RunService, visitors: Visitors, answers: Answers) -> None:
        self._service, self._visitors, self._answers = service, visitors, answers
        self._changing: dict[str, tuple[float, dict[str, Any]]] = {}
        self._widths: dict[str, int] = {}

    def frames(self, run_id: str) -> Response:
        """The frames that a viewer does not have yet."""
        after = whole_number("after", -1, -1, LARGEST_NUMBER)
        block = self._block(run_id, after, most_entries(), form := _form(), _columns(form))
        response = self._answers.respond(block.key, block.make, _TYPES[form], final=block.status in ENDED)
        response.headers["Plateau-Run"] = json.dumps(self._changing_part(run_id, block.status))
        return response

    def frames_of_several(self) -> Response:
        """The frames of several runs that a viewer does not have yet, each run with what the header
        Plateau-Run says of it; a run that is not here has an error instead."""
        form = _form()
        parts: list[dict[str, Any]] = []
        bodies: list[bytes] = []
        for run_id, after in runs_asked():
            try:
                block = self._block(run_id, after, None, form, COLUMNS)
            except NotFound as error:
                parts.append({"id": run_id, "error": error.description, "status_code": error.code})
                bodies.append(b"")
            else:
                parts.append({"id": run_id, "run": self._changing_part(run_id, block.status)})
                bodies.append(self._answers.get(block.key, block.make))
        body = joined_compact(parts, bodies) if form == "compact" else joined_json(parts, bodies)
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        if request.accept_encodings["gzip"] > 0:
            # Fast: it is one viewer's alone, and mostly a few frames.
            body, headers["Content-Encoding"] = gzip.compress(body, 1, mtime=0), "gzip"
        return Response(body, 200, headers, mimetype=_TYPES[form])

    def _block(self, run_id: str, after: int, limit: int | None, form: str, columns: Sequence[str]) -> _Block:
        # Status before count: what is finished by then has all its frames.
        status = self._service.status(run_id)
        if status is None:
            raise no_such_run()
        self._service.watch(run_id, self._visitors.viewer())
        recorded, present = self._service.recorded(run_id), self._service.present(run_id)
        if present is not None and present.index != recorded:
            present = None
        head = recorded + (present is not None)
        most = max(1, MOST_BIASES // max(1, self._width(run_id))) if head else 1
        # Blocks end at multiples of the limit, so that late and early viewers ask for the same ones.
        limit = min(limit or most, most)
        end = min(head, ((after + 1) // limit + 1) * limit)
        version = "more" if end < head else f"{status}:{head}:{present.epoch if present else ''}"
        key = f"frames:{form}:{run_id}:{after}:{end}:{version}:{','.join(columns)}"

        def make() -> bytes:
            frames = self._service.frames(run_id, after, min(end, recorded) - 1)
            if present is not None and after < recorded < end:
                frames.append(present)
            scale = self._service.scale(run_id)
            scaled = [frame.in_units(scale) for frame in frames]
            if form == "compact":
                return compact_columns(run_id, status, head, recorded, scaled)
            return json_columns(run_id, status, head, recorded, scaled, columns, after)

        return _Block(status, key, make)

    def _width(self, run_id: str) -> int:
        """Of a run that has a frame; it never changes."""
        if run_id not in self._widths:
            if len(self._widths) > 10_000:
                self._widths.clear()
            self._widths[run_id] = len(self._service.frames(run_id, -1, 0)[0].b)
        return self._widths[run_id]

    def _changing_part(self, run_id: str, status: str) -> dict[str, Any]:
        """What changes while a run goes on; it may be a moment old, but never of another status."""
        stamp, info = self._changing.get(run_id, (0.0, {}))
        if info.get("status") != status or time.monotonic() - stamp > _CHANGING_SECONDS:
            info = self._known(run_id).changing()
            if len(self._changing) > 1_000:
                self._changing.clear()
            self._changing[run_id] = (time.monotonic(), info)
        return {**info, "mine": info["starter"] == self._visitors.current().handle}

    def _known(self, run_id: str) -> RunInfo:
        info = self._service.info(run_id)
        if info is None:
            raise no_such_run()
        return info


def _form() -> str:
    """In which form frames are asked for."""
    form = request.args.get("format", "json")
    if form not in _TYPES:
        raise BadRequest(f"format: {form[:40]!r} is not one of {', '.join(_TYPES)}")
    return form


def _columns(form: str) -> tuple[str, ...]:
    """Which columns are asked for; `index` is always there."""
    text = request.args.get("columns")
    if text is None:
        return COLUMNS
    if form == "compact":
        raise BadRequest("columns: the compact form has all of them; leave it out")
    names = [name.strip() for name in text.split(",")]
    unknown = next((name for name in names if name not in COLUMNS), None)
    if unknown is not None:
        raise BadRequest(f"columns: {unknown[:40]!r} is not one of {', '.join(COLUMNS)}")
    return tuple(name for name in COLUMNS if name in names or name == "index")
