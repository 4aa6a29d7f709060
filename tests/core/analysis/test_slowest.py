"""The slowest direction against a dense singular value decomposition."""

import numpy as np
import pytest
from hypothesis import given, settings

from core import theory
from core.analysis.slowest import slowest
from tests.core import dense
from tests.core.dense import Case, cases


@settings(max_examples=80, deadline=None)
@given(case=cases())
def test_the_shares_are_those_of_the_singular_vector(case: Case) -> None:
    found = slowest(case.data, case.pattern, case.b, case.c)
    rates = theory.rates(case.data, case.pattern, case.b, case.c)
    # Of two decompositions, with the vectors and without: the last bits of a singular value differ.
    assert found.rate == pytest.approx(rates.r_min, rel=1e-9, abs=1e-14 * rates.r_max)
    size = dense.basis(case.data.x, case.pattern, case.b).shape[1]
    _, s, v = np.linalg.svd(dense.jacobian(case.data.x, case.pattern, case.b, case.c), full_matrices=False)
    if size == 0 or s.size < size or s[size - 1] < 1e-5 * s[0]:
        return  # its direction is rounding
    assert found.share.size == case.b.size
    others = np.delete(s, size - 1)
    if (np.abs(others**2 - s[size - 1] ** 2) < 1e-2 * s[size - 1] ** 2).any():
        return  # nearly a plane of slowest directions
    free = np.flatnonzero(case.pattern.pin < 0)
    share = v[size - 1, free.size :] ** 2
    share[free] += v[size - 1, : free.size] ** 2
    assert found.share == pytest.approx(share, abs=1e-4)
