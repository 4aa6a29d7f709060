"""A worker process as the scheduler sees it: commands down one pipe, events up another."""

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Self

from ..settings import PREFIX, SECRETS, Settings
from .child import BEAT
from .pulse import BUSY_SECONDS, Pulse
from .troubles import Troubles
from .watchdog import ALARM

log = logging.getLogger(__name__)

ROOT = Path(__file__).parents[3]
PROGRAM = f"{__package__.rpartition('.')[0]}.worker"
"""The program of every worker, under whichever name this package is installed."""
INTERPRETED = "NUMBA_DISABLE_JIT"
"""The variable that lets Python run kernels."""
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

_BOOT = """
import os, sys
if sys.platform == "linux":
    import ctypes, signal
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != int(sys.argv[1]):
        os._exit(0)
import importlib
importlib.import_module(sys.argv[3]).main()
"""
"""Linux ends the process with its parent (PR_SET_PDEATHSIG is 1), from before its first import: a web
process that is killed while its workers load leaves none behind. Elsewhere they end with their input."""


UNHEARD_SECONDS = 60.0
"""A process whose events cannot be taken in for so long is ended: its runs go on from their checkpoints."""
MAX_UNSENT = 1_000
"""One that leaves so many commands unread does not read them any more."""


def worker_environment(settings: Settings, *, is_interpreted: bool = False) -> dict[str, str]:
    """What this process was given, without the secrets. A web process is always interpreted, its workers are
    compiled but for those that begin before the compiler is done."""
    left_out = {INTERPRETED, *(PREFIX + name.upper() for name in SECRETS)}
    given = {name: value for name, value in os.environ.items() if name not in left_out}
    given |= {INTERPRETED: "1"} if is_interpreted else {}
    return {**given, **settings.to_environment(), **_ONE_THREAD}


class WorkerProcess:
    """One process, a thread that reads what it says until it ends, and one that writes its commands: these
    may be longer than a pipe holds, and whoever gives them holds locks that others need."""

    def __init__(
        self,
        settings: Settings,
        troubles: Troubles,
        on_message: Callable[[Self, dict[str, Any]], None],
        on_exit: Callable[[Self], None],
        module: str = PROGRAM,
        kind: str = "run",
        niceness: int = 0,
        busy_seconds: float = BUSY_SECONDS,
        is_interpreted: bool = False,
    ) -> None:
        self.kind, self.is_interpreted = kind, is_interpreted
        """Of its jobs; whether they are those whose kernels are not compiled yet."""
        self.jobs: dict[str, Any] = {}
        """The jobs that it has, and what whoever gave them notes of each."""
        self.turn = ""
        """The one that it computes now, as far as is known."""
        self.ready = False
        self.heard = time.monotonic()
        """When it last said anything of its jobs."""
        self.needed = self.heard
        """When it last had any."""
        self.stopping: dict[str, float] = {}
        """Jobs that shall stop, and when it is killed if it has not given them up."""
        self.hung = False
        """Whether it was ended because nothing was heard of it."""
        self.stuck = ""
        """Why it was ended, where it no longer answered."""
        self._troubles, self._passing_on = troubles, False
        self._unsent: SimpleQueue[str] = SimpleQueue()
        """Commands that nobody has written yet; an empty one is the last."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, str(os.getpid()), str(niceness), module, kind],
            cwd=ROOT,
            env=worker_environment(settings, is_interpreted=is_interpreted),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # Its own group: Ctrl-C in the terminal is for the web process, which tells the workers. Not its
            # own session: Linux looks at `nice` only within one.
            process_group=0,
        )
        self._pulse = Pulse(self._process.pid, busy_seconds)
        self._reader = threading.Thread(target=self._read, args=(on_message, on_exit), daemon=True)
        self._start_threads()

    def _start_threads(self) -> None:
        try:
            threading.Thread(target=self._write, daemon=True).start()
            self._reader.start()
        except RuntimeError:  # no thread to be had: nobody would hear it
            self.kill()
            self._process.wait()
            self._close_pipes()
            raise

    @property
    def pid(self) -> int:
        """Process number."""
        return self._process.pid

    @property
    def ending(self) -> str:
        """How it ended, for people."""
        code = self._process.poll()
        if code is None:
            return "still running"
        if self.stuck:
            return self.stuck
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    @property
    def timed_out(self) -> bool:
        """Whether the alarm of a step ended it."""
        return self._process.poll() == -ALARM

    @property
    def overdue(self) -> bool:
        """Whether it was ended because something took too long."""
        return self.timed_out or self.hung

    @property
    def left(self) -> bool:
        """Whether it ended of its own accord, so that a fresh one takes its place."""
        return self._process.poll() == 0

    @property
    def answers(self) -> bool:
        """Whether it has lately said that it lives, or still loads."""
        return self._passing_on or not self._pulse.is_late

    def end_if_stuck(self) -> None:
        """Kill it where it no longer answers: stopped, or in code that does not come back. To be called every
        second or so."""
        if self.stuck or self._passing_on or not (trouble := self._pulse.trouble()):
            return
        self.stuck = trouble
        log.warning("process %d is ended: %s", self.pid, trouble)
        self.kill()

    def send(self, command: dict[str, Any]) -> None:
        """A command; one that is dead already will be noticed by its reader. Waits for nobody: one that does
        not read its commands any more is ended."""
        if self._unsent.qsize() > MAX_UNSENT:
            self.kill(hung=True)
        else:
            self._unsent.put(json.dumps(command) + "\n")

    def _write(self) -> None:
        """The writer's thread."""
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(OSError, ValueError):
            while line := self._unsent.get():
                stdin.write(line)
                stdin.flush()
        with suppress(OSError, ValueError):
            stdin.close()

    def kill(self, *, hung: bool = False) -> None:
        """At once."""
        self.hung = self.hung or hung
        self._process.kill()

    def end(self) -> None:
        """Close its input, which ends it; insist after a second."""
        self._unsent.put("")
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(1)

    def _read(
        self, on_message: Callable[[Self, dict[str, Any]], None], on_exit: Callable[[Self], None]
    ) -> None:
        """The reader's thread: whatever the callbacks raise, events are passed on and the end is told."""
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):
            for line in self._process.stdout:
                self._pass_on(line, on_message)
        self.kill()
        self._process.wait()
        self._troubles.insist(f"take leave of process {self.pid}", lambda: on_exit(self), lambda: False)
        self._close_pipes()

    def _pass_on(self, line: str, on_message: Callable[[Self, dict[str, Any]], None]) -> None:
        """One that was killed in mid-word leaves half a line."""
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            return
        self._pulse.beat()
        if event == BEAT:
            return
        self._passing_on = True
        limit = time.monotonic() + UNHEARD_SECONDS
        heard = self._troubles.insist(
            f"take in what process {self.pid} says",
            lambda: on_message(self, event),
            lambda: time.monotonic() > limit or self._process.poll() is not None,
        )
        self._pulse.beat()
        self._passing_on = False
        if not heard:
            self.kill()

    def _close_pipes(self) -> None:
        self._unsent.put("")
        for pipe in (self._process.stdout, self._process.stdin):
            assert pipe is not None
            with suppress(OSError, ValueError):  # the writer's thread may be closing it too
                pipe.close()
