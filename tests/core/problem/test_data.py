"""Training data: ascending, finite, read-only, and drawn from independent streams."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.problem.data import Domain, Sampling, TrainingData, add_noise, resolution, sample, sample_x
from core.problem.formula import parse

SIN = parse("sin(pi*x)")
domains = st.tuples(st.floats(-1e3, 1e3), st.floats(0.1, 1e3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def test_arrays_are_read_only_copies() -> None:
    x, y = np.array([0.0, 1.0]), np.array([2.0, 3.0])
    data = TrainingData(x, y)
    x[0] = y[0] = 9.0
    assert data.x[0] == 0.0
    assert data.y[0] == 2.0
    assert data.domain == (0.0, 1.0)
    with pytest.raises(ValueError, match="read-only"):
        data.x[0] = 1.0


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([0.0], [0.0], "1 points, at least two"),
        ([0.0, 0.0], [0.0, 1.0], "strictly ascending"),
        ([1.0, 0.0], [0.0, 1.0], "strictly ascending"),
        ([0.0, np.inf], [0.0, 1.0], "finite"),
        ([0.0, 1.0], [0.0, np.nan], "finite"),
        ([0.0, 1.0], [0.0], "one length"),
    ],
)
def test_refusals(x: list[float], y: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingData(np.array(x), np.array(y))


@given(st.integers(2, 300), st.sampled_from(get_args(Sampling)), domains, st.integers(0, 2**32 - 1))
def test_positions(points: int, sampling: Sampling, domain: Domain, seed: int) -> None:
    x = sample_x(points, sampling, domain, seed)
    assert x.shape == (points,)
    assert (np.diff(x) > 0).all()
    assert domain[0] <= x[0]
    assert x[-1] <= domain[1]
    if sampling == "equidistant":
        assert (x[0], x[-1]) == domain
    np.testing.assert_array_equal(x, sample_x(points, sampling, domain, seed))


@pytest.mark.parametrize("seed", range(5))
def test_colliding_draws_are_replaced(seed: int) -> None:
    """Of 40,000 draws some 1.6 pairs are closer than the resolution; their like must be drawn anew."""
    x = sample_x(40_000, "uniform", (-1.0, 1.0), seed)
    assert len(x) == 40_000
    assert np.diff(x).min() > resolution(-1.0, 1.0)


def test_a_domain_too_short_for_its_points_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^points: 60 cannot be told apart"):
        sample_x(60, "uniform", (1.0, 1.0 + 64 * 2.0**-52), 0)


def test_streams_are_independent() -> None:
    quiet = sample(SIN, 50, "uniform", 0.0, (-1.0, 1.0), 3)
    noisy = sample(SIN, 50, "uniform", 0.5, (-1.0, 1.0), 3)
    np.testing.assert_array_equal(quiet.x, noisy.x)
    np.testing.assert_array_equal(quiet.y, SIN(quiet.x))
    noise = (noisy.y - quiet.y) / 0.5
    np.testing.assert_allclose(noise, np.random.default_rng([3, 1]).standard_normal(50), atol=1e-12)


def test_noise_has_its_standard_deviation() -> None:
    noise = add_noise(np.zeros(10_000), 0.2, 0)
    assert abs(noise.std() / 0.2 - 1) < 0.03
    assert abs(noise.mean()) < 0.01


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("1/x", r"x = 0 is not finite \(inf\)"),
        ("log(x)", r"x = -1 is not finite \(nan\)"),
        ("sqrt(0.25-x)", "x = 0.5 is not finite"),
        ("1e10*x", r"x = -1 is beyond ±1e9 \(-1e\+10\)"),
    ],
)
def test_first_offending_x_is_named(formula: str, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^target: the value at {message}"):
        sample(parse(formula), 5, "equidistant", 0.0, (-1.0, 1.0), 0)
