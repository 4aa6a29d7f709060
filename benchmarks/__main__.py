"""`make bench`: every speed figure in one run, as a ratio to what one would use instead.

Single-threaded BLAS on both sides (the Makefile sets it): small matrices gain
nothing from threads, and a ratio taken with an idle core to spare flatters nobody.
"""

import sys
from collections.abc import Callable

from benchmarks import (
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


def main(chosen: list[str]) -> None:
    """Run the named benchmarks, or all of them; the exit code is not 0 where a bar is missed."""
    unknown = set(chosen) - set(BENCHMARKS)
    if unknown:
        sys.exit(f"Unknown benchmark {', '.join(sorted(unknown))}: choose from {', '.join(BENCHMARKS)}.")
    for name in chosen or BENCHMARKS:
        print(f"\n== {name} ==", flush=True)
        BENCHMARKS[name]()
    if missed := [*bench_squares.MISSED, *bench_page.MISSED]:
        sys.exit(f"{len(missed)} bars are missed: {'; '.join(missed)}")


main(sys.argv[1:])
