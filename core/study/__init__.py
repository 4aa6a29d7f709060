"""Many runs as one question: `study` computes every run of a query with lists, one row per run.

`rows` says what is told of a run: its query, how it ended, how long it took to given losses, its plateaus;
`curve` its loss at epochs that all runs share; `summary` what many of them say together.
It may import everything in core but the service, which computes the same rows on its workers.
"""

from .curve import GRID, Curve, curve_of
from .rows import COLUMNS, LEVELS, Row, failed_row, row_of
from .study import StudyResult, study
from .summary import Bands, bands, medians_over_seconds, quantile, reached

__all__ = [
    "COLUMNS",
    "GRID",
    "LEVELS",
    "Bands",
    "Curve",
    "Row",
    "StudyResult",
    "bands",
    "curve_of",
    "failed_row",
    "medians_over_seconds",
    "quantile",
    "reached",
    "row_of",
    "study",
]
