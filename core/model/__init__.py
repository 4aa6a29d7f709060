"""The network and what the paper defines about it (sections 2 and 3): evaluation, starting laws, loss,
activation pattern, the sets U_l with their macroscopic data, one-sided velocities, kinds of changes.

It is definitions only, no theorem and no algorithm. It may import the problem and `core.portable`.
"""

from core.model.changes import Change, ChangeKind
from core.model.loss import mean_loss, prediction_error
from core.model.network import evaluate
from core.model.pattern import Pattern, Segments, pattern_of, segments, statuses

__all__ = [
    "Change",
    "ChangeKind",
    "Pattern",
    "Segments",
    "evaluate",
    "mean_loss",
    "pattern_of",
    "prediction_error",
    "segments",
    "statuses",
]
