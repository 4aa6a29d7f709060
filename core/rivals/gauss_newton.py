"""Damped Gauss-Newton, that is Levenberg-Marquardt, on biases and coefficients (core.rivals.damped)."""

from dataclasses import dataclass
from typing import ClassVar

from .damped.method import Damped
from .damped.trials import Kind


@dataclass(frozen=True, kw_only=True)
class GaussNewton(Damped):
    """Each iteration solves the linearised least-squares problem of (b, c), damped."""

    name: ClassVar[str] = "gauss_newton"
    title: ClassVar[str] = "Gauss–Newton"
    summary: ClassVar[str] = (
        "Levenberg–Marquardt on biases and coefficients: no slow rate is left, only what the pattern forbids."
    )
    kind: ClassVar[Kind] = Kind(projected=False, biases_alone=False)


METHOD = GaussNewton
