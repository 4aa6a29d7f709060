"""The regression line of neighbouring data against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from core.model.regression import regression_of
from core.problem.data import TrainingData
from core.types import FloatArray


def exact(x: FloatArray, y: FloatArray, w: FloatArray) -> tuple[Fraction, ...]:
    """u, mu, ybar, Sxx, Sxy, rss in rational arithmetic."""
    xs, ys, ws = ([Fraction(float(v)) for v in array] for array in (x, y, w))
    u = sum(ws, Fraction(0))
    mu = sum((a * b for a, b in zip(ws, xs, strict=True)), Fraction(0)) / u
    mean = sum((a * b for a, b in zip(ws, ys, strict=True)), Fraction(0)) / u
    rows = list(zip(ws, xs, ys, strict=True))
    sxx = sum((a * (b - mu) ** 2 for a, b, _ in rows), Fraction(0))
    sxy = sum((a * (b - mu) * (d - mean) for a, b, d in rows), Fraction(0))
    slope = sxy / sxx if sxx else Fraction(0)
    rss = sum((a * (d - mean - slope * (b - mu)) ** 2 for a, b, d in rows), Fraction(0))
    return u, mu, mean, sxx, sxy, rss


@pytest.mark.parametrize("count", [1, 2, 3, 40])
@pytest.mark.parametrize(("origin", "scale"), [(0.0, 1.0), (1e6, 1.0), (-3.0, 1e-9), (5.0, 1e9)])
@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_fractions(count: int, origin: float, scale: float, weighted: bool) -> None:
    random = np.random.default_rng([count, int(weighted)])
    x = origin + np.cumsum(0.1 + random.random(count + 6))
    y = scale * random.standard_normal(x.size)
    w = random.integers(1, 9, x.size).astype(float) if weighted else np.ones(x.size)
    found = regression_of(TrainingData(x, y, w=w).points, 3, 3 + count)
    part = slice(3, 3 + count)
    u, mu, mean, sxx, sxy, rss = map(float, exact(x[part], y[part], w[part]))
    assert found.weight == u
    assert found.first + found.offset == pytest.approx(mu, rel=1e-15)
    assert found.mean == pytest.approx(mean, rel=1e-14, abs=1e-15 * scale)
    assert found.sxx == pytest.approx(sxx, rel=1e-13)
    spread = float(np.sqrt(sxx * np.sum(w[part] * (y[part] - mean) ** 2)))
    assert found.sxy == pytest.approx(sxy, abs=1e-14 * spread)
    if count > 1:
        assert found.slope == pytest.approx(sxy / sxx, abs=1e-13 * spread / sxx)
    assert found.rss == pytest.approx(rss, rel=1e-12, abs=1e-30 * scale**2)
