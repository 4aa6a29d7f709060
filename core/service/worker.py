"""The program of every worker process; see core.service.workers.process for how it is started."""

import sys

from .backend import open_store
from .files.library import StoreWithLibrary
from .queries.kernel_worker import KernelWorker
from .queries.worker import QueryWorker
from .studies.worker import PortionWorker
from .workers.child import begin_child
from .workers.run_worker import RunWorker
from .workers.worker import Worker

KINDS: dict[str, type[Worker]] = {
    "run": RunWorker,
    "query": QueryWorker,
    "portion": PortionWorker,
    "kernels": KernelWorker,
}


def main() -> None:
    """Work at jobs of the kind that the arguments name, with their priority."""
    niceness, _, kind = sys.argv[-3:]
    settings, events = begin_child(f"{kind} worker")
    store = open_store(settings)
    if kind != "run":
        # A run that ships is copied into the store before it goes on.
        store = StoreWithLibrary(store, settings.library)
    KINDS[kind](settings, store, sys.stdin, events).serve(int(niceness))
