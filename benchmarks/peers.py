"""How one would train otherwise: full-batch NumPy, and JAX and PyTorch where they are installed."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from core.types import FloatArray


def gradient(x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(dL/db, dL/dc) of the mean squared loss by m x n matrices."""
    hinge = np.maximum(x[:, None] - b, 0.0)
    r = hinge @ c - y
    s = 2.0 / len(x)
    return -s * c * (r @ (hinge > 0.0)), s * (r @ hinge)


def numpy_descent(
    x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray, learning_rate: float, epochs: int
) -> tuple[FloatArray, FloatArray]:
    """Gradient descent."""
    for _ in range(epochs):
        db, dc = gradient(x, y, b, c)
        b, c = b - learning_rate * db, c - learning_rate * dc
    return b, c


def numpy_adam(
    x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray, learning_rate: float, epochs: int
) -> tuple[FloatArray, FloatArray]:
    """Adam with its usual constants."""
    n = len(b)
    values = np.concatenate((b, c))
    first, second = np.zeros(2 * n), np.zeros(2 * n)
    for t in range(1, epochs + 1):
        g = np.concatenate(gradient(x, y, values[:n], values[n:]))
        first += 0.1 * (g - first)
        second += 0.001 * (g * g - second)
        values -= learning_rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
    return values[:n], values[n:]


def _jax_descent() -> Callable[..., tuple[FloatArray, FloatArray]] | None:
    """Gradient descent in a jitted lax.fori_loop, in double precision; None without JAX."""
    if find_spec("jax") is None:
        return None
    jax = import_module("jax")
    jnp = import_module("jax.numpy")
    jax.config.update("jax_enable_x64", True)

    @jax.jit
    def run(x: object, y: object, b: object, c: object, learning_rate: float, epochs: int) -> object:
        def loss(parameters: tuple[object, object]) -> object:
            hinge = jnp.maximum(x[:, None] - parameters[0], 0.0)  # type: ignore[index]
            return jnp.mean((hinge @ parameters[1] - y) ** 2)

        def step(_: int, parameters: tuple[object, object]) -> object:
            return jax.tree.map(lambda v, g: v - learning_rate * g, parameters, jax.grad(loss)(parameters))

        return jax.lax.fori_loop(0, epochs, step, (b, c))

    def descend(
        x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray, learning_rate: float, epochs: int
    ) -> tuple[FloatArray, FloatArray]:
        b_after, c_after = run(x, y, b, c, learning_rate, epochs)
        return np.asarray(b_after), np.asarray(c_after)

    return descend


jax_descent = _jax_descent()


def _torch_descent() -> Callable[..., tuple[FloatArray, FloatArray]] | None:
    """Gradient descent as one writes it in PyTorch, in double precision on one thread; None without it."""
    if find_spec("torch") is None:
        return None
    torch = import_module("torch")
    torch.set_num_threads(1)

    def descend(
        x: FloatArray, y: FloatArray, b: FloatArray, c: FloatArray, learning_rate: float, epochs: int
    ) -> tuple[FloatArray, FloatArray]:
        points, values = torch.tensor(x)[:, None], torch.tensor(y)
        biases, slopes = (torch.tensor(part, requires_grad=True) for part in (b, c))
        for _ in range(epochs):
            loss = torch.mean((torch.relu(points - biases) @ slopes - values) ** 2)
            gradients = torch.autograd.grad(loss, (biases, slopes))
            with torch.no_grad():
                for parameter, gradient in zip((biases, slopes), gradients, strict=True):
                    parameter -= learning_rate * gradient
        return biases.detach().numpy(), slopes.detach().numpy()

    return descend


torch_descent = _torch_descent()

PEERS = {
    name: peer
    for name, peer in (("NumPy", numpy_descent), ("JAX", jax_descent), ("PyTorch", torch_descent))
    if peer is not None
}
"""Gradient descent by library, those that are installed."""
