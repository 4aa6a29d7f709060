"""A run in time: `train` is the one driver loop and records frames, `frames` says what one holds and
when it is due.

`stages` reads the stages off the frames and `story` tells them in words. It knows no method by name. It may
import everything in core but the service.
"""

from core.run.frames import Frame
from core.run.stages import Stage, stages_of
from core.run.story import count, explain, fill, number
from core.run.train import Training, train

__all__ = ["Frame", "Stage", "Training", "count", "explain", "fill", "number", "stages_of", "train"]
