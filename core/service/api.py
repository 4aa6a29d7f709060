"""The HTTP interface to runs.

    POST /api/runs {"query"}              201 new, 200 known: {"id", "status", "url"}; a race also has "runs"
    GET  /api/runs/<id>                   config, status, reason, epoch, loss, frames, ...; ?watch=no: without
                                          being counted as somebody who looks
    GET  /api/runs/<id>/frames            ?after= &limit= &columns= &format=compact, see
                                          core.service.encoding. Those of wide networks come in
                                          parts: ask on until `head`
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

core.service.openapi has all of it in detail. Errors are problems of RFC 9457 with an `error`; a wrong method
is 405 with Allow, an unknown argument or key of a body 400. Every answer to `frames` carries what changes
without a new frame (status, viewers, rate, time left, place in the queue) and whose run it is in the header
Plateau-Run, as JSON, so that the body is the same for all and made once.
"""

import time
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from ..config import join_query, write_labels
from ..config.run_config import RunConfig, race_from_query
from ..spelling import format_number
from ..tables import data_columns
from .arguments import (
    body_of,
    check_arguments,
    check_name,
    known_config,
    no_such_run,
    only_file,
    switch,
)
from .cache import Answers
from .frame_views import FrameViews
from .health import Health
from .models import DataRequest, RunRequest
from .queries.views import QueryViews
from .responses import json_response, refused_value, with_etag
from .service import RunInfo, RunService
from .visitors import Visitors

STOP_SECONDS = 2.0
"""A worker looks for commands several times a second: so long is waited for it to stop."""


def blueprint(service: RunService, visitors: Visitors, answers: Answers) -> Blueprint:
    """Every route of the interface."""
    api, queries = Api(service, visitors, answers), QueryViews(service, visitors, answers)
    health, frames = Health(service), FrameViews(service, visitors, answers)
    routes = Blueprint("api", __name__)
    run = "/api/runs/<run_id>"
    for rule, view, method in (
        ("/healthz", health.healthz, "GET"),
        ("/readyz", health.readyz, "GET"),
        ("/api/runs", api.submit, "POST"),
        ("/api/estimate", api.estimate, "POST"),
        ("/api/data", api.upload, "POST"),
        (run, api.info, "GET"),
        (f"{run}/frames", frames.frames, "GET"),
        ("/api/frames", frames.frames_of_several, "GET"),
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
    routes.before_request(check_arguments)
    routes.after_request(with_etag)
    routes.register_error_handler(ValueError, refused_value)
    return routes


class Api:
    """The views. They translate between HTTP and the run service."""

    def __init__(self, service: RunService, visitors: Visitors, answers: Answers) -> None:
        self._service, self._visitors, self._answers = service, visitors, answers

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
        costs = self._service.estimates.seconds(configs, self._visitors.current().quota)
        runs = [
            {
                "id": config.run_id,
                "query": config.to_query(limits=limits),
                "method": config.method.name,
                "seconds": seconds,
                "status": self._service.status(config.run_id),
            }
            for config, seconds in zip(configs, costs, strict=True)
        ]
        seconds = sum(costs)
        cheap = seconds <= self._service.settings.cheap_seconds
        return json_response(
            {"seconds": seconds, "cheap": cheap, "largest": limits.cpu_seconds, "runs": runs}
        )

    def upload(self) -> Response:
        """Own data, to be named in a query; with `preview` nothing is kept."""
        called = request.args.get("name", "")
        preview = switch("preview", False)
        if request.mimetype == "application/json":
            content = body_of(DataRequest).csv.encode(errors="surrogatepass")
        elif request.mimetype == "multipart/form-data":
            file = only_file()
            content, called = file.read(), called or file.filename or ""
        else:
            content = request.get_data()
        if len(content) > self._service.settings.limits.upload_bytes:
            raise RequestEntityTooLarge
        chosen = request.args.get("x", ""), request.args.get("y", ""), request.args.get("weight", "")
        client = self._visitors.current()
        found = self._service.read_file(content, chosen, client)
        csv = found.pop("csv")
        if preview:
            return json_response(found)
        name = self._service.keep(csv, client)
        texts = {"data": f"@{name}", "units": ",".join(map(format_number, found["units"]))}
        texts["labels"] = write_labels(called, found["x_name"], found["y_name"])
        texts |= {"calendar": "yes"} if found["dates"] else {}
        return json_response({"id": name, **found, **texts, "query": join_query(texts)}, 201)

    def info(self, run_id: str) -> Response:
        """All but the frames."""
        if switch("watch", True):
            self._service.watch(run_id, self._visitors.viewer())
        return json_response(self._described(self._info(run_id)))

    def data(self, run_id: str) -> Response:
        """What is learned."""
        config, _ = known_config(self._service, run_id)
        return self._answers.respond(
            f"data:{run_id}", lambda: _dumps(data_columns(config)), "application/json", final=True
        )

    def stop(self, run_id: str) -> Response:
        """End a run; it can be continued later."""
        info = self._service.stop(run_id, self._visitors.current())
        deadline = time.monotonic() + STOP_SECONDS
        while info is not None and info.status == "running" and time.monotonic() < deadline:
            time.sleep(0.05)
            info = self._service.info(run_id)
        if info is None:
            raise no_such_run()
        if info.status != "running":
            return json_response(self._described(info))
        return json_response(self._described(info), 202, {"Retry-After": "1"})

    def _configs(self) -> tuple[RunConfig, ...]:
        query = body_of(RunRequest).query
        return race_from_query(query, limits=self._service.settings.limits, datasets=self._service.datasets)

    def _info(self, run_id: str) -> RunInfo:
        info = self._service.info(run_id)
        if info is None:
            raise no_such_run()
        return info

    def _started(self, info: RunInfo) -> dict[str, Any]:
        return {"id": info.id, "status": info.status, "url": f"/?{info.query}", "frames": info.frames}

    def _described(self, info: RunInfo) -> dict[str, Any]:
        return {**asdict(info), "config": info.query, "mine": info.starter == self._visitors.current().handle}


def _dumps(document: object) -> bytes:
    return json_response(document).get_data()
