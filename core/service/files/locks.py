"""A lock on a file that ends with the process that holds it."""

import fcntl
import os
from contextlib import suppress
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
