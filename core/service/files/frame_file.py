"""The frames file of one run: append-only, scanned once, read from anywhere.

A reader remembers where each whole record begins and on the next call looks only at
what has been appended since. It checks every record's sum again when it reads the
record: bytes that changed on the disk in between are left out, not passed on.
"""

import os
import threading
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from ..records import FRAME, HEADER, check_follows, frame_index, join_frames, scan
from ..store import too_many_bytes
from .disk import refusal_of
from .durable import sync_file, sync_folder

_CHUNK = 8 << 20


class FrameIndex:
    """Where the whole records of a frames file are, for a reader or the writer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header = b""
        self._starts = array("Q")
        self._end = 0
        self._file: tuple[int, int] | None = None
        self._last = 0
        self._lock = threading.Lock()

    @property
    def end(self) -> int:
        """Position behind the last whole record."""
        return self._end

    def refresh(self) -> int:
        """Look at what has been appended; the number of whole frames."""
        with self._lock:
            try:
                status = self.path.stat()
            except FileNotFoundError:
                self._reset(None)
                return 0
            if self._file != (status.st_dev, status.st_ino) or status.st_size < self._end:
                self._reset((status.st_dev, status.st_ino))
            if self._end < status.st_size and not self._is_known():
                self._reset((status.st_dev, status.st_ino))
            # Mostly nothing has happened since: viewers ask more often than frames come.
            while self._end < status.st_size and self._scan(self._bytes(self._end, _CHUNK)):
                pass
            return len(self._starts)

    def read(self, first: int, last: int) -> list[bytes]:
        """Payloads of the frames first <= index < last, as far as they are whole."""
        with self._lock:
            first, last = max(first, 0), min(last, len(self._starts))
            if first >= last:
                return []
            start = self._starts[first]
            stop = self._starts[last] if last < len(self._starts) else self._end
        found: list[bytes] = []
        for _, kind, payload in scan(self._bytes(start, stop - start)):
            if kind != FRAME or frame_index(payload) != first + len(found):
                break
            found.append(bytes(payload))
        return found

    def _bytes(self, start: int, length: int) -> bytes:
        try:
            with self.path.open("rb") as file:
                file.seek(start)
                return file.read(length)
        except FileNotFoundError:
            return b""

    def _is_known(self) -> bool:
        """Whether the last record is still there: a new file may get the number of one that was removed."""
        last = self._starts[-1] if self._starts else 0
        return crc32(self._bytes(last, self._end - last)) == self._last

    def _reset(self, file: tuple[int, int] | None) -> None:
        self.header, self._starts, self._end, self._file, self._last = b"", array("Q"), 0, file, 0

    def _scan(self, data: bytes) -> bool:
        """Take in the whole records at the front of data; whether there were any."""
        base, before = self._end, self._end
        for end, kind, payload in scan(data):
            if base == before == 0:
                # The first record says whose frames these are; without it they are nobody's.
                if kind != HEADER:
                    break
                self.header = bytes(payload)
            elif kind != FRAME or frame_index(payload) != len(self._starts):
                break
            else:
                self._starts.append(before)
            before = self._end = base + end
        if self._end > base:
            last = self._starts[-1] if self._starts else 0
            self._last = crc32(data[last - base : self._end - base])
        return self._end > base


class FrameWriter:
    """The one writer. Whoever makes it holds the run's lock."""

    def __init__(self, path: Path, header: bytes, largest: int) -> None:
        self.index = FrameIndex(path)
        self._largest = largest
        self.frames = self.index.refresh()
        self._is_named = False
        """Whether the disk has the name of the file: another writer may have made it, and died."""
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        # What a killed writer left behind, or damage, ends the file: the rest is recomputed.
        os.ftruncate(self._handle, self.index.end)
        self._end = self.index.end
        if self._end == 0:
            self._write(header)

    def append(self, payloads: Sequence[bytes]) -> None:
        """Append whole frames that follow on from those in the file."""
        check_follows(payloads, self.frames)
        data = join_frames(payloads)
        if self._end + len(data) > self._largest:
            raise too_many_bytes(self._largest)
        self._write(data)
        self.frames += len(payloads)

    def read(self, index: int) -> bytes:
        """The payload of one frame."""
        self.index.refresh()
        (payload,) = self.index.read(index, index + 1)
        return payload

    def sync(self) -> None:
        """Wait until the disk has everything, the name of the file too."""
        sync_file(self._handle)
        if not self._is_named:
            sync_folder(self.index.path.parent)
            self._is_named = True

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)

    def _write(self, data: bytes) -> None:
        """All of data, or none of it: a short write is taken back."""
        done = 0
        try:
            while done < len(data):
                done += os.write(self._handle, data[done:])
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._handle, self._end)
            raise refusal_of(error, "The frames could not be written") from error
        self._end += len(data)
