"""L-BFGS: `searches` are its directions and line searches, `scans` loss and gradient, `method` the class."""

from .method import METHOD

__all__ = ["METHOD"]
