"""The runs of the embedded back end that wait, and whom each run is charged to. Not thread-safe."""

from collections.abc import Callable

from ...limits import Limits
from ..accounts import check_quota, line_of
from ..people import People
from ..queue import FairQueue


class Waiting:
    """Lines take turns; those of people who are here go first."""

    def __init__(self, limits: Limits, people: People, running: Callable[[], list[str]]) -> None:
        self._limits, self._people, self._running = limits, people, running
        self._queue = FairQueue()
        self._quotas: dict[str, str] = {}

    def __contains__(self, run_id: object) -> bool:
        return run_id in self._queue

    def __len__(self) -> int:
        return len(self._queue)

    def check_quota(self, quota: str) -> None:
        """QueueFullError when a person, an address or all together have as many as they may."""
        others = [self._quotas.get(run, "") for run in (*self._running(), *self._queue.runs())]
        check_quota(quota, others, len(self._queue), self._limits)

    def charge(self, run_id: str, quota: str) -> None:
        """Somebody answers for a run."""
        self._quotas[run_id] = quota

    def push(self, run_id: str, quota: str = "", *, front: bool = False) -> None:
        """Queue a run; without a quota on the account of whoever had it before."""
        quota = self._quotas[run_id] = quota or self._quotas.get(run_id, "")
        self._queue.push(line_of(quota), run_id, front=front)

    def pop(self, limit: int) -> str | None:
        """The next run of a line that has fewer than so many under way."""
        free = {line: self._running_of(line) < limit for line in self._queue.lines()}
        run_id = self._queue.pop(lambda line: free[line] and self._people.here(line))
        return run_id or self._queue.pop(free.__getitem__)

    def remove(self, run_id: str) -> bool:
        """Take a run out; whether it was there."""
        return self._queue.remove(run_id)

    def runs(self) -> list[str]:
        """Every run that waits for a worker."""
        return self._queue.runs()

    def position(self, run_id: str) -> int | None:
        """Runs that go first; None when it does not wait for a worker."""
        return self._queue.position(run_id)

    def _running_of(self, line: str) -> int:
        return sum(line_of(self._quotas.get(run, "")) == line for run in self._running())
