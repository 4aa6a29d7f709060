"""The network f(x) = sum_j c_j max(x - b_j, 0) and ways to obtain one.

f is piecewise linear: between two neighbouring biases its slope is the sum S_l
of the l leftmost coefficients. Values are carried from knot to knot,

    f(b_{l+1}) = f(b_l) + S_l (b_{l+1} - b_l),    f(x) = f(b_l) + S_l (x - b_l),

rather than as S_l x - T_l with T_l = sum c_i b_i: the error is then a multiple
of sum_j |c_j| (x - b_j) over the active neurons, wherever the origin lies. It
matters for data such as x = 1000..1001 and for pairs of huge opposite
coefficients, which the least-squares methods do produce.
"""

import numpy as np

from ..compiled import compiled, compiled_inline
from ..types import FloatArray

STRIDE = 16
"""Points that are skipped at once on the way to the next bias."""


@compiled
def walk(b: FloatArray, c: FloatArray, x: FloatArray) -> FloatArray:
    """f at ascending x for ascending b, in one pass over both."""
    n, m = b.shape[0], x.shape[0]
    f = np.empty(m)
    slope, value, begin = 0.0, 0.0, 0
    for p in range(n):
        end = begin
        while end + STRIDE <= m and not x[end + STRIDE - 1] > b[p]:
            end += STRIDE
        while end < m and not x[end] > b[p]:
            end += 1
        if p == 0:
            f[:end] = 0.0
        else:
            if end > begin:
                draw_line(x[begin:end], b[p - 1], value, slope, f[begin:end])
            value += slope * (b[p] - b[p - 1])
        slope += c[p]
        begin = end
    if n == 0:
        f[:] = 0.0
    else:
        draw_line(x[begin:], b[n - 1], value, slope, f[begin:])
    return f


@compiled_inline
def draw_line(x: FloatArray, at: float, value: float, slope: float, f: FloatArray) -> None:
    """Write value + slope (x - at) to f; a loop of its own, so that it is vectorised."""
    for k in range(x.shape[0]):
        f[k] = value + slope * (x[k] - at)


@compiled
def is_ascending(x: FloatArray) -> bool:
    """Whether no value is below the one before; a nan is neither."""
    for i in range(1, x.shape[0]):  # noqa: SIM110 - compiled
        if not x[i] >= x[i - 1]:
            return False
    return True


@compiled
def all_finite(v: FloatArray) -> bool:
    """Whether no value is nan or infinite."""
    for value in v:  # noqa: SIM110 - compiled
        if not np.isfinite(value):
            return False
    return True


def evaluate(b: FloatArray, c: FloatArray, x: FloatArray) -> FloatArray:
    """f at any x (any shape, any order) in O((n + k) log(n + k)): the network of section 2 (def:NN).

    A network with a parameter that is not finite has the value nan everywhere.

    Parameters
    ----------
    b, c
        Biases and coefficients.
    x
        Where; any shape, any order.

    Returns
    -------
    FloatArray
        f(x), in the shape of x.

    Examples
    --------
    >>> import numpy as np
    >>> from core.model import evaluate
    >>> evaluate(np.array([0.0, 1.0]), np.array([2.0, -1.0]), np.array([-1.0, 0.5, 2.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    points = np.ascontiguousarray(x, dtype=np.float64)
    if not (all_finite(b) and all_finite(c)):
        return np.full(points.shape, np.nan)
    order = np.argsort(b, kind="stable")
    flat = points.ravel()
    if is_ascending(flat):
        return walk(b[order], c[order], flat).reshape(points.shape)
    rank = np.argsort(flat, kind="stable")
    f = np.empty(flat.size)
    f[rank] = walk(b[order], c[order], flat[rank])
    return f.reshape(points.shape)


def knots(b: FloatArray, c: FloatArray, low: float, high: float) -> tuple[FloatArray, FloatArray]:
    """The polygon that f is on [low, high]: its corners, ends included."""
    inner = np.unique(b[(b > low) & (b < high)])
    x = np.concatenate([[low], inner, [high]])
    return x, evaluate(b, c, x)
