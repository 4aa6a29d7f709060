"""What is recorded of a run: `frame` says what a frame holds and when it is due, `stages` reads the stages
off the frames.

It may import the model, the problem and what lies below, and knows no method.
"""

from core.frames.frame import Frame
from core.frames.stages import Stage, stages_of

__all__ = ["Frame", "Stage", "stages_of"]
