"""`python -m tests.reproduction.short_runs`: a short run of every sample and ablation, measured and printed.

Every method on every target of the reproduction, by the code that measures it.
"""

import json
from dataclasses import replace

from reproduction.measuring import Cut
from reproduction.samples import SAMPLES, Sample, variants
from reproduction.warming import shortened

CUTS = 10
"""Iterations of LS/GD with a cut-off."""


def short_samples() -> dict[str, Sample]:
    """By name."""
    varied = {one.name: one for changes in variants().values() for one in changes.values()}
    return {**SAMPLES, **varied}


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
