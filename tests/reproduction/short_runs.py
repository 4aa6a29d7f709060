"""`python -m tests.reproduction.short_runs`: a short run of every sample and ablation, measured and printed.

Every method on every target of the reproduction, by the code that measures it.
"""

import json
from dataclasses import replace

from core.config import RunConfig
from reproduction.measuring import Cut
from reproduction.samples import SAMPLES, Sample, variants

SHORT = 300.0
"""Epochs: enough for crossings and for several frames."""
CUTS = 10
"""Iterations of LS/GD with a cut-off."""


def short_samples() -> dict[str, Sample]:
    """By name."""
    # On known seeds: nobody shall see those of the confirmation before they are drawn.
    varied = {one.name: replace(one, first=0) for all_of in variants().values() for one in all_of.values()}
    return {**SAMPLES, **varied}


def shortened(sample: Sample) -> RunConfig:
    """The first run of a sample, over in a moment."""
    config = sample.config(sample.first)
    return replace(config, epochs=min(config.epochs, SHORT))


def main() -> None:
    """Print the numbers."""
    found = {}
    for name, sample in short_samples().items():
        measure = sample.measure
        if isinstance(measure, Cut):
            measure = replace(measure, iterations=CUTS)
        found[name] = {key: repr(value) for key, value in measure(shortened(sample)).items()}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
