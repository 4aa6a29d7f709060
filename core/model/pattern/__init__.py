"""The activation pattern: which data each neuron sees, and what can happen to it.

`gaps` is the pattern itself, `segments` the sets U_l with their macroscopic data, `pins` Filippov's condition
at a datum, `hopping` who is thrown over data, `changes` what a change of the pattern is.
"""

from .changes import KINDS, Change, ChangeKind
from .gaps import Pattern, Status, gaps, pattern_of, statuses
from .segments import Segments, segments

__all__ = [
    "KINDS",
    "Change",
    "ChangeKind",
    "Pattern",
    "Segments",
    "Status",
    "gaps",
    "pattern_of",
    "segments",
    "statuses",
]
