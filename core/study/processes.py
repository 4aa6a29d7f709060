"""Runs in processes of their own, for scripts: one thread for each process, which asks and waits.

`concurrent.futures` is not used: one process that dies would end the whole pool, and its processes import the
caller's script again, so that a script without `if __name__ == "__main__"` would start itself without end.
Here a process that dies costs the run that it was at, and the next one takes its place.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import NamedTuple

from ..config import RunConfig
from .rows import Row

PROGRAM = "import sys, importlib; sys.path[:] = {path!r}; importlib.import_module({name!r}).main()"
DIED = "its process ended with exit status {status}"


class RunAnswer(NamedTuple):
    """What became of one run."""

    place: int
    row: Row | None
    error: str
    """Why there is no row; empty if there is one."""


class Process:
    """A process that computes one run after the other; it is started with the first."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._guard = Lock()

    def ask(self, place: int, config: RunConfig) -> RunAnswer:
        """Compute one run."""
        with self._guard:
            if self._child is None and not self._ended:
                self._child = _started()
            child = self._child
        if child is None or child.stdin is None or child.stdout is None:
            return RunAnswer(place, None, "it was ended")
        try:
            pickle.dump(config, child.stdin)
            child.stdin.flush()
            row, error = pickle.load(child.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.close()
            return RunAnswer(place, None, DIED.format(status=child.returncode))
        return RunAnswer(place, row, error)

    def end(self) -> None:
        """End the process, whatever it is at, and start no other."""
        with self._guard:
            self._ended = True
            if self._child is not None:
                self._child.kill()

    def close(self) -> None:
        """Wait for the end of the process, and close its pipes."""
        with self._guard:
            child, self._child = self._child, None
        if child is not None:
            child.communicate()


def _started() -> subprocess.Popen[bytes]:
    program = PROGRAM.format(path=sys.path, name=__name__.replace("processes", "worker"))
    # Ctrl-C is for whoever waits: a session of its own keeps the terminal's signal away from the worker.
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )


def answers(runs: Sequence[tuple[int, RunConfig]], workers: int) -> Iterator[RunAnswer]:
    """What became of each run, as they come; processes end with the iteration."""
    waiting: SimpleQueue[tuple[int, RunConfig]] = SimpleQueue()
    done: SimpleQueue[RunAnswer | BaseException] = SimpleQueue()
    for run in runs:
        waiting.put(run)

    def work(process: Process) -> None:
        try:
            while True:
                done.put(process.ask(*waiting.get_nowait()))
        except Empty:
            pass
        except BaseException as error:  # told to who waits
            done.put(error)

    processes = [Process() for _ in range(min(workers, len(runs)))]
    threads = [Thread(target=work, args=(process,), daemon=True) for process in processes]
    for thread in threads:
        thread.start()
    try:
        for _ in runs:
            answer = done.get()
            if isinstance(answer, BaseException):
                raise answer
            yield answer
    finally:
        while not waiting.empty():
            waiting.get()
        for process in processes:
            process.end()
        for thread in threads:
            thread.join()
        for process in processes:
            process.close()
