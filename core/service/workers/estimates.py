"""What a run will cost, from a short measurement on this machine.

A run spends its time on epochs and on frames, and either may be the most of it: a frame of a wide
network costs as much as thousands of its epochs. So a few frames are computed, and a stretch of epochs
without frames, and both are carried on to the budget. What ends within the measurement is known exactly.
Until a measurement is there, or where it would take too long itself, the method's own rough estimate is
told.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from ...config.run_config import RunConfig
from ...frames.frame import EVERY_EPOCH
from ...methods.contract import Method
from ...portable.logarithm import portable_log10
from ...run.train import Training

FRAMES_SECONDS = 0.02
EPOCHS_SECONDS = 0.05
"""A method whose first epochs are full of events takes a break sooner, but those to come are cheaper."""
ITERATIONS_SECONDS = 0.08
"""Where every epoch has a frame: such runs are short, and mostly end within the measurement."""
LEAST_FRAMES = 4
FRAME_SECONDS = 1.5e-4
"""What a frame takes, roughly, where nothing was measured: short runs spend most of their time on frames."""
_STAGE_FRAMES = 1.3
"""How many times as many frames as scheduled ones a run has, roughly, with those of its stage changes."""

Key = tuple[object, ...]


@dataclass(frozen=True)
class Measured:
    """What a short stretch of a run took, in seconds."""

    frame: float
    """A frame; where every epoch has one, an epoch with its frame."""
    epochs: float
    """How many epochs went by without frames, and how long these took."""
    seconds: float
    stages: int
    """Stage changes in them."""
    whole: float | None = None
    """The whole run, where it ended within the measurement."""
    used_up: bool = False
    """It ended because its budget did."""

    def covers(self, config: RunConfig) -> bool:
        """Whether it says something of this budget."""
        return not self.used_up or config.epochs <= self.epochs


def measure_cost(config: RunConfig, clock: Callable[[], float] = time.thread_time) -> Measured:
    """Try a run out."""
    training, spent = Training(config), list[float]()
    longest = ITERATIONS_SECONDS if config.method.frame_every_epoch else FRAMES_SECONDS
    begin = clock()
    while training.outcome is None and (len(spent) < LEAST_FRAMES or clock() - begin < longest):
        start = clock()
        training.step(0.0)
        spent.append(clock() - start)
    frame = median(spent[1:] or spent)
    if training.outcome is not None:
        used_up = training.outcome.kind == "budget"
        return Measured(frame, training.epoch, 0.0, 0, clock() - begin, used_up)
    method, data = config.method, config.training_data()
    state, stages = method.init(data, *config.initial()), 0
    start = clock()
    while True:
        went = method.advance(data, state, config.epochs, stop_at_change=False)
        state, stages, seconds = went.state, stages + went.stages, clock() - start
        epoch = float(state["epoch"])
        if went.end is not None:
            return Measured(
                frame, epoch, seconds, stages, seconds + frame * frames_until(epoch, epoch, stages)
            )
        if epoch >= config.epochs or seconds >= EPOCHS_SECONDS:
            return Measured(frame, epoch, seconds, stages)


def extrapolate_cost(config: RunConfig, measured: Measured) -> float:
    """The whole budget, from what a part of it took."""
    if measured.whole is not None:
        return measured.whole
    method, budget = config.method, float(config.epochs)
    if method.frame_every_epoch and budget <= EVERY_EPOCH:
        return budget * measured.frame
    part = method.seconds(config.width, config.points, max(1.0, measured.epochs))
    work = measured.seconds * method.seconds(config.width, config.points, budget) / part
    return work + measured.frame * frames_until(budget, measured.epochs, measured.stages)


def rough_cost(method: Method, width: int, points: int, epochs: float) -> float:
    """The whole budget where nothing was measured: epochs by the estimate of the method, and frames."""
    frames = _STAGE_FRAMES * frames_until(epochs, epochs, 0)
    return method.seconds(width, points, epochs) + FRAME_SECONDS * frames


def frames_until(epochs: float, seen: float, stages: int) -> float:
    """About how many frames a run has that changed its stage so often in the epochs that were seen: those of
    the schedule, and those of stage changes (core.frames.frame)."""
    decades = portable_log10(1.0 + epochs)
    scheduled = min(epochs, 100.0) + 100.0 * max(0.0, decades - 2.0)
    rate = stages / max(0.3, portable_log10(1.0 + seen))
    return min(4000.0, scheduled + min(400.0 + 200.0 * decades, rate * decades))


_loaded: set[str] = set()


def try_out(config: RunConfig) -> Measured:
    """The same in a process that may not have the method's kernels yet."""
    if config.method.name not in _loaded:
        # a first try loads or compiles the kernels, and measures nothing else
        measure_cost(config)
        _loaded.add(config.method.name)
    return measure_cost(config)


def key_of(config: RunConfig) -> Key:
    """What the cost depends on: the problem's size and kind, and the method, but not the seed."""
    size = (config.target, len(config.data), config.points, config.sampling, config.width)
    return (*size, config.init, config.method)
