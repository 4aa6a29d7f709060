"""Errors against mpmath: what is right to 2^-63 and rounded once is off by little more than half an ulp."""

import numpy as np
import pytest

from core.portable import functions
from core.types import FloatArray
from tests.core.portable.arguments import (
    FAMILIES,
    REFERENCES,
    arguments,
    pow_arguments,
    worst,
)
from tests.effort import cases

LARGEST_ERROR = 0.501
PAIRS = {"power": pow_arguments}


def drawn(name: str, count: int) -> tuple[FloatArray, ...]:
    return PAIRS[name](count) if name in PAIRS else (arguments(name, count),)


@pytest.mark.parametrize("name", REFERENCES)
def test_error(name: str) -> None:
    where = drawn(name, cases(5_000, of=102_000))
    error, place = worst(name, getattr(functions, name)(*where), *where)
    assert error <= LARGEST_ERROR, f"{name}{place} is off by {error} ulp"


def test_every_function_is_measured() -> None:
    assert set(REFERENCES) == set(FAMILIES) | set(PAIRS)
    public = {
        name
        for name, value in vars(functions).items()
        if hasattr(value, "__wrapped__") and not name.startswith("portable_")
    }
    assert public == set(REFERENCES) | {"mod"}


@pytest.mark.parametrize(
    "name", ["exp", "expm1", "sinh", "atan", "asin", "log", "log1p", "log2", "log10", "cbrt", "tanh"]
)
def test_increasing(name: str) -> None:
    """Neighbours never come out in the wrong order, at ends of the tables' intervals and at thresholds."""
    low, high = {"log": (0.01, 2.0), "log2": (0.01, 2.0), "log10": (0.01, 2.0), "asin": (-0.99, 0.99),
                 "log1p": (-0.9, 2.0)}.get(name, (-2.0, 2.0))  # fmt: skip
    places = np.concatenate([np.linspace(low, high, 301), np.array([2.0**-9, 2.0**-10, 2.0**-28, 0.5 / 128])])
    steps = np.arange(-20, 21) * np.spacing(np.abs(places))[:, None]
    values = getattr(functions, name)(places[:, None] + steps)
    assert (np.diff(values, axis=1) >= 0.0).all()
