"""The way of a run as columns: one NumPy array per quantity, one row per frame."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..frames import Frame
from ..spelling import near_miss

_NUMBERS = ("epoch", "loss", "floor", "stationarity", "prediction_error", "seconds")
_COUNTS = ("stage", "gradients", "solves")
_NEURONS = ("b", "c", "gap", "pin")


class History(Mapping[str, NDArray[Any]]):
    """Columns of the recorded frames, in the data's own units.

    `epoch`, `loss`, `floor` (the loss that a stage cannot get below), `stage`, `stationarity`,
    `prediction_error`, `seconds`, `gradients`, `solves`, `dead`, `pinned` have one number per frame; `b`,
    `c`, `gap` (data left of the bias), `pin` (its datum, or -1) one row per frame, one column per neuron.
    `b1` and `c1` of `to_pandas` are those of neuron 0, which sentences call neuron 1.

    Examples
    --------
    >>> from core import fit
    >>> history = fit("f1", method="anls", epochs=3).history
    >>> history["epoch"]
    array([0., 1., 2., 3.])
    >>> history["b"].shape
    (4, 10)
    """

    def __init__(self, frames: Sequence[Frame]) -> None:
        columns = {name: np.array([getattr(frame, name) for frame in frames]) for name in _NUMBERS}
        columns |= {
            name: np.array([getattr(frame, name) for frame in frames], dtype=np.int64) for name in _COUNTS
        }
        width = max((len(frame.b) for frame in frames), default=0)
        columns |= {name: _padded([getattr(frame, name) for frame in frames], width) for name in _NEURONS}
        columns["dead"] = np.array([int(np.count_nonzero(f.gap == f.points)) for f in frames])
        columns["pinned"] = np.array([int(np.count_nonzero(f.pin >= 0)) for f in frames])
        for column in columns.values():
            column.setflags(write=False)
        self._columns = columns

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._columns:
            hint = near_miss(name, self) or f"there are {', '.join(self)}"
            raise KeyError(f"{name!r} is no column; {hint}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<History: {len(self['epoch'])} frames; columns {', '.join(self)}>"

    def _repr_html_(self) -> str | None:
        try:
            return str(self.to_pandas()._repr_html_())
        except ImportError:  # a notebook then shows the plain one
            return None

    def to_pandas(self) -> Any:
        """The same as a DataFrame; the columns of neuron 1 are `b1` and `c1`."""
        plain = {name: column for name, column in self.items() if column.ndim == 1}
        for name in ("b", "c"):
            plain |= {f"{name}{j + 1}": self[name][:, j] for j in range(self[name].shape[1])}
        return data_frame(plain)


def _padded(rows: Sequence[NDArray[Any]], width: int) -> NDArray[Any]:
    """Rows of one length: a method may add neurons, which earlier frames do not have (nan, or -1)."""
    if all(len(row) == width for row in rows):
        return np.array(rows)
    missing = np.nan if rows[0].dtype.kind == "f" else -1
    return np.array([np.append(row, np.full(width - len(row), missing, row.dtype)) for row in rows])


def data_frame(columns: Any, **arguments: Any) -> Any:
    """A pandas DataFrame; pandas is looked for only here, since nothing else needs it."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ImportError("to_pandas needs pandas: pip install pandas") from None
    return pandas.DataFrame(columns, **arguments)
