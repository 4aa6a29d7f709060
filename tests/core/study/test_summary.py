"""What many runs say together equals what plain NumPy says of the single runs."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import RunConfig, train
from core.config import runs_from_query
from core.study import GRID, bands, curve_of, quantile, reached

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)


def test_bands_equal_numpys_quantiles_of_the_single_runs() -> None:
    configs = runs_from_query("target=f1&points=30&seed=0..6&method=anls,gd&epochs=20,300").configs
    for method in ("anls", "gd"):
        runs = [list(train(config)) for config in configs if config.method.name == method]
        found = bands([curve_of(frames) for frames in runs], SHARES)
        last = max(frames[-1].epoch for frames in runs)
        assert found.epochs.tolist() == [0.0, *(epoch for before, epoch in pairwise(GRID) if before < last)]
        for column, epoch in enumerate(found.epochs):
            at = [[frame.loss for frame in frames if frame.epoch <= epoch][-1] for frames in runs]
            expected = np.quantile(np.array(at, dtype=np.float32).astype(float), SHARES)
            np.testing.assert_allclose(found.quantiles[:, column], expected, rtol=1e-15)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=30), st.sampled_from((0.0, *SHARES, 1.0)))
def test_quantiles_are_numpys(values: list[float], share: float) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        expected = float(np.quantile(values, share))
    scale = max(abs(value) for value in values)
    assert quantile(sorted(values), share) == pytest.approx(expected, rel=1e-12, abs=1e-12 * scale)


def test_a_diverged_run_counts_as_worst_and_an_empty_group_as_nothing() -> None:
    worst = np.array([1.0, np.inf], dtype=np.float32)
    fine = np.array([1.0, 0.5, 0.25], dtype=np.float32)
    assert bands([worst, fine, fine], (0.5, 1.0)).quantiles.tolist() == [[1, 0.5, 0.25], [1, np.inf, np.inf]]
    assert bands([], SHARES).epochs.size == 0


def test_the_share_that_has_reached_a_loss() -> None:
    assert reached([3.0, None, 1.0, 7.0]) == ([1.0, 3.0, 7.0], [0.25, 0.5, 0.75])
    assert reached([None]) == ([], [])


def test_a_curve_has_the_loss_of_the_last_frame_until_then() -> None:
    frames = list(train(RunConfig.from_query("target=five&method=gd&epochs=57")))
    curve = curve_of(frames)
    assert len(curve) == 1 + sum(epoch < 57 for epoch in GRID) and curve[-1] == np.float32(frames[-1].loss)
    for epoch, loss in zip(GRID, curve, strict=False):
        assert loss == np.float32([frame.loss for frame in frames if frame.epoch <= epoch][-1])
    assert len(set(GRID)) == len(GRID) and list(GRID) == sorted(GRID)
