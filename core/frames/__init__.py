"""What is recorded of a run: `frame` says what a frame holds and when it is due, `stages` reads the stages
off the frames.

It may import the model, the problem and what lies below, and knows no method.
"""

from .frame import Frame
from .stages import Stage, stages_of

__all__ = ["Frame", "Stage", "stages_of"]
