"""How fast the loss falls towards the floor of its stage, and when the floor falls.

In a stage the residual obeys r' = -s (J J^T) r, where J has the columns
c_j 1[x > b_j] (free j) and max(x - b_j, 0) (all j), and s = 2/m for the mean
loss (s = 1 for the paper's (1/2) sum r^2). J maps into W, and in an orthonormal
basis of V, the indicators and the centred x of the sets U_l, it is the matrix

    M = [ D_u  0       ] [ L D_c   D_mu L - L D_b ]
        [ 0    D_sigma ] [ 0       L              ]

of Lemma def-M; L is *lower* triangular ones (the lemma says upper, its proof
lower). With r_max and r_min the squares of the largest and of the rank(W)-th
largest singular value of M, without the b-columns of pinned neurons,

    (L(t_s) - Q_0) exp(-2 s int r_max) <= L(t) - Q_0 <= (L(t_s) - Q_0) exp(-2 s int r_min).

The 2 is in the proof of Theorem conti-loss-n and missing from its statement.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigvalsh, svdvals

from core.arrays import FloatArray
from core.data import TrainingData
from core.floor import PINNED, floor, occupancy, project, rank
from core.network import evaluate
from core.pattern import Pattern, Segments, segments


@dataclass(frozen=True)
class Rates:
    """Raw rates, for (1/2) sum r^2: multiply by s = 2/m for the mean loss.

    `bound_min` and `bound_max` are Lemma def-M's closed forms with its slips
    mended (see `_bounds`); the lemma as printed is in `printed_min`, `printed_max`,
    and is violated by some networks.
    """

    r_min: float
    r_max: float
    bound_min: float
    bound_max: float
    printed_min: float
    printed_max: float


def _canonical(data: TrainingData, pattern: Pattern, b: FloatArray) -> FloatArray:
    """The biases, pinned ones moved onto their data."""
    return np.where(pattern.pin >= 0, data.x[np.maximum(pattern.pin, 0)], b)


def _reduced_jacobian(
    part: Segments, pattern: Pattern, b: FloatArray, c: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Lemma def-M's M without rows that are 0: its b-columns (free neurons only) and its c-columns."""
    u, mu = part.u[1:], part.mean_x[1:]
    n = u.size
    b, c = b[part.order], c[part.order]
    free = pattern.pin[part.order] < 0
    lower = np.tri(n)
    seen, several = u > 0, u > 1
    upper_b = np.sqrt(u[seen])[:, None] * lower[seen] * c
    upper_c = np.sqrt(u[seen])[:, None] * np.where(lower[seen] > 0, mu[seen][:, None] - b, 0.0)
    lower_c = np.sqrt(part.sxx[1:][several])[:, None] * lower[several]
    columns_b = np.vstack([upper_b, np.zeros_like(lower_c)])[:, free]
    return columns_b, np.vstack([upper_c, lower_c])


def rates(data: TrainingData, pattern: Pattern, b: FloatArray, c: FloatArray) -> Rates:
    """Exact rates from the singular values of M, and bounds of them. Nothing here has m rows."""
    exact = _canonical(data, pattern, b)
    part = segments(data, pattern, exact, c)
    size = rank(data.x.size, pattern)
    if size == 0:
        return Rates(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    singular = svdvals(np.hstack(_reduced_jacobian(part, pattern, exact, c)))
    r_min = float(singular[size - 1] ** 2) if singular.size >= size else 0.0
    return Rates(r_min, float(singular[0] ** 2), *_bounds(data, part, pattern, exact, c))


def _bounds(
    data: TrainingData, part: Segments, pattern: Pattern, b: FloatArray, c: FloatArray
) -> tuple[float, float, float, float]:
    """Lemma def-M's closed forms: (bound_min, bound_max, printed_min, printed_max).

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
    u, sxx = part.u[1:], part.sxx[1:]
    seen, several = u > 0, u > 1
    live = pattern.gap < m
    weights = np.concatenate([u[seen].astype(np.float64), sxx[several]])
    largest = float(np.max(np.abs(c[live])))
    d = float(data.x[-1] - min(data.x[0], np.min(b[live])))
    bound_max = float(np.max(weights)) * (1 + largest**2 + d**2) * int(np.sum(live)) ** 2

    kind = occupancy(m, pattern)[:m]
    bound_min = 0.0
    if not np.any(kind == PINNED):
        strongest = np.zeros(m + 1)
        free = pattern.pin < 0
        np.maximum.at(strongest, pattern.gap[free], np.abs(c[free]))
        smallest = float(np.min(strongest[:m][kind > 0]))
        if smallest > 0:
            bound_min = float(np.min(weights)) / (4 + (4 + d**2) / smallest**2)

    span = float(data.x[-1] - data.x[0])
    printed_min = printed_max = float("nan")
    if np.any(several):
        variance = sxx[several] / u[several]
        at = np.abs(c[part.order])[several]
        low = float(np.min(u[several] * np.minimum(1, variance)))
        with np.errstate(divide="ignore"):
            printed_min = low / (4 * (1 + float(np.min(at**2) ** -1.0) + 4 * span**2 * n**2))
        high = float(np.max(u[several] * np.maximum(1, variance)))
        printed_max = high * (1 + float(np.max(at) ** 2) + span**2) * n**2
    return bound_min, bound_max, printed_min, printed_max


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


@dataclass(frozen=True)
class QDecrease:
    """Theorem Q-decrease at a stage change: left < right implies floor_before > floor_after.

    `left` is exp(-I), I the integral of s r_min over the stage; the theorem
    prints exp(-I/2), which is `left_printed`: it inherits the missing factor 2
    of Theorem conti-loss-n, so that the condition holds sooner than printed.
    """

    left: float
    left_printed: float
    right: float
    floor_before: float
    floor_after: float

    @property
    def holds(self) -> bool:
        return self.left < self.right


def q_decrease(
    data: TrainingData,
    before: Pattern,
    after: Pattern,
    b: FloatArray,
    c: FloatArray,
    integral: float,
) -> QDecrease | None:
    """Both sides of the condition, for (b, c) at the start of the stage that ended.

    The theorem is about one free neuron that crosses one datum x_k; anything
    else gives None. zeta and psi span what the unit vector e_k at that datum
    adds to the spaces before and after: they are its normalised parts
    orthogonal to them. `integral` is that of s r_min over the stage.
    """
    moved = np.flatnonzero(before.gap != after.gap)
    if moved.size != 1 or not np.array_equal(before.pin, after.pin):
        return None
    j = int(moved[0])
    if before.pin[j] >= 0 or abs(int(before.gap[j] - after.gap[j])) != 1:
        return None
    x, m = data.x, data.x.size
    datum = np.zeros(m)
    datum[min(before.gap[j], after.gap[j])] = 1.0
    kind = occupancy(m, before)
    zeta = _direction(datum - project(x, datum, kind))
    psi = _direction(datum - project(x, datum, occupancy(m, after)))
    r = evaluate(b, c, x) - data.y
    reducible = float(np.linalg.norm(project(x, r, kind)))
    right = (1 - abs(float(zeta @ psi))) * abs(float(r @ zeta))
    return QDecrease(
        left=float(np.exp(-integral)),
        left_printed=float(np.exp(-integral / 2)),
        right=right / reducible if reducible > 0 else float("inf") if right > 0 else 0.0,
        floor_before=floor(data, before),
        floor_after=floor(data, after),
    )


def _direction(part: FloatArray) -> FloatArray:
    """The unit vector along a part of a unit vector; 0 where the part is but a rounding error.

    It vanishes where the space contains e_k: its segment then has one or two data.
    """
    size = float(np.linalg.norm(part))
    return part / size if size > 1e-12 else np.zeros_like(part)
