"""Studies that ship with the product: read-only, behind the store, whole before any worker is there.

A folder holds one file a study, `<id>.xz`: its order and its records, compressed.
"""

import logging
import lzma
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.service.records import DOCUMENT, FRAME, DamageError, frame_record, scan
from core.service.store import NAME
from core.service.studies.store import StudyOrder, StudyStore, pack_order, record_place, unpack_order

log = logging.getLogger(__name__)


def write_study(path: Path, order: StudyOrder, records: Sequence[bytes]) -> None:
    """Put a finished study on the shelf."""
    ordered = sorted(records, key=record_place)
    parts = (frame_record(DOCUMENT, pack_order(order)), *(frame_record(FRAME, each) for each in ordered))
    path.write_bytes(lzma.compress(b"".join(parts), preset=9))


def read_study(path: Path) -> tuple[StudyOrder, list[bytes]]:
    """A shipped study; DamageError when the file is not whole."""
    try:
        data = lzma.decompress(path.read_bytes())
    except (OSError, lzma.LZMAError) as error:
        raise DamageError(f"{path.name} cannot be read: {error}") from error
    found = list(scan(data))
    if not found or found[-1][0] != len(data) or [kind for _, kind, _ in found[:1]] != [DOCUMENT]:
        raise DamageError(f"{path.name} is incomplete or altered")
    first, *rest = (bytes(payload) for _, _, payload in found)
    return unpack_order(first), rest


class StudiesWithShelf:
    """See StudyStore: a store, and behind it what ships."""

    def __init__(self, studies: StudyStore, folder: Path) -> None:
        self._studies = studies
        self._files = {path.stem: path for path in folder.glob("*.xz") if NAME.fullmatch(path.stem)}
        self._open: dict[str, tuple[StudyOrder, list[bytes]]] = {}
        self._guard = threading.Lock()

    def place(self, study_id: str, order: StudyOrder) -> None:
        """See StudyStore."""
        self._studies.place(study_id, order)

    def order(self, study_id: str) -> StudyOrder | None:
        """See StudyStore."""
        shipped = self._shipped(study_id)
        return shipped[0] if shipped else self._studies.order(study_id)

    def studies(self) -> list[str]:
        """See StudyStore: the store's own, which alone are worked at and take up room."""
        return self._studies.studies()

    def add(self, study_id: str, record: bytes) -> bool:
        """See StudyStore."""
        return self._studies.add(study_id, record)

    def count(self, study_id: str) -> int:
        """See StudyStore."""
        shipped = self._shipped(study_id)
        return len(shipped[1]) if shipped else self._studies.count(study_id)

    def records(self, study_id: str, first: int, last: int) -> list[bytes]:
        """See StudyStore."""
        shipped = self._shipped(study_id)
        if shipped is None:
            return self._studies.records(study_id, first, last)
        return shipped[1][max(first, 0) : max(last, 0)]

    def missing(self, study_id: str, places: Iterable[int]) -> list[int]:
        """See StudyStore."""
        return self._studies.missing(study_id, places)

    def size(self, study_id: str) -> int:
        """See StudyStore."""
        return self._studies.size(study_id)

    def delete(self, study_id: str) -> None:
        """See StudyStore."""
        self._studies.delete(study_id)

    def _shipped(self, study_id: str) -> tuple[StudyOrder, list[bytes]] | None:
        with self._guard:
            if study_id not in self._open and study_id in self._files:
                try:
                    self._open[study_id] = read_study(self._files[study_id])
                except DamageError as error:
                    log.warning("a study that ships with the app is damaged: %s", error)
                    del self._files[study_id]
            return self._open.get(study_id)
