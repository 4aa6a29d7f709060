"""Whose turn it is: clients take turns, however many runs each has queued."""

from collections import OrderedDict, deque
from collections.abc import Callable


class QueueFullError(Exception):
    """No room; try again after so many seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


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

    def pop(self, may_run: Callable[[str], bool]) -> str | None:
        """The next run of the first client that may run one; that client then goes to the end."""
        for client, line in self._lines.items():
            if may_run(client):
                run_id = line.popleft()
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

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def __contains__(self, run_id: object) -> bool:
        return any(run_id in line for line in self._lines.values())
