"""The draws are NumPy's: everywhere the same words, and the same bits but for the last of a tail's."""

import numpy as np
import pytest
from mpmath import mp, mpf
from numba.np.random import _constants

from core.portable import ziggurat
from core.portable.random import draw_uniform, standard_normal
from core.types import FloatArray
from tests.effort import cases

COUNTS = (1, 2, 0, 7, 300, 1_000)


def compare(seed: int, number: int) -> tuple[FloatArray, FloatArray]:
    """NumPy's draws and ours, a few calls long; both generators must stand at the same word after each."""
    theirs, ours = (np.random.default_rng([seed, number]) for _ in range(2))
    expected, drawn = [], []
    for count in COUNTS:
        expected.append(theirs.standard_normal(count))
        drawn.append(standard_normal(ours, count))
        assert theirs.bit_generator.state == ours.bit_generator.state
    return np.concatenate(expected), np.concatenate(drawn)


MORE = range(800, cases(2_000, of=8_000))


@pytest.mark.parametrize("seeds", [range(800), pytest.param(MORE, marks=pytest.mark.slow)])
def test_normals(seeds: range) -> None:
    results = [compare(seed, 1) for seed in seeds]
    expected, drawn = (np.concatenate(column) for column in zip(*results, strict=True))
    assert len(expected) > 1_000_000
    tail = np.abs(expected) > ziggurat.EDGE
    assert tail.sum() > 200
    np.testing.assert_array_equal(drawn[~tail], expected[~tail])
    assert (np.abs(drawn[tail] - expected[tail]) <= np.spacing(np.abs(expected[tail]))).all()
    assert (drawn[tail] == expected[tail]).mean() > 0.95


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (0.1, 0.3), (1000.0, 1001.0), (-3.7, 12.9)])
def test_uniforms(low: float, high: float) -> None:
    for seed in range(100):
        theirs, ours = (np.random.default_rng([seed, 0]) for _ in range(2))
        expected = theirs.uniform(low, high, 300)
        drawn = draw_uniform(ours, low, high, 300)
        assert (np.abs(drawn - expected) <= np.spacing(max(abs(low), abs(high)))).all()
        plain = [low + (high - low) * u for u in np.random.default_rng([seed, 0]).random(300).tolist()]
        assert drawn.tolist() == plain
        assert theirs.bit_generator.state == ours.bit_generator.state


def test_a_waiting_half_word_keeps_waiting() -> None:
    """A 32-bit draw leaves the other half of its word for the next one."""
    theirs, ours = (np.random.default_rng(5) for _ in range(2))
    for rng in (theirs, ours):
        rng.integers(0, 2**31, dtype=np.int32)
    theirs.standard_normal(100)
    standard_normal(ours, 100)
    assert theirs.bit_generator.state == ours.bit_generator.state
    assert theirs.bit_generator.state["has_uint32"] == 1


def test_other_generators_are_refused() -> None:
    with pytest.raises(TypeError, match="PCG64"):
        standard_normal(np.random.Generator(np.random.MT19937(0)), 3)


def test_tables_are_numpys() -> None:
    """numba ships NumPy's tables for its own ziggurat."""
    np.testing.assert_array_equal(ziggurat.WIDTH, _constants.wi_double)
    np.testing.assert_array_equal(ziggurat.HEIGHT, _constants.fi_double)
    np.testing.assert_array_equal(ziggurat.INSIDE.astype(np.uint64), _constants.ki_double)
    assert _constants.ziggurat_nor_r == ziggurat.EDGE
    assert _constants.ziggurat_nor_inv_r == ziggurat.INVERSE_EDGE


def test_layers_have_equal_areas() -> None:
    with mp.workprec(120):
        edge = mpf(ziggurat.EDGE)
        below = mp.exp(-edge * edge / 2)
        area = edge * below + mp.sqrt(mp.pi / 2) * mp.erfc(edge / mp.sqrt(2))
        x = [edge]
        for _ in range(254):
            x.append(mp.sqrt(-2 * mp.log(area / x[-1] + mp.exp(-(x[-1] ** 2) / 2))))
        assert abs(area / x[-1] + mp.exp(-(x[-1] ** 2) / 2) - 1) < 1e-14
        ends = np.array([float(area / below), *map(float, reversed(x))])
        heights = np.array([1.0, *(float(mp.exp(-each * each / 2)) for each in reversed(x))])
    np.testing.assert_allclose(ziggurat.WIDTH * 2.0**52, ends, rtol=2e-14)
    np.testing.assert_allclose(ziggurat.HEIGHT, heights, rtol=3e-15)
    inside = np.array([ziggurat.EDGE / ends[0], 0.0, *(ends[1:-1] / ends[2:])])
    np.testing.assert_allclose(ziggurat.INSIDE / 2.0**52, inside, rtol=2e-14)
