"""Gradient descent (paper, section 2): `epochs` is the update, epoch by epoch; `method` is the class."""

from .method import METHOD

__all__ = ["METHOD"]
