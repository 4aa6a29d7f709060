"""How long a run or a study still takes: a range that narrows, and that does not wander while one looks.

What is left is shown as two ends, a factor apart that shrinks as the work goes on. The pace is what was seen
during the last half of the time that somebody looked: a run that has become ten times as fast is not judged
by its beginning. A pace still changes from one second to the next, and what is shown follows slowly. It
changes by a bounded factor in `STEP_SECONDS`, however many people look in between, and by no more from one
look to the next, so that two displays are never a factor of two apart.
"""

import threading
import time
from collections import deque
from dataclasses import dataclass, field

JUMP = 1.4
"""From one look to the next, and within `STEP_SECONDS`, what is told changes by no more than this factor, but
for the time between."""
NARROWING = 1.2
"""By no more than this factor the ends come closer meanwhile: the product of both factors is below two."""
STEP_SECONDS = 3.0
DOUBT = 0.6
"""At the beginning the ends are this part above and below what is thought."""
WINDOW_SECONDS = 10.0
"""At least so much of the past counts."""
RATE_SECONDS = 3.0
"""The first rate that is told of a run counts as much as if it had been watched for so long."""
_SAMPLES = 32

Ends = tuple[float, float]
"""The least and the most of a duration, in seconds."""


def before_it_begins(seconds: float) -> Ends:
    """The ends of an estimate of which nothing was seen yet."""
    return seconds / (1.0 + DOUBT), seconds * (1.0 + DOUBT)


@dataclass
class RemainingTime:
    """What was seen of one run or study, and what was last told.

    Costs are epochs of a run, or seconds of computing of a study by its estimate. How many seconds by the
    clock a unit of them takes is learned.

    Parameters
    ----------
    total
        The whole cost.
    begin, begin_cost
        When it was first looked at, and how much was done by then.
    factor
        Seconds by the clock per unit of cost, before anything was seen.
    prior
        The factor counts as much as if so much cost had been watched.
    """

    total: float
    begin: float
    begin_cost: float
    factor: float
    prior: float
    seen: deque[Ends] = field(default_factory=deque)
    """Moments, and what was done by then."""
    shown: tuple[float, float, float] | None = None
    """When, what was thought, and by which factor the ends were away from it."""

    def between(self, done: float, now: float, delay: float = 0.0) -> Ends:
        """The least and the most seconds that are left when `done` of the cost is done, and when it goes on
        only after a delay: what passes until then says nothing of the pace."""
        if delay:
            self.begin, self.begin_cost = now, done
            self.seen.clear()
        left = self._pace(done, now) * max(0.0, self.total - done) + delay
        doubt = 1.0 + DOUBT * (1.0 - min(1.0, done / self.total))
        if self.shown is not None:
            then, before, wide = self.shown
            passed = now - then
            step = 1.0 + (JUMP - 1.0) * min(1.0, passed / STEP_SECONDS)
            left = min(before * step, max(left, min(before / step, before - passed)))
            doubt = max(doubt, wide / (1.0 + (NARROWING - 1.0) * min(1.0, passed / STEP_SECONDS)))
        self.shown = now, left, doubt
        return left / doubt, left * doubt

    def _pace(self, done: float, now: float) -> float:
        """Seconds per unit of cost, lately."""
        seen = self.seen or deque([(self.begin, self.begin_cost)])
        window = max(WINDOW_SECONDS, 0.5 * (now - self.begin))
        while len(seen) > 1 and seen[1][0] <= now - window:
            seen.popleft()
        then, before = seen[0]
        if now - seen[-1][0] >= window / _SAMPLES:
            seen.append((now, done))
        self.seen = seen
        return (self.prior * self.factor + (now - then)) / (self.prior + max(0.0, done - before))


class RemainingTimes:
    """Of several runs or studies, by name; those that were looked at last are kept. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: dict[str, RemainingTime] = {}
        self._guard = threading.Lock()

    def between(
        self,
        name: str,
        total: float,
        done: float,
        now: float,
        *,
        factor: float,
        prior: float,
        delay: float = 0.0,
    ) -> Ends:
        """The ends for one of them; see `RemainingTime`. Another total is another piece of work."""
        with self._guard:
            known = self._times.pop(name, None)
            if known is None or known.total != total:
                known = RemainingTime(total, now, done, factor, prior)
            self._times[name] = known
            while len(self._times) > self._most:
                self._times.pop(next(iter(self._times)))
            return known.between(done, now, delay)

    def of_run(self, name: str, epochs: float, epoch: float, rate: float) -> Ends | None:
        """The ends for a run that computes `rate` epochs per second, lately; None for 0, when it computes
        none, or not yet at full speed."""
        if rate <= 0.0:
            self.forget(name)
            return None
        done, now = min(epoch, epochs), time.monotonic()
        return self.between(name, epochs, done, now, factor=1.0 / rate, prior=RATE_SECONDS * rate)

    def forget(self, name: str) -> None:
        """It is not under way any more."""
        with self._guard:
            self._times.pop(name, None)
