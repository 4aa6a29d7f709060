"""Fitting data that lie in arrays: `fit` trains, and its result answers in the data's own units.

`arguments` turns what people have (arrays, lists, Series, a formula, a callable) into a run, `fit` trains it,
`result` says what came out, `history` holds the way there as columns. It may import everything in core but
the service.
"""

from .fit import fit
from .result import FitResult

__all__ = ["FitResult", "fit"]
