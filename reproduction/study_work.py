"""The ready studies as work: `python -m reproduction.study_work` computes those that are missing.

A run of a study is a piece of work like any other, so that what is done stays done, both processes are
busy to the end, and a run that a sample measures too is computed once.
"""

import inspect
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from core import study
from core.config import NUMERICS_VERSION, RunConfig, runs_from_query
from core.limits import LIMITS
from core.service import StudyOrder, pack_record, study_id_of, write_study
from core.study import curve_of, row_of
from reproduction.measures import Numbers
from reproduction.ready_studies import FOLDER, READY, path_of
from reproduction.training import trained
from reproduction.work import Job, Progress, do_all

HOME = Path(__file__).resolve().parent.parent / ".plateau" / "reproduction"


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


def missing() -> list[str]:
    """The queries of the studies that are not there; what is there and not wanted goes."""
    FOLDER.mkdir(exist_ok=True)
    for old in {*FOLDER.glob("*.xz")} - {path_of(query) for _, query, _ in READY}:
        old.unlink()
    return [query for _, query, _ in READY if not path_of(query).exists()]


def entries(query: str, home: Path) -> list[Entry]:
    """Every run of a study."""
    folder = home / "studies" / f"{study_id_of(query)}.{_definition()}"
    return [
        Entry(place, config.to_query(limits=LIMITS), folder / f"{place}.record")
        for place, config in enumerate(runs_from_query(query).configs)
    ]


def study_jobs(queries: Sequence[str], home: Path) -> list[Job]:
    """The runs of studies, as work."""
    return [_job(study_id_of(query), entry) for query in queries for entry in entries(query, home)]


def _job(name: str, entry: Entry) -> Job:
    config = entry.config
    return Job(
        f"study-{name[:8]}-{entry.place}",
        _definition(),
        0.1 + config.estimated_seconds(),
        keep_record,
        entry,
        entry.path,
        config.run_id,
        float(config.epochs),
    )


def record_of(place: int, config: RunConfig) -> bytes:
    """One run, computed to its end."""
    done = trained(config)
    assert done.training.outcome is not None
    # Seconds are of no machine in particular.
    row = {key: None if key.startswith("seconds") else value for key, value in
           row_of(config, done.frames, done.training.outcome).items()}  # fmt: skip
    return pack_record(place, row, curve_of(done.frames))


def keep_record(entry: Entry) -> Numbers:
    """Compute the record of a run and keep it."""
    entry.path.parent.mkdir(parents=True, exist_ok=True)
    entry.path.write_bytes(record_of(entry.place, entry.config))
    return {}


def write_studies(queries: Sequence[str], home: Path) -> None:
    """The studies whose records are all there, into the folder."""
    for query in queries:
        records = [entry.path.read_bytes() for entry in entries(query, home)]
        order = StudyOrder(query, "", "", 0.0, len(records), runs_from_query(query).differing, 0.0)
        write_study(path_of(query), order, records)


@cache
def _definition() -> str:
    """Names what makes a record of a run."""
    files = sorted(Path(inspect.getfile(study)).parent.glob("*.py"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in (*files, Path(__file__)))
    return sha256(f"{NUMERICS_VERSION}\n{text}".encode()).hexdigest()[:16]


def main(processes: int) -> None:
    """Those that are missing."""
    queries = missing()
    do_all(study_jobs(queries, HOME), HOME, processes, Progress())
    write_studies(queries, HOME)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
