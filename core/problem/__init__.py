"""What is learned: data, the formulas and the gallery behind them, CSV in and out (paper, section 2,
"training data").

Everything downstream may rely on `TrainingData`: strictly ascending x, positive weights, finite y. It
may import `core.portable` and the spelling of numbers.
"""

from .csv import read_canonical
from .data import TrainingData
from .formula import CONSTANTS, FUNCTIONS, parse
from .gallery import TARGETS, Target
from .scale import PLAIN, Scale
from .units import needed_units

__all__ = [
    "CONSTANTS",
    "FUNCTIONS",
    "PLAIN",
    "TARGETS",
    "Scale",
    "Target",
    "TrainingData",
    "needed_units",
    "parse",
    "read_canonical",
]
