"""Structure-guided Gauss-Newton for shallow ReLU networks (Cai, Ding, Liu, Liu & Xia 2024)."""

from dataclasses import dataclass
from typing import ClassVar

from .damped.method import Damped
from .damped.trials import Kind


@dataclass(frozen=True, kw_only=True)
class StructuredGaussNewton(Damped):
    """Least squares for the coefficients, then a damped Gauss-Newton step of the biases alone, in turns."""

    name: ClassVar[str] = "sggn"
    title: ClassVar[str] = "SgGN"
    summary: ClassVar[str] = (
        "Structure-guided Gauss–Newton: in turns the best coefficients, and a step of the biases alone."
    )
    solves_least_squares: ClassVar[bool] = True
    kind: ClassVar[Kind] = Kind(projected=True, biases_alone=True)


METHOD = StructuredGaussNewton
