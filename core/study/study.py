"""All runs of a query with lists, one after the other, for scripts."""

from collections.abc import Mapping

from ..config import runs_from_query
from ..config.run_config import RunConfig
from ..limits import LIMITS, Limits
from ..run.train import Training
from .rows import Row, row_of


def study(query: str, *, limits: Limits = LIMITS, datasets: Mapping[str, str] | None = None) -> list[Row]:
    """One row for each run that the query describes, such as `seed=0..9&width=5,10&method=gd,anls`."""
    return [row_of_run(config) for config in runs_from_query(query, limits=limits, datasets=datasets).configs]


def row_of_run(config: RunConfig) -> Row:
    """Compute one run to its end, and keep its row alone."""
    training = Training(config)
    frames = training.run()
    assert training.outcome is not None
    return row_of(config, frames, training.outcome)
