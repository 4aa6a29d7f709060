"""What is learned: data, the formulas and the gallery behind them, CSV in and out (paper, section 2,
"training data").

Everything downstream may rely on `TrainingData`: strictly ascending x, positive weights, finite y. It
may import `core.portable` and the spelling of numbers.
"""

from core.problem.data import TrainingData
from core.problem.formula import parse
from core.problem.gallery import TARGETS, Target

__all__ = ["TARGETS", "Target", "TrainingData", "parse"]
