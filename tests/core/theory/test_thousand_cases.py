"""Floors, rates, stationarity and lines against dense linear algebra, on many cases at once."""

import pytest
from hypothesis import given, settings

from tests.core.dense import Case
from tests.core.dense import cases as random_cases
from tests.core.theory.test_floor import check_floor
from tests.core.theory.test_rates import check_rates
from tests.core.theory.test_stationarity import (
    check_modified_lines,
    check_regression_lines,
    check_stationarity,
)
from tests.effort import cases

pytestmark = pytest.mark.slow
MANY = cases(200, of=1_000)

CHECKS = (check_floor, check_rates, check_stationarity, check_regression_lines, check_modified_lines)


@settings(max_examples=MANY, deadline=None)
@given(case=random_cases())
def test_random_and_degenerate_cases_with_pinned_neurons(case: Case) -> None:
    for check in CHECKS:
        check(case)


@settings(max_examples=MANY, deadline=None)
@given(case=random_cases(pins=False, largest=40))
def test_random_and_degenerate_cases_of_the_papers_own_setting(case: Case) -> None:
    for check in CHECKS:
        check(case)
