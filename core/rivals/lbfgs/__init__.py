"""L-BFGS: `searches` are its directions and line searches, `method` the class."""

from .method import METHOD

__all__ = ["METHOD"]
