"""Data that people bring: named by content, held by the runs and studies that learn them.

What nobody holds is kept for a while, so that a link with it can be run: within a size for all together, and
within one for each line of core.service.accounts, so that whoever uploads much loses his own data first.
"""

import hashlib
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ...limits import Limits
from ..accounts import line_of
from ..store import NAME, Uploads
from .durable import make_mark, replace_file, sync_folder

LEAST_BYTES = 4_096
"""What the smallest file takes up, as far as sizes are added up."""
_NAMED = re.compile(r"(?:@|%40)([0-9a-f]{32})(?![0-9a-f])")
_LINES = 10_000


def name_of(text: str) -> str:
    """What data are called."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def uploads_in(query: str) -> list[str]:
    """The uploads that a query names."""
    return _NAMED.findall(query)


class FileUploads(Uploads):
    """In a folder: `<name>.csv`, and an empty `<name>.<holder>` for each who holds it."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self._limits = folder, limits

    def keep(self, text: str) -> str:
        name = name_of(text)
        path = self._folder / f"{name}.csv"
        try:
            os.utime(path)
            # Whoever has written it a moment ago may not have got that far.
            sync_folder(self._folder)
        except FileNotFoundError:
            self._make_space(len(text))
            replace_file(path, text.encode())
        return name

    def hold(self, holder: str, query: str) -> None:
        for name in uploads_in(query):
            make_mark(self._folder / f"{name}.{holder}")

    def let_go(self, holder: str) -> None:
        for path in self._folder.glob(f"*.{holder}"):
            path.unlink(missing_ok=True)

    def discard(self, name: str) -> None:
        if name not in self._held():
            (self._folder / f"{name}.csv").unlink(missing_ok=True)

    def _held(self) -> set[str]:
        return {path.stem for path in self._folder.iterdir() if path.suffix not in (".csv", "")}

    def _make_space(self, wanted: int) -> None:
        held = self._held()
        files: list[tuple[float, int, Path]] = []
        for path in self._folder.glob("*.csv"):
            if path.stem not in held:
                with suppress(FileNotFoundError):  # another upload makes room as well
                    status = path.stat()
                    files.append((status.st_mtime, max(status.st_size, LEAST_BYTES), path))
        total = sum(size for _, size, _ in files) + wanted
        for _, size, path in sorted(files):
            if total <= self._limits.uploads_bytes:
                break
            total -= size
            path.unlink(missing_ok=True)

    def __getitem__(self, name: str) -> str:
        if NAME.fullmatch(name):
            with suppress(OSError, UnicodeDecodeError):
                text = (self._folder / f"{name}.csv").read_bytes().decode()
                # Named by content: a file that was altered is not the one that was asked for.
                if name_of(text) == name:
                    return text
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (path.stem for path in self._folder.glob("*.csv"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class UploadQuotas:
    """What each line has uploaded lately; beyond its share its own oldest go. Thread-safe."""

    def __init__(self, uploads: Uploads, limits: Limits) -> None:
        self._uploads, self._limits = uploads, limits
        self._lines: OrderedDict[str, OrderedDict[str, int]] = OrderedDict()
        self._guard = threading.Lock()

    def keep(self, text: str, quota: str) -> str:
        """Keep data on somebody's account; their name."""
        name = self._uploads.keep(text)
        with self._guard:
            own = self._lines.setdefault(line_of(quota), OrderedDict())
            self._lines.move_to_end(line_of(quota))
            own.pop(name, None)
            own[name] = max(len(text), LEAST_BYTES)
            surplus = []
            while sum(own.values()) > self._limits.uploads_per_client and len(own) > 1:
                surplus.append(own.popitem(last=False)[0])
            while len(self._lines) > _LINES:
                self._lines.popitem(last=False)
            others = {kept for line in self._lines.values() for kept in line} if surplus else set()
        for old in surplus:
            if old not in others:
                self._uploads.discard(old)
        return name
