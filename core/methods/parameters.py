"""Hyper-parameters that several methods have: one declaration each, so that a key means one thing."""

from typing import Any, NamedTuple

from .contract import parameter

OFFSET = 1e-8
"""How far left of the smallest datum a neuron is put that crosses it (rule 6(iii) of section 4.2)."""


class AdamSettings(NamedTuple):
    """Hyper-parameters of Adam's steps; plain steps have the learning rate alone."""

    learning_rate: float
    beta1: float
    beta2: float
    epsilon: float


def learning_rate(help: str) -> Any:
    """The step size; what it does differs, and so does its help."""
    return parameter(
        1e-3, low=1e-8, high=10.0, label="Learning rate", symbol="η", help=help, log=True
    )  # fmt: skip


def memory_of_mean() -> Any:
    """Adam's first constant."""
    return parameter(
        0.9, low=0.0, high=0.999999, label="Memory of the mean", symbol="β₁",
        help="Adam: how much of the running mean of the gradient is kept in an epoch.",
    )  # fmt: skip


def memory_of_square() -> Any:
    """Adam's second constant."""
    return parameter(
        0.999, low=0.0, high=0.999999, label="Memory of the square", symbol="β₂",
        help="Adam: how much of the running mean square of the gradient is kept in an epoch.",
    )  # fmt: skip


def smallest_scale() -> Any:
    """Adam's third constant."""
    return parameter(
        1e-8, low=1e-16, high=1.0, label="Smallest scale", symbol="ε",
        help="Adam: added to the root mean square that divides the step.", log=True,
    )  # fmt: skip


def distance_left() -> Any:
    """Of rule 6 of section 4.2."""
    return parameter(
        OFFSET, low=1e-12, high=1.0, label="Distance left of the data", symbol="δ",
        help="ANLS: how far left of all data a neuron is put that crosses the first one.", log=True,
    )  # fmt: skip
