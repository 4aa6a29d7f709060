"""One definition of an exact fit: the same in all units, and nothing that doubles can show is lost."""

import re
from pathlib import Path

import numpy as np
import pytest

from core.least_squares.solve import least_loss, solve
from core.methods import METHODS
from core.model.exact_fit import exact_flow_loss, exact_loss, fits_exactly
from core.model.loss import mean_square
from core.problem.data import TrainingData

SCALES = (1e-9, 1e-3, 1.0, 1e3, 1e9)
OFFSETS = (0.0, 1.0, -1e3, 1e6)
X = np.linspace(-1.0, 1.0, 12)


def wave(scale: float, offset: float) -> TrainingData:
    return TrainingData(X, scale * (offset + np.sin(3.0 * X)))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("offset", OFFSETS)
def test_a_neuron_left_of_every_datum_fits_exactly(scale: float, offset: float) -> None:
    data = wave(scale, offset)
    assert fits_exactly(solve(data, X - 0.1).loss, mean_square(data, data.y))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("offset", OFFSETS)
def test_one_neuron_too_few_does_not(scale: float, offset: float) -> None:
    data = wave(scale, offset)
    assert not fits_exactly(least_loss(data, X[:-1] - 0.1), mean_square(data, data.y))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_what_a_method_calls_exact_changes_with_the_unit_of_y(scale: float, method: str) -> None:
    chosen = METHODS[method]()
    assert chosen.exact_loss(wave(scale, 2.0)) == pytest.approx(
        scale**2 * chosen.exact_loss(wave(1.0, 2.0)), rel=1e-12
    )


def test_only_zero_fits_data_that_are_zero() -> None:
    assert fits_exactly(0.0, 0.0) and not fits_exactly(1e-300, 0.0)
    assert not fits_exactly(np.nan, 1.0)


def test_the_flow_fits_to_a_billionth() -> None:
    assert exact_flow_loss(4.0) == pytest.approx((2e-9) ** 2, rel=1e-12)
    assert exact_loss(4.0) < exact_flow_loss(4.0)


def test_no_other_module_has_a_bound_of_its_own() -> None:
    """Parts of the mean of y^2 between 1e-30 and 1e-15 are written in one place."""
    core = Path(__file__).parents[3] / "core"
    small = re.compile(r"^\w+(?:: \w+)? = \d(?:\.\d+)?e-(?:1[5-9]|2\d|30)$", re.MULTILINE)
    found = {str(path.relative_to(core)) for path in core.rglob("*.py") if small.search(path.read_text())}
    assert found == {"model/exact_fit.py"}
