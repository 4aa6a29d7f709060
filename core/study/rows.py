"""What a table says of one run."""

from collections.abc import Sequence
from math import fsum
from typing import Any

import numpy as np

from ..config import NUMERICS_VERSION, RunConfig
from ..frames.frame import Frame
from ..narrative.endings import Outcome
from ..narrative.plateaus import plateaus_of
from ..portable.logarithm import portable_log10
from ..spelling import format_number

LEVELS = (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
"""Losses whose first crossing is told, in squared units of y."""

COLUMNS = (
    "query", "id", "target", "points", "width", "seed", "method", "learning_rate", "outcome", "loss", "floor",
    "prediction_error", "epochs", "seconds", "gradients", "solves", "stages", "dead", "pinned", "plateaus",
    "longest_plateau", "plateau_share",
    *(f"{what}_to_{format_number(level)}" for level in LEVELS for what in ("epochs", "seconds")),
    "numerics",
)  # fmt: skip
"""The columns of a row, in their order."""

Row = dict[str, Any]


def row_of(config: RunConfig, frames: Sequence[Frame], outcome: Outcome | None) -> Row:
    """One row: the run's own keys, its end and the way there, in the units of the data that people brought.

    Plateaus are measured in decades of epochs. What never happened is None.

    Parameters
    ----------
    config, frames
        The run, and all that was recorded of it.
    outcome
        Why it ended; None if it goes on.

    Returns
    -------
    dict of str to Any
        A value for each of COLUMNS.

    Examples
    --------
    >>> from core import RunConfig, train
    >>> from core.study import row_of
    >>> config = RunConfig.from_query("target=f1&method=anls&epochs=3")
    >>> row = row_of(config, list(train(config)), None)
    >>> row["method"], row["epochs"], row["stages"]
    ('anls', 3.0, 4)
    """
    scaled = [frame.in_units(config.scale) for frame in frames]
    last = scaled[-1]
    row: Row = _question(config) | {
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
    plateaus = [_decades(plateau.begin, plateau.end) for plateau in plateaus_of(config, frames)]
    row["plateaus"] = len(plateaus)
    row["longest_plateau"] = max(plateaus, default=0.0)
    row["plateau_share"] = fsum(plateaus) / _decades(0.0, last.epoch) if last.epoch > 0.0 else 0.0
    for level in LEVELS:
        reached = next((frame for frame in scaled if frame.loss <= level), None)
        row[f"epochs_to_{format_number(level)}"] = reached.epoch if reached else None
        row[f"seconds_to_{format_number(level)}"] = reached.seconds if reached else None
    return row | {"numerics": NUMERICS_VERSION}


def failed_row(query: str, config: RunConfig | None) -> Row:
    """The row of a run that could not be computed: its keys as far as they can be read, and nothing else.

    Parameters
    ----------
    query, config
        The query of the run, and what it means; None if it cannot be read.

    Returns
    -------
    dict of str to Any
        A value for each of COLUMNS.

    Examples
    --------
    >>> from core.study import failed_row
    >>> row = failed_row("width=0", None)
    >>> row["query"], row["outcome"], row["loss"]
    ('width=0', 'failed', None)
    """
    question = _question(config) if config else {"query": query}
    known = question | {"outcome": "failed", "numerics": NUMERICS_VERSION}
    return {column: known.get(column) for column in COLUMNS}


def _question(config: RunConfig) -> Row:
    return {
        "query": config.to_query(),
        "id": config.run_id,
        "target": config.target or config.scale.title or "own data",
        "points": config.points,
        "width": config.width,
        "seed": config.seed,
        "method": config.method.name,
        "learning_rate": getattr(config.method, "learning_rate", None),
    }


def _decades(begin: float, end: float) -> float:
    """How long a stretch of epochs is on the page's axis."""
    return portable_log10(1.0 + end) - portable_log10(1.0 + begin)
