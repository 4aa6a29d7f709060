"""Whether a network fits the data exactly: the one definition that every method, bound and sentence uses.

A network that passes through all data in exact arithmetic does not in doubles. Each y_i is known to eps
|y_i|, eps = 2^-52, and f(x_i) is a sum whose rounding is a multiple of that. The loss of an exact fit is
about (k eps)^2 times the mean of y^2, where k grows with the width and with what cancels in the sums. The
mean is about zero and not about the mean of y: an offset is rounded too, and no network is closer to data
than the data are to themselves.

EXACT is (450 eps)^2, which leaves room for the sums of wide networks. Coefficients that are huge beside the
slopes of the data, and cancel, may leave more: methods that solve for them judge by the least loss of the
biases, which is free of their rounding.

The flow is integrated, and its errors are those of its steps: 1e-11 of rms(y) each (flow.tolerance). A
hundred of these are 1e-9 of rms(y), which is INTEGRATION times the residual of an exact fit.
"""

from ..compiled import compiled

EXACT = 1e-26
"""Largest loss of an exact fit, as a part of the mean of y^2."""
INTEGRATION = 1e4
"""Residual of an exact fit of the integrated flow, over that of any other."""


@compiled
def exact_loss(data_scale: float) -> float:
    """Largest loss of an exact fit.

    Parameters
    ----------
    data_scale
        What the loss is if f = 0: the mean of y^2 for the mean squared loss, the sum of w y^2 for a sum.

    Examples
    --------
    >>> exact_loss(4.0)
    4e-26
    """
    return EXACT * data_scale


@compiled
def fits_exactly(loss: float, data_scale: float) -> bool:
    """Whether a loss is that of an exact fit.

    Parameters
    ----------
    loss
        A mean squared loss, or a sum of squares.
    data_scale
        The same of f = 0.

    Examples
    --------
    >>> fits_exactly(1e-30, 1.0), fits_exactly(1e-20, 1.0), fits_exactly(0.0, 0.0)
    (True, False, True)
    """
    return loss <= exact_loss(data_scale)


def exact_flow_loss(data_scale: float) -> float:
    """Largest loss of an exact fit of the integrated flow; `data_scale` as in `exact_loss`."""
    return float(INTEGRATION * INTEGRATION * exact_loss(data_scale))
