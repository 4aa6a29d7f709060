"""Studies that ship with the product: read-only, behind the store, whole before any worker is there.

A folder holds one file a study, `<id>.xz`: its request and its records, compressed.
"""

from collections.abc import Sequence
from pathlib import Path

from ..files.shipped import Shipped, read_records, write_records
from ..records import DOCUMENT, FRAME, DamageError, frame_record
from .store import RequestedStudy, StudyStore, pack_request, record_place, unpack_request


def write_study(path: Path, request: RequestedStudy, records: Sequence[bytes]) -> None:
    """Write a finished study as one of the files."""
    ordered = sorted(records, key=record_place)
    parts = (frame_record(DOCUMENT, pack_request(request)), *(frame_record(FRAME, each) for each in ordered))
    write_records(path, parts)


def read_study(path: Path) -> tuple[RequestedStudy, list[bytes]]:
    """A shipped study; DamageError when the file is not whole."""
    (kind, first), *rest = read_records(path)
    if kind != DOCUMENT:
        raise DamageError(f"{path.name} is incomplete or altered")
    return unpack_request(first), [record for _, record in rest]


class StudyReader:
    """What can be read of studies: those that ship, and those of a store."""

    def __init__(self, studies: StudyStore, folder: Path) -> None:
        self._studies, self.shipped = studies, Shipped(folder, read_study)

    def request(self, study_id: str) -> RequestedStudy | None:
        """See StudyStore."""
        shipped = self.shipped.get(study_id)
        return shipped[0] if shipped else self._studies.request(study_id)

    def count(self, study_id: str) -> int:
        """See StudyStore."""
        shipped = self.shipped.get(study_id)
        return len(shipped[1]) if shipped else self._studies.count(study_id)

    def records(self, study_id: str, first: int, last: int) -> list[bytes]:
        """See StudyStore."""
        shipped = self.shipped.get(study_id)
        if shipped is None:
            return self._studies.records(study_id, first, last)
        return shipped[1][max(first, 0) : max(last, 0)]
