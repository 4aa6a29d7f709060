"""Hyper-parameters that several rivals have: one declaration each, so that a key means one thing."""

from typing import Any

from ..methods.contract import parameter


def share_of_velocity() -> Any:
    """Of the methods with momentum."""
    return parameter(
        0.9, low=0.0, high=0.9999, label="Momentum", symbol="μ",
        help="How much of the velocity is kept in an epoch; 0 is gradient descent, 0.9 is ten times as fast "
        "along a slope that goes on.",
    )  # fmt: skip


def first_damping() -> Any:
    """Of the Gauss-Newton methods."""
    return parameter(
        1e-3, low=1e-12, high=1e3, label="First damping", symbol="λ₀",
        help="Gauss–Newton: how strongly the first step is held back, in parts of the trace of its matrix; "
        "later the damping follows the loss.", log=True,
    )  # fmt: skip
