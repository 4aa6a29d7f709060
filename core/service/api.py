"""The HTTP interface to runs.

    POST /api/runs {"query"}              201 new, 200 known: {"id", "status", "url"}; a race also has "runs"
    GET  /api/runs/<id>                   config, status, reason, epoch, loss, frames, ...; ?watch=no: without
                                          being counted as somebody who looks
    GET  /api/runs/<id>/frames            ?after= &limit= &format=compact; see core.service.encoding.
                                          Those of wide networks come in parts: ask on until `head`
    GET  /api/frames?runs=<id>:<after>,…  the same of up to 16 runs in one answer, &format=compact
    GET  /api/runs/<id>/data              training data, and the function behind them
    POST /api/runs/<id>/stop              the starter only
    GET  /api/runs/<id>/<answer>          tables, forecasts and files, see core.service.queries.views
    POST /api/data                        CSV as text/csv, {"csv"} or a form's file; ?x= &y= &weight= choose
                                          columns by name or number, ?name= names the data, ?preview= keeps
                                          nothing: {"id", "data", "query", "notes", "columns", ...}
    POST /api/estimate {"query"}          {"seconds", "cheap", "runs"} or an error with its "field"
    GET  /healthz, /readyz                alive; ready, with a word for store, queue and workers
    /api/studies                          many runs at once, see core.service.studies.api

Errors are JSON {"error"}; a wrong method is 405 with Allow, an unknown key in a body 400. Every answer to
`frames` carries what changes without a new frame (status, viewers, rate, time left, place in the queue) and
whose run it is in the header Plateau-Run, as JSON, so that the body is the same for all and made once.
"""

import gzip
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from ..config import join_query, write_labels
from ..config.run_config import RunConfig, race_from_query
from ..spelling import format_number
from .arguments import (
    body_of,
    check_name,
    known_config,
    no_such_run,
    only_file,
    runs_asked,
    whole_number,
)
from .cache import Answers
from .encoding import compact_columns, joined_compact, joined_json, json_columns
from .health import Health
from .models import DataRequest, RunRequest
from .pictures import data_columns
from .queries.views import QueryViews
from .run_record import ENDED
from .service import RunInfo, RunService
from .visitors import Visitors
from .web import json_response, refused_value

_VOLATILE = (
    *("status", "reason", "outcome", "epoch", "epochs", "rate", "remaining", "position", "watching"),
    "starter",
)
_VOLATILE_SECONDS = 0.5
MOST_BIASES = 1 << 17
"""In one answer to `frames`, frames times width: more are asked for again, block by block."""
_TYPES = {"json": "application/json", "compact": "application/octet-stream"}


def blueprint(service: RunService, visitors: Visitors, answers: Answers) -> Blueprint:
    """Every route of the interface."""
    api, queries = Api(service, visitors, answers), QueryViews(service, visitors, answers)
    health = Health(service)
    routes = Blueprint("api", __name__)
    run = "/api/runs/<run_id>"
    for rule, view, method in (
        ("/healthz", health.healthz, "GET"),
        ("/readyz", health.readyz, "GET"),
        ("/api/runs", api.submit, "POST"),
        ("/api/estimate", api.estimate, "POST"),
        ("/api/data", api.upload, "POST"),
        (run, api.info, "GET"),
        (f"{run}/frames", api.frames, "GET"),
        ("/api/frames", api.frames_of_several, "GET"),
        (f"{run}/stages", queries.stages, "GET"),
        (f"{run}/plateaus", queries.plateaus, "GET"),
        (f"{run}/data", api.data, "GET"),
        (f"{run}/best", queries.best, "GET"),
        (f"{run}/rates", queries.rates, "GET"),
        (f"{run}/candidates", queries.candidates, "GET"),
        (f"{run}/forecast", queries.forecast, "GET"),
        (f"{run}/forecasts", queries.forecasts, "GET"),
        (f"{run}/end", queries.end, "GET"),
        (f"{run}/stop", api.stop, "POST"),
        (f"{run}/export.<kind>", queries.export, "GET"),
    ):
        routes.add_url_rule(rule, view.__name__, view, methods=[method])
    routes.url_value_preprocessor(check_name)
    routes.register_error_handler(ValueError, refused_value)
    return routes


@dataclass(frozen=True)
class _Block:
    """The next frames of a run for somebody who has some: how they are called in the cache, and made."""

    status: str
    key: str
    make: Callable[[], bytes]


class Api:
    """The views. They translate between HTTP and the run service."""

    def __init__(self, service: RunService, visitors: Visitors, answers: Answers) -> None:
        self._service, self._visitors, self._answers = service, visitors, answers
        self._volatile: dict[str, tuple[float, dict[str, Any]]] = {}
        self._widths: dict[str, int] = {}

    def submit(self) -> Response:
        """Start runs, or find them."""
        client = self._visitors.current()
        known = [self._service.submit(config, client) for config in self._configs()]
        runs = [self._started(info) for info, _ in known]
        document = runs[0] if len(runs) == 1 else {**runs[0], "runs": runs}
        created = any(new for _, new in known)
        return json_response(document, 201 if created else 200, {"Location": f"/api/runs/{runs[0]['id']}"})

    def estimate(self) -> Response:
        """What a query would cost, before it is run."""
        configs = self._configs()
        limits = self._service.settings.limits
        told = self._service.estimates.seconds(configs, self._visitors.current().quota)
        runs = [
            {
                "id": config.run_id,
                "query": config.to_query(limits=limits),
                "method": config.method.name,
                "seconds": seconds,
                "status": self._service.status(config.run_id),
            }
            for config, seconds in zip(configs, told, strict=True)
        ]
        seconds = sum(told)
        cheap = seconds <= self._service.settings.cheap_seconds
        return json_response(
            {"seconds": seconds, "cheap": cheap, "largest": limits.cpu_seconds, "runs": runs}
        )

    def upload(self) -> Response:
        """Own data, to be named in a query; with `preview` nothing is kept."""
        called = request.args.get("name", "")
        if request.mimetype == "application/json":
            content = body_of(DataRequest).csv.encode(errors="surrogatepass")
        elif request.mimetype == "multipart/form-data":
            file = only_file()
            content, called = file.read(), called or file.filename or ""
        else:
            content = request.get_data()
        chosen = request.args.get("x", ""), request.args.get("y", ""), request.args.get("weight", "")
        client = self._visitors.current()
        found = self._service.read_file(content, chosen, client)
        csv = found.pop("csv")
        if "preview" in request.args:
            return json_response(found)
        name = self._service.keep(csv, client)
        texts = {"data": f"@{name}", "units": ",".join(map(format_number, found["units"]))}
        texts["labels"] = write_labels(called, found["x_name"], found["y_name"])
        texts |= {"calendar": "yes"} if found["dates"] else {}
        return json_response({"id": name, **found, **texts, "query": join_query(texts)}, 201)

    def info(self, run_id: str) -> Response:
        """All but the frames."""
        if request.args.get("watch") != "no":
            self._service.watch(run_id, self._visitors.viewer())
        return json_response(self._described(self._info(run_id)))

    def frames(self, run_id: str) -> Response:
        """The frames that a viewer does not have yet."""
        after = whole_number("after", -1, -1, 1 << 40)
        limit = whole_number("limit", 0, 0, 1 << 40)
        form = _form()
        block = self._block(run_id, after, limit, form)
        response = self._answers.respond(block.key, block.make, _TYPES[form], final=block.status in ENDED)
        response.headers["Plateau-Run"] = json.dumps(self._volatile_part(run_id, block.status))
        return response

    def frames_of_several(self) -> Response:
        """The frames of several runs that a viewer does not have yet, each run with what the header
        Plateau-Run says of it; a run that is not here has an error instead."""
        form = _form()
        told: list[dict[str, Any]] = []
        bodies: list[bytes] = []
        for run_id, after in runs_asked():
            try:
                block = self._block(run_id, after, 0, form)
            except NotFound as error:
                told.append({"id": run_id, "error": error.description, "status_code": error.code})
                bodies.append(b"")
            else:
                told.append({"id": run_id, "run": self._volatile_part(run_id, block.status)})
                bodies.append(self._answers.get(block.key, block.make))
        body = joined_compact(told, bodies) if form == "compact" else joined_json(told, bodies)
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        if request.accept_encodings["gzip"] > 0:
            # Fast: it is one viewer's alone, and mostly a few frames.
            body, headers["Content-Encoding"] = gzip.compress(body, 1, mtime=0), "gzip"
        return Response(body, 200, headers, mimetype=_TYPES[form])

    def _block(self, run_id: str, after: int, limit: int, form: str) -> _Block:
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
        key = f"frames:{form}:{run_id}:{after}:{end}:{version}"
        encode = compact_columns if form == "compact" else json_columns

        def make() -> bytes:
            frames = self._service.frames(run_id, after, min(end, recorded) - 1)
            if present is not None and after < recorded < end:
                frames.append(present)
            scale = self._service.scale(run_id)
            return bytes(encode(run_id, status, head, recorded, [frame.told(scale) for frame in frames]))

        return _Block(status, key, make)

    def data(self, run_id: str) -> Response:
        """What is learned."""
        config, _ = known_config(self._service, run_id)
        return self._answers.respond(
            f"data:{run_id}", lambda: _dumps(data_columns(config)), _TYPES["json"], final=True
        )

    def stop(self, run_id: str) -> Response:
        """End a run; it can be continued later."""
        info = self._service.stop(run_id, self._visitors.current())
        if info is None:
            raise no_such_run()
        return json_response(self._described(info))

    def _configs(self) -> tuple[RunConfig, ...]:
        query = body_of(RunRequest).query
        return race_from_query(query, limits=self._service.settings.limits, datasets=self._service.datasets)

    def _width(self, run_id: str) -> int:
        """Of a run that has a frame; it never changes."""
        if run_id not in self._widths:
            if len(self._widths) > 10_000:
                self._widths.clear()
            self._widths[run_id] = len(self._service.frames(run_id, -1, 0)[0].b)
        return self._widths[run_id]

    def _info(self, run_id: str) -> RunInfo:
        info = self._service.info(run_id)
        if info is None:
            raise no_such_run()
        return info

    def _started(self, info: RunInfo) -> dict[str, Any]:
        return {"id": info.id, "status": info.status, "url": f"/?{info.query}", "frames": info.frames}

    def _described(self, info: RunInfo) -> dict[str, Any]:
        return {**asdict(info), "config": info.query, "mine": info.starter == self._visitors.current().handle}

    def _volatile_part(self, run_id: str, status: str) -> dict[str, Any]:
        """What changes while a run goes on; it may be a moment old, but never of another status."""
        stamp, info = self._volatile.get(run_id, (0.0, {}))
        if info.get("status") != status or time.monotonic() - stamp > _VOLATILE_SECONDS:
            found = asdict(self._info(run_id))
            info = {name: found[name] for name in _VOLATILE}
            if len(self._volatile) > 1_000:
                self._volatile.clear()
            self._volatile[run_id] = (time.monotonic(), info)
        return {**info, "mine": info["starter"] == self._visitors.current().handle}


def _form() -> str:
    """In which form frames are asked for."""
    form = request.args.get("format", "json")
    if form not in _TYPES:
        raise BadRequest(f"format: {form[:40]!r} is not one of {', '.join(_TYPES)}")
    return form


def _dumps(document: object) -> bytes:
    return json_response(document).get_data()
