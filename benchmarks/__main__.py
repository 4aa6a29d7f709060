"""`make bench`: every speed figure in one run, as a ratio to what one would use instead.

Single-threaded BLAS on both sides (the Makefile sets it): small matrices gain
nothing from threads, and a ratio taken with an idle core to spare flatters nobody.
PLATEAU_AGAINST=<checkout> compares the ratios of RATIOS with those of another version.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    bars,
    bench_cold,
    bench_fit,
    bench_flow,
    bench_forecast,
    bench_gradient,
    bench_import,
    bench_knots,
    bench_page,
    bench_rivals,
    bench_scrub,
    bench_squares,
    bench_study,
    bench_study_page,
    bench_theory,
)
from benchmarks.real_app import ROOT

BENCHMARKS: dict[str, Callable[[], None]] = {
    "fit": bench_fit.main,
    "theory": bench_theory.main,
    "gradient": bench_gradient.main,
    "flow": bench_flow.main,
    "forecast": bench_forecast.main,
    "squares": bench_squares.main,
    "rivals": bench_rivals.main,
    "knots": bench_knots.main,
    "import": bench_import.main,
    "page": bench_page.main,
    "scrub": bench_scrub.main,
    "study": bench_study.main,
    "study_page": bench_study_page.main,
    "cold": bench_cold.main,
}


RATIOS = {"gradient": "main", "squares": "main", "theory": "main", "rivals": "ratios"}
"""Those that print ratios to what somebody would use instead, the same in another version, and the function
that does: the races of the rivals have none."""


def main(chosen: list[str]) -> None:
    """Run the named benchmarks, or all of them; the exit code is not 0 where a bar is missed."""
    unknown = set(chosen) - set(BENCHMARKS)
    if unknown:
        sys.exit(f"Unknown benchmark {', '.join(sorted(unknown))}: choose from {', '.join(BENCHMARKS)}.")
    other = os.environ.get("PLATEAU_AGAINST")
    compared = [name for name in chosen or BENCHMARKS if other and name in RATIOS]
    for name in chosen or BENCHMARKS:
        if name not in compared:
            print(f"\n== {name} ==", flush=True)
            BENCHMARKS[name]()
    if other and compared:
        bars.against({name: RATIOS[name] for name in compared}, Path(other), ROOT)
    if bars.MISSED:
        sys.exit(f"{len(bars.MISSED)} bars are missed: {'; '.join(bars.MISSED)}")


main(sys.argv[1:])
