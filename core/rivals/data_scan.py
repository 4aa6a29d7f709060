"""The gradient of a network whose neurons are sorted by bias, from the data themselves: O(m + n).

One pass over the data gives the residuals, one back gives G_j = sum of w r and K_j = sum of w r (x - b_j)
over the data that neuron j sees: dL/db_j = -s c_j G_j, dL/dc_j = s K_j. K runs from bias to bias, so that
a domain far from 0 does not cancel. For methods whose steps go far or see other data each time; where many
small steps are taken on the same data the sums of core.methods.stepping.slots are cheaper.
"""

import numpy as np

from ..compiled import compiled
from ..model.network import walk
from ..portable.sums import weighted_square
from ..problem.data import Points
from ..types import FloatArray, IntArray


@compiled
def loss_and_gradient(
    points: Points, s: float, b: FloatArray, c: FloatArray, order: IntArray
) -> tuple[float, FloatArray]:
    """s/2 sum w r^2, and its gradient: that of b, then that of c."""
    x, y, w = points
    n = len(b)
    r = walk(b[order], c[order], x) - y
    gradient = np.zeros(2 * n)
    i = len(x) - 1
    pull, turn, at = 0.0, 0.0, x[i]
    for p in range(n - 1, -1, -1):
        j = order[p]
        if b[j] >= x[len(x) - 1]:
            continue
        turn += pull * (at - b[j])
        at = b[j]
        while i >= 0 and x[i] > at:
            pull += w[i] * r[i]
            turn += w[i] * r[i] * (x[i] - at)
            i -= 1
        gradient[j] = -s * (c[j] * pull)
        gradient[n + j] = s * turn
    return 0.5 * s * weighted_square(w, r), gradient
