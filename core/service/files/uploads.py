"""Data that people bring: named by content, held by the runs and studies that learn them.

What nobody holds is kept for a while, so that a link with it can be run: within a size for all together, and
within one for each line of core.service.accounts, so that whoever uploads much loses his own data first.
"""

import hashlib
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from sqlite3 import Connection

from ...limits import Limits
from ..accounts import line_of
from ..store import Uploads
from .database import Database

LEAST_BYTES = 4_096
"""What the smallest file takes up, as far as sizes are added up."""
_NAMED = re.compile(r"(?:@|%40)([0-9a-f]{32})(?![0-9a-f])")
_LINES = 10_000
_FRESH_SECONDS = 60.0
"""What was used so lately need not be noted again."""
_FREE = "name NOT IN (SELECT upload FROM upload_holders)"


def name_of(text: str) -> str:
    """What data are called."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def uploads_in(query: str) -> list[str]:
    """The uploads that a query names."""
    return _NAMED.findall(query)


def surplus_of(free: Iterable[tuple[str, int]], largest: int) -> list[str]:
    """Of data that nobody holds, by the time of their last use, those that go: the others are within a size.

    Examples
    --------
    >>> surplus_of([("old", 5_000), ("new", 5_000)], 9_000), surplus_of([("small", 1)], 4_095)
    (['old'], ['small'])
    """
    sizes = [(name, max(size, LEAST_BYTES)) for name, size in free]
    total, gone = sum(size for _, size in sizes), list[str]()
    for name, size in sizes:
        if total <= largest:
            break
        total -= size
        gone.append(name)
    return gone


class DatabaseUploads(Uploads):
    """In the database: the data by name, and who holds them."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._database, self._limits = database, limits

    def keep(self, text: str) -> str:
        name, now = name_of(text), time.time()
        used = self._database.read("SELECT used FROM uploads WHERE name = ?", name)
        if used and now - used[0][0] < _FRESH_SECONDS and name in self:
            return name
        with self._database.transaction() as connection:
            if not used:
                self._make_space(connection, len(text))
            # Written again, if it was there: what was altered on the disk is whole again.
            connection.execute("INSERT OR REPLACE INTO uploads VALUES (?, ?, ?)", (name, text.encode(), now))
        return name

    def hold(self, holder: str, query: str) -> None:
        if uploads_in(query):
            with self._database.transaction() as connection:
                self.hold_in(connection, holder, query)

    def hold_in(self, connection: Connection, holder: str, query: str) -> None:
        """The same within a transaction."""
        held = [(name, holder) for name in uploads_in(query)]
        connection.executemany("INSERT OR IGNORE INTO upload_holders VALUES (?, ?)", held)

    def let_go(self, holder: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM upload_holders WHERE holder = ?", (holder,))

    def discard(self, name: str) -> None:
        with self._database.transaction() as connection:
            connection.execute(f"DELETE FROM uploads WHERE name = ? AND {_FREE}", (name,))

    def _make_space(self, connection: Connection, size: int) -> None:
        free = connection.execute(f"SELECT name, length(text) FROM uploads WHERE {_FREE} ORDER BY used")
        surplus = surplus_of(free, self._limits.uploads_bytes - size)
        connection.executemany("DELETE FROM uploads WHERE name = ?", [(name,) for name in surplus])

    def __getitem__(self, name: str) -> str:
        for (data,) in self._database.read("SELECT text FROM uploads WHERE name = ?", name):
            with suppress(UnicodeDecodeError):
                text = bytes(data).decode()
                # Named by content: what was altered is not what was asked for.
                if name_of(text) == name:
                    return text
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for (name,) in self._database.read("SELECT name FROM uploads"))

    def __len__(self) -> int:
        return int(self._database.read("SELECT count(*) FROM uploads")[0][0])


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
