"""Floors, rates, stationarity and lines against dense linear algebra, on many cases at once."""

import pytest
from hypothesis import given, settings

from tests.core.dense import Case, cases
from tests.core.theory.test_floor import check_floor
from tests.core.theory.test_rates import check_rates
from tests.core.theory.test_stationarity import (
    check_modified_lines,
    check_regression_lines,
    check_stationarity,
)

pytestmark = pytest.mark.slow

CHECKS = (check_floor, check_rates, check_stationarity, check_regression_lines, check_modified_lines)


@settings(max_examples=1_000, deadline=None)
@given(case=cases())
def test_random_and_degenerate_cases_with_pinned_neurons(case: Case) -> None:
    for check in CHECKS:
        check(case)


@settings(max_examples=1_000, deadline=None)
@given(case=cases(pins=False, largest=40))
def test_random_and_degenerate_cases_of_the_papers_own_setting(case: Case) -> None:
    for check in CHECKS:
        check(case)
