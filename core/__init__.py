"""Plateau Lab's numerics: `fit(x, y, method="anls")` for data in arrays, `train(RunConfig.from_query(link))`
for the run of a link, `study(link)` for many runs as a table.
"""

from . import rivals  # noqa: F401 - before METHODS is read

# isort: split
from .config import RunConfig
from .fitting import FitResult, fit
from .methods import METHODS
from .narrative import forecast
from .problem import TARGETS
from .run import train
from .study import study

__version__ = "3.0.0"

__all__ = [
    "METHODS",
    "TARGETS",
    "FitResult",
    "RunConfig",
    "__version__",
    "fit",
    "forecast",
    "study",
    "train",
]
