"""Gradient flow (paper, section 3): equations within a stage, the integrator, and the events between
stages.

A segment is a pure function of where it starts, so that any cut of the way gives the same bits. It may
import the theory and the model.
"""

from core.flow.tolerance import RELATIVE, Sizes, sizes_of

__all__ = ["RELATIVE", "Sizes", "sizes_of"]
