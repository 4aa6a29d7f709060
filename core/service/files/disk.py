"""A disk that is full or gone: what is said of it, and when there is room again.

A run whose frames cannot be written is not lost and has not failed: it rests, and goes on by itself.
"""

import errno
import os
import shutil
from pathlib import Path

from core.service.store import NoRoomError, StoreError

ROOM_BYTES = 20_000_000
"""With less than this a run that rests for want of room does not go on."""
RESTS = "The server's disk is full or gone; the run rests and goes on by itself when there is room again."
_PASSING = {errno.ENOSPC, errno.EDQUOT, errno.ENOENT, errno.EROFS, errno.EIO, errno.ENOTDIR}


def refusal_of(error: OSError, what: str) -> StoreError:
    """What to raise instead of an error of the operating system."""
    kind = NoRoomError if error.errno in _PASSING else StoreError
    return kind(f"{what}: {error.strerror}.")


def unusable(error: OSError) -> str:
    """What visitors are told when the server's own files fail."""
    return f"The server cannot use its disk at the moment ({error.strerror or error}); try again in a while."


def disk_has_room(home: Path) -> bool:
    """Whether runs can be written again."""
    try:
        return os.access(home / "runs", os.W_OK) and shutil.disk_usage(home).free > ROOM_BYTES
    except OSError:
        return False
