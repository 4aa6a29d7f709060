"""One row a run, to be downloaded and judged again: data/runs.csv.gz, and apart from it how long each took.

What a run gives has the same bytes on every processor; how long it took and on what has not. So
data/runtimes.csv holds seconds and versions of libraries, and nothing that is compared.
"""

import csv
import gzip
import io
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from core.config import NUMERICS_VERSION
from reproduction.measures import Numbers
from reproduction.samples import CONFIRMING, SAMPLES, Sample, variants
from reproduction.version import package_version
from reproduction.work import Done, Results

LEADING = ("set", "sample", "seed", "query", "version", "numerics")
TIMED = ("sample", "seed", "seconds", "python", "numpy", "numba", "processor")
SETS = ("first", "second", "ablation")


@dataclass(frozen=True)
class Tables:
    """All numbers: two sets of seeds, and what was varied."""

    first: Results
    second: Results
    varied: Results

    def runs(self) -> int:
        """How many runs they hold."""
        return sum(len(seeds) for table in self.by_set().values() for seeds in table.values())

    def by_set(self) -> dict[str, Results]:
        """The tables by the names that the file gives them."""
        return dict(zip(SETS, (self.first, self.second, self.varied), strict=True))


def all_samples(first: int = CONFIRMING) -> dict[str, list[Sample]]:
    """Every sample of every set."""
    varied = [sample for one in variants().values() for sample in one.values()]
    again = [sample.confirming(first) for sample in SAMPLES.values()]
    return dict(zip(SETS, (list(SAMPLES.values()), again, varied), strict=True))


def write_runs(path: Path, tables: Tables) -> None:
    """The table as compressed CSV, the same bytes for the same numbers."""
    queries = {sample.name: sample.query for one in all_samples().values() for sample in one}
    names = sorted({name for _, _, _, numbers in _rows(tables) for name in numbers})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*LEADING, *names))
    for which, sample, seed, numbers in _rows(tables):
        leading = (which, sample, seed, queries[sample], package_version(), NUMERICS_VERSION)
        writer.writerow((*leading, *(repr(numbers[name]) if name in numbers else "" for name in names)))
    path.parent.mkdir(parents=True, exist_ok=True)
    # neither the time nor the name of a file is part of what was found
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0.0) as packed:
        packed.write(text.getvalue().encode())


def _rows(tables: Tables) -> Iterator[tuple[str, str, int, Numbers]]:
    for which, table in tables.by_set().items():
        for sample, seeds in table.items():
            for seed, numbers in seeds.items():
                yield which, sample, seed, numbers


def read_runs(path: Path) -> Tables:
    """The numbers behind the shipped results."""
    found: dict[str, Results] = {name: {} for name in SETS}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            numbers = {name: float(text) for name, text in row.items() if text and name not in LEADING}
            found[row["set"]].setdefault(row["sample"], {})[int(row["seed"])] = numbers
    return Tables(*(found[name] for name in SETS))


def write_runtimes(path: Path, samples: Iterable[Sample], found: Mapping[str, Done]) -> None:
    """Seconds of the processor a run, with what they were measured on."""
    made_by = (platform.python_version(), version("numpy"), version("numba"), platform.machine())
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TIMED)
        for sample in samples:
            for seed in range(sample.first, sample.first + sample.seeds):
                seconds = found[f"{sample.name}-{seed}"].seconds
                writer.writerow((sample.name, seed, f"{seconds:.3f}", *made_by))


def read_runtimes(path: Path) -> dict[str, list[float]]:
    """Seconds by sample; nothing where the file is not there."""
    found: dict[str, list[float]] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["sample"], []).append(float(row["seconds"]))
    return found
