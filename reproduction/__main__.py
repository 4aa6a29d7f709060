"""`python -m reproduction`: compute everything again, and write what the app and the docs show.

--home     where finished pieces are kept, so that an interrupted run goes on (.plateau/reproduction)
--jobs     processes (2)
--fresh    forget the finished pieces first
--figures  only the runs that the page shows and does not have yet, and the pictures
--only     names of samples, to look at a few claims' numbers without writing anything
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from reproduction.errata import errata
from reproduction.photographs import photograph
from reproduction.registry import judge_all
from reproduction.report import (
    PICTURES,
    Ended,
    results_document,
    shipped_table,
    write_report,
    write_results,
)
from reproduction.samples import SAMPLES
from reproduction.shelf import DATA, LIBRARY, Wanted, definition, ship, wanted
from reproduction.work import Job, Progress, Results, do_all, sample_jobs, tabulate

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs" / "reproduction.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do it all; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m reproduction", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--home", type=Path, default=ROOT / ".plateau" / "reproduction")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--only", nargs="*", choices=sorted(SAMPLES))
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--figures", action="store_true")
    options = parser.parse_args(arguments)
    if options.judge or options.figures:
        shipped = json.loads((DATA / "results.json").read_text(encoding="utf-8"))
        missing = [entry for entry in wanted() if options.figures and not entry.path.exists()]
        found = do_all(run_jobs(missing), options.home, options.jobs, Progress())
        new = {entry.config.run_id: found[f"run-{entry.config.run_id}"] for entry in missing}
        return _write(shipped_table(shipped), {**shipped["runs"], **new})
    if options.fresh:
        shutil.rmtree(options.home, ignore_errors=True)
    samples = [SAMPLES[name] for name in options.only] if options.only else list(SAMPLES.values())
    entries = [] if options.only else wanted()
    found = do_all([*sample_jobs(samples), *run_jobs(entries)], options.home, options.jobs, Progress())
    table = tabulate(samples, found)
    if options.only:
        print(json.dumps(table, indent=1))
        return 0
    ended = {entry.config.run_id: found[f"run-{entry.config.run_id}"] for entry in entries}
    for path in (*LIBRARY.glob("*.xz"), *DATA.glob("*.json")):
        if path not in {entry.path for entry in entries} | {DATA / "results.json"}:
            path.unlink()
    return _write(table, ended)


def run_jobs(entries: Sequence[Wanted]) -> list[Job]:
    """The runs to be shipped, as work."""
    return [
        Job(
            f"run-{entry.config.run_id}",
            definition(entry),
            2.0 + entry.config.estimated_seconds(),
            ship,
            entry,
            entry.path,
        )
        for entry in entries
    ]


def _write(table: Results, ended: Ended) -> int:
    """Results for the app, pictures and report for readers; the exit code."""
    document = results_document(table, judge_all(table), ended)
    write_results(document)
    pictures = photograph(REPORT.parent / PICTURES)
    write_report(REPORT, document, pictures, errata())
    for name, finding in document["claims"].items():
        print(f"{finding['verdict']:>10}  {name}: {finding['ours']}")
    print(
        f"Written: {REPORT.relative_to(ROOT)}, {DATA.relative_to(ROOT)}, {LIBRARY.relative_to(ROOT)}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
