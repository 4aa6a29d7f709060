"""Slow references for the gradient methods: full-batch steps as a textbook writes them."""

from collections.abc import Callable

import numpy as np

from core.types import FloatArray

Gradient = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def gradient(
    x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray, w: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Of the mean squared loss, by matrices: (dL/db, dL/dc)."""
    weights = np.ones(len(x)) if w is None else w
    hinge = np.maximum(x[:, None] - b, 0.0)
    r = weights * (hinge @ c - y)
    s = 2.0 / weights.sum()
    return -s * c * (r @ (x[:, None] > b)), s * (r @ hinge)


def descend(
    x: FloatArray,
    y: FloatArray,
    b: FloatArray,
    c: FloatArray,
    learning_rate: float,
    epochs: int,
    w: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Gradient descent."""
    for _ in range(epochs):
        db, dc = gradient(x, y, b, c, w)
        b, c = b - learning_rate * db, c - learning_rate * dc
    return b, c


def adam(
    x: FloatArray,
    y: FloatArray,
    b: FloatArray,
    c: FloatArray,
    learning_rate: float,
    epochs: int,
    w: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Adam with its usual constants."""
    values = np.concatenate((b, c))
    n = len(b)
    first, second = np.zeros_like(values), np.zeros_like(values)
    for t in range(1, epochs + 1):
        g = np.concatenate(gradient(x, y, values[:n], values[n:], w))
        first = 0.9 * first + 0.1 * g
        second = 0.999 * second + 0.001 * g**2
        values = values - learning_rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
    return values[:n], values[n:]


def momentum(
    x: FloatArray,
    y: FloatArray,
    b: FloatArray,
    c: FloatArray,
    learning_rate: float,
    epochs: int,
    w: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """The heavy ball: a share of the last step is added to the next."""
    values, n = np.concatenate((b, c)), len(b)
    step = np.zeros(2 * n)
    for _ in range(epochs):
        step = 0.9 * step - learning_rate * np.concatenate(gradient(x, y, values[:n], values[n:], w))
        values = values + step
    return values[:n], values[n:]


def nesterov(
    x: FloatArray,
    y: FloatArray,
    b: FloatArray,
    c: FloatArray,
    learning_rate: float,
    epochs: int,
    w: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Nesterov's: the gradient is taken ahead, where the last step would lead; the end is the point ahead."""
    values, n = np.concatenate((b, c)), len(b)
    step = np.zeros(2 * n)
    for _ in range(epochs):
        ahead = values + 0.9 * step
        step = 0.9 * step - learning_rate * np.concatenate(gradient(x, y, ahead[:n], ahead[n:], w))
        values = values + step
    ahead = values + 0.9 * step
    return ahead[:n], ahead[n:]
