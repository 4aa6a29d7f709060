"""Active neuron least squares (paper, section 4): the candidate rules, their gains, the iteration.

`rules` says where a neuron may go, `gains` weighs it, `iteration` is the paper's algorithm, `table` lists all
candidates for people, `rounding` guards against gains that are none, and `method` is the class. Nothing here
follows a gradient.
"""

from .method import METHOD
from .table import CandidateTable, candidate_table

__all__ = ["METHOD", "CandidateTable", "candidate_table"]
