"""The functions on arrays: shapes, dtypes and memory layouts change nothing about the elements."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.portable import (
    exponential,
    functions,
    hyperbolic,
    inverse,
    logarithm,
    powers,
    remainder,
    trigonometric,
)
from core.types import FloatArray

ONE = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log1p",
       "log2", "log10", "cbrt"]  # fmt: skip
TWO = ["power", "mod"]
FAMILIES = (exponential, hyperbolic, inverse, logarithm, powers, remainder, trigonometric)
KERNELS: dict[str, Callable[..., float]] = {
    name.removeprefix("portable_"): kernel
    for family in FAMILIES
    for name, kernel in vars(family).items()
    if name.startswith("portable_")
}
KERNELS["power"] = KERNELS.pop("pow")


def test_every_kernel_has_its_array_function() -> None:
    assert set(KERNELS) == {*ONE, *TWO}


@pytest.mark.parametrize("name", ONE)
def test_elements_are_those_of_the_kernel(name: str) -> None:
    x = np.linspace(-1.2, 1.2, 49).reshape(7, 7)
    values = getattr(functions, name)(x)
    expected = np.array([[KERNELS[name](each) for each in row] for row in x.tolist()])
    assert values.shape == (7, 7)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(getattr(functions, name)(x.T[::2]), expected.T[::2])
    np.testing.assert_array_equal(getattr(functions, name)(np.asfortranarray(x)), expected)


@given(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4), st.sampled_from(ONE))
def test_shapes_of_one(shape: tuple[int, ...], name: str) -> None:
    x = np.linspace(0.1, 0.9, int(np.prod(shape))).reshape(shape)
    values = getattr(functions, name)(x)
    assert np.shape(values) == shape
    assert values.dtype == np.float64
    np.testing.assert_array_equal(np.ravel(values), getattr(functions, name)(x.ravel()))


@given(
    hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=4), st.sampled_from(TWO)
)
def test_broadcasting_of_two(shapes: hnp.BroadcastableShapes, name: str) -> None:
    x, y = (
        low + np.arange(1.0, np.prod(shape) + 1.0).reshape(shape) / 8
        for low, shape in zip((0.0, 1.0), shapes.input_shapes, strict=True)
    )
    values = getattr(functions, name)(x, y)
    assert np.shape(values) == shapes.result_shape
    expected = np.array([KERNELS[name](float(a), float(b)) for a, b in np.broadcast(x, y)])
    np.testing.assert_array_equal(np.ravel(values), expected)


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        functions.power(np.ones(3), np.ones(4))


@pytest.mark.parametrize("x", [0.5, np.float64(0.5), np.array(0.5)])
def test_scalars_stay_scalars(x: float | FloatArray) -> None:
    for value in (functions.exp(x), functions.power(x, 2.0), functions.mod(x, x)):
        assert isinstance(value, np.float64)


def test_other_numbers_become_float64() -> None:
    for whole in ([1, 2, 3], np.array([1, 2, 3]), np.array([1, 2, 3], dtype=np.float32)):
        assert functions.log2(whole).tolist() == functions.log2([1.0, 2.0, 3.0]).tolist()
    assert functions.power(2, 10) == 1024.0


def test_arguments_are_left_alone() -> None:
    x = np.linspace(0.0, 1.0, 11)
    x.setflags(write=False)
    for name in ONE:
        assert not np.shares_memory(getattr(functions, name)(x), x)
    np.testing.assert_array_equal(x, np.linspace(0.0, 1.0, 11))
