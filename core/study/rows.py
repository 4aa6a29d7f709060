"""What a table says of one run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.config import NUMERICS_VERSION, RunConfig
from core.methods.contract import Outcome
from core.run.frames import Frame
from core.spelling import format_number

LEVELS = (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
"""Losses whose first crossing is told."""

Row = dict[str, Any]


def row_of(config: RunConfig, frames: Sequence[Frame], outcome: Outcome | None) -> Row:
    """One row: the run's own keys, its end, the way there. What never happened is None."""
    last = frames[-1]
    row: Row = {
        "query": config.to_query(),
        "id": config.run_id,
        "target": config.target or "own data",
        "points": config.points,
        "width": config.width,
        "seed": config.seed,
        "method": config.method.name,
        "learning_rate": getattr(config.method, "learning_rate", None),
        "outcome": outcome.kind if outcome else "",
        "loss": last.loss,
        "floor": last.floor,
        "prediction_error": last.prediction_error,
        "epochs": last.epoch,
        "seconds": last.seconds,
        "gradients": last.gradients,
        "solves": last.solves,
        "stages": last.stage + 1,
        "dead": int(np.count_nonzero(last.gap == last.points)),
        "pinned": int(np.count_nonzero(last.pin >= 0)),
    }
    for level in LEVELS:
        reached = next((frame for frame in frames if frame.loss <= level), None)
        row[f"epochs_to_{format_number(level)}"] = reached.epoch if reached else None
        row[f"seconds_to_{format_number(level)}"] = reached.seconds if reached else None
    return row | {"numerics": NUMERICS_VERSION}
