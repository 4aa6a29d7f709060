"""What is measured of a run of each sample: from its configuration to its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core import theory
from core.config import RunConfig
from core.frames import Frame
from core.model import evaluate, mean_loss, pattern_of, prediction_error
from core.run import train
from reproduction.criteria import criteria, setting
from reproduction.measures import Numbers, cut_off, exact, plain, theorems
from reproduction.measures.curves import (
    column,
    converged,
    largest_rise,
    last_pattern_change,
    loss_at,
    lowest_to,
    overshoot,
    plateaus,
    relative_loss,
    rises_near,
    staircase,
    target_norm,
)
from reproduction.measures.iterations import every_iteration
from reproduction.measures.rest import above_floors, averages, settling, smallest, training_state


def f1_gd(config: RunConfig) -> Numbers:
    """Everything that section 5.1 says of one long run of gradient descent."""
    data, frames, limits = config.training_data(), list(train(config)), criteria().limits()
    return {
        **_compared(config, frames),
        "stages": float(frames[-1].stage + 1),
        "last_change": last_pattern_change(frames),
        "averages": averages(data, frames),
        **staircase(frames, limits["flat"], limits["shortest"]),
        **above_floors(frames),
        **training_state(data, frames),
        **settling(frames),
    }


def stationary_when(config: RunConfig) -> Numbers:
    """When a run is fully trained, and nothing else."""
    frames = list(train(config))
    return {"loss": frames[-1].loss, **training_state(config.training_data(), frames)}


def flow(config: RunConfig) -> Numbers:
    """The theorems on stages, on the gradient flow itself."""
    data, frames = config.training_data(), list(train(config))
    rate = float(getattr(config.method, "learning_rate", 1.0))
    found = theorems.decay(data, frames, rate)
    return {
        "stages": float(found.stages),
        "corrected": float(found.corrected),
        "printed_lower": float(found.printed_lower),
        "printed_upper": float(found.printed_upper),
        # Rates come from LAPACK, whose last digits differ between processors.
        "lowest_rate": float(f"{found.lowest_rate:.6g}"),
        **theorems.floor_decreases(data, frames, rate),
    }


def _compared(config: RunConfig, frames: Sequence[Frame]) -> Numbers:
    """What is asked of every method in a comparison, from its frames."""
    data = config.training_data()
    epochs, loss, error = (column(frames, name) for name in ("epoch", "loss", "prediction_error"))
    return {
        "at_100": loss_at(frames, 100.0),
        "at_10000": loss_at(frames, 1e4),
        "lowest_to_100": lowest_to(epochs, loss, 100.0),
        "lowest_to_10000": lowest_to(epochs, loss, 1e4),
        "loss": float(loss[-1]),
        "iterations": float(epochs[-1]),
        "relative_loss": relative_loss(data, float(loss[-1])),
        "rise": largest_rise(loss),
        "error_rise": largest_rise(error),
        "prediction_error": float(error[-1]),
        "relative_error": float(error[-1]) / target_norm(data),
        **converged(epochs, loss),
        **plateaus(epochs, loss),
    }


def compared(config: RunConfig) -> Numbers:
    """Gradient descent, ANLS and least squares in a comparison."""
    frames = list(train(config))
    live = float(np.count_nonzero(frames[-1].gap < config.points))
    return {**_compared(config, frames), "live": live}


def fluctuating(config: RunConfig) -> Numbers:
    """The hybrids on f1: every iteration up to the ten thousandth for the lowest loss."""
    return _compared(config, list(train(config))) | _lowest_to_10000(config)


def f1_adam(config: RunConfig) -> Numbers:
    """Adam on f1: every iteration up to the ten thousandth for the lowest loss."""
    return adam(config) | _lowest_to_10000(config)


def _lowest_to_10000(config: RunConfig) -> Numbers:
    trace = every_iteration(config, min(10_000, int(config.epochs)), errors=False)
    return {"lowest_to_10000": float(np.min(trace.loss))}


def adam(config: RunConfig) -> Numbers:
    """Adam: its frames, and the plateaus of its smallest loss so far."""
    frames = list(train(config))
    epochs, loss = column(frames, "epoch"), column(frames, "loss")
    return {
        **_compared(config, frames),
        **plateaus(epochs, np.minimum.accumulate(loss), "best_plateaus"),
    }


def hybrid(config: RunConfig) -> Numbers:
    """LS/GD and LS/Adam on f2, at every iteration."""
    data, trace = config.training_data(), every_iteration(config, int(config.epochs))
    return {
        "at_10000": float(trace.loss[-1]),
        "lowest_to_100": float(np.min(trace.loss[:101])),
        "loss": float(trace.loss[-1]),
        "rise": largest_rise(trace.loss),
        "error_rise": largest_rise(trace.error),
        "error_lowest_at": float(np.argmin(trace.error)),
        "prediction_error": float(trace.error[-1]),
        "relative_error": float(trace.error[-1]) / target_norm(data),
        "spike": overshoot(data, trace.b, trace.c, -setting("beside"), setting("beside")),
        **rises_near(trace.epochs, trace.error, 200.0, "error_rise_near"),
        **converged(trace.epochs, trace.loss),
        **plateaus(trace.epochs, trace.loss),
    }


def ranges(config: RunConfig) -> Numbers:
    """Fig. motivation: the loss at the ends and the middles of its three ranges of epochs."""
    frames = list(train(config))
    found = {f"at_{epoch:g}": loss_at(frames, epoch) for epoch in (0.0, 500.0, 1e3, 5e6, 1e7, 5e7, 1e8)}
    reached = {name: value for name, value in found.items() if float(name[3:]) <= config.epochs}
    return reached | {"relative_loss": relative_loss(config.training_data(), frames[-1].loss)}


def five(config: RunConfig) -> Numbers:
    """Fig. motivation-graph: five points, eight neurons."""
    data, frames = config.training_data(), list(train(config))
    first, last = frames[0], frames[-1]
    dead = first.gap == data.m
    moved = np.concatenate([np.abs(last.b - first.b)[dead], np.abs(last.c - first.c)[dead]])
    sums = [float(np.cumsum(np.append(0.0, last.c[last.pin == k]))[-1]) for k in (1, 2, 3)]
    return {
        "loss": last.loss,
        "inner_pinned": float(len({1, 2, 3} & set(last.pin.tolist()))),
        "dead": float(np.count_nonzero(dead)),
        "dead_moved": float(np.max(moved, initial=0.0)),
        "smallest": smallest(data, last),
        "formula": max(abs(found - value) for found, value in zip(sums, (4.0, -4.0, 4.0), strict=True)),
        **settling(frames),
    }


def explicit(config: RunConfig) -> Numbers:
    """The construction of Prop. fullyNN from the initial biases, and what gradient descent does to it."""
    data, b = config.training_data(), config.initial()[0]
    built_b, built_c = theory.fully_trained_network(data, b)
    pattern = pattern_of(data.x, built_b)
    state = config.method.init(data, built_b, built_c)
    one = config.method.advance(data, state, 1.0, stop_at_change=False).state
    moves = np.concatenate([one["b"] - built_b, one["c"] - built_c])
    sizes = np.concatenate([np.maximum(np.abs(built_b), 1.0), np.maximum(np.abs(built_c), 1.0)])
    later = config.method.advance(data, state, setting("exploding"), stop_at_change=False).state
    with np.errstate(all="ignore"):
        after = mean_loss(data, later["b"], later["c"])
    loss = mean_loss(data, built_b, built_c)
    groups = np.unique(np.searchsorted(data.x, b, side="right"))
    return {
        "width": float(len(built_b)),
        "allowed": 2.0 * float(np.union1d(groups[groups < data.m], [0]).size),
        "loss": loss,
        "explodes": float(not after <= setting("explodes") * loss),
        "mse": theory.stationarity(data, pattern, built_b, built_c).mse,
        "step": float(np.max(np.abs(moves / sizes))),
        "overshoot": overshoot(data, built_b, built_c, *config.domain),
        "highest": float(np.max(np.abs(evaluate(built_b, built_c, np.linspace(*config.domain, 20_001))))),
        "relative_error": prediction_error(data, built_b, built_c) / target_norm(data),
    }


def illustration(config: RunConfig) -> Numbers:
    """The ten points and five biases of the paper's drawings: the sets, and the candidates."""
    return {**exact.caption_sets(config), **exact.candidate_counts(config)}


def dead(config: RunConfig) -> Numbers:
    """How far anything moves where no neuron sees data."""
    frames = list(train(config))
    first, last = frames[0], frames[-1]
    moves = np.abs(np.concatenate([last.b - first.b, last.c - first.c]))
    return {"moved": float(np.max(moves)), "epochs": last.epoch}


def silent(config: RunConfig) -> Numbers:  # noqa: ARG001
    """An equilibrium that is none of a stable flow."""
    return exact.silent_eigenvalue()


def unit(config: RunConfig) -> Numbers:
    """Prop. w=1 on a network drawn by the run's seed."""
    return exact.same_functions(config)


def replaced(config: RunConfig) -> Numbers:
    """Theorem LSQ on the candidates of the starting biases."""
    return exact.candidate_losses(config)


def hopping(config: RunConfig) -> Numbers:
    """The paper's own counting of patterns, over the epochs of the run."""
    rate = float(getattr(config.method, "learning_rate", 1e-3))
    return plain.plain_counts(config.training_data(), *config.initial(), rate, int(config.epochs))


@dataclass(frozen=True)
class Cut:
    """LS/GD whose solver drops columns below so much of the largest; can be sent to another process."""

    cut: float
    iterations: int = int(setting("cut_iterations"))

    def __call__(self, config: RunConfig) -> Numbers:
        """Measure."""
        return cut_off.cut_run(config, self.cut, self.iterations)
