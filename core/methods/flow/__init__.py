"""Gradient flow (paper, section 3): equations within a stage, the integrator, and the events between stages.

A segment is a pure function of where it starts, so that any cut of the way gives the same bits. `segment` is
the loop; `pace` chooses the step, `taylor` explicit or `radau` implicit; `watches` finds an event within it,
`events` judges it, `next_events` looks ahead for the forecast. `method` is the class.
"""

from .method import METHOD
from .tolerance import RELATIVE, Sizes, sizes_of

__all__ = ["METHOD", "RELATIVE", "Sizes", "sizes_of"]
