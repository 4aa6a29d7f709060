"""Many runs as one question: `study` computes every run of a query with lists, one row a run.

`rows` says what is told of a run: its query, how it ended, how long it took to given losses, its plateaus.
It may import everything in core but the service, which computes the same rows on its workers.
"""

from core.study.rows import LEVELS, row_of
from core.study.study import study

__all__ = ["LEVELS", "row_of", "study"]
