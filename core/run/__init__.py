"""A run in time: `train` is the one driver loop and records frames, `frames` says what one holds and
when it is due.

`stages` reads the stages off the frames and `story` tells them in words; `plateaus` finds where the loss
stands still and `standing` tells why. Every sentence has its condition beside it (`sayings`). It knows no
method by name. It may import everything in core but the service.
"""

from .frames import Frame
from .numbers import count, date_text, fill, number, place_of_datum
from .plateaus import Plateau, plateaus_of
from .stages import Stage, stages_of
from .story import explain
from .train import Run, Training, train

__all__ = [
    "Frame",
    "Plateau",
    "Run",
    "Stage",
    "Training",
    "count",
    "date_text",
    "explain",
    "fill",
    "number",
    "place_of_datum",
    "plateaus_of",
    "stages_of",
    "train",
]
