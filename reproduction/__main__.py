"""`python -m reproduction`: compute the confirmation and all that ships, and write the report.

--claim NAME  compute one claim again, on as many seeds as fit into --minutes (2), and print its verdict
--home        where finished pieces are kept, so that an interrupted run goes on (.plateau/reproduction)
--jobs        processes (2)
--fresh       forget the finished pieces first
--only        names of samples, to look at their numbers without writing anything
--seeds       at most so many seeds, with --claim, --only and --referee
--judge       judge the shipped numbers again by the criteria as they are now
--referee     judge all claims on as many new seeds as the confirmation has, from this one on, and compare
--keep        with --referee, ship those runs as the second confirmation; the commit at hand names the code
--explored    compute the seeds again that were known before, and compare
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from core.service import Settings, read_volume
from reproduction.ablations import ablation_rows
from reproduction.claims import CLAIMS, Finding, judge, judge_all, judge_set
from reproduction.criteria import criteria
from reproduction.first_visit import write_first_visit
from reproduction.pictures import PICTURES, draw_all
from reproduction.report import PICTURES as FOLDER
from reproduction.report import Ended, report, results_document, write_results
from reproduction.runs import Tables, shipped_tables, write_runs, write_runtimes
from reproduction.samples import SAMPLES, Sample, explored, variants
from reproduction.second import write_second
from reproduction.shipping import (
    DATA,
    KNOWN,
    LIBRARY,
    RUNS,
    RUNTIMES,
    SECOND,
    ShippedRun,
    definition,
    ship,
    shipped_runs,
)
from reproduction.study_work import study_jobs, write_studies
from reproduction.verdicts import VERDICTS
from reproduction.work import Done, Job, Results, do_all, sample_jobs, tabulate

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs" / "reproduction.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do it all; the exit code."""
    options = _parser().parse_args(arguments)
    if options.claim:
        return one_claim(options.claim, options)
    if options.judge:
        shipped = json.loads((DATA / "results.json").read_text(encoding="utf-8"))
        return _write(shipped_tables(), {**shipped["runs"], **whole_runs()})
    if options.fresh:
        shutil.rmtree(options.home, ignore_errors=True)
    if options.only:
        samples = _capped([SAMPLES[name] for name in options.only], options.seeds)
        print(json.dumps(tabulate(samples, _done(sample_jobs(samples), options)), indent=1))
        return 0
    if options.referee is not None:
        samples = _capped(referee_samples(options.referee), options.seeds)
        table = tabulate(samples, _done(sample_jobs(samples), options))
        if options.keep:
            write_second(table, commit_of_code(), date.today().isoformat())
        return referee(table)
    if options.explored:
        return differing(
            tabulate(explored(), _done(sample_jobs(explored()), options)), shipped_tables().explored
        )
    return _everything(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reproduction", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--claim", choices=sorted(CLAIMS), metavar="NAME")
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--home", type=Path, default=ROOT / ".plateau" / "reproduction")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--only", nargs="*", choices=sorted(SAMPLES))
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--referee", type=int)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--explored", action="store_true")
    return parser


def commit_of_code() -> str:
    """The commit of the code, if nothing but data differs from it."""
    command = ["git", "-C", str(ROOT)]
    if subprocess.run([*command, "diff", "--quiet", "HEAD", "--", "core", "reproduction/*.py"]).returncode:
        raise SystemExit("--keep: commit the code first, so that its commit can be named")
    return subprocess.run(
        [*command, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()


def referee_samples(first: int) -> list[Sample]:
    """Every sample on as many seeds as the confirmation has, from another one on."""
    return [replace(sample.confirming(), first=first) for sample in SAMPLES.values()]


def _capped(samples: Sequence[Sample], most: int | None) -> list[Sample]:
    """With fewer seeds, if so asked."""
    return [replace(one, seeds=min(one.seeds, most or one.seeds)) for one in samples]


def _done(jobs: Sequence[Job], options: argparse.Namespace) -> Mapping[str, Done]:
    return do_all(jobs, options.home, options.jobs, quiet=not sys.stderr.isatty())


def one_claim(name: str, options: argparse.Namespace) -> int:
    """Compute a claim's runs again, compare, and print its verdict; 1 if any number differs."""
    claim, shipped = CLAIMS[name], shipped_tables()
    drawn = set(claim.samples) <= set(shipped.confirmation)
    samples = [SAMPLES[sample].confirming() if drawn else SAMPLES[sample] for sample in claim.samples]
    each = sum(sample.seconds for sample in samples)
    most = options.seeds or max(1, int(options.minutes * 60.0 * options.jobs / each))
    samples = _capped(samples, most)
    with tempfile.TemporaryDirectory() as home:
        found = tabulate(samples, do_all(sample_jobs(samples), Path(home), options.jobs, quiet=True))
    table = shipped.confirmation if drawn else shipped.explored
    apart = differing(found, table)
    finding = judge(claim, shipped.explored, shipped.confirmation, criteria())
    text = ", ".join(f"{sample.seeds} of {len(table[sample.name])} of {sample.name}" for sample in samples)
    print(f"{name}: {claim.sentence}\n\n  {finding.ours}\n  {finding.why}\n\nSeeds computed again: {text}.")
    print(f"Verdict over all {'unseen' if drawn else 'known'} seeds: {VERDICTS[finding.verdict]}.")
    return apart


def differing(found: Results, shipped: Results) -> int:
    """Name the runs whose numbers are not the shipped ones, to the last bit; 1 if there are any."""
    apart = [
        f"{name}, seed {seed}"
        for name, seeds in found.items()
        for seed, numbers in seeds.items()
        if _written(numbers) != _written(shipped[name][seed])
    ]
    print("\n".join(f"differs from what ships: {one}" for one in apart), end="\n" if apart else "")
    return min(len(apart), 1)


def _written(numbers: Mapping[str, float]) -> dict[str, str]:
    return {name: repr(value) for name, value in numbers.items()}


def run_jobs(entries: Sequence[ShippedRun]) -> list[Job]:
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


def whole_runs() -> dict[str, dict[str, float]]:
    """How the runs ended that ship whole, from their files."""
    volumes = {entry.config.run_id: read_volume(entry.path) for entry in shipped_runs() if entry.whole}
    states = {name: volume.record.state for name, volume in volumes.items()}
    return {
        name: {"loss": float(state.loss or 0.0), "epoch": state.epoch, "frames": float(state.frames)}
        for name, state in states.items()
    }


def _everything(options: argparse.Namespace) -> int:
    begun, nothing_kept = time.monotonic(), not options.home.exists()
    entries = shipped_runs()
    confirming = [sample.confirming() for sample in SAMPLES.values()]
    varied = [sample for one in variants().values() for sample in one.values()]
    samples = [*confirming, *varied]
    found = _done([*sample_jobs(samples), *run_jobs(entries), *study_jobs(options.home)], options)
    write_studies(options.home)
    write_first_visit(Settings().answer_library)
    tables = Tables(shipped_tables().explored, tabulate(confirming, found), tabulate(varied, found))
    write_runs(RUNS, {"confirmation": tables.confirmation, "ablation": tables.varied})
    wall = time.monotonic() - begun if nothing_kept and options.jobs == 2 else None
    write_runtimes(RUNTIMES, samples, found, wall)
    kept = {entry.path for entry in entries} | {DATA / "results.json", SECOND}
    for path in {*LIBRARY.glob("*.xz"), *DATA.glob("*.json")} - kept:
        path.unlink()
    ended = {entry.config.run_id: found[f"run-{entry.config.run_id}"].numbers for entry in entries}
    return _write(tables, ended)


def _write(tables: Tables, ended: Ended) -> int:
    """Results for the app, pictures and report for readers; 1 where unseen seeds contradict known ones."""
    by = criteria()
    findings = judge_all(tables.explored, tables.confirmation, by)
    rows = ablation_rows(tables.base, tables.varied, by)
    document = results_document(tables, findings, rows, ended, by)
    write_results(document)
    draw_all(REPORT.parent / FOLDER, tables)
    captions = {name: caption for name, (caption, _) in PICTURES.items()}
    REPORT.write_text(report(findings, document, by, captions), encoding="utf-8")
    for name, finding in findings.items():
        print(f"{finding.verdict:>10}  {name}: {finding.short}{_against(finding)}")
    text = ", ".join(str(path.relative_to(ROOT)) for path in (REPORT, DATA, LIBRARY))
    print(f"Written: {text}; {KNOWN.name} stays as it was.", file=sys.stderr)
    return min(sum(finding.contradicts for finding in findings.values()), 1)


def _against(finding: Finding) -> str:
    return f" (known seeds: {VERDICTS[finding.explored]})" if finding.contradicts else ""


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
