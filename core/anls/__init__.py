"""Active neuron least squares (paper, section 4): candidate rules, their gains, the iteration, and ANLS+
beyond the paper.

Every move is weighed with the quadratics of `core.squares`; nothing here follows a gradient. It may
import squares and below.
"""

from core.anls.table import CandidateTable, candidate_table

__all__ = ["CandidateTable", "candidate_table"]
