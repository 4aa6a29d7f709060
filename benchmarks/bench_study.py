"""A study against its single runs: wall-clock × cores, as a ratio to the sum of the singles.

`python -m benchmarks.bench_study` takes the study of a hundred seeds and one of ten thousand short runs; two
arguments take fewer, such as 20 1000. A second ratio compares with the time that the runs say they took in
the study itself: it tells what handing out, starting and storing cost, whatever else the machine does. For
each study it says what was promised, and what it took: they should be within a factor of two.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import orjson

from core.config import runs_from_query
from core.service.service import RunService
from core.service.settings import Settings
from core.service.studies.store import record_row
from core.study.study import row_of_run

QUERY = "epochs=1e7,500,500&method=gd,anls,anls_plus&seed=0..{last}"
SHORT = "epochs=20&method=anls&points=20&seed=0..{last}"
CORES = os.cpu_count() or 1


def service(home: Path) -> RunService:
    """The embedded back end with a process a core for studies."""
    made = RunService(Settings(home=home, workers=1, study_workers=CORES, library=home / "none"))
    made.start()
    return made


def seconds_of(running: RunService, query: str) -> float:
    """From asking to the last row, processes loaded beforehand; printed with what the page promises."""
    promised = running.studies.seconds(running.studies.plan(query))
    start = time.monotonic()
    study = running.studies.submit(query, "bench", "bench")[0].id

    while (info := running.studies.info(study)) is None or info.status != "finished":
        time.sleep(0.1)
    took = time.monotonic() - start
    print(f"promised {promised:.1f} s, took {took:.1f} s: a factor of {promised / took:.2f}")
    return took


def computing(running: RunService, query: str) -> float:
    """Seconds that the runs of a study took, by their own rows."""
    records = running.studies.records(running.studies.plan(query).id, 0, 10**6)
    return sum(orjson.loads(record_row(record))["seconds"] for record in records)


def main(seeds: int = 100, short: int = 10_000) -> None:
    """Both bars."""
    query = QUERY.format(last=seeds - 1)
    configs = runs_from_query(query).configs
    row_of_run(configs[0])
    start = time.monotonic()
    for config in configs:
        row_of_run(config)
    singles = time.monotonic() - start
    with tempfile.TemporaryDirectory() as folder:
        running = service(Path(folder))
        try:
            seconds_of(running, "method=gd,anls,anls_plus&epochs=10&seed=0..199")
            took = seconds_of(running, query)
            ratio, own = took * CORES / singles, took * CORES / computing(running, query)
            print(f"{len(configs)} runs: {took:.1f} s on {CORES} cores, singles {singles:.1f} s: {ratio:.2f}")
            print(f"of its own computing: {own:.2f}")
            start = time.monotonic()
            study = running.studies.plan(SHORT.format(last=short - 1)).id
            laid_out = time.monotonic() - start
            took = seconds_of(running, SHORT.format(last=short - 1))
            start = time.monotonic()
            for first in range(0, short, 1_000):
                running.studies.records(study, first, 1_000)
            listing = time.monotonic() - start
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
            print(
                f"{short} short runs: laid out in {laid_out:.2f} s, computed in {took:.1f} s, listing"
                f" {listing:.2f} s, {memory:.0f} MB in this process"
            )
        finally:
            running.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
