"""`python -m reproduction`: compute everything again, and write what the app and the docs show.

--home     where finished pieces are kept, so that an interrupted run goes on (.plateau/reproduction)
--jobs     processes (2)
--fresh    forget the finished pieces first
--figures  only the runs that the page shows and does not have yet, and the pictures
--only     names of samples, to look at a few claims' numbers without writing anything
--seeds    at most so many seeds a set, with --only and --referee
--judge    judge the shipped numbers again by the criteria as they are now
--referee  judge all claims on seeds from this one on, and tell where verdicts differ from the shipped ones
"""

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.methods import METHODS
from reproduction.ablations import ablation_rows
from reproduction.claims import judge_all, judge_set
from reproduction.criteria import criteria
from reproduction.errata import errata
from reproduction.photographs import photograph
from reproduction.report import PICTURES, Ended, results_document, write_report, write_results
from reproduction.runs import (
    SETS,
    Tables,
    all_samples,
    read_runs,
    read_runtimes,
    write_runs,
    write_runtimes,
)
from reproduction.samples import SAMPLES, Sample
from reproduction.shelf import DATA, LIBRARY, RUNS, RUNTIMES, Wanted, definition, ship, wanted
from reproduction.study_work import missing, study_jobs, write_studies
from reproduction.verdicts import VERDICTS
from reproduction.warming import warm
from reproduction.work import Done, Job, Progress, Results, do_all, sample_jobs, tabulate

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs" / "reproduction.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do it all; the exit code."""
    options = _parser().parse_args(arguments)
    if options.judge or options.figures:
        shipped = json.loads((DATA / "results.json").read_text(encoding="utf-8"))
        lacking = [entry for entry in wanted() if options.figures and not entry.path.exists()]
        found = _done(run_jobs(lacking), options)
        return _write(read_runs(RUNS), {**shipped["runs"], **_ended(lacking, found)})
    if options.fresh:
        shutil.rmtree(options.home, ignore_errors=True)
    if options.only:
        samples = _capped([SAMPLES[name] for name in options.only], options.seeds)
        print(json.dumps(tabulate(samples, _done(sample_jobs(samples), options)), indent=1))
        return 0
    if options.referee is not None:
        samples = _capped([one.confirming(options.referee) for one in SAMPLES.values()], options.seeds)
        return referee(tabulate(samples, _done(sample_jobs(samples), options)))
    return _everything(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reproduction", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--home", type=Path, default=ROOT / ".plateau" / "reproduction")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--only", nargs="*", choices=sorted(SAMPLES))
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--referee", type=int)
    return parser


def _capped(samples: Sequence[Sample], most: int | None) -> list[Sample]:
    """With fewer seeds, if so asked."""
    return [replace(one, seeds=min(one.seeds, most or one.seeds)) for one in samples]


def _done(jobs: Sequence[Job], options: argparse.Namespace) -> Mapping[str, Done]:
    return do_all(jobs, options.home, options.jobs, Progress())


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
            entry.config.run_id,
            float(entry.config.epochs),
        )
        for entry in entries
    ]


def _ended(entries: Sequence[Wanted], found: Mapping[str, Done]) -> Ended:
    """How the shipped runs ended, by name."""
    return {entry.config.run_id: found[f"run-{entry.config.run_id}"].numbers for entry in entries}


def _everything(options: argparse.Namespace) -> int:
    sets, entries = all_samples(), wanted()
    samples = [sample for one in sets.values() for sample in one]
    studies = missing()
    jobs = [*sample_jobs(samples), *run_jobs(entries), *study_jobs(studies, options.home)]
    warm(options.jobs, METHODS if studies else ())
    found = _done(jobs, options)
    write_studies(studies, options.home)
    tables = Tables(*(tabulate(sets[name], found) for name in SETS))
    write_runs(RUNS, tables)
    write_runtimes(RUNTIMES, samples, found)
    kept = {entry.path for entry in entries} | {DATA / "results.json"}
    for path in {*LIBRARY.glob("*.xz"), *DATA.glob("*.json")} - kept:
        path.unlink()
    return _write(tables, _ended(entries, found))


def _write(tables: Tables, ended: Ended) -> int:
    """Results for the app, pictures and report for readers; the exit code."""
    by = criteria()
    findings = judge_all(tables.first, tables.second, by)
    rows = ablation_rows(tables.first, tables.varied, by)
    document = results_document(tables.runs(), findings, rows, ended)
    write_results(document)
    pictures = photograph(REPORT.parent / PICTURES)
    write_report(REPORT, findings, document, by, pictures, errata(), read_runtimes(RUNTIMES))
    for name, finding in findings.items():
        print(f"{finding.verdict:>10}  {name}: {finding.ours}")
    print(
        f"Written: {REPORT.relative_to(ROOT)}, {DATA.relative_to(ROOT)}, {LIBRARY.relative_to(ROOT)}",
        file=sys.stderr,
    )
    return 0


def referee(table: Results) -> int:
    """Print the verdicts of other seeds beside the shipped ones; 1 where any differs."""
    shipped = json.loads((DATA / "results.json").read_text(encoding="utf-8"))["claims"]
    by, apart = criteria(), 0
    for name, claim in by.claims.items():
        evidence, verdict, _ = judge_set(claim, table, by)
        known = shipped[name]["verdict"]
        apart += verdict != known
        mark = "" if verdict == known else f"  (shipped: {VERDICTS[known]})"
        print(f"{VERDICTS[verdict]:>24}  {name}: {evidence.ours}{mark}")
    print(f"{apart} of {len(by.claims)} verdicts differ.", file=sys.stderr)
    return min(apart, 1)


if __name__ == "__main__":
    sys.exit(main())
