"""Active neuron least squares (paper, section 4): the candidate rules, their gains, the iteration;
ANLS+ beyond it.

`rules` says where a neuron may go, `gains` weighs it, `iteration` is the paper's algorithm, `table` lists all
candidates for people; `plus` proposes the further moves of ANLS+ (dead and redundant neurons relocated by
`insertion`, knots shifted within their gaps by `adjustment`), `rounding` guards against gains that are none.
Nothing here follows a gradient. It may import squares and below.
"""

from core.anls.table import CandidateTable, candidate_table

__all__ = ["CandidateTable", "candidate_table"]
