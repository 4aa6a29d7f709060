"""The tables of the implicit method, recomputed from its definition to fifty digits; and its order."""

import mpmath as mp
import numpy as np
import pytest

import core.methods.flow.collocation as tables
from core.types import FloatArray


def coefficients(degree: int) -> list[mp.mpf]:
    """Of Legendre's polynomial, the constant first."""
    before, now = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    for k in range(2, degree + 1):
        following = [mp.mpf(0)] + [(2 * k - 1) * value / k for value in now]
        for i, value in enumerate(before):
            following[i] -= (k - 1) * value / k
        before, now = now, following
    return now


def exact() -> tuple[list[mp.mpf], mp.matrix]:
    """The nodes c_i, zeros of P_7 - P_6 on [0, 1], and the inverse of A."""
    s = tables.STAGES
    difference = coefficients(s)
    for i, value in enumerate(coefficients(s - 1)):
        difference[i] -= value
    roots = mp.polyroots(difference, asc=True, maxsteps=500, extraprec=400)
    c = sorted((mp.re(root) + 1) / 2 for root in roots)
    powers = mp.matrix(s, s)
    integrals = mp.matrix(s, s)
    for i in range(s):
        for j in range(s):
            powers[i, j] = c[i] ** j
            integrals[i, j] = c[i] ** (j + 1) / (j + 1)
    return c, powers * integrals**-1


@pytest.fixture(scope="module")
def method() -> tuple[list[mp.mpf], mp.matrix]:
    with mp.workdps(60):
        return exact()


def close(found: float | complex, wanted: mp.mpf, scale: float = 1.0) -> bool:
    return bool(abs(mp.mpmathify(found) - wanted) <= 1e-15 * max(scale, float(abs(wanted))))


def test_nodes_and_inverse(method: tuple[list[mp.mpf], mp.matrix]) -> None:
    c, inverse = method
    for i in range(tables.STAGES):
        assert close(tables.NODES[i], c[i])
        for j in range(tables.STAGES):
            assert close(tables.INVERSE[i, j], inverse[i, j])


def test_eigenvectors_split_the_inverse(method: tuple[list[mp.mpf], mp.matrix]) -> None:
    """A^-1 = sum of lambda (vector) (dual)' over all eigenvalues, conjugates included."""
    _, inverse = method
    parts = [(tables.REAL_SHIFT, tables.REAL_VECTOR, tables.REAL_DUAL)]
    total = parts[0][0] * np.outer(parts[0][1], parts[0][2])
    for shift, vector, dual in zip(tables.SHIFTS, tables.VECTORS, tables.DUALS, strict=True):
        assert vector @ dual == pytest.approx(1.0, abs=1e-12)
        total = total + 2.0 * np.real(shift * np.outer(vector, dual))
    wanted = np.array([[float(inverse[i, j]) for j in range(7)] for i in range(7)])
    np.testing.assert_allclose(total, wanted, rtol=0.0, atol=1e-11)


def test_slope_at_the_start_and_barycentric_weights(method: tuple[list[mp.mpf], mp.matrix]) -> None:
    c, _ = method
    for i in range(tables.STAGES):
        slope, weight = 1 / c[i], 1 / c[i]
        for k in range(tables.STAGES):
            if k != i:
                slope *= -c[k] / (c[i] - c[k])
                weight /= c[i] - c[k]
        assert close(tables.START_SLOPE[i], slope)
        assert close(tables.BARYCENTRIC[i], weight)


@pytest.mark.parametrize("degree", range(1, tables.STAGES + 1))
def test_the_polynomial_is_exact_up_to_its_degree(degree: int) -> None:
    weights: FloatArray = np.empty(tables.STAGES)
    for theta in (0.0, 0.3, 0.7, 1.0, 1.6):
        tables.weigh_stages(theta, weights)
        assert weights @ tables.NODES**degree == pytest.approx(theta**degree, rel=1e-11, abs=1e-12)
    tables.weigh_stages(1.0, weights)
    assert weights.tolist() == [0.0] * 6 + [1.0]


def test_the_end_of_a_step_is_of_order_thirteen(method: tuple[list[mp.mpf], mp.matrix]) -> None:
    """y' = z y has the end value e^z up to z^14."""
    _, inverse = method
    with mp.workdps(60):
        errors = []
        for z in (mp.mpf(1) / 2, mp.mpf(1) / 4):
            stages = mp.lu_solve(inverse - z * mp.eye(7), z * mp.matrix([1] * 7))
            errors.append(abs(1 + stages[6] - mp.exp(z)))
        assert 13.5 < float(mp.log(errors[0] / errors[1], 2)) < 14.5
