"""Mini-batch gradient descent: `epochs` is the update, `method` the class."""

from .method import METHOD

__all__ = ["METHOD"]
