"""Slow references: Gauss-Newton with a dense Jacobian, from the definitions.

Where two biases share a gap, or a coefficient is small, the least-squares problem of a step is as good as
singular. Its residual is large, so NumPy's solution would be wrong by the square of the condition times
rounding, in one step by 6e-3. So the dense problems are solved with a hundred digits.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.least_squares.rows import COINCIDENT
from core.model.pattern.pins import side_of
from core.types import FloatArray, IntArray
from tests.problems import Problem

exactly = np.vectorize(Decimal, otypes=[object])


def hinges(x: FloatArray, b: FloatArray) -> NDArray[Any]:
    """max(x - b, 0) without rounding, so that four neurons left of all data have rank 2, as they should."""
    with localcontext(prec=100):
        apart: NDArray[Any] = exactly(x)[:, None] - exactly(b)
        apart[apart < 0] = Decimal(0)
        return apart


def regularised(a: NDArray[Any], y: FloatArray, w: FloatArray, price: float | Decimal) -> FloatArray:
    """The v with the least sum of w (a v - y)^2 + price v^2, by Gauss's elimination."""
    with localcontext(prec=100):
        weighted = a.T * exactly(w)
        left = weighted @ a
        right = weighted @ exactly(y)
        size = len(right)
        for i in range(size):
            left[i, i] += Decimal(price)
        for i in range(size):
            factors = left[i + 1 :, i] / left[i, i]
            left[i + 1 :] -= factors[:, None] * left[i]
            right[i + 1 :] -= factors * right[i]
        for i in range(size - 1, -1, -1):
            right[i] = (right[i] - (left[i, i + 1 :] @ right[i + 1 :] if i + 1 < size else 0)) / left[i, i]
        return right.astype(np.float64)


@dataclass
class Dense:
    """One run: b, c, the data that biases are pinned to, who leaves them, and Nielsen's two numbers."""

    p: Problem
    b: FloatArray
    c: FloatArray
    pin: IntArray
    leaving: IntArray
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

    def jacobian(self) -> NDArray[Any]:
        """Columns of b (zero where pinned), then those of c (zero where it is not among the unknowns)."""
        seen = (self.p.x[:, None] > self.b) | ((self.p.x[:, None] == self.b) & (self.leaving == 1))
        of_b = exactly(-np.where(self.pin < 0, self.c, 0.0) * seen)
        of_c = hinges(self.p.x, self.b)
        return np.hstack([of_b, 0 * of_c if self.biases_alone else of_c])

    def best(self, b: FloatArray, c: FloatArray) -> FloatArray:
        """The coefficients after a step: of least squares, and of least norm since their price is tiny."""
        if not self.projected:
            return c
        one = np.array(b)
        for j in np.argsort(b):  # biases of a gap that are not apart count as one
            near = np.abs(b - one[j]) <= COINCIDENT * np.ptp(self.p.x)
            same = np.searchsorted(self.p.x, b, "right") == np.searchsorted(self.p.x, one[j], "right")
            one[near & same] = one[j]
        return regularised(hinges(self.p.x, one), self.p.y, self.w, Decimal("1e-45"))

    def stopped(self, b: FloatArray) -> FloatArray:
        at = np.searchsorted(self.p.x, self.b, side="right")
        ends = np.concatenate([[-np.inf], self.p.x, [np.inf]])
        return np.clip(b, ends[at], ends[at + 1])

    def judge(self) -> None:
        x, pull = self.p.x, self.w * self.residual(self.b, self.c)
        beyond, least = np.append(np.cumsum(pull[::-1])[::-1], 0.0), 1e-9 * np.abs(pull).sum()
        self.pin[:], self.leaving[:] = -1, 0
        for j, (b, c) in enumerate(zip(self.b, self.c, strict=True)):
            for k in np.flatnonzero(x[:-1] == b):
                side = side_of(np.sign(c) * beyond[k + 1], np.sign(c) * beyond[k], least, int(k), len(x))
                self.pin[j] = k if side == 0 else -1
                self.leaving[j] = side == -1

    def iterate(self) -> bool:
        """One trial; whether a step was to be had."""
        n, j = len(self.b), self.jacobian()
        half = 0.5 * self.w.sum()
        rounded = j.astype(np.float64)
        self.damping = max(self.damping, 1e-14 * float(self.w @ (rounded**2).sum(axis=1)) / half)
        d = regularised(j, -self.residual(self.b, self.c), self.w, self.damping * half)
        promised = self.damping * float(d @ d) + 0.5 * float(self.w @ (rounded @ d) ** 2) / half
        before = self.loss(self.b, self.c)
        if not promised > 1e-12 * before + 1e-26 * float(self.w @ self.p.y**2 / self.w.sum()):
            return False
        tried = [self.b + d[:n], self.stopped(self.b + d[:n])]
        trials = [(b, self.best(b, self.c + d[n:])) for b in tried]
        losses = [self.loss(*trial) for trial in trials]
        chosen = 0 if losses[0] <= losses[1] + 1e-10 * before else 1
        ratio = (before - losses[chosen]) / promised
        if not ratio > 1e-4:
            self.damping, self.growth = self.damping * self.growth, 2.0 * self.growth
            return True
        self.damping *= 1.0 / 3.0 if ratio > 0.75 else 2.0 if ratio < 0.25 else 1.0
        self.growth = 2.0
        self.b, self.c = trials[chosen]
        self.judge()
        return True
