"""Figures for whoever looks after the server, in Prometheus' format at /metrics, and a line in the log for
every request.

To be read from this machine only, unless a token is set and sent (Authorization: Bearer ...).
"""

import json
import logging
import time
from collections.abc import Iterator

from flask import Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from core.service.service import RunService
from core.service.store import StoreError
from core.service.web import error_response, may_look

BUCKETS = (0.005, 0.02, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
SLOW_SECONDS = 1.0
"""Requests that take longer are told in the log whatever its level."""

log = logging.getLogger("plateau.requests")


class ServiceFigures(Collector):
    """What the service says of itself when it is asked."""

    def __init__(self, service: RunService) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """The gauges; none while the store cannot be reached."""
        try:
            busy, workers = self._service.busy, self._service.workers
        except StoreError:
            return
        yield GaugeMetricFamily("plateau_runs_busy", "Single runs that are queued or running.", busy)
        yield GaugeMetricFamily("plateau_workers_ready", "Training processes that are ready.", workers)
        desk = GaugeMetricFamily("plateau_desk", "Dear answers: processes, waiting, made.", labels=["what"])
        for name, value in self._service.desk.figures().items():
            desk.add_metric([name], value)
        yield desk


def register_metrics(server: Flask, service: RunService) -> None:
    """Measure every request, and tell."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(ServiceFigures(service))
    taken = Histogram(
        "plateau_request_seconds",
        "Time to answer.",
        ["route", "method", "status"],
        buckets=BUCKETS,
        registry=registry,
    )

    @server.before_request
    def begin() -> None:
        g.begun = time.perf_counter()

    @server.after_request
    def measure(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("begun", time.perf_counter())
        # The rule, not the address: there are as many addresses as people can think of.
        route = request.url_rule.rule if request.url_rule else "none"
        taken.labels(route, request.method, response.status_code).observe(seconds)
        level = logging.WARNING if seconds > SLOW_SECONDS else logging.DEBUG
        if log.isEnabledFor(level):
            log.log(level, "%s", _line(route, response.status_code, seconds))
        return response

    @server.get("/metrics")
    def metrics() -> Response:
        if not may_look(service.settings.admin_token):
            return error_response("These figures are for whoever looks after the server.", 403)
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _line(route: str, status: int, seconds: float) -> str:
    run = (request.view_args or {}).get("run_id", "")
    return json.dumps(
        {"route": route, "method": request.method, "status": status, "seconds": round(seconds, 4), "run": run}
    )
