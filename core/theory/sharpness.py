"""Curvature of the loss and the largest stable step."""

import numpy as np
from scipy.linalg import eigvalsh

from core.model.network import evaluate
from core.model.pattern import Pattern, segments
from core.problem.data import TrainingData
from core.theory.rates import _canonical, _reduced_jacobian
from core.types import FloatArray


def linearised_eigenvalues(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> FloatArray:
    """Eigenvalues, ascending, of the linearised flow of the mean loss in (free b, all c).

    The Jacobian of the flow is -s (J^T J + E), where E couples b_j and c_j by
    -G_j, G_j = sum of r over the data that neuron j sees. At a stationary point
    G_j = 0 where c_j != 0 and the eigenvalues are <= 0, as the paper says. A
    free neuron with c_j = 0 can have G_j != 0, and then one of them is positive.
    """
    exact = _canonical(data, pattern, b)
    part = segments(data, pattern, exact, c)
    columns_b, columns_c = _reduced_jacobian(part, pattern, exact, c)
    # d f / d b_j = -c_j 1[x > b_j]
    jacobian = np.hstack([-columns_b, columns_c])
    hessian = jacobian.T @ jacobian
    r = evaluate(exact, c, data.x) - data.y
    suffix = np.concatenate([np.cumsum(r[::-1])[::-1], [0.0]])
    free = np.flatnonzero(pattern.pin[part.order] < 0)
    seen = suffix[pattern.gap[part.order[free]]]
    rows = np.arange(free.size)
    hessian[rows, free.size + free] -= seen
    hessian[free.size + free, rows] -= seen
    return np.sort(-2.0 / data.x.size * eigvalsh(hessian))


def largest_stable_step(data: TrainingData, b: FloatArray) -> float:
    """2 / (s |A|^2), A_ij = max(x_i - b_j, 0): beyond it gradient descent on c alone diverges.

    For fixed biases the loss is quadratic in c with curvature s A^T A. inf if
    no neuron sees a datum.
    """
    m = data.x.size
    pattern = Pattern(np.searchsorted(data.x, b, side="right").astype(np.int64), np.full(b.size, -1))
    part = segments(data, pattern, b, np.zeros(b.size))
    columns = _reduced_jacobian(part, pattern, b, np.zeros(b.size))[1]
    if columns.size == 0:
        return float("inf")
    gram = columns.T @ columns
    top = eigvalsh(gram, subset_by_index=(b.size - 1, b.size - 1))
    return float(m / top[0])
