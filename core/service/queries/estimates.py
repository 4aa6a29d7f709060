"""What runs will cost, as far as it was measured: by a query worker, while the answers wait a moment."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from ...config.run_config import RunConfig
from ..queue import QueueFullError
from ..store import StoreError
from ..workers.estimates import Key, Measured, extrapolate_cost, key_of, rough_cost
from ..workers.kernels import is_compiled
from .query import BackgroundQuery
from .service import NotYetError, QueryService

LONGEST_EPOCH = 0.05
"""Where an epoch takes longer, the measurement would."""
WAIT_SECONDS = 0.3
"""So long an answer waits for measurements; what comes later is there for the next one."""
KEPT = 500


class Estimates:
    """Thread-safe."""

    def __init__(self, queries: QueryService, ready: Callable[[], bool]) -> None:
        self._queries, self._ready = queries, ready
        """Whether there are workers."""
        self._known: OrderedDict[Key, Measured] = OrderedDict()

    def seconds(self, configs: Sequence[RunConfig], client: str = "", *, wait: bool = True) -> list[float]:
        """About how long each would take; without `wait` only what is known counts."""
        unknown = {key_of(one): one for one in configs if self._of(one) is None} if wait else {}
        end = time.monotonic() + WAIT_SECONDS
        for patience in (0.0, WAIT_SECONDS):
            # All are asked for before the first is waited for.
            for config in unknown.values():
                self._ask(config, client, min(patience, end - time.monotonic()))
        known = [(config, self._of(config)) for config in configs]
        return [
            extrapolate_cost(c, found) if found else rough_cost(c.method, c.width, c.points, c.epochs)
            for c, found in known
        ]

    def _of(self, config: RunConfig) -> Measured | None:
        found = self._known.get(key_of(config))
        return found if found is not None and found.covers(config) else None

    def _ask(self, config: RunConfig, client: str, patience: float) -> None:
        is_slow = config.method.seconds_per_epoch(config.width, config.points) > LONGEST_EPOCH
        # Before the kernels are compiled a measurement would tell of the interpreter.
        is_cold = not (self._ready() and is_compiled(config.method.name))
        if is_slow or is_cold or self._of(config) is not None:
            return
        query = BackgroundQuery("cost", config.run_id, more=config.to_query())
        try:
            found = self._queries.table(query, client, max(0.0, patience))
        except (NotYetError, QueueFullError, StoreError):
            # The run itself will say what is wrong with it.
            return
        self._known[key_of(config)] = Measured(**found)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
