"""Data on another scale: the map, the offer, and that training there is training here."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import RunConfig
from core.narrative import caution
from core.problem.data import TrainingData
from core.problem.units import Units, in_units, suggested_units

YEARS = ";".join(f"{1950 + i}:{4000 + 30 * i + 100 * (i % 7)}" for i in range(60))


def test_years_are_offered_in_other_units() -> None:
    config = RunConfig.from_query(f"data={YEARS}")
    units = suggested_units(config.training_data())
    assert units is not None
    text = ",".join(map(repr, units))
    mapped = RunConfig.from_query(f"data={YEARS}&units={text}")
    data = mapped.training_data()
    assert np.abs(data.x).max() <= 1.05
    assert np.abs(data.y).max() <= 1.05
    assert suggested_units(data) is None
    assert RunConfig.from_query(mapped.to_query()).run_id == mapped.run_id
    assert caution(config) != ""
    assert caution(mapped) == ""


def test_the_truth_is_mapped_too() -> None:
    config = RunConfig.from_query("target=x**2&domain=10,20&units=15,5,0,400")
    data = config.training_data()
    assert data.domain == (-1.0, 1.0)
    assert data.truth is not None
    assert data.truth(data.x) == pytest.approx(data.y)
    assert data.y[-1] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "query", ["target=f1", "target=sin5", "target=f2", "target=five", "target=1+x", "target=seven"]
)
def test_data_of_size_one_are_left_alone(query: str) -> None:
    assert suggested_units(RunConfig.from_query(query).training_data()) is None


values = st.floats(-1e9, 1e9, allow_subnormal=False)


@given(st.lists(values, min_size=2, max_size=8, unique=True), st.lists(values, min_size=8, max_size=8))
def test_what_is_offered_is_of_size_one(x: list[float], y: list[float]) -> None:
    points = np.sort(np.array(x))
    if (np.diff(points) <= 1e-6 * (points[-1] - points[0])).any() or points[-1] - points[0] < 1e-6:
        return
    data = TrainingData(points, np.array(y[: len(x)]))
    units = suggested_units(data)
    if units is not None:
        mapped = in_units(data, units)
        assert isinstance(units, Units)
        assert np.abs(mapped.x).max() <= 4.0
        assert np.abs(mapped.y).max() <= 31.0
