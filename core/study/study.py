"""All runs of a query with lists, for scripts: one after the other, or in several processes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from ..config import runs_from_query
from ..config.run_config import RunConfig
from ..limits import LIMITS, Limits
from ..run.train import Training
from ..spelling import FieldError
from .rows import Row, failed_row, row_of

Found = tuple[int, Row | None, str]
"""The place of a run, its row, and why there is none."""


class StudyResult(list[Row]):
    """The rows of a study, one per run, in the order of its lists; rows of runs that failed say so.

    Examples
    --------
    >>> from core import study
    >>> many = study("target=f1&seed=0..2&method=lsq,anls&epochs=20")
    >>> len(many), many.is_complete, many[0]["method"]
    (6, True, 'lsq')
    """

    def __init__(
        self, query: str, configs: Sequence[RunConfig], rows: Mapping[int, Row], errors: Mapping[int, str]
    ) -> None:
        super().__init__(rows[place] for place in sorted(rows))
        self.query = query
        self.errors = {configs[place].to_query(): text for place, text in sorted(errors.items())}
        """Why runs failed, by their query."""
        self._configs, self._rows, self._errors = configs, dict(rows), dict(errors)

    @property
    def runs(self) -> int:
        """How many runs the study has, those without a row included."""
        return len(self._configs)

    @property
    def is_complete(self) -> bool:
        """Whether every run has its row; an interruption leaves some out."""
        return len(self._rows) == self.runs

    def resume(self, *, workers: int = 1, progress: bool = False) -> "StudyResult":
        """Compute the runs that have no row yet."""
        return _studied(self.query, self._configs, self._rows, self._errors, workers, progress)

    def to_pandas(self) -> Any:
        """The rows as a DataFrame."""
        try:
            return import_module("pandas").DataFrame(list(self))
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None

    def _told(self) -> str:
        failed = f", {len(self.errors)} failed" if self.errors else ""
        return f"{len(self)} of {self.runs} runs{failed}"

    def __repr__(self) -> str:
        return f"<StudyResult: {self._told()}; {self.query}>"

    def _repr_html_(self) -> str:
        return str(self.to_pandas()._repr_html_())


def study(
    query: str,
    *,
    workers: int = 1,
    progress: bool = False,
    limits: Limits = LIMITS,
    datasets: Mapping[str, str] | None = None,
) -> StudyResult:
    """One row for each run that a query with lists describes.

    A run that fails leaves a row that says so and ends nothing. Ctrl-C returns the rows so far; `resume`
    computes the others.

    Parameters
    ----------
    query
        Such as ``"target=f1&seed=0..9&width=5,10&method=gd,anls"``; the runs are the product of the lists.
    workers
        How many processes compute; 1 computes in this one.
    progress
        Whether to show a bar (needs tqdm).
    limits
        The largest sizes that are accepted.
    datasets
        Texts of own data by the names that the query calls them by (`FitResult.dataset`).

    Returns
    -------
    StudyResult
        A list of rows, each a dictionary: `query`, `seed`, `loss` (the last one), `outcome`, …

    Raises
    ------
    ValueError
        If the query is wrong; it names the key, the value and what is allowed.

    Examples
    --------
    >>> from core import study
    >>> rows = study("target=five&seed=0..4&method=anls&epochs=10")
    >>> sum(row["outcome"] == "failed" for row in rows)
    0
    """
    if not (isinstance(workers, int) and workers >= 1):
        raise FieldError("workers", f"{workers!r} is not allowed; allowed are whole numbers from 1 on")
    found = runs_from_query(query, limits=limits, datasets=datasets)
    return _studied(found.query, found.configs, {}, {}, workers, progress)


def _studied(
    query: str,
    configs: Sequence[RunConfig],
    rows: Mapping[int, Row],
    errors: Mapping[int, str],
    workers: int,
    progress: bool,
) -> StudyResult:
    """The rows that there are, and those of the other runs."""
    known, failed = dict(rows), dict(errors)
    todo = [(place, config) for place, config in enumerate(configs) if place not in known]
    advance, close = _bar(len(configs), len(known), progress)
    try:
        for place, row, error in _computed(todo, workers):
            known[place] = row if row is not None else failed_row(configs[place].to_query(), configs[place])
            if row is None:
                failed[place] = error
            advance(1)
    except KeyboardInterrupt:
        pass
    finally:
        close()
    return StudyResult(query, configs, known, failed)


def _computed(todo: Sequence[tuple[int, RunConfig]], workers: int) -> Iterator[Found]:
    if workers == 1 or len(todo) < 2:
        for place, config in todo:
            yield place, *row_or_error(config)
    else:
        # By name: whoever computes in one process needs neither processes nor threads.
        yield from import_module(".processes", __package__).answers(todo, workers)


def _bar(total: int, done: int, progress: bool) -> tuple[Callable[[int], Any], Callable[[], Any]]:
    if not progress:
        return (lambda _: None), (lambda: None)
    try:
        bar = import_module("tqdm.auto").tqdm(total=total, initial=done, unit="run")
    except ImportError:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from None
    return bar.update, bar.close


def row_or_error(config: RunConfig) -> tuple[Row | None, str]:
    """The row of a run, or why it failed."""
    try:
        return row_of_run(config), ""
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def row_of_run(config: RunConfig) -> Row:
    """Compute one run to its end, and keep its row alone."""
    training = Training(config)
    frames = training.run()
    assert training.outcome is not None
    return row_of(config, frames, training.outcome)
