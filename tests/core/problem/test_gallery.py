"""The named targets: the paper's numbers, and a gallery that can be learned."""

import numpy as np
import pytest

from core.config.fields import PROBLEM_FIELDS
from core.config.run_config import RunConfig
from core.narrative import caution
from core.problem.formula import FUNCTIONS, parse
from core.problem.gallery import TARGETS, Target

X = np.linspace(-1.0, 1.0, 201)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_every_target_gives_finite_data_with_its_defaults(target: Target) -> None:
    config = RunConfig.from_query(f"target={target.name}")
    data = config.training_data()
    assert data.m == config.points
    assert np.isfinite(data.y).all()
    assert np.ptp(data.y) > 0.5
    assert config.to_query() == ("" if target.name == "f1" else f"target={target.name}")
    for key, value in target.defaults.items():
        assert getattr(config, key) == value


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_every_target_is_told_to_people(target: Target) -> None:
    assert target.title
    assert target.watch.endswith(".")
    assert len(target.watch) <= 110
    assert bool(target.formula) != bool(target.data)
    assert set(target.defaults) <= {spec.name for spec in PROBLEM_FIELDS}


def test_no_name_is_a_formula() -> None:
    """Otherwise a link could mean two things."""
    for name in TARGETS:
        with pytest.raises(ValueError, match=r"at character 1: (unknown name|.* needs its argument)"):
            parse(name)
    assert set(TARGETS) & set(FUNCTIONS) <= {"step", "abs"}


def test_paper_functions() -> None:
    expected = {
        "f1": np.sin(np.pi * X),
        "sin5": np.sin(5 * np.pi * X),
        "f2": np.where(X > 0, 1 + 0.5 * X * np.cos(15 * np.pi * X), 0.5 * np.sin(5 * np.pi * X)),
    }
    for name, values in expected.items():
        function = TARGETS[name].function
        assert function is not None
        np.testing.assert_allclose(function(X), values, rtol=0, atol=1e-15)


def test_paper_settings() -> None:
    settings = {
        name: (config.points, config.width, config.sampling, config.domain)
        for name in ("f1", "sin5", "f2", "five")
        for config in [RunConfig.from_query(f"target={name}")]
    }
    assert settings == {
        "f1": (100, 10, "equidistant", (-1.0, 1.0)),
        "sin5": (500, 100, "equidistant", (-1.0, 1.0)),
        "f2": (1000, 300, "uniform", (-1.0, 1.0)),
        "five": (5, 8, "equidistant", (-1.0, 1.0)),
    }


def test_five_points() -> None:
    data = RunConfig.from_query("target=five").training_data()
    np.testing.assert_array_equal(data.x, [-1.0, -0.5, 0.0, 0.5, 1.0])
    np.testing.assert_array_equal(data.y, [1.0, 0.0, 1.0, 0.0, 1.0])
    assert data.truth is None


def test_seven_candidates() -> None:
    """The paper's count, from the rules alone: one place a side, if there is a datum to cross."""
    config = RunConfig.from_query("target=seven")
    b, _ = config.initial()
    x = config.training_data().x
    assert len(x) == 10
    assert (np.diff(b) > 0).all()
    counts = np.diff([0, *np.searchsorted(x, b, side="right"), len(x)])
    left = counts[:-1] > 0
    right = counts[1:] > 0
    right[-1] = counts[-1] > 1  # the last live neuron may not die
    assert counts[2] == 0
    assert counts[5] == 1
    assert (left.astype(int) + right).tolist() == [2, 1, 1, 2, 1]


MEASURED = [target for target in TARGETS.values() if target.source]


@pytest.mark.parametrize("target", MEASURED, ids=lambda target: target.name)
def test_measured_series_are_told_in_their_own_units_and_start_without_exploding(target: Target) -> None:
    assert 6 <= len(MEASURED) <= 10
    config = RunConfig.from_query(f"target={target.name}")
    data, scale = config.training_data(), config.scale
    assert np.abs(data.x).max() <= 1.01 and np.abs(data.y).max() <= 1.02
    np.testing.assert_allclose(scale.x(data.x), [x for x, _ in target.data])
    np.testing.assert_allclose(scale.y(data.y), [y for _, y in target.data])
    assert scale.title and scale.x_name and scale.y_name
    assert caution(config) == ""


def test_the_nile_is_the_nile() -> None:
    data = TARGETS["nile"].data
    assert (len(data), data[0], data[-1]) == (100, (1871.0, 1120.0), (1970.0, 740.0))
