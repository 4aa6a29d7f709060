"""How files are written so that a power cut loses nothing that was acknowledged.

A disk keeps what was written to a file only once the file was synced, and a name in a folder (of a new file,
of one that was renamed, of a new folder) only once that folder was synced. What was not may be there, or not,
or in part. So whoever acknowledges anything syncs the bytes first, then the names that lead to them; and a
document is replaced as a whole: written beside, synced, renamed, the folder synced.

`tests/service/power.py` is a model of such a disk; every operation that is acknowledged is cut there after
every step.
"""

import fcntl
import os
import uuid
from contextlib import suppress
from pathlib import Path

from .disk import refusal_of

_WHOLE = getattr(fcntl, "F_FULLFSYNC", None)
"""macOS: fsync leaves the bytes in the memory of the drive."""


def sync_file(handle: int) -> None:
    """Wait until the disk has the bytes of an open file."""
    if _WHOLE is not None:
        with suppress(OSError):  # a file system that does not know it
            fcntl.fcntl(handle, _WHOLE)
            return
    os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        sync_file(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, so that they stay."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def replace_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write, sync, rename, sync the folder: a reader sees the old file or the new one, also after a power
    cut; and the new one once this has returned, if it is durable."""
    new = path.with_name(f".new-{uuid.uuid4().hex}")
    try:
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            write_whole(handle, data)
            # Always: else the new name may be there, and nothing behind it.
            sync_file(handle)
        finally:
            os.close(handle)
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise refusal_of(error, f"{path.name} could not be written") from error
    if durable:
        sync_folder(path.parent)


def write_whole(handle: int, data: bytes) -> None:
    """All of data, however little the system takes at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
