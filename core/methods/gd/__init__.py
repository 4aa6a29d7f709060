"""Gradient descent (paper, section 2): `method` is the class, `epochs` its loop.

The update b += eta s c G, c -= eta s (H - b G) itself is in `descend_few` and `descend_many`
(core.methods.stepping.gradient).
"""

from .method import METHOD

__all__ = ["METHOD"]
