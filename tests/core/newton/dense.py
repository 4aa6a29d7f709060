"""Slow references: Gauss-Newton with a dense Jacobian and NumPy's least squares, from the definitions."""

from dataclasses import dataclass

import numpy as np

from core.types import FloatArray, IntArray
from tests.problems import Problem


@dataclass
class Dense:
    """One run: b, c, the data that biases are pinned to, and Nielsen's two numbers."""

    p: Problem
    b: FloatArray
    c: FloatArray
    pin: IntArray
    damping: float
    growth: float
    projected: bool
    biases_alone: bool

    @property
    def w(self) -> FloatArray:
        return np.ones(len(self.p.x)) if self.p.w is None else self.p.w

    def residual(self, b: FloatArray, c: FloatArray) -> FloatArray:
        return np.maximum(self.p.x[:, None] - b, 0.0) @ c - self.p.y

    def loss(self, b: FloatArray, c: FloatArray) -> float:
        return float(self.w @ self.residual(b, c) ** 2 / self.w.sum())

    def jacobian(self) -> FloatArray:
        """Columns of b (zero where pinned, and where it is not among the unknowns), then of c."""
        seen = self.p.x[:, None] > self.b
        of_b = -np.where(self.pin < 0, self.c, 0.0) * seen
        of_c = np.maximum(self.p.x[:, None] - self.b, 0.0) * (0.0 if self.biases_alone else 1.0)
        return np.sqrt(2.0 * self.w / self.w.sum())[:, None] * np.hstack([of_b, of_c])

    def best(self, b: FloatArray, c: FloatArray) -> FloatArray:
        if not self.projected:
            return c
        root = np.sqrt(self.w)[:, None]
        hinge = np.maximum(self.p.x[:, None] - b, 0.0)
        solution: FloatArray = np.linalg.lstsq(root * hinge, root[:, 0] * self.p.y, rcond=1e-10)[0]
        return solution

    def condition(self) -> float:
        """Of the dense problems that an iteration solves, for c and for the step of b.

        Beyond some size their solutions are noise, which the next step multiplies.
        """
        hinge = np.maximum(self.p.x[:, None] - self.b, 0.0)
        of_c = float(np.linalg.cond(hinge[:, hinge.any(axis=0)]))
        return max(of_c, float(np.linalg.norm(self.jacobian()) / np.sqrt(self.damping)))

    def stopped(self, b: FloatArray) -> FloatArray:
        at = np.searchsorted(self.p.x, self.b, side="right")
        ends = np.concatenate([[-np.inf], self.p.x, [np.inf]])
        return np.clip(b, ends[at], ends[at + 1])

    def judge(self) -> None:
        x = self.p.x
        beyond = np.append(np.cumsum((self.w * self.residual(self.b, self.c))[::-1])[::-1], 0.0)
        for j, (b, c) in enumerate(zip(self.b.copy(), self.c, strict=True)):
            at = np.flatnonzero(x[:-1] == b)
            self.pin[j] = -1
            if at.size:
                right, left = c * beyond[at[0] + 1], c * beyond[at[0]]
                if right <= 0.0 <= left:
                    self.pin[j] = at[0]
                elif right <= 0.0 and left < 0.0:
                    self.b[j] = np.nextafter(b, -np.inf)

    def iterate(self) -> bool:
        """One trial; whether a step was to be had."""
        n, j = len(self.b), self.jacobian()
        # The trace bounds the damping from below, of b and c whichever the step may change.
        full = Dense(**(self.__dict__ | {"biases_alone": False})).jacobian()
        self.damping = max(self.damping, 1e-14 * float((full**2).sum()))
        r = np.sqrt(2.0 * self.w / self.w.sum()) * self.residual(self.b, self.c)
        rows = np.vstack([j, np.sqrt(self.damping) * np.eye(2 * n)])
        d = np.linalg.lstsq(rows, np.concatenate([-r, np.zeros(2 * n)]), rcond=None)[0]
        d[:n][self.pin >= 0] = 0.0  # a column of zeros has no part in it, but for rounding
        promised = self.damping * d @ d + 0.5 * float((j @ d) @ (j @ d))
        before = self.loss(self.b, self.c)
        if not promised > 1e-16 * before:
            return False
        tried = [self.b + d[:n], self.stopped(self.b + d[:n])]
        trials = [(b, self.best(b, self.c + d[n:])) for b in tried]
        losses = [self.loss(*trial) for trial in trials]
        chosen = 0 if losses[0] <= losses[1] else 1
        if not losses[chosen] < before:
            self.damping, self.growth = self.damping * self.growth, 2.0 * self.growth
            return True
        ratio = (before - losses[chosen]) / promised
        self.damping, self.growth = self.damping * max(1.0 / 3.0, 1.0 - (2.0 * ratio - 1.0) ** 3), 2.0
        self.b, self.c = trials[chosen]
        self.judge()
        return True
