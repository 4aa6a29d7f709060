"""What is learned: data, the formulas and the gallery behind them, CSV in and out (paper, section 2,
"training data").

Everything downstream may rely on `TrainingData`: strictly ascending x, positive weights, finite y. It
may import `core.portable` and the spelling of numbers.
"""

from core.problem.csv import read_canonical
from core.problem.data import TrainingData
from core.problem.formula import CONSTANTS, FUNCTIONS, parse
from core.problem.gallery import TARGETS, Target
from core.problem.scale import PLAIN, Scale
from core.problem.units import needed_units

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
