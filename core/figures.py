"""The figures of the page for notebooks: `from plateau_lab.figures import loss`, or `from core.figures`.

They need Plotly. A figure is Plotly's own: `loss(result).write_html("loss.html")` keeps one as a page.
`components.figures` makes them; see there.
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
prediction = _figures.prediction
stationarity = _figures.stationarity

__all__ = ["biases", "coefficients", "fit", "loss", "prediction", "stationarity"]
