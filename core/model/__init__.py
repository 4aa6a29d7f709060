"""The network and what the paper defines about it (sections 2 and 3): definitions, and of the numbered
statements only Proposition 2.1; no algorithm.

`network` evaluates, `unit_weights` is Proposition 2.1 (prop:w=1), `initial` the starting laws of section 5,
`loss` the mean loss, `exact_fit` when it is 0 but for rounding, `pattern` the activation pattern: the sets
U_l and their macroscopic data (by one `regression` of a segment), Filippov's condition at a datum, who hops,
and what can happen there; `sharpness` the curvature of the loss and the largest stable step; `example` is
the problem of the docstrings. It may import the problem and `core.portable`.
"""

from .loss import mean_loss, prediction_error
from .network import evaluate
from .pattern import Pattern, Segments, gaps, pattern_of, segments, statuses
from .pattern.changes import Change, ChangeKind
from .sharpness import largest_stable_step, sharpness

__all__ = [
    "Change",
    "ChangeKind",
    "Pattern",
    "Segments",
    "evaluate",
    "gaps",
    "largest_stable_step",
    "mean_loss",
    "pattern_of",
    "prediction_error",
    "segments",
    "sharpness",
    "statuses",
]
