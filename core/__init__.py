"""Plateau Lab's numerics: `train(RunConfig.from_query("target=sin(pi*x)&method=gd"))`."""

import core.kernel_cache  # before the first kernel is defined

# isort: split
import core.rivals  # noqa: F401 - before METHODS is read

# isort: split
from core.config import RunConfig
from core.narrative import forecast
from core.run import train
from core.study import study

__all__ = ["RunConfig", "forecast", "study", "train"]
