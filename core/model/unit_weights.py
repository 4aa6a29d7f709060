"""Proposition 2.1 (prop:w=1): every network with weights is one with unit weights, on a bounded interval."""

import numpy as np

from ..types import FloatArray


def from_general(
    w: FloatArray, b: FloatArray, c: FloatArray, interval: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Rewrite sum_j c_j max(w_j x - b_j, 0) with unit weights (Proposition 2.1).

    On the interval [p, q]: a positive weight scales out; a zero weight gives
    the constant max(-b, 0); a negative one looks to the left, and

        max(t - x, 0) = max(x - t, 0) - (x - p) - (p - t),    t = b / w.

    The lines x - p and 1 need two more neurons, at p and at p - (q - p), which
    all constants and all left-looking neurons share. Width grows by at most 2.

    Parameters
    ----------
    w
        Weights.
    b, c
        Biases and coefficients.
    interval
        The interval on which the two networks are to agree.

    Returns
    -------
    tuple of two arrays
        Biases and coefficients of the network with unit weights.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model.unit_weights import from_general
    >>> b, c = from_general(np.array([2.0]), np.array([1.0]), np.array([3.0]), (0.0, 1.0))
    >>> b.tolist(), c.tolist()
    ([0.5], [6.0])
    """
    low, high = interval
    if not low < high:
        raise ValueError(f"interval {interval!r} is empty: its first end must be less than its second")
    step = high - low
    biases: list[float] = []
    coefficients: list[float] = []
    constant = 0.0
    line = 0.0
    for weight, bias, coefficient in zip(w.tolist(), b.tolist(), c.tolist(), strict=True):
        if weight == 0.0:
            constant += coefficient * max(-bias, 0.0)
            continue
        knot = bias / weight
        scaled = coefficient * abs(weight)
        if weight < 0.0:
            if knot <= low:
                continue
            line -= scaled
            constant -= scaled * (low - knot)
        biases.append(knot)
        coefficients.append(scaled)
    # 1 = (max(x - p + step, 0) - max(x - p, 0)) / step on the interval
    if constant != 0.0:
        biases.append(low - step)
        coefficients.append(constant / step)
    if constant != 0.0 or line != 0.0:
        biases.append(low)
        coefficients.append(line - constant / step)
    return np.array(biases, dtype=np.float64), np.array(coefficients, dtype=np.float64)
