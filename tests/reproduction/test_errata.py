"""The counterexamples that docs/maths.md gives in its list of errata, where no other test evaluates them."""

import numpy as np
import pytest

from core.model.pattern import pattern_of
from core.problem.data import TrainingData
from core.theory.convergence import must_end


def test_the_loss_does_not_bound_the_way_of_the_parameters() -> None:
    """Item 13. With z = x - b, the flow of (c z - y)^2 keeps c^2 - z^2, here 0: both end at the root of y."""
    y, c, z, rate = 0.007, 1e-3, 1e-3, 1e-2
    loss = (c * z - y) ** 2
    start = np.array([c, z])
    for _ in range(200_000):
        residual = c * z - y
        c, z = c - rate * 2 * residual * z, z - rate * 2 * residual * c
    assert c == pytest.approx(np.sqrt(y), rel=1e-6)
    moved = float(np.sum((np.array([c, z]) - start) ** 2))
    assert loss == pytest.approx(4.9e-5, rel=1e-3)
    assert moved == pytest.approx(0.0137, rel=3e-3)
    assert moved > 100 * loss


def test_a_pinned_bias_may_rest_where_the_equations_fail() -> None:
    """Item 14."""
    x, y = np.array([0.0, 1, 2, 3]), np.array([0.0, -0.3, 1.2, 1.9])
    b, c, rate = 1.0, 1.0, 1e-4
    furthest = 0.0
    for _ in range(20_000):
        seen = x > b
        residual = c * np.maximum(x - b, 0.0) - y
        slope_b = -0.5 * c * residual[seen].sum()
        slope_c = 0.5 * (residual * np.maximum(x - b, 0.0)).sum()
        b, c = b - rate * slope_b, c - rate * slope_c
        furthest = max(furthest, abs(b - 1.0))
    assert furthest <= rate
    assert c == pytest.approx(1.0, abs=1e-3)
    assert c * (2.5 - b) == pytest.approx(1.5, abs=1e-3)
    assert y[2:].mean() == pytest.approx(1.55)


def test_a_pattern_may_have_no_stationary_network() -> None:
    """Item 15."""
    x, y = np.array([0.0, 1, 2, 3]), np.array([1.0, 2, 10, 12])
    data = TrainingData(x=x, y=y, truth=None, domain=(0.0, 3.0))
    b = np.array([-1.0, 1.5])
    assert must_end(data, pattern_of(x, b), b, np.ones(2))


def test_a_negative_weight_needs_the_weight_itself() -> None:
    """Item 16."""
    w, b, x = -1.0, 0.5, 0.1
    true = max(w * x + b, 0.0)
    mended = abs(w) * max(np.sign(w) * (x + b / w), 0.0)
    printed = abs(w) * max(np.sign(w) * (x + b / abs(w)), 0.0)
    assert true == pytest.approx(0.4)
    assert mended == true
    assert printed == 0.0
