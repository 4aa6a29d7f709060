"""What ships with the product: a folder with one compressed file of records a thing, read when asked for."""

import logging
import lzma
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

from ..records import DamageError, scan
from ..store import NAME

_OPEN = 24
"""Things of a folder that are kept in memory."""

Thing = TypeVar("Thing")
log = logging.getLogger(__name__)


def write_records(path: Path, records: Iterable[bytes]) -> None:
    """Whole records into one of the files."""
    path.write_bytes(lzma.compress(b"".join(records), preset=9))


def read_records(path: Path) -> list[tuple[int, bytes]]:
    """Kind and payload of each record of such a file; DamageError when it is not whole."""
    try:
        data = lzma.decompress(path.read_bytes())
    except (OSError, lzma.LZMAError) as error:
        raise DamageError(f"{path.name} cannot be read: {error}") from error
    found = list(scan(data))
    if not found or found[-1][0] != len(data):
        raise DamageError(f"{path.name} is incomplete or altered")
    return [(kind, bytes(payload)) for _, kind, payload in found]


class Shipped(Generic[Thing]):
    """The things of a folder, `<id>.xz` each. A damaged one counts as missing."""

    def __init__(self, folder: Path, read: Callable[[Path], Thing]) -> None:
        self._files = {path.stem: path for path in folder.glob("*.xz") if NAME.fullmatch(path.stem)}
        self._read = read
        self._open: dict[str, Thing] = {}
        self._guard = threading.Lock()

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def __len__(self) -> int:
        return len(self._files)

    def get(self, name: str) -> Thing | None:
        """One of them, or None."""
        with self._guard:
            if name not in self._open and name in self._files:
                try:
                    thing = self._read(self._files[name])
                except DamageError as error:
                    log.warning("%s", error)
                    del self._files[name]
                    return None
                if len(self._open) >= _OPEN:
                    self._open.pop(next(iter(self._open)))
                self._open[name] = thing
            return self._open.get(name)
