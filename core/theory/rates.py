"""How fast the loss falls towards the floor of its stage: the exact rates, and bounds of them.

In a stage the residual obeys r' = -s J J^T diag(w) r, where J has the columns
c_j 1[x > b_j] (free j) and max(x - b_j, 0) (all j). s is 2/W, W = sum w, where steps follow the
mean loss and 1 where they follow the paper's (1/2) sum w r^2 (`data.s`). J maps into 𝒲. In the
basis of the indicators and the centred x of the sets U_l, orthonormal in the product
sum w f g, it is the matrix

    M = [ D_u  0       ] [ L D_c   D_mu L - L D_b ]
        [ 0    D_sigma ] [ 0       L              ]

of Lemma A.2 (lem:def-M); L is *lower* triangular ones (the lemma says upper, its proof
lower). With r_max and r_min the squares of the largest and of the rank(𝒲)-th
largest singular value of M, without the b-columns of pinned neurons,

    (L(t_s) - Q_0) exp(-2 s int r_max) <= L(t) - Q_0 <= (L(t_s) - Q_0) exp(-2 s int r_min).

The 2 is in the proof of Theorem 3.1 (thm:conti-loss-n) and missing from its statement.
"""

from dataclasses import dataclass

import numpy as np

from ..model.pattern import Pattern, Segments, segments
from ..problem.data import TrainingData
from ..types import FloatArray
from .floor import ONLY_PINNED, occupancy, rank


@dataclass(frozen=True)
class Rates:
    """Raw rates, for (1/2) sum w r^2: times s (`data.s`) they are those of the loss that steps follow.

    `bound_min` and `bound_max` are Lemma A.2's closed forms with its slips
    mended (see `_bounds`); the lemma as printed is in `printed_min`, `printed_max`,
    and is violated by some networks.
    """

    r_min: float
    r_max: float
    bound_min: float
    bound_max: float
    printed_min: float
    printed_max: float


def canonical(data: TrainingData, pattern: Pattern, b: FloatArray) -> FloatArray:
    """The biases, pinned ones moved onto their data."""
    return np.where(pattern.pin >= 0, data.x[np.maximum(pattern.pin, 0)], b)


def reduced_jacobian(
    part: Segments, pattern: Pattern, b: FloatArray, c: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Lemma A.2's M without rows that are 0: its b-columns (free neurons only) and its c-columns."""
    u, weight, mu = part.u[1:], part.weight[1:], part.mean_x[1:]
    n = u.size
    b, c = b[part.order], c[part.order]
    free = pattern.pin[part.order] < 0
    lower = np.tri(n)
    seen, several = u > 0, u > 1
    upper_b = np.sqrt(weight[seen])[:, None] * lower[seen] * c
    upper_c = np.sqrt(weight[seen])[:, None] * np.where(lower[seen] > 0, mu[seen][:, None] - b, 0.0)
    lower_c = np.sqrt(part.sxx[1:][several])[:, None] * lower[several]
    columns_b = np.vstack([upper_b, np.zeros_like(lower_c)])[:, free]
    return columns_b, np.vstack([upper_c, lower_c])


def rates(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Rates:
    """Exact rates of Theorem 3.1 from the singular values of M (Lemma A.2), and bounds of them.

    Parameters
    ----------
    data, pattern
        The problem, and the stage: its free neurons make the columns.
    b, c
        Where the Jacobian is taken.

    Returns
    -------
    Rates
        r_min, r_max and bounds of them; times 2 s they are rates of the excess in time.

    Examples
    --------
    >>> from core.model.example import data, pattern, b, c
    >>> from core.theory import rates
    >>> found = rates(data, pattern, b, c)
    >>> round(found.r_min, 3), round(found.r_max, 2)
    (0.008, 23.87)
    >>> found.bound_min <= found.r_min <= found.r_max <= found.bound_max
    True
    """
    exact = canonical(data, pattern, b)
    part = segments(data, pattern, exact, c)
    size = rank(data.x.size, pattern)
    if size == 0:
        return Rates(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    jacobian = np.hstack(reduced_jacobian(part, pattern, exact, c))
    singular = np.linalg.svd(jacobian, compute_uv=False).tolist()
    slowest = singular[size - 1] if len(singular) >= size else 0.0
    fastest = singular[0]
    return Rates(slowest * slowest, fastest * fastest, *_bounds(data, part, pattern, exact, c))


def _bounds(
    data: TrainingData, part: Segments, pattern: Pattern, b: FloatArray, c: FloatArray
) -> tuple[float, float, float, float]:
    """Lemma A.2's closed forms: (bound_min, bound_max, printed_min, printed_max).

    M = D N, so that r_min >= sigma_min(D)^2 / |N^-1|^2 and r_max <= |D|^2 |N|^2. Mended:

    - A set U_l of one datum has a row in D as well, with the entry 1.
    - mu_i - b_j reaches x_m - b_1, more than x_m - x_1 if a bias is left of the data: d.
    - |D_c^-1 L^-1 L' L^-1| has a factor 1/|c| which the lemma loses. The matrix is bidiagonal,
      L^-1 D_mu - D_b L^-1, with entries mu_i - b_i and b_i - mu_{i-1}; its norm is at most d/min|c|, free
      of n. Hence |N^-1|^2 <= 4 + (4 + d^2)/min c^2.
    - One neuron a gap is enough to span, for the lower bound the free one of largest |c|; further
      columns only raise singular values. A gap without a free neuron is beyond the lemma: bound 0.
    """
    m, n = data.x.size, part.order.size
    u, weight, sxx = part.u[1:], part.weight[1:], part.sxx[1:]
    seen, several = u > 0, u > 1
    live = pattern.gap < m
    weights = np.concatenate([weight[seen], sxx[several]])
    largest = float(np.max(np.abs(c[live])))
    d = float(data.x[-1] - min(data.x[0], np.min(b[live])))
    count = int(np.count_nonzero(live))
    bound_max = float(np.max(weights)) * (1 + largest * largest + d * d) * (count * count)

    kind = occupancy(m, pattern)[:m]
    bound_min = 0.0
    if not np.any(kind == ONLY_PINNED):
        strongest = np.zeros(m + 1)
        free = pattern.pin < 0
        np.maximum.at(strongest, pattern.gap[free], np.abs(c[free]))
        smallest = float(np.min(strongest[:m][kind > 0]))
        if smallest > 0:
            bound_min = float(np.min(weights)) / (4 + (4 + d * d) / (smallest * smallest))

    span = float(data.x[-1] - data.x[0])
    printed_min = printed_max = float("nan")
    if np.any(several):
        variance = sxx[several] / weight[several]
        at = np.abs(c[part.order])[several]
        low = float(np.min(weight[several] * np.minimum(1, variance)))
        with np.errstate(divide="ignore"):
            inverse = float(1.0 / np.min(at * at))
        printed_min = low / (4 * (1 + inverse + 4 * (span * span) * (n * n)))
        high = float(np.max(weight[several] * np.maximum(1, variance)))
        printed_max = high * (1 + float(np.max(at * at)) + span * span) * (n * n)
    return bound_min, bound_max, printed_min, printed_max
