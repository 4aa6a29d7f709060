"""The work, in pieces that can be interrupted: one run at a time, on two processes, the longest first.

What is done is on disk at once, under a name made of the piece's definition. A piece that is found there
is not computed again.
"""

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from reproduction.measures import Numbers
from reproduction.samples import Sample

Results = dict[str, dict[int, Numbers]]
"""Numbers by sample and seed."""


@dataclass(frozen=True)
class Done:
    """What a piece of work gave, and the processor's seconds that it took."""

    numbers: Numbers
    seconds: float


@dataclass(frozen=True)
class Job:
    """One piece of work: a function of one argument that returns a few numbers."""

    name: str
    definition: str
    seconds: float
    """About how long it takes."""
    function: Callable[[Any], Numbers]
    argument: Any
    file: Path | None = None
    """What it writes besides; when that is gone it is to be done again."""

    def path(self, home: Path) -> Path:
        """Where its numbers are kept."""
        return home / f"{self.name}.{self.definition}.json"

    def kept(self, home: Path) -> Done | None:
        """Its numbers when it was done before."""
        if self.file is not None and not self.file.exists():
            return None
        try:
            found = json.loads(self.path(home).read_text())
            return Done(found["numbers"], found["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def do(self, home: Path) -> Done:
        """Compute and keep."""
        begun = time.process_time()
        numbers = self.function(self.argument)
        done = Done(numbers, time.process_time() - begun)
        path = self.path(home)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(asdict(done)))
        new.replace(path)
        return done


def sample_jobs(samples: Sequence[Sample]) -> list[Job]:
    """Every seed of every sample."""
    return [
        Job(f"{sample.name}-{seed}", sample.key, sample.seconds, sample.run, seed)
        for sample in samples
        for seed in sample.places
    ]


def tabulate(samples: Sequence[Sample], found: Mapping[str, Done]) -> Results:
    """The numbers of `sample_jobs`, by sample and seed."""
    table: Results = {}
    for sample in samples:
        row = table.setdefault(sample.name, {})
        row |= {seed: found[f"{sample.name}-{seed}"].numbers for seed in sample.places}
    return table


def do_all(jobs: Sequence[Job], home: Path, processes: int, *, quiet: bool = False) -> dict[str, Done]:
    """What every job gives, by name, from the disk or computed now, the longest first."""
    kept = {job.name: job.kept(home) for job in jobs}
    found = {name: done for name, done in kept.items() if done is not None}
    todo = sorted((job for job in jobs if job.name not in found), key=lambda job: -job.seconds)
    with tqdm(total=sum(job.seconds for job in todo), unit="s", disable=quiet, mininterval=5) as bar:
        for job, done in _computed(todo, home, processes):
            found[job.name] = done
            bar.update(job.seconds)
    return found


def _computed(jobs: Sequence[Job], home: Path, processes: int) -> Iterator[tuple[Job, Done]]:
    if processes <= 1 or len(jobs) < 2:
        yield from ((job, job.do(home)) for job in jobs)
        return
    # Compiled kernels do not survive a fork.
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = {pool.submit(job.do, home): job for job in jobs}
        for future in as_completed(futures):
            yield futures[future], future.result()
