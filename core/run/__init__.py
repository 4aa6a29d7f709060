"""A run in time: `train` is the one driver loop and records frames, `measures` says what a frame tells of a
network, `checkpoint` saves where the run is, `interrupts` sees to it that Ctrl-C is not lost.

It knows no method by name. It may import everything in core but the study and the service.
"""

from .train import Run, Training, train

__all__ = ["Run", "Training", "train"]
