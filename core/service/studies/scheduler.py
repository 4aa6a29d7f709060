"""Hands out the portions of all studies, so that users take turns and nothing is lost.

What is to be done follows from the store alone (which places have no record), so that a restarted server
goes on where the last one ended.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ..accounts import line_of
from ..queue import FairQueue
from .plan import Plan
from .store import StudyStore

LOOK_SECONDS = 2.0
"""Other web processes may have changed the requests: they are read again so often."""


@dataclass(frozen=True)
class Portion:
    """Some runs of a study, to be computed one after the other."""

    study: str
    first: int
    """Its first place names it within the study."""
    runs: tuple[tuple[int, str], ...]
    """Places and queries of the runs that have no record yet."""

    @property
    def name(self) -> tuple[str, int]:
        """What it is called while it is out."""
        return self.study, self.first


class PortionWorkers(Protocol):
    """Workers for studies. Called from the scheduler's thread alone."""

    def leads(self) -> bool:
        """Whether this process is the one that hands out portions; on one machine it is."""
        return True

    def out(self) -> set[tuple[str, int]]:
        """The portions that somebody works at. One that is out no more is done, or was given back."""

    def free_slots(self) -> int:
        """How many more portions it can take now."""

    def hand(self, portion: Portion) -> None:
        """Have a portion computed."""

    def drop(self, study: str) -> None:
        """Give back what is out of a study, within a second."""

    def workers(self) -> int:
        """Workers that share a study."""

    def close(self) -> None:
        """Let another process lead."""
        return


@dataclass
class _Unfinished:
    """What is left to do of one study."""

    plan: Plan
    quota: str
    left: deque[range]
    out: dict[int, range] = field(default_factory=dict)


class StudyScheduler:
    """Called by one thread. In several web processes one of them leads at a time."""

    def __init__(
        self, studies: StudyStore, workers: PortionWorkers, plan: Callable[[str], Plan | None]
    ) -> None:
        self._studies, self._workers, self._plan = studies, workers, plan
        self._unfinished: dict[str, _Unfinished] = {}
        self._finished: set[str] = set()
        """Studies that need not be looked at again."""
        self._turns = FairQueue()
        self._looked = -LOOK_SECONDS
        self._is_changed = threading.Event()

    def change(self) -> None:
        """What is wanted of a study has changed: look at all of them in the next round."""
        self._is_changed.set()

    def tick(self) -> None:
        """Hand out what can be. What cannot be done now (a Redis that is away, a full disk) waits."""
        if not self._workers.leads():
            self._unfinished.clear()
            self._turns = FairQueue()
            return
        now = time.monotonic()
        if self._is_changed.is_set() or now - self._looked >= LOOK_SECONDS:
            if self._is_changed.is_set():
                self._finished.clear()
            self._is_changed.clear()
            self._looked = now
            self._studies.write_unsaved()
            try:
                self._look()
            except BaseException:
                self._is_changed.set()
                raise
        self._collect()
        self._hand_out()

    def _look(self) -> None:
        """Take up new and resumed studies, and drop those that shall stop."""
        known = set(self._studies.studies())
        self._finished &= known
        for study in known - self._unfinished.keys() - self._finished:
            request = self._studies.request(study)
            if request is None or request.command == "stop":
                continue
            plan = self._plan(study) if self._studies.count(study) < request.runs else None
            if plan is None:
                self._finished.add(study)
                continue
            left_over = _Unfinished(plan, request.quota, deque(plan.portions))
            under_way = {first for name, first in self._workers.out() if name == study}
            left_over.out = {portion[0]: portion for portion in plan.portions if portion[0] in under_way}
            left_over.left = deque(portion for portion in plan.portions if portion[0] not in under_way)
            self._unfinished[study] = left_over
            self._turns.push(line_of(request.quota), study)
        for study in list(self._unfinished):
            request = self._studies.request(study) if study in known else None
            if request is None or request.command == "stop":
                self._workers.drop(study)
                self._turns.remove(study)
                del self._unfinished[study]

    def _collect(self) -> None:
        """A portion that is out no more but not done comes first when it is its study's turn."""
        out = self._workers.out()
        for study, left_over in list(self._unfinished.items()):
            for first, portion in list(left_over.out.items()):
                if (study, first) not in out:
                    del left_over.out[first]
                    if self._studies.missing(study, portion):
                        left_over.left.appendleft(portion)
                        self._turns.push(line_of(left_over.quota), study)
            if not left_over.left and not left_over.out:
                del self._unfinished[study]

    def _hand_out(self) -> None:
        while self._workers.free_slots() > 0 and (study := self._turns.pop(lambda _: True)) is not None:
            left_over = self._unfinished[study]
            try:
                self._hand_one(study, left_over)
            finally:
                # Also when nobody could be given it: the study keeps its turn.
                if left_over.left:
                    self._turns.push(line_of(left_over.quota), study)

    def _hand_one(self, study: str, left_over: _Unfinished) -> None:
        """The first portion of a study of which something is missing."""
        while left_over.left:
            portion = left_over.left[0]
            places = self._studies.missing(study, portion)
            if places:
                runs = tuple((place, left_over.plan.query_of(place)) for place in places)
                self._workers.hand(Portion(study, portion[0], runs))
                left_over.out[portion[0]] = portion
            left_over.left.popleft()
            if places:
                return
