"""Adam (paper, section 5): `epochs` is the update, epoch by epoch; `method` is the class."""

from core.methods.adam.method import METHOD

__all__ = ["METHOD"]
