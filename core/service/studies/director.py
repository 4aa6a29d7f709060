"""Hands out the portions of all studies, so that users take turns and nothing is lost.

What is to be done follows from the store alone (which places have no record), so that a restarted server
goes on where the last one ended.
"""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from ..accounts import line_of
from ..queue import FairQueue
from ..workers.troubles import Troubles
from .crew import Crew, Portion
from .plan import Plan
from .store import StudyStore

_TICK_SECONDS = 0.2
_LOOK_TICKS = 10
"""Other web processes may have changed the orders: they are read again every so many ticks."""


@dataclass
class _Agenda:
    """What is left to do of one study."""

    plan: Plan
    quota: str
    left: deque[range]
    out: dict[int, range] = field(default_factory=dict)


class Director:
    """One thread. In several web processes one of them leads at a time."""

    def __init__(self, studies: StudyStore, plan: Callable[[str], Plan | None]) -> None:
        self._studies, self._plan = studies, plan
        self._crew: Crew | None = None
        self._agendas: dict[str, _Agenda] = {}
        self._finished: set[str] = set()
        """Studies that need not be looked at again."""
        self._turns = FairQueue()
        self._end = False
        self._changed = self._woken = True
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self.troubles = Troubles("scheduler of studies")

    def start(self, crew: Crew) -> None:
        """Begin, with what an earlier life has left over."""
        self._crew = crew
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="director", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the crew."""
        with self._wake:
            self._end = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()

    def wake(self, changed: bool = False) -> None:
        """Look at once; `changed` where an order has changed."""
        with self._wake:
            self._changed, self._woken = self._changed or changed, True
            if changed:
                self._finished.clear()
            self._wake.notify_all()

    def _run(self) -> None:
        crew, ticks = self._crew, 0
        assert crew is not None
        while not self._end:
            self.troubles.comes_round()
            look = ticks % _LOOK_TICKS == 0
            # A Redis that is away, a disk that is full, no process to be had: studies wait for it.
            self.troubles.attempt("hand out work", partial(self._go_round, crew, look))
            ticks += 1
            with self._wake:
                # A portion that ends while others are handed out must not leave its worker idle for a tick.
                if not (self._end or self._woken):
                    self._wake.wait(_TICK_SECONDS)
                self._woken = False
        self.troubles.ends()
        self.troubles.attempt("end its processes", crew.close)

    def _go_round(self, crew: Crew, look: bool) -> None:
        if not crew.leads():
            self._agendas.clear()
            self._turns = FairQueue()
            return
        with self._wake:
            look, self._changed = self._changed or look, False
        if look:
            self._look(crew)
        self._collect(crew)
        self._hand_out(crew)

    def _look(self, crew: Crew) -> None:
        """Take up new and resumed studies, and drop those that shall stop."""
        known = set(self._studies.studies())
        self._finished &= known
        for study in known - self._agendas.keys() - self._finished:
            order = self._studies.order(study)
            if order is None or order.wanted == "stop":
                continue
            plan = self._plan(study) if self._studies.count(study) < order.runs else None
            if plan is None:
                self._finished.add(study)
                continue
            agenda = _Agenda(plan, order.quota, deque(plan.portions))
            under_way = {first for name, first in crew.out() if name == study}
            agenda.out = {portion[0]: portion for portion in plan.portions if portion[0] in under_way}
            agenda.left = deque(portion for portion in plan.portions if portion[0] not in under_way)
            self._agendas[study] = agenda
            self._turns.push(line_of(order.quota), study)
        for study in list(self._agendas):
            order = self._studies.order(study) if study in known else None
            if order is None or order.wanted == "stop":
                crew.drop(study)
                self._turns.remove(study)
                del self._agendas[study]

    def _collect(self, crew: Crew) -> None:
        """A portion that is out no more but not done comes first when it is its study's turn."""
        out = crew.out()
        for study, agenda in list(self._agendas.items()):
            for first, portion in list(agenda.out.items()):
                if (study, first) not in out:
                    del agenda.out[first]
                    if self._studies.missing(study, portion):
                        agenda.left.appendleft(portion)
                        self._turns.push(line_of(agenda.quota), study)
            if not agenda.left and not agenda.out:
                del self._agendas[study]

    def _hand_out(self, crew: Crew) -> None:
        while crew.free_slots() > 0 and (study := self._turns.pop(lambda _: True)) is not None:
            agenda = self._agendas[study]
            try:
                self._hand_one(crew, study, agenda)
            finally:
                # Also when nobody could be given it: the study keeps its turn.
                if agenda.left:
                    self._turns.push(line_of(agenda.quota), study)

    def _hand_one(self, crew: Crew, study: str, agenda: _Agenda) -> None:
        """The first portion of a study of which something is missing."""
        while agenda.left:
            portion = agenda.left[0]
            places = self._studies.missing(study, portion)
            if places:
                runs = tuple((place, agenda.plan.query_of(place)) for place in places)
                crew.hand(Portion(study, portion[0], runs))
                agenda.out[portion[0]] = portion
            agenda.left.popleft()
            if places:
                return
