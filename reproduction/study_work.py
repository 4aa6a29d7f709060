"""The ready studies as work.

A run of a study is a piece of work like any other, so that what is done stays done, and both processes
are busy to the end. A file is written anew only where a record in it has changed.
"""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from core import study
from core.config import NUMERICS_VERSION, RunConfig, runs_from_query
from core.limits import LIMITS
from core.run import Training
from core.service import DamageError, RequestedStudy, pack_record, read_study, study_id_of, write_study
from core.study import curve_of, row_of
from reproduction.measures import Numbers
from reproduction.ready_studies import FOLDER, READY, path_of
from reproduction.work import Job


@dataclass(frozen=True)
class Entry:
    """One run of a study, and where its record is kept until all are there."""

    place: int
    query: str
    path: Path

    @property
    def config(self) -> RunConfig:
        """The run."""
        return RunConfig.from_query(self.query)


def entries(query: str, home: Path) -> list[Entry]:
    """Every run of a study."""
    folder = home / "studies" / f"{study_id_of(query)}.{_definition()}"
    return [
        Entry(place, config.to_query(limits=LIMITS), folder / f"{place}.record")
        for place, config in enumerate(runs_from_query(query).configs)
    ]


def study_jobs(home: Path) -> list[Job]:
    """The runs of all ready studies, as work."""
    return [_job(study_id_of(query), entry) for _, query, _ in READY for entry in entries(query, home)]


def _job(name: str, entry: Entry) -> Job:
    config = entry.config
    return Job(
        f"study-{name[:8]}-{entry.place}",
        _definition(),
        0.1 + config.estimated_seconds(),
        keep_record,
        entry,
        entry.path,
    )


def record_of(place: int, config: RunConfig) -> bytes:
    """One run, computed to its end."""
    training = Training(config)
    frames = training.run()
    assert training.outcome is not None
    # Seconds are of no machine in particular.
    found = row_of(config, frames, training.outcome).items()
    row = {key: None if key.startswith("seconds") else value for key, value in found}
    return pack_record(place, row, curve_of(frames))


def keep_record(entry: Entry) -> Numbers:
    """Compute the record of a run and keep it."""
    entry.path.parent.mkdir(parents=True, exist_ok=True)
    entry.path.write_bytes(record_of(entry.place, entry.config))
    return {}


def write_studies(home: Path) -> None:
    """The studies into their folder; what is there and no longer ready goes."""
    for old in {*FOLDER.glob("*.xz")} - {path_of(query) for _, query, _ in READY}:
        old.unlink()
    for _, query, _ in READY:
        records = [entry.path.read_bytes() for entry in entries(query, home)]
        request = RequestedStudy(query, "", "", 0.0, len(records), runs_from_query(query).differing, 0.0)
        if not _is_shipped(path_of(query), request, records):
            write_study(path_of(query), request, records)


def _is_shipped(path: Path, request: RequestedStudy, records: Sequence[bytes]) -> bool:
    try:
        return read_study(path) == (request, records)
    except (OSError, DamageError):
        return False


@cache
def _definition() -> str:
    """Names what makes a record of a run."""
    files = sorted(Path(inspect.getfile(study)).parent.glob("*.py"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in (*files, Path(__file__)))
    return sha256(f"{NUMERICS_VERSION}\n{text}".encode()).hexdigest()[:16]
