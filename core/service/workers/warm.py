"""Compile the kernels before the first run needs them."""

from collections.abc import Callable

from ...analysis import best_known
from ...config.run_config import RunConfig
from ...methods import METHODS
from ...narrative import forecast
from ...narrative.plateaus import plateaus_of
from ...run.train import train

_warm: set[str] = set()
"""The methods whose kernels this process has."""


def warm(interrupted: Callable[[], bool] = lambda: False, *, rivals: bool = False) -> None:
    """Run every method of the paper (or every rival) for a few epochs, and forecast: the kernels are then
    loaded from their cache, or compiled, and the web process finds those of forecasts there. With the rivals
    come those of the exact search for the best network.

    To compile everything for the first time takes minutes; a run that comes meanwhile goes first, and
    compiles what it needs itself.
    """
    for name, method in METHODS.items():
        if interrupted():
            return
        if method.rival == rivals:
            config = warm_method(name)
            if rivals:
                best_known(config.training_data(), config.width)


def warm_method(name: str) -> RunConfig:
    """The same for one method, once in a process: what follows may be measured.

    A real run rather than a list of kernels, so that a new method is warm without being named here. The
    problem is one that ANLS+ needs all of its kinds of moves for.
    """
    config = RunConfig.from_query(f"target=seven&epochs=100&method={name}")
    if name not in _warm:
        frames = list(train(config))
        plateaus_of(config, frames)
        forecast(config, frames[-1])
        _warm.add(name)
    return config
