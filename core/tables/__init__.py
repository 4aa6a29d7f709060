"""What is read off the frames of a run and shown beside them: stages and plateaus as rows, and the columns of
panels. The same for pages, files and the interpreter's check.

It may import everything below core.run, and is pure but for one clock: `record_columns` makes as many rows as
there is time for.
"""

from .pictures import (
    best_known_columns,
    candidate_columns,
    data_columns,
    forecast_columns,
    rate_columns,
    record_columns,
)
from .summaries import plateaus, stages

__all__ = [
    "best_known_columns",
    "candidate_columns",
    "data_columns",
    "forecast_columns",
    "plateaus",
    "rate_columns",
    "record_columns",
    "stages",
]
