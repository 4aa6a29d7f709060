"""Training with a bar, until the budget or the method's own end."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol

from ..frames import Frame
from ..narrative import Outcome
from ..run import Training
from ..run.compiling import compiling_shown


class Bar(Protocol):
    """What is used of a progress bar."""

    n: float
    total: float

    def update(self, n: float) -> Any: ...

    def set_postfix_str(self, s: str) -> Any: ...

    def refresh(self) -> Any: ...


def drive(training: Training, frames: list[Frame], progress: bool) -> Outcome:
    """Train to the end, appending to the frames."""
    with _bar(training, progress) as bar, compiling_shown():
        while not training.has_ended:
            done = training.epoch
            training.step(frames=frames)
            if bar is not None:
                bar.update(_whole(training.epoch - done))
                if frames:
                    loss = training.config.scale.loss(frames[-1].loss)
                    bar.set_postfix_str(f"loss {loss:.3g}")
        if bar is not None:  # a method may end before its budget, which is no failure
            bar.total = bar.n
            bar.refresh()
    outcome = training.outcome
    assert outcome is not None
    return outcome


@contextmanager
def _bar(training: Training, progress: bool) -> Iterator[Bar | None]:
    """A bar over the epochs; tqdm is looked for only where one is wanted."""
    if not progress:
        yield None
        return
    method, total = training.config.method, _whole(training.config.epochs)
    unit, large, done = f" {method.counts}s", total >= 10_000, _whole(training.epoch)
    with progress_bar(total=total, initial=done, desc=method.title, unit=unit, unit_scale=large) as bar:
        yield bar


def _whole(epochs: float) -> float:
    """An int where it is one, which a bar shows without a point."""
    return int(epochs) if epochs == int(epochs) else epochs


def progress_bar(**arguments: Any) -> Any:
    """tqdm's bar, in a terminal or in a notebook."""
    try:
        tqdm = import_module("tqdm.auto").tqdm
    except ImportError:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from None
    return tqdm(**arguments)
