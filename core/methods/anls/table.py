"""All candidate moves of active neuron least squares from given biases, for people to look at.

The iteration itself (core.methods.anls.iteration) keeps only the best move. The table lists
every one: which neuron, to which side, where it would stand, and the least loss
that any coefficients reach there. It depends on the biases alone, so it can be
asked of every method: of gradient descent it tells what ANLS would do from here.
"""

from dataclasses import dataclass

import numpy as np

from ...least_squares.chain import ascending, least_sum, open_chain, open_knots
from ...portable.sums import weighted_square
from ...problem.data import TrainingData
from ...types import FloatArray, IntArray
from ..parameters import OFFSET
from .gains import choose_candidate, open_candidates

SIDES = ("left", "right")


@dataclass(frozen=True)
class CandidateTable:
    """The candidates in ascending order of their neurons' biases, left before right."""

    loss: float
    """Least mean squared loss with the biases as they are."""
    neuron: IntArray
    side: tuple[str, ...]
    position: FloatArray
    datum: IntArray
    """The datum that each move crosses."""
    candidate_loss: FloatArray
    """The least mean squared loss after each move."""
    chosen: int | None
    """The move that ANLS would make; None when none of them improves the loss."""

    def __len__(self) -> int:
        return len(self.neuron)


def candidate_table(data: TrainingData, b: FloatArray, offset: float = OFFSET) -> CandidateTable:
    """Every candidate of the biases b with its loss, in O(m + n log n).

    Parameters
    ----------
    data
        What the network is to fit.
    b
        The biases now.
    offset
        How far left of the smallest datum a neuron is put that crosses it.

    Returns
    -------
    CandidateTable
        A row per candidate, and which of them ANLS would choose.

    Examples
    --------
    >>> from core.methods.anls import candidate_table
    >>> from core.model.example import data, b
    >>> table = candidate_table(data, b)
    >>> table.chosen, table.side, table.candidate_loss.round(3).tolist()
    (2, ('right', 'left', 'right'), [0.24, 0.187, 0.186])
    """
    b = np.array(b)  # a read-only view would be another type to the compiler
    order = ascending(b)
    chain = open_chain(data.points, open_knots(data.x, b, order))
    moves = open_candidates(data.points, chain, offset)
    total = float(least_sum(data.points, chain))
    knot, side = np.nonzero(np.isfinite(moves.gain))
    scale = float(weighted_square(data.w, data.y))
    best, best_side, _ = choose_candidate(data.points, chain, moves, total, scale)
    return CandidateTable(
        loss=total / data.weight,
        neuron=order[knot],
        side=tuple(SIDES[i] for i in side),
        position=moves.place[knot, side],
        datum=chain.start[knot] + side - 1,
        # A fit without error leaves 0 up to rounding, of either sign.
        candidate_loss=np.maximum((total - moves.gain[knot, side]) / data.weight, 0.0),
        chosen=int(np.flatnonzero((knot == best) & (side == best_side))[0]) if best >= 0 else None,
    )
