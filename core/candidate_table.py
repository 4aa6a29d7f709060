"""All candidate moves of active neuron least squares from given biases, for people to look at.

The iteration itself (core.candidates) keeps only the best move. The table lists
every one: which neuron, to which side, where it would stand, and the least loss
that any coefficients reach there. It depends on the biases alone, so it can be
asked of every method: of gradient descent it tells what ANLS would do from here.
"""

from dataclasses import dataclass

from core.arrays import FloatArray, IntArray
from core.data import TrainingData
from core.least_squares import SIDES, candidates


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
    chosen: int | None
    """The move that ANLS would make; None when none of them improves the loss."""
    reason: str
    """Why it makes that move, or none, as a sentence."""


def candidate_table(data: TrainingData, b: FloatArray) -> CandidateTable:
    """Every candidate of the biases b with its loss, in O(m + n log n)."""
    found = candidates(data, b)
    return CandidateTable(
        loss=found.loss_before,
        neuron=found.neuron,
        side=tuple(SIDES[side] for side in found.side),
        position=found.position,
        datum=found.datum,
        candidate_loss=found.loss,
        chosen=found.chosen if found.chosen >= 0 else None,
        reason=found.reason,
    )
