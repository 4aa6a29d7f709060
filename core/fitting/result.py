"""What came out of a fit: a network that predicts, the way there, and what happens next.

Training works on data of size one; everything here is told in the units of the data that were brought.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..config import RunConfig
from ..frames import Frame, Stage, stages_of
from ..model.network import evaluate
from ..narrative import ForecastReport, Outcome, Plateau, count, forecast, plateaus_of
from ..run import Training
from ..spelling import FieldError, format_number, shorten
from ..types import FloatArray
from .arguments import as_numbers, budget_of
from .driver import drive
from .history import History

INTERRUPTED = "Interrupted at epoch {epoch:,.0f}; resume() goes on from there."


@dataclass(frozen=True, eq=False, repr=False)
class FitResult:
    """A trained network f(x) = y0 + sum_j c_j max(x - b_j, 0), and how it was trained; `fit` makes it.

    It can be pickled. Numbers count neurons, stages and data points from 0, sentences count neurons from 1.
    A datum is one of the merged x in ascending order, not a row of what was given.

    Attributes
    ----------
    config
        The run: problem, start, method and budget.
    outcome
        Why it ended: `kind` is budget, trained, settled, diverged or interrupted, `sentence` tells more.

    Examples
    --------
    >>> import numpy as np
    >>> from core import fit
    >>> x = np.linspace(0, 10, 60)
    >>> result = fit(x, np.abs(x - 4), width=8, method="anls")
    >>> bool(np.abs(result.predict([1.0, 7.0]) - 3.0).max() < 0.2)
    True
    >>> result.outcome.kind
    'settled'
    """

    config: RunConfig
    outcome: Outcome
    sequence: tuple[Frame, ...]
    """The recorded frames as they were trained, without the one of a budget that ends between two of them."""
    present: Frame | None
    """The state at the end, where no frame of the sequence shows it."""
    checkpoint: Mapping[str, NDArray[Any]]
    """What `resume` goes on from."""
    progress: bool = False

    # The network.

    @property
    def loss(self) -> float:
        """The mean squared loss at the end, in squared units of y.

        Points that share an x count as their mean, so their scatter about it is not in the loss. The mean
        squared residual of all points, ``np.mean((y - result.predict(x)) ** 2)``, is larger by this scatter.
        """
        return self.frames[-1].loss

    @property
    def b(self) -> FloatArray:
        """The biases, where the network bends, in units of x; days since 1970 if x had dates."""
        return self.frames[-1].b

    @property
    def c(self) -> FloatArray:
        """The coefficients, by how much the slope changes at each bias."""
        return self.frames[-1].c

    @property
    def y0(self) -> float:
        """The value left of all biases."""
        return self.config.scale.y_origin

    @property
    def epochs(self) -> float:
        """Epochs, or iterations, that were done."""
        return self.frames[-1].epoch

    @property
    def seconds(self) -> float:
        """Seconds that they took."""
        return self.frames[-1].seconds

    def predict(self, x: ArrayLike) -> FloatArray:
        """The network's values, in units of y.

        Parameters
        ----------
        x
            Any shape, in the data's own units; dates if the data had dates.

        Returns
        -------
        ndarray
            One value for each x; nan where x is nan.

        Raises
        ------
        ValueError
            If x is None or no number, or holds such.

        Examples
        --------
        >>> from core import fit
        >>> fit([0, 1, 2, 3], [0, 0, 1, 2], width=3, method="anls").predict([[0.5], [2.5]]).shape
        (2, 1)
        """
        points = as_numbers(x, "x")
        scale, last = self.config.scale, self._trained[-1]
        inside = (points - scale.x_origin) / scale.x_unit
        values = evaluate(last.b, last.c, np.atleast_1d(inside)).reshape(inside.shape)
        return np.where(np.isnan(points), np.nan, scale.y(values))

    # The way there.

    @cached_property
    def _trained(self) -> tuple[Frame, ...]:
        if self.present is None or self.present.index <= self.sequence[-1].index:
            return self.sequence
        return (*self.sequence, self.present)

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The recorded moments; the last one is the end."""
        return tuple(frame.in_units(self.config.scale) for frame in self._trained)

    @cached_property
    def history(self) -> History:
        """The recorded moments as columns: `history["epoch"]`, `history["loss"]`, `history["b"]`, …"""
        return History(self.frames)

    def to_pandas(self) -> Any:
        """The history as a DataFrame, one row per frame (needs pandas).

        Examples
        --------
        >>> from core import fit
        >>> fit("f1", method="anls", epochs=3).to_pandas()["epoch"].tolist()
        [0.0, 1.0, 2.0, 3.0]
        """
        return self.history.to_pandas()

    def stages(self) -> tuple[Stage, ...]:
        """The stages: during each of them no bias crosses a data point.

        Examples
        --------
        >>> from core import fit
        >>> first = fit("f1", method="gd", epochs=3000).stages()[0]
        >>> first.number, first.start, first.is_open
        (0, 0.0, False)
        """
        return stages_of(self.frames)

    def plateaus(self) -> tuple[Plateau, ...]:
        """Where the loss stands still, and why (`sentence`).

        Examples
        --------
        >>> from core import fit
        >>> [plateau.why for plateau in fit("f1", method="gd", epochs=1000).plateaus()]
        ['slow']
        """
        loss = self.config.scale.loss
        return tuple(
            replace(plateau, loss_begin=loss(plateau.loss_begin), loss_end=loss(plateau.loss_end))
            for plateau in plateaus_of(self.config, self._trained)
        )

    # What comes next.

    def forecast(self) -> ForecastReport:
        """When the present stage ends, and who ends it (`kind`, `epoch`, `neuron`, `datum`, `sentence`).

        Examples
        --------
        >>> from core import fit
        >>> fit("f1", method="gd", epochs=3000).forecast()
        <Forecast: crossed, epoch 3278, neuron 8, datum 67
         Neuron 9 crosses x = 0.354 at about epoch 3,278.>
        """
        found, scale = forecast(self.config, self._trained[-1]), self.config.scale
        future = replace(
            found.future,
            loss=scale.loss(found.future.loss),
            b=scale.x(found.future.b),
            c=scale.slope(found.future.c),
        )
        return replace(found, future=future)

    def resume(self, epochs: float | None = None) -> "FitResult":
        """Train on, to so many epochs in all: the same bits as one run at once. This result stays as it is.

        Parameters
        ----------
        epochs
            The new budget; left out, the old one if training was interrupted, else ten times as many.

        Raises
        ------
        ValueError
            If that is less than was done.

        Examples
        --------
        >>> from core import fit
        >>> part = fit("f1", method="gd", epochs=300)
        >>> part.resume(epochs=1000).loss == fit("f1", method="gd", epochs=1000).loss
        True
        """
        if epochs is None:
            epochs = self.config.epochs * (1.0 if self.outcome.kind == "interrupted" else 10.0)
        budget = budget_of(epochs)
        if budget < self.epochs:
            raise FieldError(
                "epochs", f"{format_number(budget)} is less than the {self.epochs:g} that were done"
            )
        return trained(self.config.with_epochs(budget), self.progress, self)

    # Links and words.

    @property
    def query(self) -> str:
        """The link of this run, `http://…/?` and this; data too long for a link stand in `dataset`."""
        return self.config.to_query()

    @property
    def dataset(self) -> dict[str, str]:
        """Own data by the name that the query calls them by, as CSV; empty for a formula."""
        named = self.config.dataset
        return dict([named]) if named else {}

    @property
    def _title(self) -> str:
        config = self.config
        return f"{config.method.title}, width {config.width}, {config.points} points"

    @property
    def _ended(self) -> str:
        counts = self.config.method.counts + ("s" if self.epochs != 1.0 else "")
        return f"loss {self.loss:.4g} after {count(self.epochs)} {counts} ({self.seconds:.2g} s)"

    def __repr__(self) -> str:
        return f"<FitResult: {self._title}: {self._ended}\n {self.outcome.kind}: {self.outcome.sentence}>"

    def _repr_html_(self) -> str:
        rows = {
            "run": self._title,
            "result": self._ended,
            "outcome": f"{self.outcome.kind}: {self.outcome.sentence}",
            "query": shorten(self.query, 200),
        }
        cells = "".join(f"<tr><th>{key}</th><td>{escape(value)}</td></tr>" for key, value in rows.items())
        return f"<table>{cells}</table>"


def trained(config: RunConfig, progress: bool, before: FitResult | None = None) -> FitResult:
    """Train to the budget, from the start or from an earlier result. An interruption is an outcome, up to the
    last moment, unless there is no frame."""
    training = Training(config, before.checkpoint if before else None)
    frames = list(before.sequence) if before else []

    def result(outcome: Outcome) -> FitResult:
        return FitResult(config, outcome, tuple(frames), training.present, training.checkpoint(), progress)

    try:
        return result(drive(training, frames, progress))
    except KeyboardInterrupt:
        if not frames:
            raise
        return result(Outcome("interrupted", INTERRUPTED.format(epoch=training.epoch)))
