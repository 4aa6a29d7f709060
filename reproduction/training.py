"""A run from which several things are made is computed once.

Numbers of a sample, a curve that ships and a row of a ready study may be of the same run. Whoever
computes them one after the other in the same process finds the frames of the last run here; of a shorter
run too, since a longer budget continues the same sequence of frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.config import RunConfig
from core.frames import Frame
from core.run import Training


@dataclass(frozen=True, eq=False)
class Trained:
    """A run at its end."""

    training: Training
    frames: Sequence[Frame]

    def up_to(self, epochs: float) -> Sequence[Frame] | None:
        """The frames that a run of so many epochs has; None where its last one is not among these."""
        budget, outcome = float(self.training.config.epochs), self.training.outcome
        assert outcome is not None
        if epochs >= budget:
            return self.frames if epochs == budget else None
        kept = [frame for frame in self.frames if frame.epoch <= epochs]
        ended = len(kept) == len(self.frames) and outcome.kind != "budget"
        return kept if ended or kept[-1].epoch == epochs else None


_last: dict[str, Trained] = {}
"""The last run by its name, and no other: the frames of a wide network take tens of megabytes."""


def trained(config: RunConfig) -> Trained:
    """The run at its end, computed now unless it was the last one."""
    known = _last.get(config.run_id)
    if known is not None and known.training.config.epochs == config.epochs:
        return known
    training = Training(config)
    _last.clear()
    _last[config.run_id] = done = Trained(training, training.run())
    return done


def frames_of(config: RunConfig) -> Sequence[Frame]:
    """The frames of the run, cut out of the last one where that is the same and longer."""
    known = _last.get(config.run_id)
    kept = None if known is None else known.up_to(float(config.epochs))
    return trained(config).frames if kept is None else kept
