"""Mini-batch gradient descent: `epochs` is the update, `method` the class."""

from core.rivals.sgd.method import METHOD

__all__ = ["METHOD"]
