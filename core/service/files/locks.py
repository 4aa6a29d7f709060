"""A lock on a file that ends with the process that holds it, on every platform."""

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class FileLock:
    """Exclusive; tried once, never waited for. Also excludes other locks of the same process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def acquire(self) -> bool:
        """Take the lock; False when somebody else has it."""
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return False
        self._handle = handle
        return True

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._handle is not None

    def release(self) -> None:
        """Give the lock up."""
        if self._handle is not None:
            if sys.platform == "win32":
                os.lseek(self._handle, 0, os.SEEK_SET)
                msvcrt.locking(self._handle, msvcrt.LK_UNLCK, 1)
            os.close(self._handle)
            self._handle = None
