"""Figures for whoever looks after the server, in Prometheus' format at /metrics, and a line in the log for
every request, where that is wanted.

To be read with the admin token (Authorization: Bearer ...).
"""

import logging
import secrets
import time
from collections import Counter
from collections.abc import Iterator

from flask import Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .cache import Answers
from .events import log_event
from .service import RunService
from .store import StoreError
from .visitors import NOBODY
from .web import ask_for_token, is_admin

BUCKETS = (0.005, 0.02, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
SLOW_SECONDS = 1.0
"""Requests that take longer are told in the log in any case."""


class ServiceFigures(Collector):
    """What the service says of itself when it is asked."""

    def __init__(self, service: RunService, answers: Answers | None) -> None:
        self._service, self._answers = service, answers

    def collect(self) -> Iterator[Metric]:
        """All of it; nothing while the store cannot be reached."""
        try:
            runs = [info for info in map(self._service.info, self._service.under_way()) if info]
            workers, studies = self._service.workers, len(self._service.studies.under_way())
            epochs, frames = self._service.done
        except StoreError:
            return
        by_status = GaugeMetricFamily("plateau_runs", "Runs under way, by status.", labels=["status"])
        for status, number in Counter({"running": 0, "queued": 0} | Counter(i.status for i in runs)).items():
            by_status.add_metric([status], number)
        yield by_status
        waits = [time.time() - info.placed for info in runs if info.status == "queued"]
        longest = max(waits, default=0.0)
        yield GaugeMetricFamily("plateau_queue_wait_seconds", "Of the one that waits longest.", longest)
        yield GaugeMetricFamily("plateau_epochs_per_second", "Of all runs.", sum(info.rate for info in runs))
        yield CounterMetricFamily("plateau_epochs", "Computed by single runs.", epochs)
        yield CounterMetricFamily("plateau_frames", "Recorded by single runs.", frames)
        yield GaugeMetricFamily("plateau_studies_active", "Studies under way.", studies)
        yield GaugeMetricFamily("plateau_workers_ready", "Training processes that are ready.", workers)
        queries = GaugeMetricFamily(
            "plateau_queries", "Background queries: workers, waiting, answered.", labels=["what"]
        )
        for name, value in self._service.queries.figures().items():
            queries.add_metric([name], value)
        yield queries
        if self._answers is not None:
            cache = CounterMetricFamily("plateau_answers", "Shared answers.", labels=["how"])
            cache.add_metric(["kept"], self._answers.hits)
            cache.add_metric(["made"], self._answers.misses)
            yield cache


def register_metrics(server: Flask, service: RunService, answers: Answers | None = None) -> None:
    """Measure every request, and tell."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(ServiceFigures(service, answers))
    taken = Histogram(
        "plateau_request_seconds",
        "Time to answer.",
        ["route", "method", "status"],
        buckets=BUCKETS,
        registry=registry,
    )

    @server.before_request
    def begin() -> None:
        g.begun, g.request_id = time.perf_counter(), secrets.token_hex(8)

    @server.after_request
    def measure(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("begun", time.perf_counter())
        # The rule, not the address: there are as many addresses as people can think of.
        route = request.url_rule.rule if request.url_rule else "none"
        taken.labels(route, request.method, response.status_code).observe(seconds)
        trouble = seconds > SLOW_SECONDS or response.status_code >= 500
        if NOBODY not in request.environ and (trouble or service.settings.log_requests):
            client = g.client.handle if "client" in g else ""
            run = (request.view_args or {}).get("run_id", "")
            names = {"id": g.get("request_id", ""), "client": client, "run": run, "route": route}
            answer = {"status": response.status_code, "seconds": round(seconds, 4)}
            level = logging.WARNING if trouble else logging.INFO
            log_event("request", level, **names, method=request.method, **answer)
        return response

    @server.get("/metrics")
    def metrics() -> Response:
        if not is_admin(service.settings.admin_token.get_secret_value()):
            return ask_for_token()
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
