"""Singular values and eigenvalues against LAPACK."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.portable.spectrum import bidiagonal, count_below, singular_value, tridiagonal_eigenvalue


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 14),
    st.integers(0, 10),
    st.integers(0, 10**6),
    st.sampled_from([1e-150, 1e-9, 1.0, 1e9, 1e150]),
    st.integers(0, 5),
)
def test_singular_values(columns: int, more: int, seed: int, size: float, lost: int) -> None:
    rng = np.random.default_rng(seed)
    a = size * rng.normal(size=(columns + more, columns)) * np.logspace(0, -8, columns)
    a[:, rng.integers(0, columns, min(lost, columns))] = 0.0
    wanted = np.linalg.svd(a, compute_uv=False)
    d, e = bidiagonal(a)
    found = [singular_value(d, e, k) for k in range(1, columns + 1)]
    assert found == pytest.approx(wanted, rel=0, abs=1e-14 * columns * (wanted[0] + 1e-300))


def test_graded_matrices_keep_their_small_singular_values() -> None:
    """The lower triangle of ones, as in the rates: its smallest singular value is about 1/2 at any size."""
    a = np.tri(200)
    d, e = bidiagonal(a)
    assert singular_value(d, e, 200) == pytest.approx(np.linalg.svd(a, compute_uv=False)[-1], rel=1e-11)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(0, 10**6), st.booleans())
def test_eigenvalues_of_tridiagonal_matrices(n: int, seed: int, split: bool) -> None:
    rng = np.random.default_rng(seed)
    diagonal, beside = rng.normal(size=n), rng.normal(size=n - 1)
    if split and n > 2:
        beside[n // 2] = 0.0
    wanted = np.linalg.eigvalsh(np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1))
    found = [tridiagonal_eigenvalue(diagonal, beside, k) for k in range(n)]
    assert found == pytest.approx(wanted, rel=0, abs=1e-14 * (1 + np.abs(wanted).max()))
    for k in range(n):
        assert count_below(diagonal, beside, wanted[k] - 1e-9) <= k
