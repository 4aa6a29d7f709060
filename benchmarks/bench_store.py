"""`python -m benchmarks.bench_store [runs ...]`: orders and states in files, and in one SQLite database.

Both hold the same check-summed records. Told for each: writes a second as durable as the store promises them,
what a start needs to read all of them, files and bytes on the disk, what kill -9 of the writer loses of what
it had acknowledged, and what a single flipped byte makes unreadable or wrong.
"""

import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from core.service.files.durable import replace_file
from core.service.records import DOCUMENT, DamageError, frame_record, only_record
from core.service.run_record import Request, RunState
from core.service.store import to_json

KILLS, FLIPS, FLIPPED_RUNS, SYNCED = 40, 400, 100, 300
WRITTEN = frame_record(
    DOCUMENT, to_json(RunState(status="finished", reason="Its budget is used up.", epoch=1e6))
)


def name_of(number: int) -> str:
    """The name of a run."""
    return f"{number:032x}"


def order_of(number: int) -> bytes:
    """A run's order, told apart from all others."""
    return frame_record(
        DOCUMENT, to_json(Request(f"target=f2&seed={number}", 1e6, "a" * 16, "a" * 16, number))
    )


class Documents(Protocol):
    """Two documents a run."""

    def put(self, run: str, part: str, record: bytes) -> None:
        """Durably."""

    def every(self) -> Iterator[tuple[str, str, bytes]]:
        """All of them, as a start reads them."""

    def close(self) -> None:
        """Let go of the files."""


class Files:
    """A folder a run, replaced by write, sync, rename: what core.service.files.file_store does."""

    def __init__(self, home: Path, *, durable: bool = True) -> None:
        self._home, self._durable = home, durable

    def put(self, run: str, part: str, record: bytes) -> None:
        """See Documents."""
        folder = self._home / run
        folder.mkdir(exist_ok=True)
        replace_file(folder / f"{part}.rec", record, durable=self._durable)

    def every(self) -> Iterator[tuple[str, str, bytes]]:
        """See Documents."""
        for entry in os.scandir(self._home):
            for part in ("order", "state"):
                with suppress(OSError):
                    yield entry.name, part, (Path(entry.path) / f"{part}.rec").read_bytes()

    def close(self) -> None:
        """See Documents."""


class Database:
    """One table; a single writing process, since SQLite 3.40 may lose a WAL that several write."""

    def __init__(self, home: Path, journal: str = "WAL", *, durable: bool = True) -> None:
        self._base = sqlite3.connect(home / "plateau.db", isolation_level=None)
        self._base.execute(f"PRAGMA journal_mode={journal}")
        self._base.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
        self._base.execute(
            "CREATE TABLE IF NOT EXISTS documents (run, part, record, PRIMARY KEY (run, part)) WITHOUT ROWID"
        )

    def put(self, run: str, part: str, record: bytes) -> None:
        """See Documents."""
        self._base.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", (run, part, record))

    def every(self) -> Iterator[tuple[str, str, bytes]]:
        """See Documents."""
        yield from self._base.execute("SELECT run, part, record FROM documents")

    def close(self) -> None:
        """See Documents."""
        self._base.close()


MAKE: dict[str, Callable[..., Documents]] = {
    "files": Files,
    "sqlite wal": Database,
    "sqlite journal": partial(Database, journal="TRUNCATE"),
}


def write_until_killed(documents: Documents, first: int, told: int) -> None:
    """What the killed process does: a number is told when both documents of that run are stored."""
    for number in range(first, sys.maxsize):
        documents.put(name_of(number), "order", order_of(number))
        documents.put(name_of(number), "state", WRITTEN)
        os.write(told, b"%d\n" % number)


def lost_to_kills(kind: str, home: Path) -> tuple[int, int]:
    """Acknowledged runs, and how many of them are not there after the kills."""
    chance, count = random.Random(1), 0
    for _ in range(KILLS):
        heard, told = os.pipe()
        if (writer := os.fork()) == 0:
            write_until_killed(MAKE[kind](home), count, told)
        os.close(told)
        with os.fdopen(heard) as lines:
            count = int(lines.readline()) + 1
            time.sleep(chance.random() * 0.1)
            os.kill(writer, signal.SIGKILL)
            os.waitpid(writer, 0)
            count = max([count, *(int(line) + 1 for line in lines if line.endswith("\n"))])
    with closing(MAKE[kind](home)) as documents:
        found = {(run, part): record for run, part, record in documents.every()}
    names = [(name_of(number), order_of(number)) for number in range(count)]
    whole = sum(found.get((name, "order")) == order and (name, "state") in found for name, order in names)
    return count, count - whole


def damage(kind: str, home: Path) -> tuple[float, int, int]:
    """Orders that cannot be read after one flipped byte: on average, at most; and how many are wrong."""
    documents = MAKE[kind](home)
    for number in range(FLIPPED_RUNS):
        documents.put(name_of(number), "order", order_of(number))
    documents.close()
    paths = sorted(path for path in home.rglob("*") if path.suffix in (".rec", ".db"))
    chance, lost, wrong = random.Random(2), list[int](), 0
    for _ in range(FLIPS):
        path = chance.choices(paths, [one.stat().st_size for one in paths])[0]
        plain = path.read_bytes()
        flipped = bytearray(plain)
        flipped[chance.randrange(len(plain))] ^= 1 << chance.randrange(8)
        path.write_bytes(flipped)
        whole = 0
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError), closing(MAKE[kind](home)) as documents:
            for run, part, record in documents.every():
                with suppress(DamageError, TypeError):
                    if part == "order" and only_record(record, DOCUMENT) is not None:
                        known = any(run == name_of(n) and record == order_of(n) for n in range(FLIPPED_RUNS))
                        whole, wrong = whole + known, wrong + (not known)
        lost.append(FLIPPED_RUNS - whole)
        for extra in home.glob("plateau.db-*"):
            extra.unlink()
        path.write_bytes(plain)
    return sum(lost) / len(lost), max(lost), wrong


def load(kind: str, home: Path, runs: int) -> None:
    """A store of so many runs, and the start that finds it; only the first of them are waited for."""
    begin, written = time.perf_counter(), 0.0
    documents = MAKE[kind](home)
    for number in range(runs):
        if number == SYNCED:
            written = time.perf_counter() - begin
            documents.close()
            documents = MAKE[kind](home, durable=False)
        documents.put(name_of(number), "order", order_of(number))
        documents.put(name_of(number), "state", WRITTEN)
    documents.close()
    begin = time.perf_counter()
    read = sum(1 for _, _, record in MAKE[kind](home).every() if only_record(record, DOCUMENT))
    listed = time.perf_counter() - begin
    paths = list(home.rglob("*"))
    occupied = sum(path.stat().st_blocks * 512 for path in paths)
    print(
        f"{kind:15} {runs:7,} runs: {2 * SYNCED / written:6,.0f} writes/s, {read:,} read in {listed:.2f} s, "
        f"{len(paths):,} files and folders, {occupied / 1e6:.1f} MB",
        flush=True,
    )


def main(sizes: list[int]) -> None:
    """For each kind kills and flips, then a line for each size."""
    print(f"SQLite {sqlite3.sqlite_version}")
    for kind in MAKE:
        with tempfile.TemporaryDirectory() as home:
            told, lost = lost_to_kills(kind, Path(home))
        with tempfile.TemporaryDirectory() as home:
            mean, most, wrong = damage(kind, Path(home))
        print(f"{kind:15} {KILLS} kills: {lost} of {told:,} acknowledged runs lost")
        print(f"{kind:15} a flipped byte: {mean:.2f} of {FLIPPED_RUNS} lost, at most {most}; {wrong} wrong")
        for runs in sizes:
            with tempfile.TemporaryDirectory() as home:
                load(kind, Path(home), runs)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [10_000])
