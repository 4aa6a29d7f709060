"""Which runs over which seeds, and what is measured of each.

A sample is the unit of work: one query with the seed left open, and a function from
its frames to a few numbers. The numbers of a seed are kept on disk under a name made
of the numerics' version, the query and the measuring function's own text, so that an
interrupted reproduction goes on, and a changed one measures again.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from core import theory
from core.anls import candidate_table
from core.config import NUMERICS_VERSION, RunConfig
from core.model import evaluate, mean_loss, pattern_of, prediction_error
from core.run import Frame, train
from reproduction import measures
from reproduction.measures import Numbers, column, loss_at

Measure = Callable[[RunConfig, Sequence[Frame]], Numbers]

STATIONARY = 1e-10
"""Mean square of what the parameters at rest would have removed, below which a network counts as fully "
"trained."""


@dataclass(frozen=True)
class Sample:
    """Runs that differ in their seed only, and what is measured of each."""

    name: str
    query: str
    measure: Measure
    seeds: int = 20
    first: int = 0
    seconds: float = 1.0
    """About how long one seed takes: long ones are started first."""

    def config(self, seed: int) -> RunConfig:
        """The run of one seed."""
        return RunConfig.from_query(f"{self.query}&seed={seed}")

    def run(self, seed: int) -> Numbers:
        """Train and measure."""
        config = self.config(seed)
        return self.measure(config, list(train(config)))

    @property
    def key(self) -> str:
        """Names the definition: another query, function or numerics has another."""
        text = "\n".join(
            (NUMERICS_VERSION, self.query, inspect.getsource(self.measure), inspect.getsource(measures))
        )
        return sha256(text.encode()).hexdigest()[:16]


def _f1_gd(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    data = config.training_data()
    return {
        "at_10000": loss_at(frames, 1e4),
        "loss": frames[-1].loss,
        "stages": float(frames[-1].stage + 1),
        "last_change": measures.last_pattern_change(frames),
        **measures.staircase(frames),
        **measures.above_floors(frames),
        **measures.training_state(data, frames, STATIONARY),
    }


def _theorems(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    data, rate = config.training_data(), float(getattr(config.method, "learning_rate", 1.0))
    found = measures.decay(data, frames, rate)
    return {
        "stages": float(found.stages),
        "corrected": float(found.corrected),
        "printed_lower": float(found.printed_lower),
        "printed_upper": float(found.printed_upper),
        **measures.floor_decreases(data, frames, rate),
    }


def _least_squares(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    last = frames[-1]
    return {
        "first": frames[0].loss,
        "at_100": loss_at(frames, 100.0),
        "loss": last.loss,
        "iterations": last.epoch,
        "error_at_100": frames[min(100, len(frames) - 1)].prediction_error,
        "prediction_error": last.prediction_error,
        "rise": measures.largest_rise(frames, "loss"),
        "live": float(np.count_nonzero(last.gap < config.points)),
    }


def _descent(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    """What is asked of gradient-based methods in a comparison."""
    data = config.training_data()
    errors = column(frames, "prediction_error")
    lowest = int(np.argmin(errors))
    return {
        "at_100": loss_at(frames, 100.0),
        "at_10000": loss_at(frames, 1e4),
        "loss": frames[-1].loss,
        "to_1e-4": measures.first_epoch_below(frames, 1e-4),
        "plateaus": float(len(measures.plateaus(frames, 10.0, frames[-1].epoch)[1])),
        "rise": measures.largest_rise(frames, "loss"),
        "error_first": float(errors[0]),
        "prediction_error": float(errors[-1]),
        "error_lowest": float(errors[lowest]),
        "error_lowest_at": frames[lowest].epoch,
        "error_rise": measures.largest_rise(frames, "prediction_error"),
        "spike": measures.spike_at_zero(data, frames[-1]),
    }


def _sin5_gd(config: RunConfig, frames: Sequence[Frame]) -> Numbers:  # noqa: ARG001
    """Fig. motivation: how much of the fall within a range of epochs happens in its last half."""
    start, early, late = frames[0].loss, loss_at(frames, 1e3), loss_at(frames, 1e7)
    return {
        "at_1e3": early,
        "at_1e7": late,
        "early_rest": (loss_at(frames, 5e2) - early) / (start - early),
        "later_fall": early / late,
        "late_rest": (loss_at(frames, 5e6) - late) / (early - late),
        "prediction_error": frames[-1].prediction_error,
    }


def _five(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    data, last = config.training_data(), frames[-1]
    state = measures.training_state(data, frames, 1e-8)
    inner = {1, 2, 3}
    return {
        "loss": last.loss,
        "inner_pinned": float(len(inner & set(last.pin.tolist()))),
        "kept_dead": float(np.array_equal(frames[0].gap == data.m, last.gap == data.m)),
        "moved_late": float(np.max(np.abs(frames[-1].b - _halfway(frames).b))),
        **state,
    }


def _halfway(frames: Sequence[Frame]) -> Frame:
    """The last frame in the first half of the epochs."""
    return [frame for frame in frames if frame.epoch <= frames[-1].epoch / 2][-1]


def _explicit(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    """The construction of Prop. fullyNN from the initial biases, and what gradient descent does to it."""
    data, b = config.training_data(), frames[0].b
    built_b, built_c = theory.fully_trained_network(data, b)
    pattern = pattern_of(data.x, built_b)
    state = config.method.init(data, built_b, built_c)
    one = config.method.advance(data, state, 1.0, stop_at_change=False).state
    step = np.concatenate([one["b"] - built_b, one["c"] - built_c]) / np.concatenate(
        [np.maximum(np.abs(built_b), 1.0), np.maximum(np.abs(built_c), 1.0)]
    )
    later = config.method.advance(data, state, 20.0, stop_at_change=False).state
    with np.errstate(all="ignore"):
        after = mean_loss(data, later["b"], later["c"])
    loss = mean_loss(data, built_b, built_c)
    grid = np.linspace(*config.domain, 20_001)
    groups = np.unique(np.searchsorted(data.x, b, side="right"))
    return {
        "width": float(len(built_b)),
        "allowed": 2.0 * float(np.union1d(groups[groups < data.m], [0]).size),
        "loss": loss,
        "explodes": float(not after <= 2 * loss),
        "mse": theory.stationarity(data, pattern, built_b, built_c).mse,
        "step": float(np.max(np.abs(step))),
        "highest": float(np.max(np.abs(evaluate(built_b, built_c, grid)))),
        "prediction_error": prediction_error(data, built_b, built_c),
    }


def _seven(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    table = candidate_table(config.training_data(), frames[0].b)
    per_neuron = np.bincount(np.asarray(table.neuron, dtype=np.int64), minlength=config.width)
    return {f"neuron_{j + 1}": float(count) for j, count in enumerate(per_neuron)} | {
        "candidates": float(len(table.neuron))
    }


_ALL = (
    Sample("f1_gd", "target=f1&method=gd&epochs=1e8", _f1_gd, seconds=12),
    Sample("f1_flow", "target=f1&method=flow&epochs=1e8", _theorems, seconds=4),
    Sample("f1_anls", "target=f1&method=anls&epochs=1000", _least_squares, seeds=100, seconds=0.1),
    Sample("f1_lsq", "target=f1&method=lsq", _least_squares, seeds=100, seconds=0.02),
    Sample("f1_adam", "target=f1&method=adam&epochs=1e6", _descent, seconds=1),
    Sample("f1_ls_gd", "target=f1&method=ls_gd&epochs=1e5", _descent, seconds=2),
    Sample("f1_ls_adam", "target=f1&method=ls_adam&epochs=1e5", _descent, seconds=2),
    Sample("sin5_gd", "target=sin5&method=gd&epochs=1e7", _sin5_gd, seconds=15),
    Sample("sin5_anls", "target=sin5&method=anls&epochs=2000", _least_squares, seconds=0.3),
    Sample("sin5_explicit", "target=sin5&method=gd&epochs=1", _explicit, seconds=0.1),
    Sample("five_gd", "target=five&method=gd&epochs=1e7", _five, seconds=2),
    Sample("seven", "target=seven&method=anls&epochs=100", _seven, seeds=1, seconds=0.1),
    Sample("f2_gd", "target=f2&method=gd&epochs=5e6", _descent, seconds=22),
    Sample("f2_adam", "target=f2&method=adam&epochs=1e6", _descent, seconds=8),
    Sample("f2_lsq", "target=f2&method=lsq", _least_squares, seeds=20, seconds=0.02),
    Sample("f2_ls_gd", "target=f2&method=ls_gd&epochs=1e4", _descent, seconds=4),
    Sample("f2_ls_adam", "target=f2&method=ls_adam&epochs=1e4", _descent, seconds=4),
    Sample("f2_anls", "target=f2&method=anls&epochs=2000", _least_squares, seconds=1),
)

SAMPLES: dict[str, Sample] = {sample.name: sample for sample in _ALL}
