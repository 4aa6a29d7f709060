"""A lock on a file that ends with the process that holds it."""

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class FileLock:
    """Exclusive; tried once, never waited for. Also excludes other locks of the same process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def acquire(self) -> bool:
        """Take the lock; False when somebody else has it."""
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                return False
            if self._is_file(handle):
                self._handle = handle
                return True
            # Whoever had it has removed the file since it was opened here: others lock a new one.
            os.close(handle)

    def _is_file(self, handle: int) -> bool:
        """Whether what was locked still is the file of that name."""
        try:
            return os.path.samestat(os.fstat(handle), self.path.stat())
        except FileNotFoundError:
            return False

    def remove(self) -> None:
        """Give the lock up, and its file."""
        if self.held:
            with suppress(OSError):
                self.path.unlink()
            self.release()

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._handle is not None

    def release(self) -> None:
        """Give the lock up."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


PATIENCE_SECONDS = 5.0
"""A process that holds a record's lock for longer does not run; who waits must not hang with it."""
_RETRY_SECONDS = 0.002


class RecordLocks:
    """Who may change a record: one at a time, of all threads and processes; waited for.

    Runs share 256 files by the beginning of their name, which are never removed: nobody can lock a file that
    another has just replaced.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._threads: dict[str, threading.Lock] = {}

    @contextmanager
    def hold(self, run_id: str) -> Iterator[None]:
        """TimeoutError when somebody holds it for too long; OSError when the disk is full or gone."""
        part = run_id[:2]
        end = time.monotonic() + PATIENCE_SECONDS
        waited = self._threads.setdefault(part, threading.Lock())
        if not waited.acquire(timeout=PATIENCE_SECONDS):
            raise TimeoutError
        try:
            lock = FileLock(self._folder / f"record-{part}")
            while not lock.acquire():
                if time.monotonic() > end:
                    raise TimeoutError
                time.sleep(_RETRY_SECONDS)
            try:
                yield
            finally:
                lock.release()
        finally:
            waited.release()
