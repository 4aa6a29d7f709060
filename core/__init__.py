"""Plateau Lab's numerics: `train(RunConfig.from_query("target=sin(pi*x)&method=gd"))`."""

from . import kernel_cache  # noqa: F401 - before the first kernel is defined

# isort: split
from . import rivals  # noqa: F401 - before METHODS is read

# isort: split
from .config import RunConfig
from .narrative import forecast
from .run import train
from .study import study

__all__ = ["RunConfig", "forecast", "study", "train"]
