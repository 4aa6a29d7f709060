"""Studies as the rest of the product sees them: submit, look, stop, resume."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import fsum
from pathlib import Path

from ...config import RunConfig
from ...limits import Limits
from ..queue import Quota
from ..remaining import Ends, RemainingTimes
from ..store import NAME, Store
from ..workers.pool import WorkerPool
from .info import StudyInfo, csv_blocks, describe
from .plan import Plan, plan_of
from .scheduler import PortionWorkers, StudyScheduler
from .shipped import StudyReader
from .store import RequestedStudy, StudyStore

_PLANS = 16
"""Plans kept in memory."""
_SAMPLES = 24
"""Kinds of runs that are tried out for the estimate of a study."""
START_SECONDS = 4.0
"""From the request to the first run: processes start and load their kernels (measured on two cores)."""
_PRIOR = 0.1
"""The estimate of a study counts as much as if this part of it had been watched."""
_SHARE = 0.25
"""Studies may take this part of the store."""


class Studies:
    """The one door to studies. Thread-safe. Owners are the handle and the quota of a browser."""

    def __init__(
        self,
        limits: Limits,
        store: Store,
        shipped: Path,
        studies: StudyStore,
        workers: PortionWorkers,
        pool: WorkerPool,
        measure: Callable[[Sequence[RunConfig]], list[float]],
        compiling_seconds: Callable[[str], float],
    ) -> None:
        self._limits, self._runs, self._measure = limits, store, measure
        self._compiling_seconds = compiling_seconds
        self._plans: dict[str, Plan] = {}
        self._times = RemainingTimes(_PLANS)
        self._guard = threading.RLock()
        self._store, self._portion_workers = studies, workers
        self._reader = StudyReader(self._store, shipped)
        self._scheduler = StudyScheduler(self._store, self._portion_workers, self._planned)
        self._pool = pool
        pool.add_step("hand out portions of studies", self._scheduler.tick)

    def close(self) -> None:
        """Portions that are not done are handed out again at the next start."""
        self._portion_workers.close()
        self._store.close()

    def _has_changed(self) -> None:
        self._scheduler.change()
        self._pool.wake()

    def plan(self, query: str) -> Plan:
        """What a query would be as a study; FieldError says what is not allowed."""
        with self._guard:
            known = next((plan for plan in self._plans.values() if plan.query == query), None)
        plan = known or plan_of(query, self._limits, self._runs.datasets)
        with self._guard:
            self._keep(plan)
        return plan

    def seconds(self, plan: Plan) -> float:
        """How long a study takes from beginning to end, when nobody else computes."""
        return self._delay(plan) + START_SECONDS + self._measured(plan) / self._portion_workers.workers()

    def _delay(self, plan: Plan) -> float:
        """Seconds until the kernels of its methods are compiled: portions wait for theirs."""
        return max(self._compiling_seconds(method.name) for method, _ in plan.runs.variants)

    def _measured(self, plan: Plan) -> float:
        """Seconds of computing: of each kind of run one is tried out, as far as there is time for it."""
        samples = plan.samples(_SAMPLES)
        costs = self._measure([plan.runs.run(place) for place, _ in samples])
        shares = [
            (share, cost / plan.costs[place]) for (place, share), cost in zip(samples, costs, strict=True)
        ]
        known = fsum(share for share, _ in shares)
        return plan.total * fsum(share * ratio for share, ratio in shares) / known

    def submit(self, query: str, starter: str, quota: str) -> tuple[StudyInfo, bool]:
        """Have a study computed, or find it; its info, and whether it is new here."""
        plan = self.plan(query)
        with self._guard:
            known = self._reader.request(plan.id)
            if known is None:
                self._make_space(quota)
                if plan.dataset is not None:
                    self._runs.datasets.keep(plan.dataset[1])
                    self._runs.datasets.hold(plan.id, plan.query)
                size = len(plan.runs), plan.runs.differing, self._measured(plan)
                self._store.place(plan.id, RequestedStudy(plan.query, starter, quota, time.time(), *size))
                self._has_changed()
        info = self.info(plan.id)
        assert info is not None
        return info, known is None

    def info(self, study_id: str) -> StudyInfo | None:
        """What is known of a study; None when the server does not have it."""
        request = self._request(study_id)
        if request is None:
            return None
        done = self._reader.count(study_id)
        remaining = self._remaining(study_id, request, done)
        return describe(study_id, request, done, remaining, self._portion_workers.workers())

    def _remaining(self, study_id: str, request: RequestedStudy, done: int) -> Ends:
        """Seconds that are left; what is not under way goes on as it was estimated."""
        workers = self._portion_workers.workers()
        plan = self._planned(study_id) if done < request.runs else None
        if plan is None or request.command == "stop":
            self._times.forget(study_id)
            left = request.seconds / workers * (1.0 - done / max(1, request.runs))
            return left, left
        spent = plan.spent[min(done, len(plan.costs))]
        factor, prior = request.seconds / plan.total / workers, _PRIOR * plan.total
        start = START_SECONDS / factor  # as if it were a cost, which is paid with the first run
        paid = spent + start if done else 0.0
        total, now = plan.total + start, time.monotonic()
        delay = 0.0 if done else self._delay(plan)
        prior += start
        return self._times.between(study_id, total, paid, now, factor=factor, prior=prior, delay=delay)

    def records(self, study_id: str, after: int, limit: int) -> list[bytes]:
        """The records that came after the first `after` ones."""
        return self._reader.records(study_id, after, after + limit)

    def csv(self, study_id: str) -> Iterator[str]:
        """The table as CSV, some hundred lines at a time."""
        return csv_blocks(
            lambda first, last: self._reader.records(study_id, first, last), self._reader.count(study_id)
        )

    def listing(self, starter: str) -> list[StudyInfo]:
        """The studies that a browser has started, newest first."""
        own = [study for study, request in self._requests().items() if request.starter == starter]
        found = [info for info in map(self.info, own) if info is not None]
        return sorted(found, key=lambda info: -info.placed)

    def under_way(self) -> list[str]:
        """The studies that are under way, by name: no row is read for it."""
        return [study for study, request in self._requests().items() if self._is_active(study, request)]

    def active(self) -> list[StudyInfo]:
        """What is known of them."""
        return [info for info in map(self.info, self.under_way()) if info is not None]

    def stop(self, study_id: str, starter: str | None) -> StudyInfo | None:
        """Let a study rest; PermissionError for anybody but its starter and, None, who looks after the
        server."""
        return self._want(study_id, starter, go_on=False)

    def resume(self, study_id: str, starter: str) -> StudyInfo | None:
        """Go on with a study that was stopped; PermissionError for anybody but its starter."""
        return self._want(study_id, starter, go_on=True)

    def delete(self, study_id: str, starter: str) -> bool:
        """Forget a study with its rows, and whether there was one; PermissionError for anybody but its
        starter."""
        with self._guard:
            if self._own_request(study_id, starter, "delete it") is None:
                return False
            self._store.delete(study_id)
            self._runs.datasets.let_go(study_id)
            self._plans.pop(study_id, None)
            self._times.forget(study_id)
            self._has_changed()
        return True

    def _own_request(self, study_id: str, starter: str | None, what: str) -> RequestedStudy | None:
        request = self._request(study_id)
        if request is not None and starter is not None and request.starter != starter:
            raise PermissionError(f"Only the browser that started a study can {what}.")
        return request

    def _request(self, study_id: str) -> RequestedStudy | None:
        """None for what is not the name of a study, too."""
        return self._reader.request(study_id) if NAME.fullmatch(study_id) else None

    def _requests(self) -> dict[str, RequestedStudy]:
        """Of every stored study that can be read."""
        found = ((study, self._store.request(study)) for study in self._store.studies())
        return {study: request for study, request in found if request is not None}

    def _want(self, study_id: str, starter: str | None, *, go_on: bool) -> StudyInfo | None:
        with self._guard:
            request = self._own_request(study_id, starter, "stop it or go on with it")
            if request is None:
                return None
            change = self._store.place if go_on else self._store.insist
            change(study_id, replace(request, command="run" if go_on else "stop"))
            self._has_changed()
        return self.info(study_id)

    def _planned(self, study_id: str) -> Plan | None:
        with self._guard:
            if study_id in self._plans:
                return self._plans[study_id]
            request = self._store.request(study_id)
            if request is None or study_id in self._reader.shipped:
                return None
            try:
                plan = plan_of(request.query, self._limits, self._runs.datasets)
            except ValueError:
                # Limits were lowered, or its data are gone.
                return None
            if plan.id != study_id:
                # Of another version of the numerics, whose rows cannot be added to.
                return None
            self._keep(plan)
            return plan

    def _keep(self, plan: Plan) -> None:
        self._plans.pop(plan.id, None)
        self._plans[plan.id] = plan
        while len(self._plans) > _PLANS:
            self._plans.pop(next(iter(self._plans)))

    def _make_space(self, quota: str) -> None:
        """Refuse one study too many of a browser; forget the oldest that are not under way."""
        placed = self._requests()
        active = {study for study, request in placed.items() if self._is_active(study, request)}
        limits = self._limits
        most = Quota(
            "studies under way",
            limits.studies_per_client,
            limits.studies_per_address,
            limits.studies,
            retry_after=60,
            is_shared_by_newcomers=True,
        )
        most.check(quota, [placed[study].quota for study in active])
        sizes = {study: self._store.size(study) for study in self._store.studies()}
        total = sum(sizes.values())
        # One that cannot be read goes first.
        ages = {study: placed[study].placed if study in placed else 0.0 for study in sizes}
        spare = sorted((study for study in sizes if study not in active), key=lambda study: ages[study])
        for study in spare:
            if len(sizes) < self._limits.studies and total <= _SHARE * self._limits.total_bytes:
                break
            self._store.delete(study)
            self._runs.datasets.let_go(study)
            total -= sizes.pop(study)

    def _is_active(self, study: str, request: RequestedStudy) -> bool:
        return request.command == "run" and self._store.count(study) < request.runs
