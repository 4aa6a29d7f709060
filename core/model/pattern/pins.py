"""One-sided velocities of a bias at a datum, and Filippov's condition: whether a datum pins a neuron.

Each family of methods asks it where its biases meet data: the gradient methods in
core.methods.stepping.pinning, LS/GD and LS/Adam in core.methods.hybrid.iterations, the flow in
core.methods.flow.events.
"""

from ...compiled import compiled
from ...portable.sums import cumulative_from_right
from ...problem.data import TrainingData
from ...types import FloatArray, IntArray
from ..network import evaluate


@compiled
def can_hold(k: int, m: int) -> bool:
    """Whether datum k of m can pin a neuron. The last cannot: right of it the neuron is dead, v+ is 0, and it
    has crossed rather than slid."""
    return k < m - 1


@compiled
def is_held(right: float, left: float, threshold: float, k: int, m: int) -> bool:
    """Filippov's condition v+ <= 0 <= v-: the velocities (v+, v-) point at datum k of m from both sides.

    Every method that pins judges by it. The steps of the gradient methods also pin a neuron that comes
    back over a datum within TURN epochs (core.methods.stepping.pinning). Velocities up to the threshold have
    no sign: descent needs none (0), Gauss-Newton and the flow as much as rounding and the integrator leave.
    """
    return can_hold(k, m) and right <= threshold and left >= -threshold


def side_of(right: float, left: float, threshold: float, k: int, m: int) -> int:
    """Where a bias on datum k of m goes, by its velocities v+ and v- there: -1, 1, or 0 when it is pinned.

    Where both sides pull away the solution is not unique; a bias on a datum does not see it, so v+ counts.
    """
    if is_held(right, left, threshold, k, m):
        return 0
    return 1 if right > threshold or not can_hold(k, m) else -1


def pulls(data: TrainingData, b: FloatArray, c: FloatArray) -> FloatArray:
    """The sums of w r over the data k, k + 1, ..., for k = 0..m: G_j of a neuron is entry gap_j."""
    return cumulative_from_right(data.w * (evaluate(b, c, data.x) - data.y))


def velocities(
    data: TrainingData, b: FloatArray, c: FloatArray, neuron: IntArray, datum: IntArray
) -> tuple[FloatArray, FloatArray]:
    """One-sided velocities (v+, v-) of each named neuron's bias at its named datum, in O(m + n log n).

    The flow moves b_j at s c_j G_j, where G_j sums the residuals that the neuron sees
    and s is `data.s`. Just right of x_k it does not see x_k,
    v+ = s c_j sum_{i > k} w_i r_i; just left of it it does, v- = v+ + s c_j w_k r_k.
    """
    beyond = pulls(data, b, c)
    scale = data.s * c[neuron]
    return scale * beyond[datum + 1], scale * beyond[datum]
