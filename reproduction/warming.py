"""Compile what the work needs before it begins, each kernel by one process only.

Two processes that start on a clean clone with the same kind of run would compile the same kernels side by
side, and their minutes would be counted as those runs'. A short piece of every kind comes first: what all
kinds share in one process, beside it what stands alone in another, then the rest.
"""

import multiprocessing
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from core.config import RunConfig
from reproduction.measuring import Cut
from reproduction.samples import SAMPLES, Sample
from reproduction.study_work import record_of

SHORT = 300.0
"""Epochs: enough for crossings and for several frames."""


def warm(processes: int, methods: Iterable[str] = ()) -> None:
    """Every measure, and the methods of the studies that are missing, once and short."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        alone = pool.submit(cut_short)
        pool.submit(measure_short, "f1_gd").result()
        rest = [pool.submit(measure_short, name) for name in SAMPLES if name != "f1_gd"]
        rest += [pool.submit(record_short, name) for name in methods]
        for future in (alone, *rest):
            future.result()


def cut_short() -> None:
    """The solver with a cut-off, which shares nothing with the others."""
    Cut(0.0, 1)(shortened(SAMPLES["f2_ls_gd"]))


def measure_short(name: str) -> None:
    """A sample's measure, on a short run."""
    sample = SAMPLES[name]
    sample.measure(shortened(sample))


def shortened(sample: Sample) -> RunConfig:
    """The first run of a sample, over in a moment."""
    config = sample.config(sample.first)
    return replace(config, epochs=min(config.epochs, SHORT))


def record_short(method: str) -> None:
    """A method as studies run it; on a problem that needs all kinds of moves."""
    record_of(0, RunConfig.from_query(f"target=seven&epochs=100&method={method}"))
