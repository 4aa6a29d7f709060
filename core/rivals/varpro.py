"""Variable projection (Golub & Pereyra 1973) in Kaufman's form, damped (core.rivals.damped)."""

from dataclasses import dataclass
from typing import ClassVar

from .damped.method import Damped
from .damped.trials import Kind


@dataclass(frozen=True, kw_only=True)
class VariableProjection(Damped):
    """Gauss-Newton for the biases of a problem whose coefficients are always the best ones."""

    name: ClassVar[str] = "varpro"
    title: ClassVar[str] = "VarPro"
    summary: ClassVar[str] = (
        "Variable projection: Gauss–Newton on the biases, with the best coefficients for them at all times."
    )
    solves_least_squares: ClassVar[bool] = True
    kind: ClassVar[Kind] = Kind(projected=True, biases_alone=False)


METHOD = VariableProjection
