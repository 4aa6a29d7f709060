import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.pattern import Pattern, gaps, pattern_of, segments, statuses
from core.model.pattern.gaps import compiled_hopping_pin, hopped_datum, hopping_pin, is_hopping
from core.problem.data import TrainingData
from tests.core import dense
from tests.core.dense import Case, cases
from tests.core.pinned import judge_pins, one_sided_velocities


@settings(max_examples=50, deadline=None)
@given(case=cases())
def test_gap_counts_the_data_that_do_not_activate_a_neuron(case: Case) -> None:
    x = case.data.x
    expected = [int(np.sum(x <= bias)) for bias in case.b]
    assert gaps(x, case.b).tolist() == expected


def test_a_pinned_neuron_has_the_gap_of_its_datum_on_whichever_side_it_hops() -> None:
    x = np.array([0.0, 1.0, 2.0])
    pin = np.array([1, -1])
    left = pattern_of(x, np.array([1 - 1e-6, 0.5]), pin)
    right = pattern_of(x, np.array([1 + 1e-6, 0.5]), pin)
    assert left == right
    assert hash(left) == hash(right)
    assert left.gap.tolist() == [2, 1]
    assert left != pattern_of(x, np.array([1 + 1e-6, 0.5]))
    assert left != "pattern"


def test_a_pin_tells_who_is_free_who_is_pinned_and_who_hops_over_what() -> None:
    pin = np.array([-1, 0, hopping_pin(0), 3, hopping_pin(3)])
    assert is_hopping(pin).tolist() == [False, False, True, False, True]
    assert hopped_datum(pin[is_hopping(pin)]).tolist() == [0, 3]
    assert [hopped_datum(hopping_pin(k)) for k in range(4)] == [0, 1, 2, 3]
    assert [compiled_hopping_pin(k) for k in range(4)] == [hopping_pin(k) for k in range(4)]


@pytest.mark.parametrize("pin", [[3], [-5], [0, 0]])
def test_pins_that_name_no_datum_are_refused(pin: list[int]) -> None:
    with pytest.raises(ValueError, match="pin"):
        pattern_of(np.array([0.0, 1.0, 2.0]), np.array([0.5]), np.array(pin))


def test_statuses() -> None:
    x = np.array([0.0, 1.0, 2.0])
    b = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 7.0, 2.0])
    pin = np.array([-1, -1, -1, 1, -1, -1, 2])
    assert statuses(x, pattern_of(x, b, pin)) == ("left", "live", "live", "pinned", "dead", "dead", "dead")


@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_segments_against_their_definitions(case: Case) -> None:
    x, y = case.data.x, case.data.y
    part = segments(case.data, case.pattern, case.b, case.c)
    activated = np.sum(np.arange(x.size)[:, None] >= case.pattern.gap, axis=1)
    c, b = case.c[part.order], case.b[part.order]
    assert np.all(np.diff(case.pattern.gap[part.order]) >= 0)
    assert part.u.sum() == x.size
    for number in range(c.size + 1):
        inside = activated == number
        u = int(inside.sum())
        assert part.u[number] == u
        assert part.slope[number] == pytest.approx(c[:number].sum(), abs=1e-13)
        assert part.offset[number] == pytest.approx(float(c[:number] @ b[:number]), abs=1e-11)
        if u == 0:
            assert np.isnan(part.mean_x[number])
            continue
        assert np.array_equal(x[part.start[number] : part.start[number + 1]], x[inside])
        mean = x[inside].mean()
        assert part.mean_x[number] == pytest.approx(mean, rel=1e-13, abs=1e-13)
        assert part.mean_y[number] == pytest.approx(y[inside].mean(), rel=1e-13, abs=1e-13)
        assert part.sxx[number] == pytest.approx(u * np.var(x[inside]), abs=1e-11)
        covariance = np.sum((x[inside] - mean) * y[inside])
        assert part.sxy[number] == pytest.approx(covariance, abs=1e-11)
        height = float(c[:number] @ (mean - b[:number]))
        assert part.value[number] == pytest.approx(height, rel=1e-12, abs=1e-11)


def test_sums_do_not_depend_on_where_the_origin_is() -> None:
    x = np.arange(-25, 25) / 32  # survives the shift exactly
    b, c, y = np.array([-2.0, 0.140625]), np.array([1.0, -1.0]), np.sin(x)
    near = segments(TrainingData(x, y), pattern_of(x, b), b, c)
    shift = 2.0**30
    far = segments(TrainingData(x + shift, y), pattern_of(x + shift, b + shift), b + shift, c)
    assert np.allclose(near.sxx, far.sxx, rtol=1e-13)
    assert np.allclose(near.sxy, far.sxy, rtol=1e-13)
    assert np.allclose(near.value[near.u > 0], far.value[far.u > 0], rtol=1e-13)


@settings(max_examples=50, deadline=None)
@given(case=cases(pins=False), j=st.integers(0, 9), k=st.integers(0, 13))
def test_velocities_are_one_sided_derivatives_of_the_loss(case: Case, j: int, k: int) -> None:
    j, k = j % case.b.size, k % case.data.x.size
    b = case.b.copy()
    b[j] = case.data.x[k]

    def loss(shift: float) -> float:
        moved = b.copy()
        moved[j] += shift
        return float(np.mean(dense.residual(case.data, moved, case.c) ** 2))

    h = 1e-3  # the loss is quadratic on each side, so that these differences are exact
    right = -(-3 * loss(0) + 4 * loss(h) - loss(2 * h)) / (2 * h)
    left = -(3 * loss(0) - 4 * loss(-h) + loss(-2 * h)) / (2 * h)
    computed = one_sided_velocities(case.data, b, case.c, j, k)
    assert computed == pytest.approx((right, left), abs=1e-9 * (1 + loss(0)))


@pytest.mark.parametrize(("seed", "pins"), [(0, (8, -1, 3, 3)), (2, (3, 3, 8, -1)), (9, (-1, -1, 3, 8))])
def test_chatter_is_judged_as_one_pinned_state(seed: int, pins: tuple[int, ...]) -> None:
    """Gradient descent from the definition: the gap of a bias on a datum flickers, its pin does not."""
    rng = np.random.default_rng(seed)
    b, c = rng.uniform(-1, 0.8, 4), rng.normal(size=4)
    data = dense.sine(1, 12)
    x, rate = data.x, 1e-2
    raw, judged = set(), set()
    for epoch in range(6_000):
        active = x[:, None] > b
        hidden = np.where(active, x[:, None] - b, 0.0)
        r = hidden @ c - data.y
        if epoch >= 5_800:
            raw.add(tuple(gaps(x, b).tolist()))
            judged.add(tuple(judge_pins(data, b, c, rate).tolist()))
        b, c = b + rate * 2 / x.size * c * (active.T @ r), c - rate * 2 / x.size * (hidden.T @ r)
    assert len(raw) > 1
    assert judged == {pins}


def test_far_from_data_and_beyond_the_last_nothing_is_pinned() -> None:
    data = TrainingData(np.array([0.0, 1.0, 2.0]), np.array([0.0, 5.0, 0.0]))
    b, c = np.array([0.5, 2.0, 2.0 - 1e-9, 1.0]), np.array([1.0, 1.0, 1.0, 0.0])
    assert judge_pins(data, b, c, 1e-3).tolist() == [-1, -1, -1, -1]


def test_pattern_knows_its_width() -> None:
    assert Pattern(np.zeros(4, dtype=np.int64), np.full(4, -1)).width == 4
