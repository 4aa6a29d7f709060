"""The figures of the page for notebooks, once installed: `from plateau_lab.figures import loss`.

They need Plotly. In the repository they are `components.figures`; see there.
"""

import sys
from importlib import import_module
from pathlib import Path

_APP = Path(__file__).resolve().parent / "_app"
if _APP.exists() and str(_APP) not in sys.path:
    sys.path.append(str(_APP))
_figures = import_module("components.figures")

biases = _figures.biases
coefficients = _figures.coefficients
fit = _figures.fit
loss = _figures.loss

__all__ = ["biases", "coefficients", "fit", "loss"]
