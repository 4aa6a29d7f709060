"""What is kept of a study, whatever it is kept in: its request, and one record for each run that is done.

A record is the place of the run in the study, its curve and its row, as bytes:

    place    uint32
    length   uint32    of the curve
    curve    float32 ...
    row      JSON

Records are appended in the order in which runs end, each place once; readers ask for what came after.
"""

import struct
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal, Protocol

import numpy as np
import orjson

from ...study import Curve, Row

_HEAD = struct.Struct("<II")


@dataclass(frozen=True)
class RequestedStudy:
    """What is asked of a study."""

    query: str
    """Canonical."""
    starter: str
    """Public handle of the browser that asked first; only it may stop the study."""
    quota: str
    """Whose turn is used."""
    placed: float
    """When, in seconds since 1970."""
    runs: int
    differing: tuple[str, ...]
    """The keys that tell its runs apart."""
    seconds: float
    """What its runs cost together, by estimate."""
    command: Literal["run", "stop"] = "run"


class StudyStore(Protocol):
    """Studies by name. One scheduler and any number of readers."""

    def place(self, study_id: str, request: RequestedStudy) -> None:
        """Create or replace the request of a study."""

    def insist(self, study_id: str, request: RequestedStudy) -> None:
        """As `place`, for what cannot wait: a stop. A store that is the only one to change its studies keeps
        the request in memory while nothing can be written, and writes it later."""
        self.place(study_id, request)

    def write_unsaved(self) -> None:
        """Write what is kept in memory so, as far as there is space."""
        return

    def request(self, study_id: str) -> RequestedStudy | None:
        """What is asked, or None for an unknown study."""

    def studies(self) -> list[str]:
        """Every stored study."""

    def add(self, study_id: str, record: bytes) -> bool:
        """Keep the record of a run that is done; False when the study has that place already."""

    def sync(self, study_id: str) -> None:
        """Return when no power cut can take the records that were added."""

    def count(self, study_id: str) -> int:
        """Runs that are done."""

    def records(self, study_id: str, first: int, last: int) -> list[bytes]:
        """Records first <= number < last, in the order in which they came."""

    def missing(self, study_id: str, places: Iterable[int]) -> list[int]:
        """Those of the places that have no record."""

    def size(self, study_id: str) -> int:
        """Bytes that the study occupies, about."""

    def delete(self, study_id: str) -> None:
        """Remove a study."""

    def close(self) -> None:
        """Write what is kept in memory alone."""
        return


def pack_record(place: int, row: Row, curve: Curve) -> bytes:
    """A record (infinities and NaN in the row become null)."""
    plain = np.asarray(curve, dtype="<f4").tobytes()
    return _HEAD.pack(place, len(curve)) + plain + orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY)


def record_place(record: bytes) -> int:
    """The run that a record is of."""
    return int(_HEAD.unpack_from(record)[0])


def record_row(record: bytes) -> bytes:
    """The row, as JSON."""
    return record[_HEAD.size + 4 * _HEAD.unpack_from(record)[1] :]


def record_curve(record: bytes) -> Curve:
    """The curve."""
    return np.frombuffer(record, "<f4", _HEAD.unpack_from(record)[1], _HEAD.size)


def pack_request(request: RequestedStudy) -> bytes:
    """A request as JSON bytes."""
    return orjson.dumps(asdict(request))


def unpack_request(data: bytes) -> RequestedStudy:
    """The request of `pack_request`, also as version 2 has written it."""
    fields = orjson.loads(data)
    if "wanted" in fields:
        fields["command"] = fields.pop("wanted")
    return RequestedStudy(**fields | {"differing": tuple(fields["differing"])})
