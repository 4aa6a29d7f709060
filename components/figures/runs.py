"""What a picture needs of a result: frames and data in the units that people brought, its name and colour."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from components.common.run_styles import run_looks
from core.config import RunConfig
from core.frames import Frame
from core.problem import TrainingData
from core.types import FloatArray


@runtime_checkable
class Result(Protocol):
    """What `core.fit` gives, and what `core.train` gives once it has been iterated."""

    @property
    def config(self) -> RunConfig: ...

    @property
    def frames(self) -> Sequence[Frame]: ...


Results = Result | Iterable[Result] | Mapping[str, Result]
"""One result, several, or several by name."""


@dataclass(frozen=True, eq=False)
class Run:
    """One run of a picture."""

    config: RunConfig
    frames: tuple[Frame, ...]
    """In the data's own units."""
    data: TrainingData
    """In the units in which it was trained."""
    title: str
    colour: str
    dash: str

    @property
    def x(self) -> FloatArray:
        """Where the data are, in their own units."""
        return np.asarray(self.data.scale.x(self.data.x))

    def column(self, name: str) -> FloatArray:
        """A quantity over the frames; one row per frame where there is one number per neuron."""
        return np.array([getattr(frame, name) for frame in self.frames], dtype=np.float64)


def runs_of(results: Results, theme: str) -> list[Run]:
    """The runs of a picture.

    Raises
    ------
    TypeError
        If it is neither a result nor several.
    ValueError
        If there are none, or one of them has no frame yet.
    """
    names: list[str] = []
    if isinstance(results, Mapping):
        names, several = list(results), list(results.values())
    elif isinstance(results, Result):
        several = [results]
    elif isinstance(results, Iterable):
        several = list(results)
    else:
        raise TypeError(f"results: {type(results).__name__} is not a result of fit or train")
    if not several:
        raise ValueError("results: none; a result of fit, or several, are needed")
    for result in several:
        if not isinstance(result, Result):
            raise ValueError(f"results: {type(result).__name__} is not a result of fit or train")
        if not result.frames:
            raise ValueError("results: nothing is trained yet; iterate train(config) first")
    looks = run_looks([result.config for result in several])
    titles = names or [look["title"] for look in looks]
    return [
        _run(result, title, look, theme) for result, title, look in zip(several, titles, looks, strict=True)
    ]


def _run(result: Result, title: str, look: Mapping[str, Any], theme: str) -> Run:
    data = result.config.training_data()
    # A result of fit answers in the data's own units; the frames of train are those it computes with.
    told = hasattr(result, "predict")
    frames = tuple(frame if told else frame.in_units(data.scale) for frame in result.frames)
    return Run(result.config, frames, data, title, look["colours"][theme], look["dash"])
