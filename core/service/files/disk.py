"""A disk that is full or gone: what is said of it, and when there is space again.

A run whose frames cannot be written is not lost and has not failed: it is parked, and goes on by itself.
"""

import errno
import os
import shutil
import tempfile
from pathlib import Path

from ..store import StorageFullError, StoreError

MIN_FREE_BYTES = 20_000_000
"""With less than this a parked run does not go on."""
_PASSING = {errno.ENOSPC, errno.EDQUOT, errno.ENOENT, errno.EROFS, errno.EIO, errno.ENOTDIR}


def refusal_of(error: OSError, what: str) -> StoreError:
    """What to raise instead of an error of the operating system."""
    kind = StorageFullError if error.errno in _PASSING else StoreError
    return kind(f"{what}: {error.strerror}.")


def unusable(error: OSError) -> str:
    """What visitors are told when the server's own files fail."""
    return f"The server cannot use its disk at the moment ({error.strerror or error}); try again in a while."


def disk_has_space(home: Path) -> bool:
    """Whether runs can be written again."""
    return folder_has_space(home / "runs")


def folder_has_space(folder: Path) -> bool:
    """Whether something of the size of an answer can be written there."""
    try:
        return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > MIN_FREE_BYTES
    except OSError:
        return False


def folder_with_space(home: Path) -> Path:
    """Where files are put that nobody misses later: with the rest, and while that disk is full elsewhere."""
    elsewhere = (Path(tempfile.gettempdir()), Path("/dev/shm"))
    return next((folder for folder in (home, *elsewhere) if folder_has_space(folder)), home)
