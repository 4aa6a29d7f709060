"""Least squares over the coefficients, and ANLS on top of it: the face of the numerical modules.

    core.segment_rows   data between two knots as two rows
    core.sweep          left and right quadratics along the knots
    core.candidates     the candidate moves of ANLS, their gains, the iteration
    core.relocation     moves to any gap, for ANLS+
    core.min_norm       coefficients of least norm, and the rank
    core.orthogonal     the paper's own dense formula (Theorem LSQ), a reference

Losses are mean squared losses here; the modules below work with sums of squares.
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.candidates import best_candidate, improves, weigh_all
from core.data import TrainingData
from core.min_norm import min_norm
from core.segment_rows import COINCIDENT
from core.sweep import ascending, live_knots, new_sweep, sum_of_squares

LEFTWARDS, RIGHTWARDS = 0, 1
SIDES = ("left", "right")


@dataclass(frozen=True, eq=False)
class Solution:
    """Least-squares coefficients of least norm for given biases."""

    c: FloatArray
    rank: int
    """Rank of the matrix max(x_i - b_j, 0), found by counting."""
    loss: float
    """The least mean squared loss, from the sweep: free of the rounding of huge coefficients."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """All moves that ANLS weighs at one bias vector, one entry per candidate, neurons from left to right."""

    neuron: IntArray
    side: IntArray
    """0 left, 1 right (SIDES)."""
    position: FloatArray
    datum: IntArray
    """The datum that the move crosses."""
    loss: FloatArray
    """The least mean squared loss after the move."""
    chosen: int
    """Index of the move that ANLS makes; -1 where none improves the loss."""
    loss_before: float
    reason: str

    def __len__(self) -> int:
        return len(self.neuron)


def apart(data: TrainingData) -> float:
    """The distance up to which two biases of one gap count as equal."""
    return COINCIDENT * float(data.x[-1] - data.x[0])


def coefficients(data: TrainingData, b: FloatArray) -> FloatArray:
    """c of least norm among those of least loss: A^+ y, in O(m + n log n)."""
    c, _ = min_norm(data.x, data.y, np.array(b), ascending(b), apart(data))
    return c


def solve(data: TrainingData, b: FloatArray) -> Solution:
    """Coefficients, rank and loss of the least-squares problem for the biases b."""
    b = np.array(b)  # a read-only view would be another type to the compiler
    order, distance = ascending(b), apart(data)
    c, rank = min_norm(data.x, data.y, b, order, distance)
    sweep = new_sweep(data.x, data.y, *live_knots(data.x, b, order), distance)
    return Solution(c, int(rank), float(sum_of_squares(data.y, sweep)) / data.m)


def candidates(data: TrainingData, b: FloatArray) -> Candidates:
    """Every candidate at the biases b, its loss, and which one ANLS takes: a function of b alone."""
    b = np.array(b)  # a read-only view would be another type to the compiler
    order, distance = ascending(b), apart(data)
    sweep = new_sweep(data.x, data.y, *live_knots(data.x, b, order), distance)
    weigh_all(data.x, data.y, sweep, distance)
    total = float(sum_of_squares(data.y, sweep))
    knot, side = np.nonzero(np.isfinite(sweep.gain))
    loss = (total - sweep.gain[knot, side]) / data.m
    best, best_side, gain = best_candidate(sweep)
    taken = best >= 0 and bool(improves(gain, total, float(data.y @ data.y)))
    chosen = int(np.flatnonzero((knot == best) & (side == best_side))[0]) if taken else -1
    table = Candidates(
        neuron=order[knot],
        side=side.astype(np.int64),
        position=sweep.place[knot, side],
        datum=sweep.start[knot] + side - 1,
        # A fit without error leaves 0 up to rounding, of either sign.
        loss=np.maximum(loss, 0.0),
        chosen=chosen,
        loss_before=total / data.m,
        reason="",
    )
    object.__setattr__(table, "reason", _reason(data, table))
    return table


def _reason(data: TrainingData, table: Candidates) -> str:
    """Why ANLS goes on, or stops, as a sentence."""
    count = "the only candidate" if len(table) == 1 else f"the best of {len(table)} candidates"
    if table.chosen >= 0:
        i = table.chosen
        who, where = f"Neuron {table.neuron[i] + 1}", f"x = {data.x[table.datum[i]]:.4g}"
        return (
            f"{who} moves {SIDES[table.side[i]]} across {where}: {count}, "
            f"it takes the loss from {table.loss_before:.4g} to {table.loss[i]:.4g}."
        )
    if len(table) == 0:
        return "There is no candidate: no neuron can cross a data point. ANLS stops."
    return (
        f"No candidate improves the loss {table.loss_before:.4g}: {count} would give "
        f"{float(np.min(table.loss)):.4g}. ANLS stops."
    )
