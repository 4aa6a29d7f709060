"""A run in time: the one driver loop, its frames, the stages read off them, and their story in words.

It knows no method by name. It may import everything in core but the service.
"""

from core.run.frames import Frame
from core.run.stages import Stage, stages_of
from core.run.story import explain, fill
from core.run.train import Training, train

__all__ = ["Frame", "Stage", "Training", "explain", "fill", "stages_of", "train"]
