"""Which runs over which seeds, and what is measured of each.

A sample is the unit of work: one query with the seed left open, and a function from a run to a few
numbers. Its explored seeds were known before the criteria were last changed; those of the confirmation,
which criteria.toml plans, were not. The numbers of a seed are kept on disk under a name made of the
numerics' version, the query and the measuring code's own text, so that an interrupted reproduction goes
on, and a changed one measures again.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from core.config import NUMERICS_VERSION, RunConfig
from reproduction import measures, measuring
from reproduction.criteria import Ablation, criteria, grid
from reproduction.measures import Numbers

Measure = Callable[[RunConfig], Numbers]

EXPLORED = (0, 7000)
"""The first seeds of the two sets that were known before."""
GRIDS = ("flat", "shortest", "trained", "settled", "similar")
"""Thresholds that are measured at several values, since no table of numbers could give the others."""


@dataclass(frozen=True)
class Sample:
    """Runs that differ in their seed only, and what is measured of each."""

    name: str
    query: str
    measure: Measure
    seeds: int = 40
    first: int = 0
    seconds: float = 1.0
    """About how long one seed takes: long ones are started first."""

    def config(self, seed: int) -> RunConfig:
        """The run of one seed."""
        return RunConfig.from_query(f"{self.query}&seed={seed}")

    def run(self, seed: int) -> Numbers:
        """Train and measure."""
        return self.measure(self.config(seed))

    def confirming(self) -> "Sample":
        """The same on the seeds of the confirmation."""
        return replace(self, first=criteria().first, seeds=criteria().seeds[self.name])

    @property
    def places(self) -> range:
        """Its seeds."""
        return range(self.first, self.first + self.seeds)

    @cached_property
    def key(self) -> str:
        """Names the definition: another query, function or numerics has another."""
        grids = [f"{word} {grid(word)}" for word in GRIDS]
        how = getattr(self.measure, "__qualname__", repr(self.measure))
        settings = str(criteria().settings)
        text = "\n".join((NUMERICS_VERSION, self.query, how, *grids, settings, _measuring_code()))
        return sha256(text.encode()).hexdigest()[:16]


def _measuring_code() -> str:
    """The text of everything that measures."""
    folder = Path(inspect.getfile(measures)).parent
    files = (*sorted(folder.glob("*.py")), Path(measuring.__file__))
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


_DEAD = ",".join(f"{1.1 + 0.1 * k:.1f}" for k in range(10))

_ALL = (
    Sample("f1_gd", "target=f1&method=gd&epochs=1e8", measuring.f1_gd, seconds=2.4),
    Sample("f1_flow", "target=f1&method=flow&epochs=1e8", measuring.flow, 100, seconds=0.3),
    Sample("f1_plain", "target=f1&method=gd&epochs=5e5", measuring.hopping, seconds=0.5),
    Sample("f1_anls", "target=f1&method=anls&epochs=1000", measuring.compared, 100, seconds=0.01),
    Sample("f1_lsq", "target=f1&method=lsq", measuring.compared, 100, seconds=0.01),
    Sample("f1_adam", "target=f1&method=adam&epochs=1e6", measuring.f1_adam, seconds=0.5),
    Sample("f1_ls_gd", "target=f1&method=ls_gd&epochs=1e5", measuring.fluctuating, seconds=0.6),
    Sample("f1_ls_adam", "target=f1&method=ls_adam&epochs=1e5", measuring.fluctuating, seconds=0.6),
    Sample("sin5_gd", "target=sin5&method=gd&epochs=1e7", measuring.ranges, seconds=2.4),
    Sample("sin5_long", "target=sin5&method=gd&epochs=1e8", measuring.ranges, 5, seconds=30),
    Sample("sin5_anls", "target=sin5&method=anls&epochs=2000", measuring.compared, 100, seconds=0.06),
    Sample("sin5_explicit", "target=sin5&method=gd&epochs=1", measuring.explicit, 100, seconds=0.01),
    Sample("five_gd", "target=five&method=gd&epochs=1e7", measuring.five, 100, seconds=0.3),
    Sample("seven", "target=seven&method=anls&epochs=100", measuring.illustration, 1, seconds=0.01),
    Sample("f2_gd", "target=f2&method=gd&epochs=5e6", measuring.compared, seconds=4),
    Sample("f2_adam", "target=f2&method=adam&epochs=1e6", measuring.adam, seconds=2.3),
    Sample("f2_lsq", "target=f2&method=lsq", measuring.compared, 100, seconds=0.01),
    Sample("f2_ls_gd", "target=f2&method=ls_gd&epochs=1e4", measuring.hybrid, seconds=1.2),
    Sample("f2_ls_adam", "target=f2&method=ls_adam&epochs=1e4", measuring.hybrid, seconds=1.2),
    Sample("f2_anls", "target=f2&method=anls&epochs=2000", measuring.compared, 100, seconds=0.2),
    Sample(
        "dead", f"target=f1&method=gd&epochs=1000&width=10&biases={_DEAD}", measuring.dead, 5, seconds=0.01
    ),
    Sample("silent", "target=f1&method=lsq", measuring.silent, 1, seconds=0.01),
    Sample("unit_weights", "target=f1&method=lsq&width=20", measuring.unit, 100, seconds=0.01),
    Sample("cod", "target=f1&method=lsq", measuring.replaced, 100, seconds=0.01),
)

SAMPLES: dict[str, Sample] = {sample.name: sample for sample in _ALL}


def explored() -> list[Sample]:
    """Every sample on the seeds that were known before."""
    return [replace(sample, first=first) for first in EXPLORED for sample in _ALL]


def variants() -> dict[str, dict[str, Sample]]:
    """The samples of every ablation, by what they change, on seeds of the confirmation."""
    return {
        name: {change: _varied(ablation, change) for change in ablation.changes}
        for name, ablation in criteria().ablations.items()
    }


def _varied(ablation: Ablation, change: str) -> Sample:
    name = f"{ablation.name}-{change}"
    sample = replace(SAMPLES[ablation.base].confirming(), name=name, seeds=ablation.seeds)
    if ablation.name == "cut-off":
        return replace(sample, measure=measuring.Cut(float(change)), seconds=13)
    measure = measuring.stationary_when if ablation.name == "scaling" else sample.measure
    return replace(sample, query=f"{sample.query}&{change}", measure=measure)
