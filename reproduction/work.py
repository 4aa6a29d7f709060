"""The work, in pieces that can be interrupted: one run at a time, on two processes.

What is done is on disk at once, under a name made of the piece's definition. A piece
that is found there is not computed again.
"""

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from reproduction.measures import Numbers
from reproduction.samples import Sample

Results = dict[str, dict[int, Numbers]]
"""Numbers by sample and seed."""


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
    run: str = ""
    """The run that it is made of, if there is one: pieces of the same are done together."""
    length: float = 0.0
    """Epochs of that run: the longest comes first, since the others are cut out of it."""

    def path(self, home: Path) -> Path:
        """Where its numbers are kept."""
        return home / f"{self.name}.{self.definition}.json"

    def kept(self, home: Path) -> "Done | None":
        """Its numbers when it was done before."""
        if self.file is not None and not self.file.exists():
            return None
        try:
            found = json.loads(self.path(home).read_text())
            return Done(found["numbers"], found["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def do(self, home: Path) -> "Done":
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


@dataclass(frozen=True)
class Done:
    """What a piece of work gave, and the processor's seconds that it took."""

    numbers: Numbers
    seconds: float


def sample_jobs(samples: Sequence[Sample]) -> list[Job]:
    """Every seed of every sample."""
    return [
        _sample_job(sample, seed)
        for sample in samples
        for seed in range(sample.first, sample.first + sample.seeds)
    ]


def _sample_job(sample: Sample, seed: int) -> Job:
    config = sample.config(seed)
    name = f"{sample.name}-{seed}"
    return Job(
        name,
        sample.key,
        sample.seconds,
        sample.run,
        seed,
        run=config.run_id,
        length=float(config.epochs),
    )


def tabulate(samples: Sequence[Sample], found: Mapping[str, Done]) -> Results:
    """The numbers of `sample_jobs`, by sample and seed."""
    return {
        sample.name: {
            seed: found[f"{sample.name}-{seed}"].numbers
            for seed in range(sample.first, sample.first + sample.seeds)
        }
        for sample in samples
    }


def do_all(jobs: Sequence[Job], home: Path, processes: int, progress: "Progress") -> dict[str, Done]:
    """What every job gives, by name, from the disk or computed now, the longest first."""
    found: dict[str, Done] = {}
    todo = []
    for job in jobs:
        done = job.kept(home)
        if done is None:
            todo.append(job)
        else:
            found[job.name] = done
    progress.start(sum(job.seconds for job in todo), len(todo), len(jobs))
    for job, done in _computed(together(todo), home, processes):
        found[job.name] = done
        progress.advance(job.seconds, job.name)
    progress.end()
    return found


def together(jobs: Sequence[Job]) -> list[list[Job]]:
    """Jobs of one run side by side, its longest budget first; the most expensive runs first."""
    runs: dict[str, list[Job]] = {}
    for job in jobs:
        runs.setdefault(job.run or job.name, []).append(job)
    groups = [sorted(group, key=lambda job: -job.length) for group in runs.values()]
    return sorted(groups, key=lambda group: -max(job.seconds for job in group))


def _computed(groups: Sequence[list[Job]], home: Path, processes: int) -> Iterator[tuple[Job, Done]]:
    if processes <= 1 or len(groups) < 2:
        yield from ((job, job.do(home)) for group in groups for job in group)
        return
    # Compiled kernels do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        futures = {pool.submit(_do_group, group, home): group for group in groups}
        for future in as_completed(futures):
            yield from zip(futures[future], future.result(), strict=True)


def _do_group(group: Sequence[Job], home: Path) -> list[Done]:
    return [job.do(home) for job in group]


class Progress:
    """A bar on a terminal, a line now and then elsewhere."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._total = self._done = 0.0
        self._began = self._said = time.monotonic()

    def start(self, total: float, todo: int, jobs: int) -> None:
        """Announce the work, weighed by its expected seconds."""
        self._total, self._done, self._began = total, 0.0, time.monotonic()
        self._stream.write(f"{todo} of {jobs} runs to compute\n")
        self._stream.flush()

    def advance(self, weight: float, what: str) -> None:
        """One piece is done."""
        self._done += weight
        now = time.monotonic()
        share = self._done / self._total
        left = (now - self._began) * (1 - share) / share
        text = f"{'█' * round(30 * share):░<30} {100 * share:5.1f} %  about {left / 60:.1f} min left  {what}"
        if self._stream.isatty():
            self._stream.write(f"\r{text:<100}")
        elif now - self._said > 15:
            self._said = now
            self._stream.write(text + "\n")
        self._stream.flush()

    def end(self) -> None:
        """Leave the line."""
        if self._stream.isatty() and self._total:
            self._stream.write("\n")
