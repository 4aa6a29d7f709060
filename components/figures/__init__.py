"""Pictures: from results to finished Plotly figures.

`loss`, `fit`, `biases`, `coefficients`, `stationarity` and `prediction` take a result of `core.fit`, a
`train(config)` that has been iterated, or several of either, and give a `plotly.graph_objects.Figure`. They
draw the panels of the Lab: the figure of a panel says which columns fill which trace; here Python fills them,
on the page the browser does.
"""

from components.figures.pictures import biases, coefficients, fit, loss, prediction, stationarity

__all__ = ["biases", "coefficients", "fit", "loss", "prediction", "stationarity"]
