"""ANLS+, which goes on where ANLS finds no better place: `plus` proposes its moves, dead and redundant
neurons relocated by `insertion` and knots shifted within their gaps by `adjustment`; `growth` adds
neurons one by one for adaptive width; `method` is the class.
"""

from .method import METHOD

__all__ = ["METHOD"]
