"""What is said of numbers that were searched for: candidates of ANLS, and the best loss known for a width."""

import numpy as np

from ..analysis.best_known import BestKnown
from ..methods.anls.table import CandidateTable
from ..model.pattern.changes import RelocationReason
from ..problem.data import TrainingData
from ..problem.tables.dates import format_days

RELOCATION_WORDS: dict[RelocationReason, str] = {
    "dead": "dead",
    "redundant": "redundant",
    "cheap": "of little use",
}
"""What is said of a neuron that is taken elsewhere."""


def candidate_reason(data: TrainingData, table: CandidateTable) -> str:
    """Why ANLS goes on, or stops, as a sentence."""
    scale = data.scale
    count = "the only candidate" if len(table) == 1 else f"the best of {len(table)} candidates"
    if table.chosen is not None:
        i = table.chosen
        place = float(scale.x(data.x[table.datum[i]]))
        where = f"{scale.x_name or 'x'} = {format_days(place) if scale.dates else f'{place:.4g}'}"
        before, after = scale.loss(table.loss), scale.loss(table.candidate_loss[i])
        return (
            f"Neuron {table.neuron[i] + 1} moves {table.side[i]} across {where}: {count}, "
            f"it takes the loss from {before:.4g} to {after:.4g}."
        )
    if len(table) == 0:
        return "There is no candidate: no neuron can cross a data point. ANLS stops."
    return (
        f"No candidate improves the loss {scale.loss(table.loss):.4g}: {count} gives "
        f"{scale.loss(float(np.min(table.candidate_loss))):.4g}. ANLS stops."
    )


def best_known_origin(known: BestKnown, width: int, points: int) -> str:
    """How the best known loss was found; a part of a sentence."""
    iterated = "best of thousands of ANLS+ runs, each from the best so far with some neurons drawn anew"
    words = {
        "iterated": iterated,
        "polished": f"{iterated}, then Powell's method on all biases",
        "interpolates": f"{width} neurons interpolate {points} points",
        "starts": "one run of ANLS+" if known.runs == 1 else f"best of {known.runs} ANLS+ starts",
        "searched": "proven: an exact search finds no better network",
        "given_up": "best network of an exact search that was given up",
    }
    return words[known.origin]
