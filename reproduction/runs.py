"""One row per run, to be downloaded and judged again, and apart from it how long each took.

data/explored.csv.gz holds the seeds that were known before the criteria were last changed, and is not
written again; data/runs.csv.gz the confirmation and the ablations. What a run gives has the same bytes
on every processor; how long it took and on what has not. So data/runtimes.csv holds seconds and versions
of libraries, and nothing that is compared.
"""

import csv
import gzip
import io
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from core import __version__
from core.config import NUMERICS_VERSION
from reproduction.claims import joined
from reproduction.measures import Numbers
from reproduction.samples import SAMPLES, Sample, variants
from reproduction.shipping import KNOWN, RUNS
from reproduction.work import Done, Results

LEADING = ("set", "sample", "seed", "query", "version", "numerics")
WHOLE = "make reproduce, wall time"
"""Of two processes, from training to the tables; written where nothing was left from an earlier time."""
TIMED = ("sample", "seed", "seconds", "python", "numpy", "numba", "processor")


@dataclass(frozen=True)
class Tables:
    """All numbers: seeds known before, those of the confirmation, and what was varied."""

    explored: Results
    confirmation: Results
    varied: Results

    @property
    def base(self) -> Results:
        """What ablations are compared with: the same seeds, unvaried."""
        return joined(self.explored, self.confirmation)


def count_runs(*tables: Results) -> int:
    """How many runs they hold."""
    return sum(len(seeds) for table in tables for seeds in table.values())


def write_runs(path: Path, tables: Mapping[str, Results]) -> None:
    """Tables by the name of their set as compressed CSV, the same bytes for the same numbers."""
    varied = [sample for one in variants().values() for sample in one.values()]
    queries = {sample.name: sample.query for sample in (*SAMPLES.values(), *varied)}
    names = sorted({name for *_, numbers in _rows(tables) for name in numbers})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*LEADING, *names))
    for which, sample, seed, numbers in _rows(tables):
        leading = (which, sample, seed, queries[sample], __version__, NUMERICS_VERSION)
        writer.writerow((*leading, *(repr(numbers[name]) if name in numbers else "" for name in names)))
    path.parent.mkdir(parents=True, exist_ok=True)
    # neither the time nor the name of a file is part of what was found
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0.0) as packed:
        packed.write(text.getvalue().encode())


def _rows(tables: Mapping[str, Results]) -> Iterator[tuple[str, str, int, Numbers]]:
    for which, table in tables.items():
        for sample, seeds in table.items():
            for seed, numbers in seeds.items():
                yield which, sample, seed, numbers


def read_runs(path: Path) -> dict[str, Results]:
    """The tables of a file by the name of their set."""
    found: dict[str, Results] = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            numbers = {name: float(text) for name, text in row.items() if text and name not in LEADING}
            table = found.setdefault(row["set"], {})
            table.setdefault(row["sample"], {})[int(row["seed"])] = numbers
    return found


def shipped_tables() -> Tables:
    """The numbers behind the shipped results."""
    known, drawn = read_runs(KNOWN), read_runs(RUNS)
    explored = joined(known["first"], known["second"])
    return Tables(explored, drawn.get("confirmation", {}), drawn.get("ablation", {}))


def write_runtimes(
    path: Path, samples: Iterable[Sample], found: Mapping[str, Done], wall: float | None = None
) -> None:
    """Seconds of the processor per run, with what they were measured on; last the wall time of it all."""
    made_by = (platform.python_version(), version("numpy"), version("numba"), platform.machine())
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TIMED)
        for sample in samples:
            for seed in sample.places:
                seconds = found[f"{sample.name}-{seed}"].seconds
                writer.writerow((sample.name, seed, f"{seconds:.3f}", *made_by))
        if wall is not None:
            writer.writerow((WHOLE, "", f"{wall:.0f}", *made_by))
