"""A worker process as the supervisor sees it: commands down one pipe, events up another."""

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from core.service.settings import Settings
from core.service.workers.compute import Progress
from core.service.workers.watchdog import ALARM

ROOT = Path(__file__).parents[3]
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

_BOOT = """
import os, sys
if sys.platform == "linux":
    import ctypes, signal
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != int(sys.argv[1]):
        os._exit(0)
import importlib
importlib.import_module(sys.argv[2]).main()
"""
"""Linux ends the process with its parent (PR_SET_PDEATHSIG is 1), from before its first import: a web
process that is killed while its workers load leaves none behind. Elsewhere they end with their input."""


def _has_room(pipe: int) -> bool:
    """Whether a short line can be written without waiting."""
    if sys.platform == "win32":
        return True
    poll = select.poll()
    poll.register(pipe, select.POLLOUT)
    return bool(poll.poll(0))


class WorkerProcess:
    """One process, and a thread that reads what it says until it ends."""

    def __init__(
        self,
        settings: Settings,
        hear: Callable[[Self, dict[str, Any]], None],
        bury: Callable[[Self], None],
        module: str = "core.service.workers.worker",
    ) -> None:
        self.runs: dict[str, Progress] = {}
        """The runs that it has, and how far each is."""
        self.turn = ""
        """The one that it computes now, as far as is known."""
        self.ready = False
        self.heard = time.monotonic()
        """When it last said anything."""
        self.stopping: dict[str, float] = {}
        """Runs that shall stop, and when it is killed if it has not given them up."""
        self.hung = False
        """Whether it was ended because nothing was heard of it."""
        low_priority = 0
        if sys.platform == "win32":
            low_priority = subprocess.BELOW_NORMAL_PRIORITY_CLASS
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, str(os.getpid()), module],
            cwd=ROOT,
            env={**os.environ, **settings.to_environment(), **_ONE_THREAD},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # Its own session: Ctrl-C in the terminal is for the web process, which tells the workers.
            start_new_session=sys.platform != "win32",
            creationflags=low_priority,
        )
        self._reader = threading.Thread(target=self._read, args=(hear, bury), daemon=True)
        self._reader.start()

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
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    @property
    def timed_out(self) -> bool:
        """Whether the alarm of a step ended it."""
        return bool(ALARM) and self._process.poll() == -ALARM

    @property
    def overdue(self) -> bool:
        """Whether it was ended because something took too long."""
        return self.timed_out or self.hung

    @property
    def left(self) -> bool:
        """Whether it ended of its own accord, to make room for a fresh one."""
        return self._process.poll() == 0

    def send(self, command: dict[str, Any]) -> None:
        """A command; one that is dead already will be noticed by its reader.

        One that has let its commands pile up until the pipe is full does not read them any more: it is
        ended, rather than waited for by all who need the caller's locks.
        """
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            if not _has_room(self._process.stdin.fileno()):
                self.kill(hung=True)
                return
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()

    def kill(self, *, hung: bool = False) -> None:
        """At once."""
        self.hung = self.hung or hung
        self._process.kill()

    def end(self) -> None:
        """Close its input, which ends it; insist after a second."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(1)

    def _read(self, hear: Callable[[Self, dict[str, Any]], None], bury: Callable[[Self], None]) -> None:
        assert self._process.stdout is not None and self._process.stdin is not None
        for line in self._process.stdout:
            # One that was killed in mid-word leaves half a line.
            with suppress(json.JSONDecodeError):
                hear(self, json.loads(line))
        self._process.wait()
        bury(self)
        self._process.stdout.close()
        with suppress(OSError):
            self._process.stdin.close()
