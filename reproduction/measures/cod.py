"""The paper's own formula for candidates (Theorem 4.2, thm:LSQ), corrected: a dense reference for the chain.

A complete orthogonal decomposition A = Q [T 0; 0 0] Z^T, Z = [Zhat Ztilde], of the
matrix A_ij = max(x_i - b_j, 0) is made once; the least-squares problem with the
l-th column changed by v follows from q_1 = Q_1^T v, p_1 = Q_1^T y, the parts q_2,
p_2 of v and y that are orthogonal to the columns of A, and the l-th rows of Zhat
and Ztilde. Three things in the paper need correcting:

- If zeta = |Ztilde_l| > 0 and q_2 = 0, the printed d* is circular and not the one
  of least norm. With g = T^-1 p_1, h = T^-1 q_1, alpha = 1 + Zhat_l h and
  beta = Zhat_l g it is d = (g.h + alpha beta / zeta^2) / (|h|^2 + alpha^2 / zeta^2).
- If zeta = 0, solving with M_l squares the condition number, up to 1e14 on f2, and
  ANLS falls into cycles. The stacked matrix [T + q_1 Zhat_l; |q_2| Zhat_l] does not.
- Remark 2 means |y|^2 = |p_1|^2 + |p_2|^2. Taking |q_2|^2 from such a difference
  cancels: q_2 is found by projecting, twice.

Nothing in a run uses this module: the chain does the same in O(1) a candidate.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from core.types import FloatArray

NEGLIGIBLE = 1e-11
"""A part of a vector below this times its norm is rounding, and counts as zero."""


@dataclass(frozen=True, eq=False)
class Orthogonal:
    """The factors that are needed: Q_1 (m, r), T (r, r) lower triangular, Zhat (n, r), Ztilde (n, n - r)."""

    q: FloatArray
    t: FloatArray
    z_hat: FloatArray
    z_tilde: FloatArray

    @property
    def rank(self) -> int:
        """Rank of the decomposed matrix."""
        return len(self.t)

    def project_out(self, v: FloatArray) -> FloatArray:
        """The part of v orthogonal to the columns of A; twice, since once leaves a rounding's worth."""
        v = v - self.q @ (self.q.T @ v)
        return v - self.q @ (self.q.T @ v)


def design(x: FloatArray, b: FloatArray) -> FloatArray:
    """The matrix max(x_i - b_j, 0)."""
    return np.maximum(x[:, None] - b[None, :], 0.0)


def decompose(a: FloatArray, rank: int) -> Orthogonal:
    """Complete orthogonal decomposition of a matrix of known rank: two QR factorisations."""
    q, r, pivot = linalg.qr(a, mode="economic", pivoting=True)
    z, t = linalg.qr(r[:rank].T, mode="full")
    z_all = np.empty_like(z)
    z_all[pivot] = z
    return Orthogonal(q[:, :rank], t[:rank].T, z_all[:, :rank], z_all[:, rank:])


def solve_replaced(
    factors: Orthogonal, y: FloatArray, column: int, v: FloatArray
) -> tuple[FloatArray, float]:
    """Least-norm coefficients and sum of squares after adding v to one column (Theorem 4.2, corrected)."""
    p1, p2 = factors.q.T @ y, factors.project_out(y)
    q1, q2 = factors.q.T @ v, factors.project_out(v)
    z_hat, z_tilde = factors.z_hat[column], factors.z_tilde[column]
    zeta, length = float(linalg.norm(z_tilde)), float(linalg.norm(q2))
    if length <= NEGLIGIBLE * linalg.norm(v):
        length, q2 = 0.0, np.zeros_like(q2)
    if zeta <= NEGLIGIBLE:
        along = float(p2 @ q2) / length if length > 0.0 else 0.0
        stacked = np.vstack([factors.t + np.outer(q1, z_hat), length * z_hat])
        right = np.append(p1, along)
        u, sigma, vt = linalg.svd(stacked, full_matrices=False)
        # Cut relative to what was added, not to the sum: the new column may cancel all of the old one.
        kept = sigma > NEGLIGIBLE * (linalg.norm(factors.t) + linalg.norm(v))
        x1 = vt[kept].T @ ((u[:, kept].T @ right) / sigma[kept])
        miss = stacked @ x1 - right
        beside = p2 - (along / length) * q2 if length > 0.0 else p2
        return factors.z_hat @ x1, float(miss @ miss + beside @ beside)
    if length > 0.0:
        d = float(p2 @ q2) / length**2
        x1 = linalg.solve_triangular(factors.t, p1 - d * q1, lower=True)
    else:
        g = linalg.solve_triangular(factors.t, p1, lower=True)
        h = linalg.solve_triangular(factors.t, q1, lower=True)
        alpha, beta = 1.0 + float(z_hat @ h), float(z_hat @ g)
        d = float(g @ h + alpha * beta / zeta**2) / float(h @ h + alpha**2 / zeta**2)
        x1 = g - d * h
    x2 = (d - float(z_hat @ x1)) / zeta**2 * z_tilde
    rest = p2 - d * q2
    return factors.z_hat @ x1 + factors.z_tilde @ x2, float(rest @ rest)
