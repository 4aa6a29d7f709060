"""The plateaus of a run (core.analysis.plateaus), each with why it stands still and what ends it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from ..analysis.plateaus import FlatStretch, flat_stretches
from ..config.run_config import RunConfig
from ..frames.frame import Frame
from .standing import Reason, judge_standstill


@dataclass(frozen=True)
class Plateau(FlatStretch):
    """One plateau, judged."""

    why: Reason
    sentence: str
    """'The loss stands still because …; it will end when …', true at the frame judged"""
    neuron: int | None
    """the one that the sentence names, counted from 0"""


def plateaus_of(config: RunConfig, frames: Sequence[Frame]) -> tuple[Plateau, ...]:
    """The plateaus of the frames of a run, from its first frame on.

    Parameters
    ----------
    config
        The run.
    frames
        Its frames, the first one included.

    Examples
    --------
    >>> from core import train
    >>> config = RunConfig.from_query("target=f1&method=gd&epochs=1e3")
    >>> [plateau.why for plateau in plateaus_of(config, list(train(config)))]
    ['slow']
    """
    place = {frame.index: i for i, frame in enumerate(frames)}
    return tuple(_judged(config, frames, place, stretch) for stretch in flat_stretches(config, frames))


def _judged(
    config: RunConfig, frames: Sequence[Frame], place: dict[int, int], stretch: FlatStretch
) -> Plateau:
    within = frames[place[stretch.first] : place[stretch.last] + 1]
    why, sentence, neuron = judge_standstill(config, within, frames[place[stretch.judged]])
    parts = {part.name: getattr(stretch, part.name) for part in fields(FlatStretch)}
    return Plateau(**parts, why=why, sentence=sentence, neuron=neuron)
