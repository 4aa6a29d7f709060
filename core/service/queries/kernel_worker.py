"""A worker that compiles kernels: it computes a short run of a method, or all that is told of one."""

import logging
from typing import Any

from ...tables import (
    candidate_columns,
    forecast_columns,
    plateaus,
    rate_columns,
    record_columns,
    stages,
)
from ..workers.kernels import BEST, load_best, load_method, note_compiled, tables_of
from ..workers.worker import Worker


class KernelWorker(Worker):
    """See Worker."""

    def work(self, new: list[dict[str, Any]]) -> None:
        """One set after the other."""
        for job in new:
            self.say("turn", job["job"])
            self.say("ended", job["job"], failure=self._compile(job["job"]))

    def _compile(self, name: str) -> str:
        """Why it failed; empty if it did not."""
        try:
            compile_set(name)
        except Exception as error:
            logging.exception("the kernels of %s could not be compiled", name)
            return f"{type(error).__name__}: {error}"
        return ""


def compile_set(name: str) -> None:
    """Have all kernels of a set on the disk."""
    if name == BEST:
        load_best()
    else:
        method = name.partition(".")[0]
        config, frames = load_method(method)
        if name == tables_of(method):
            stages(config, frames)
            plateaus(config, frames)
            forecast_columns(config, frames[-1])
            rate_columns(config, [frame for frame in frames if frame.stage == frames[-1].stage])
            record_columns(config, frames)
            candidate_columns(config, frames[-1])
    note_compiled(name)
