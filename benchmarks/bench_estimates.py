"""`python -m benchmarks.bench_estimates`: how well the cost of a run is predicted.

Fifty configurations over targets, methods, widths and budgets are estimated by the short measurement
that the page uses, then run to their end; the share within a factor of two is printed. Both are counted
in CPU time, so that other programs on the machine do not count.
"""

import random
import sys
import time
from collections.abc import Iterator

from core.config import RunConfig
from core.run.train import Training
from core.service.workers.estimates import extrapolate_cost, measure_cost
from core.service.workers.kernels import load_kernels

LONGEST = 20.0
_METHODS = (("gd", 1e7), ("adam", 1e6), ("flow", 1e8), ("ls_gd", 1e5), ("anls", 500), ("anls_plus", 200))
_TARGETS = ("f1", "sin5", "f2", "runge", "abs(x)")
_WIDTHS = (5, 10, 20, 40, 100, 300)


def configurations(number: int = 50) -> Iterator[RunConfig]:
    """Drawn evenly, the same every time."""
    chance = random.Random(15)
    for index in range(number):
        method, most = _METHODS[index % len(_METHODS)]
        width = chance.choice(_WIDTHS)
        epochs = most / 10 ** chance.choice((0, 1, 2)) if method not in ("anls", "anls_plus") else most
        query = (
            f"target={chance.choice(_TARGETS)}&width={width}&seed={index}&method={method}&epochs={epochs:g}"
        )
        yield RunConfig.from_query(query)


def taken(config: RunConfig) -> float:
    """CPU seconds of the whole run."""
    begin, training = time.process_time(), Training(config, clock=time.process_time)
    while training.outcome is None and time.process_time() - begin < LONGEST:
        training.step()
    return time.process_time() - begin


def main() -> None:
    """One line a configuration, then the share."""
    load_kernels()
    close, factors = 0, []
    for config in configurations(int(sys.argv[1]) if len(sys.argv) > 1 else 50):
        expected = extrapolate_cost(config, measure_cost(config, time.process_time))
        took = taken(config)
        factor = max(expected, 0.01) / max(took, 0.01)
        factors.append(factor)
        good = 0.5 <= factor <= 2.0 or (took >= LONGEST and expected >= LONGEST / 2)
        close += good
        print(
            f"{expected:8.3f} s expected {took:8.3f} s {factor:6.2f} {'' if good else '!'}", config.to_query()
        )
    print(f"within a factor of two: {close} of {len(factors)}")


if __name__ == "__main__":
    main()
