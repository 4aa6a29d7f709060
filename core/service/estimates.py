"""What a run will cost, from a short measurement on this machine.

A run spends its time on epochs and on frames, and either may be the most of it: a frame of a wide
network costs as much as thousands of its epochs. So a few frames are computed, and a stretch of epochs
without frames, and both are carried on to the budget. What ends within the measurement is known exactly.
Until a measurement is there, or where it would take too long itself, the method's own rough estimate is
told.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Full, LifoQueue
from statistics import median

from core.config.run_config import RunConfig
from core.portable.logarithm import portable_log10
from core.run.frames import EVERY_EPOCH
from core.run.train import Training

FRAMES_SECONDS = 0.02
EPOCHS_SECONDS = 0.05
"""A method whose first epochs are full of events takes a break sooner, but those to come are cheaper."""
ITERATIONS_SECONDS = 0.08
"""Where every epoch has a frame: such runs are short, and mostly end within the measurement."""
LEAST_FRAMES = 4
LONGEST_EPOCH = 0.05
"""Where an epoch takes longer, the measurement would."""
WAIT_SECONDS = 0.3
"""So long an answer waits for measurements; what comes later is there for the next one."""
KEPT = 500
WAITING = 16

Key = tuple[object, ...]
log = logging.getLogger(__name__)


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

    def tells(self, config: RunConfig) -> bool:
        """Whether it says something of this budget."""
        return not self.used_up or config.epochs <= self.epochs


def measure_cost(config: RunConfig, clock: Callable[[], float] = time.perf_counter) -> Measured:
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
        if went.outcome is not None:
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


def frames_until(epochs: float, seen: float, stages: int) -> float:
    """About how many frames a run has that changed its stage so often in the epochs that were seen: those of
    the schedule, and those of stage changes (core.run.frames)."""
    decades = portable_log10(1.0 + epochs)
    scheduled = min(epochs, 100.0) + 100.0 * max(0.0, decades - 2.0)
    rate = stages / max(0.3, portable_log10(1.0 + seen))
    return min(4000.0, scheduled + min(400.0 + 200.0 * decades, rate * decades))


class Estimates:
    """Measurements of this process, made by one thread of it while the answers wait a moment. Thread-safe."""

    def __init__(self, ready: Callable[[], bool]) -> None:
        self._ready = ready
        """Whether the kernels are compiled: before, a measurement would take a minute."""
        self._known: OrderedDict[Key, Measured] = OrderedDict()
        self._asked: LifoQueue[tuple[RunConfig, threading.Event]] = LifoQueue(WAITING)
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def seconds(self, configs: Sequence[RunConfig], *, wait: bool = True) -> list[float]:
        """About how long each would take; without `wait` only what is known counts."""
        done = [self._ask(config) for config in configs if self._of(config) is None] if wait else []
        end = time.monotonic() + WAIT_SECONDS
        for event in filter(None, done):
            event.wait(max(0.0, end - time.monotonic()))
        known = [(config, self._of(config)) for config in configs]
        return [extrapolate_cost(c, found) if found else c.estimated_seconds() for c, found in known]

    def _of(self, config: RunConfig) -> Measured | None:
        found = self._known.get(key_of(config))
        return found if found is not None and found.tells(config) else None

    def _ask(self, config: RunConfig) -> threading.Event | None:
        dear = config.method.seconds_per_epoch(config.width, config.points) > LONGEST_EPOCH
        if dear or not self._ready():
            return None
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._measure, name="estimates", daemon=True)
                self._thread.start()
        event = threading.Event()
        try:
            self._asked.put_nowait((config, event))
        except Full:
            return None
        return event

    def _measure(self) -> None:
        loaded: set[str] = set()
        while True:
            config, event = self._asked.get()
            if self._of(config) is None:
                try:
                    if config.method.name not in loaded:
                        # a first try loads or compiles the kernels, and measures nothing else
                        measure_cost(config)
                        loaded.add(config.method.name)
                    found = measure_cost(config)
                except Exception:  # the run itself will say what is wrong
                    log.exception("a run could not be tried out")
                else:
                    with self._guard:
                        self._known[key_of(config)] = found
                        while len(self._known) > KEPT:
                            self._known.popitem(last=False)
            event.set()


def key_of(config: RunConfig) -> Key:
    """What the cost depends on: the problem's size and kind, and the method, but not the seed."""
    size = (config.target, len(config.data), config.points, config.sampling, config.width)
    return (*size, config.init, config.method)
