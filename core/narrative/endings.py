"""How a run ended, in sentences made from its codes (core.methods.contract.End) and its last state.

Each code has one template or function in ENDINGS; a code that is not listed is shown as it is.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..config.run_config import RunConfig
from ..least_squares.solve import least_loss, solve
from ..methods.contract import End, EndKind, State
from ..methods.flow.method import MOST_GRADIENTS
from ..methods.flow.rest import GAIN
from ..methods.hybrid.method import RAISED
from ..methods.stepping.state import died
from ..model.loss import mean_loss
from .cautions import UNSTABLE, caution
from .methods import words_of


@dataclass(frozen=True)
class Outcome:
    """Why a run ended (core.methods.contract.End), in words.

    Examples
    --------
    >>> from core import fit
    >>> fit("f1", method="gd", epochs=1000).outcome
    Outcome(kind='budget', sentence='The budget of 1,000 epochs is used up.')
    """

    kind: EndKind
    """budget, trained, settled, diverged or interrupted"""
    sentence: str
    """what happened; of a run that diverged with the largest stable learning rate"""


def outcome_of(config: RunConfig, end: End, state: State) -> Outcome:
    """The end of a run, in words; the parameters are those of `sentence_of`."""
    return Outcome(end.kind, sentence_of(config, end, state))


def sentence_of(config: RunConfig, end: End, state: State) -> str:
    """Why a run ended.

    Parameters
    ----------
    config
        The run, with the budget that it had.
    end
        Its codes.
    state
        The method's last state.
    """
    if end.kind == "budget":
        more = (
            _too_large_a_step(config, state) if end.reason == "budget" else _ending(config, end.reason, state)
        )
        return f"The budget of {config.epochs:,g} epochs is used up. {more}".strip()
    return _ending(config, end.reason, state)


def _ending(config: RunConfig, reason: str, state: State) -> str:
    made = ENDINGS.get(reason)
    return f"{config.method.title} ended: {reason}." if made is None else made(config, state).strip()


def _plainly(sentence: str) -> Callable[[RunConfig, State], str]:
    return lambda config, state: sentence  # noqa: ARG005


def _counted(why: str) -> Callable[[RunConfig, State], str]:
    """A sentence that ends with the number of iterations."""

    def sentence(config: RunConfig, state: State) -> str:
        epoch = float(state["epoch"])
        many = "iteration" if epoch == 1.0 else "iterations"
        return f"{why}: {config.method.title} stops after {epoch:,.0f} {many}."

    return sentence


def _certainly(config: RunConfig) -> str:
    """The caution; of a method whose limit nobody knows, that a smaller rate would do."""
    return UNSTABLE if config.method.step_limited_by == "unknown" else caution(config)


def _gone(config: RunConfig, state: State) -> int:
    """How many neurons saw data at the start and see none any more."""
    return died(config.training_data(), config.initial()[0], state["gap"])


def _dead_on_the_way(config: RunConfig, state: State, why: str) -> str:
    """How many neurons a step that is too large has killed; nothing where none was lost, or it is not."""
    gone = _gone(config, state)
    if gone <= 0 or not why:
        return ""
    what = "1 neuron is dead: a step threw it off the data."
    if gone > 1:
        what = f"{gone} neurons are dead: steps threw them off the data."
    return f"{what} {why}"


def _too_large_a_step(config: RunConfig, state: State) -> str:
    """What a too large step has done to a run whose budget is used up."""
    data, method = config.training_data(), config.method
    if method.step_limited_by in ("nothing", "unknown"):
        return ""
    if method.solves_least_squares:
        before, now = least_loss(data, config.initial()[0]), mean_loss(data, state["b"], state["c"])
        if now > RAISED * before:
            before, now = data.scale.loss(before), data.scale.loss(now)
            return f"The loss rises from {before:.3g} to {now:.3g}: the learning rate is too large here."
    if _gone(config, state) <= 0:
        return ""  # without a look at the curvature
    return _dead_on_the_way(config, state, caution(config))


def _at_rest(config: RunConfig, state: State) -> str:
    if _gone(config, state) <= 0:
        return words_of(config.method).at_rest
    more = "" if config.method.solves_least_squares else _dead_on_the_way(config, state, _certainly(config))
    return f"{words_of(config.method).at_rest} {more}".strip()


def _solved(config: RunConfig, state: State) -> str:
    rank = solve(config.training_data(), np.asarray(state["b"])).rank
    return (
        "Least squares is solved at once: the coefficients are optimal for these biases, and no bias moves. "
        f"The rank is {rank} for {len(state['b'])} neurons."
    )


def _enough_neurons(config: RunConfig, state: State) -> str:
    """How many neurons the data need: what they reach, and what half as many do."""
    data, width = config.training_data(), len(state["b"])
    losses = data.scale.loss(state["losses"] / data.weight)
    count = int(np.count_nonzero(state["b"] < data.x[-1]))
    enough = f"All {width} neurons are in use" if count == width else f"{count} of {width} neurons are enough"
    half = "" if count < 2 else f" Half of them reach {losses[count // 2]:.3g}."
    return f"{_counted(f'{enough} for the loss {losses[count]:.3g}')(config, state)}{half}"


ENDINGS: dict[str, Callable[[RunConfig, State], str]] = {
    "not_finite": _plainly("The loss is no longer a finite number."),
    "exploded": lambda config, state: f"The loss explodes. {_certainly(config) or UNSTABLE}",  # noqa: ARG005
    "thrown_off": lambda config, state: f"A step throws every neuron off the data. {_certainly(config)}",  # noqa: ARG005
    "all_dead": _plainly("Every neuron is dead: no bias is left of a data point, so nothing can change."),
    "at_rest": _at_rest,
    "solved": _solved,
    "no_better_candidate": _counted("No candidate improves the loss"),
    "no_better_move": _counted("No move, near or far, improves the loss"),
    "no_better_step": _counted("No step lowers the loss any more"),
    "no_better_point": _counted("No point along the gradient has a lower loss"),
    "enough_neurons": _enough_neurons,
    "too_fast": _plainly(
        "The flow cannot be followed further: it moves so fast that the next step is lost in rounding."
    ),
    "too_many_gradients": _plainly(
        f"The flow is not followed further after {MOST_GRADIENTS:,} gradients: "
        "some of its motions are many orders of magnitude faster than others."
    ),
    "fits_exactly": _plainly("The network fits the data as exactly as the flow can be integrated."),
    "stationary": _plainly(
        f"A stationary point: all but {GAIN:g} of the loss is the floor of this stage. "
        "No neuron is on its way to a data point or about to leave one."
    ),
}
