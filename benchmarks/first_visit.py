"""Look for a race that shows the staircase at first sight: python -m benchmarks.first_visit [seconds].

Wanted of gradient descent: three plateaus (core.run.plateaus) or more, each half a decade or longer, and
between neighbours the loss falls to a third or less; of ANLS from the same start: a loss thirty times lower
at its end. Each problem is run for a short budget first and, if two plateaus are there by then, for the whole
one. Printed are all that qualify, best first: by the number of plateaus, then by the smallest fall.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from time import perf_counter

from core.config.run_config import RunConfig
from core.portable.logarithm import portable_log10
from core.run.plateaus import Plateau, plateaus_of
from core.run.train import train

DECADES, FALL, LOWER = 0.5, 3.0, 30.0
SHORT, WHOLE = 2e5, 1e7
TARGETS = (
    "five", "step", "f1", "sin(2*pi*x)", "abs(x)", "where(x > 0, 1, 0)", "where(x > 0, sin(2*pi*x), 0)",
    "sin(pi*x) + 0.1*sin(5*pi*x)", "x**2", "abs(sin(pi*x))", "max(0, sin(2*pi*x))", "abs(abs(x) - 0.5)",
)  # fmt: skip
WIDTHS = (4, 5, 6, 8, 10)
STARTS = ("he", "small", "uniform")


@dataclass(frozen=True)
class Found:
    """A race that qualifies."""

    query: str
    plateaus: tuple[Plateau, ...]
    smallest_fall: float
    lower: float


def length(plateau: Plateau) -> float:
    """In decades."""
    return portable_log10((1.0 + plateau.end) / (1.0 + plateau.begin))


def long_ones(query: str, epochs: float) -> tuple[tuple[Plateau, ...], float]:
    """The plateaus of gradient descent that are long enough, and its last loss."""
    config = RunConfig.from_query(f"{query}&epochs={epochs:g}&method=gd")
    frames = list(train(config))
    told = plateaus_of(config, frames)
    return tuple(plateau for plateau in told if length(plateau) >= DECADES), frames[-1].loss


def falls(plateaus: tuple[Plateau, ...]) -> float:
    """The smallest factor by which the loss falls between neighbours."""
    return min((a.loss_end / b.loss_begin for a, b in pairwise(plateaus)), default=0.0)


def examined(query: str) -> Found | None:
    """The race on a problem, if it shows what is wanted."""
    early, loss = long_ones(query, SHORT)
    if len(early) < 2 or falls(early) < FALL:
        return None
    least = min(frame.loss for frame in train(RunConfig.from_query(f"{query}&epochs=500&method=anls")))
    if loss < LOWER * least:
        return None
    plateaus, loss = long_ones(query, WHOLE)
    if len(plateaus) < 3 or falls(plateaus) < FALL or loss < LOWER * least:
        return None
    return Found(query, plateaus, falls(plateaus), loss / least)


def problems() -> Iterator[str]:
    """Queries without method and budget; one seed of every problem before the next."""
    for seed in range(1000):
        for start, target, width in product(STARTS, TARGETS, WIDTHS):
            sizes = "" if target == "five" else "&points=50"
            yield f"target={target.replace('+', '%2B')}{sizes}&width={width}&init={start}&seed={seed}"


def main(seconds: float) -> None:
    """Search for so long, and print."""
    begin, tried = perf_counter(), 0
    found: list[Found] = []
    for query in problems():
        if perf_counter() - begin > seconds:
            break
        tried += 1
        one = examined(query)
        if one is not None:
            found.append(one)
            print(f"{query}: {len(one.plateaus)} plateaus, falls of {one.smallest_fall:.1f}", flush=True)
    print(f"{tried} problems, {len(found)} qualify")
    for one in sorted(found, key=lambda each: (-len(each.plateaus), -each.smallest_fall)):
        print(f"\n{one.query}: ANLS {one.lower:.3g} times lower")
        for p in one.plateaus:
            print(f"  {p.begin:.3g} to {p.end:.3g}: {p.loss_begin:.3g} to {p.loss_end:.3g}, {p.why}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 600.0)
