"""Fairness, in one place: whose turn it is, how much each may have, and whom a run is charged to.

Lines take turns, however much each has queued (`FairQueue`, `RunQueue`); several runs on one worker take
turns in the same way (`TurnOrder`). A `Quota` bounds what a person, an address and all together may have of
runs, answers, files that are read, and studies. Who is in which line is said in core.service.accounts.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from ..limits import Limits
from .accounts import address_of, are_one, line_of, person_of


class QueueFullError(Exception):
    """No free place; try again after so many seconds. Where one waits for a turn, `ahead` others go first."""

    def __init__(self, message: str, retry_after: int, ahead: int | None = None) -> None:
        super().__init__(message)
        self.retry_after, self.ahead = retry_after, ahead


@dataclass(frozen=True)
class Quota:
    """How many of one kind may be under way at a time.

    Examples
    --------
    >>> files = Quota("files being read", person=2, address=3, total=4, retry_after=1)
    >>> files.check("ann@home", ["ann@home", "bob@home"])
    >>> files.check("ann@home", ["ann@home", "ann@home"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    core.service.queue.QueueFullError: You have 2 files being read, and that is as many as one browser ...
    """

    what: str
    person: int
    address: int
    total: int
    retry_after: int
    is_shared_by_newcomers: bool = False
    """Whether all newcomers of an address are one person: a new cookie brings nothing."""

    def check(self, quota: str, others: Collection[str], total: int | None = None) -> None:
        """QueueFullError when there are as many as there may be.

        Parameters
        ----------
        quota
            Who asks for one more.
        others
            Whom those that there are are charged to.
        total
            How many of them count for all together, if not all do.
        """
        if (len(others) if total is None else total) >= self.total:
            raise QueueFullError(f"The server has {self.total} {self.what}; please wait.", self.retry_after)
        is_same = are_one if self.is_shared_by_newcomers else _is_same_person
        if sum(is_same(quota, other) for other in others) >= self.person:
            raise QueueFullError(
                f"You have {self.person} {self.what}, and that is as many as one browser may have.",
                self.retry_after,
            )
        address = address_of(quota)
        if address and sum(address == address_of(other) for other in others) >= self.address:
            raise QueueFullError(
                f"{self.address} {self.what} are from your address, and that is as many as one address may "
                "have.",
                self.retry_after,
            )


def _is_same_person(quota: str, other: str) -> bool:
    return person_of(quota) == person_of(other)


class FairQueue:
    """Round-robin over clients, first come first served within one. Not thread-safe."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[str]] = OrderedDict()

    def push(self, client: str, run_id: str, *, front: bool = False) -> None:
        """Queue a run once; in front of its client's others when it had been begun before."""
        if run_id in self:
            return
        line = self._lines.setdefault(client, deque())
        if front:
            line.appendleft(run_id)
            # Begun before means it had its turn already: do not wait for another round.
            self._lines.move_to_end(client, last=False)
        else:
            line.append(run_id)

    def pop(
        self, may_run: Callable[[str], bool], suits: Callable[[str], bool] = lambda _: True
    ) -> str | None:
        """The next run that suits, of the first client that may run one; that client then goes to the end."""
        for client, line in self._lines.items():
            run_id = next(filter(suits, line), None) if may_run(client) else None
            if run_id is not None:
                line.remove(run_id)
                self._lines.move_to_end(client)
                if not line:
                    del self._lines[client]
                return run_id
        return None

    def remove(self, run_id: str) -> bool:
        """Take a run out; whether it was there."""
        for client, line in self._lines.items():
            if run_id in line:
                line.remove(run_id)
                if not line:
                    del self._lines[client]
                return True
        return False

    def position(self, run_id: str) -> int | None:
        """How many runs go first, as things stand; None when it is not queued."""
        for place, (_, line) in enumerate(self._lines.items()):
            if run_id in line:
                depth = line.index(run_id)
                before = sum(min(len(other), depth + 1) for other in list(self._lines.values())[:place])
                after = sum(min(len(other), depth) for other in list(self._lines.values())[place + 1 :])
                return depth + before + after
        return None

    def lines(self) -> list[str]:
        """Every client that has something queued."""
        return list(self._lines)

    def runs(self) -> list[str]:
        """Every queued run."""
        return [run_id for line in self._lines.values() for run_id in line]

    def to_list(self) -> list[tuple[str, list[str]]]:
        """Every client with its runs, in the order of their turns."""
        return [(client, list(line)) for client, line in self._lines.items()]

    @classmethod
    def from_list(cls, lines: Iterable[tuple[str, Iterable[str]]]) -> "FairQueue":
        """The queue of `to_list`."""
        queue = cls()
        queue._lines = OrderedDict((client, deque(line)) for client, line in lines)
        return queue

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def __contains__(self, run_id: object) -> bool:
        return any(run_id in line for line in self._lines.values())


class RunQueue:
    """Which run is next, and whom each run is charged to. Lines take turns; those of people who are here go
    first. Not thread-safe.

    The rule is the same on one machine and on many. The embedded scheduler keeps one of these in memory,
    under its lock. In a cluster it is a document in Redis: whoever changes it reads it, applies a method of
    this class and writes the outcome if nobody has written in between (core.service.cluster.shared_queue).

    Parameters
    ----------
    limits
        How many runs a person, an address and all together may have.
    here
        Those of some people, by the names of their lines, who are at a browser now.
    running
        The runs that workers have.

    Examples
    --------
    >>> queue = RunQueue(Limits(), here=set, running=list)
    >>> for run, quota in (("a1", "ann@home"), ("a2", "ann@home"), ("b1", "bob@home")):
    ...     queue.push(run, quota)
    >>> queue.pop(8), queue.pop(8), queue.pop(8), queue.pop(8)
    ('a1', 'b1', 'a2', None)
    """

    def __init__(
        self,
        limits: Limits,
        here: Callable[[Collection[str]], set[str]],
        running: Callable[[], Collection[str]],
    ) -> None:
        self._limits, self._here, self._running = limits, here, running
        self._lines = FairQueue()
        self._quotas: dict[str, str] = {}

    def __contains__(self, run_id: object) -> bool:
        return run_id in self._lines

    def __len__(self) -> int:
        return len(self._lines)

    def has(self, run_id: str) -> bool:
        """Whether a run waits or a worker has it."""
        return run_id in self or run_id in self._running()

    def enqueue(self, run_id: str, quota: str) -> bool:
        """A new run; whether it was not there. QueueFullError when there is no place for it."""
        if self.has(run_id):
            return False
        self._check_quota(quota)
        self.push(run_id, quota)
        return True

    def charge(self, run_id: str, quota: str) -> None:
        """Somebody else answers for a run; its place does not change. QueueFullError as above."""
        self._check_quota(quota)
        if self.has(run_id):
            self._quotas[run_id] = quota

    def put_back(self, run_id: str, quota: str) -> None:
        """A run that was accepted before waits again, before the others of its line."""
        if not self.has(run_id):
            self.push(run_id, quota, front=True)

    def _check_quota(self, quota: str) -> None:
        """QueueFullError when all together, a person or an address have as many as they may."""
        limits, waiting = self._limits, self._lines.runs()
        others = [self._quotas.get(run, "") for run in (*self._running(), *waiting)]
        most = Quota(
            "runs under way or waiting", limits.per_client, limits.per_address, limits.queued, retry_after=20
        )
        most.check(quota, others, total=len(waiting))

    def push(self, run_id: str, quota: str = "", *, front: bool = False) -> None:
        """Queue a run; without a quota on the account of whoever had it before."""
        quota = self._quotas[run_id] = quota or self._quotas.get(run_id, "")
        self._lines.push(line_of(quota), run_id, front=front)

    def pop(self, limit: int, suits: Callable[[str], bool] = lambda _: True) -> str | None:
        """The next run that suits, of a line that has fewer than so many under way."""
        busy = Counter(line_of(self._quotas.get(run, "")) for run in self._running())
        free = {line for line in self._lines.lines() if busy[line] < limit}
        here = self._here(free) if free else free
        return self._lines.pop(here.__contains__, suits) or self._lines.pop(free.__contains__, suits)

    def remove(self, run_id: str) -> None:
        """A run waits no more; nobody answers for it, unless a worker has it."""
        self._lines.remove(run_id)
        if not self.has(run_id):
            self._quotas.pop(run_id, None)

    def runs(self) -> list[str]:
        """Every run that waits for a worker."""
        return self._lines.runs()

    def position(self, run_id: str) -> int | None:
        """Runs that go first; None when it does not wait for a worker."""
        return self._lines.position(run_id)

    def to_document(self) -> dict[str, Any]:
        """All that is in it, as JSON has it."""
        return {"lines": self._lines.to_list(), "quotas": self._quotas}

    def read(self, document: dict[str, Any]) -> None:
        """Take up what `to_document` gave."""
        self._lines = FairQueue.from_list(document["lines"])
        self._quotas = document["quotas"]


class TurnOrder:
    """Whose turn it is among runs on one worker: lines take turns, and the runs within each."""

    def __init__(self, line: Callable[[str], str]) -> None:
        self._line_of = line
        self._lines: dict[str, str] = {}
        self._served: dict[str, int] = {}
        self._turn = 0

    def next(self, runs: Iterable[str]) -> str:
        """One of the runs, which stand in the order in which they have waited."""
        waiting = list(runs)
        self._lines = {run: self._lines.get(run) or self._line_of(run) for run in waiting}
        self._served = {line: self._served.get(line, 0) for line in self._lines.values()}
        self._turn += 1
        run = min(waiting, key=lambda name: self._served[self._lines[name]])
        self._served[self._lines[run]] = self._turn
        return run
