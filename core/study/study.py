"""All runs of a query with lists, for scripts: one after the other, or in several processes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any

from ..config import runs_from_query
from ..config.query import join_query
from ..config.run_config import RunConfig
from ..fitting.arguments import run_config, spelled
from ..limits import LIMITS, Limits
from ..run.train import Training
from ..spelling import FieldError
from .rows import Row, failed_row, row_of

_WITH_DATA = (
    *("points", "sampling", "domain", "noise"),
    *("biases", "coefficients", "units", "labels", "calendar", "data", "target"),
)
"""Settings that say what the data are and in which units, hence have one value for all runs of a study."""

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
        """Compute the runs that have no row yet; without an interruption there are none.

        Examples
        --------
        >>> from core import study
        >>> many = study("seed=0..2&target=five&method=lsq")
        >>> many.resume() == many
        True
        """
        return _studied(self.query, self._configs, self._rows, self._errors, workers, progress)

    def to_pandas(self) -> Any:
        """The rows as a DataFrame (needs pandas).

        Examples
        --------
        >>> from core import study
        >>> study("seed=0..2&target=five&method=lsq").to_pandas()["seed"].tolist()
        [0, 1, 2]
        """
        try:
            return import_module("pandas").DataFrame(list(self))
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None

    def _summary(self) -> str:
        failed = f", {len(self.errors)} failed" if self.errors else ""
        return f"{len(self)} of {self.runs} runs{failed}"

    def __repr__(self) -> str:
        return f"<StudyResult: {self._summary()}; {self.query}>"

    def _repr_html_(self) -> str | None:
        try:
            table = str(self.to_pandas()._repr_html_())
        except ImportError:  # a notebook then shows the plain one
            return None
        return f"<p>{escape(self._summary())}</p>{table}"


def study(
    query: Any,
    y: Any = None,
    *,
    weights: Any = None,
    workers: int = 1,
    progress: bool = False,
    limits: Limits = LIMITS,
    datasets: Mapping[str, str] | None = None,
    **lists: Any,
) -> StudyResult:
    """One row for each run that a query with lists describes, or for each of own data.

    A run that fails leaves a row that says so and ends nothing. Ctrl-C returns the rows so far; `resume`
    computes the others.

    Parameters
    ----------
    query
        Such as ``"target=f1&seed=0..9&width=5,10&method=gd,anls"``: every key may hold a list, and the runs
        are their product. Only `epochs` is one budget, or one for each method: a longer run has the frames of
        a shorter one. Or, as for `fit`, a target, a formula, or x of own data with `y` and `weights`.
    y, weights
        The rest of own data.
    workers
        How many processes compute; 1 computes in this one.
    progress
        Whether to show a bar (needs tqdm).
    limits
        The largest sizes that are accepted.
    datasets
        Texts of own data by the names that the query calls them by (`FitResult.dataset`).
    **lists
        Keys of the query by name, each a value or a list of values: ``seed=range(20), width=[4, 8]``. Unlike
        `fit`, no stable learning rate is looked for: every run has the one that is given, or the default.

    Returns
    -------
    StudyResult
        A list of rows, each a dictionary: `query`, `seed`, `loss` (the last one), `outcome`, … Losses are in
        squared units of y, as those of `fit`, and so are the levels of `epochs_to_0.1` and the like.

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
    >>> rows = study([10, 20, 30, 40], [5, 5, 9, 13], seed=range(3), width=[2, 3], method=["lsq", "anls"])
    >>> len(rows)
    12
    """
    if not (isinstance(workers, int) and workers >= 1):
        raise FieldError("workers", f"{workers!r} is not allowed; allowed are whole numbers from 1 on")
    texts = {key: _spelled_list(key, values) for key, values in lists.items()}
    if not isinstance(query, str):
        query, datasets = _own_data(query, y, weights, lists, texts)
    elif y is not None or weights is not None:
        raise FieldError("y" if y is not None else "weights", "a query brings its own data; leave it out")
    elif query and "=" not in query:
        query = join_query({"target": query})
    named = "&".join((*filter(None, [query]), *filter(None, [join_query(texts)])))
    found = runs_from_query(named, limits=limits, datasets=datasets)
    return _studied(found.query, found.configs, {}, {}, workers, progress)


def _own_data(
    x: Any, y: Any, weights: Any, lists: Mapping[str, Any], texts: dict[str, str]
) -> tuple[str, Mapping[str, str]]:
    """The query of the data alone, and their text; settings that come with the data leave the lists."""
    with_data = {key: value for key, value in lists.items() if key in _WITH_DATA}
    config = run_config(x, y, weights, with_data)
    for key in with_data:
        del texts[key]
    query = "&".join(part for part in config.to_query().split("&") if part.partition("=")[0] not in texts)
    return query, dict([config.dataset]) if config.dataset else {}


def _spelled_list(key: str, values: Any) -> str:
    """A value, or several, as a query spells them."""
    several = not isinstance(values, str) and isinstance(values, Iterable)
    return ",".join(spelled(key, value) for value in values) if several else spelled(key, values)


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
