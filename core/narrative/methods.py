"""Sentences that hold for one method and not for another. A method that is not listed gets the plain ones."""

from typing import NamedTuple

from ..methods.contract import Method

_NEXT_EVENT = "It ends when a bias crosses a data point, or a pinned neuron comes free."
_LOWER_LOSS = "It ends when a step carries a bias over a data point to a lower loss."


class MethodWords(NamedTuple):
    """Sentences about one method."""

    plateau_ends: str = "It ends when the steps find a lower loss."
    """How a plateau of it ends, where nothing more is known."""
    no_forecast: str = "No theory says what this method does next."
    at_rest: str = "Fully trained: no further step changes anything."
    """Its end at rest."""


_HYBRID = MethodWords(
    "It ends when the steps carry biases to where the best coefficients do better.",
    "The coefficients jump to their best values after every step, so the gradient flow does not predict it.",
    "No bias moves any more: the gradient is zero to the last digit.",
)
_GAUSS_NEWTON = MethodWords(
    _LOWER_LOSS, "Its steps leap to the minimum of a linear model, which the gradient flow does not follow."
)
_WITH_MOMENTUM = MethodWords(
    _NEXT_EVENT,
    "Its velocity remembers earlier gradients, so the gradient flow does not predict it.",
    "Fully trained: no epoch changes anything any more.",
)
WORDS: dict[str, MethodWords] = {
    "gd": MethodWords(
        _NEXT_EVENT,
        at_rest="Fully trained: every step is below rounding, so no further epoch changes anything.",
    ),
    "flow": MethodWords(_NEXT_EVENT),
    "adam": MethodWords(
        "It ends when Adam's steps carry a bias over a data point or find a lower loss.",
        "Adam steps by the gradients that it remembers, so the gradient flow does not predict it.",
        "Fully trained: the gradient and its running mean vanish to rounding.",
    ),
    "lsq": MethodWords("It never ends: LSQ moves no bias."),
    "ls_gd": _HYBRID,
    "ls_adam": _HYBRID,
    "anls": MethodWords(
        "It ends when moving one neuron over one data point gains more. ANLS stops when none gains."
    ),
    "anls_plus": MethodWords(
        "It ends when some move of a neuron, near or far, gains more. ANLS+ stops when none gains."
    ),
    "adaptive_width": MethodWords(
        "It ends when a neuron is moved, added or taken away.",
        "It compares with earlier networks, which a frame does not hold.",
    ),
    "momentum": _WITH_MOMENTUM,
    "nesterov": _WITH_MOMENTUM,
    "gauss_newton": _GAUSS_NEWTON,
    "sggn": _GAUSS_NEWTON,
    "varpro": _GAUSS_NEWTON,
    "lbfgs": MethodWords(
        _LOWER_LOSS,
        "Its direction depends on the gradients that it remembers, so the flow does not predict it.",
    ),
    "sgd": MethodWords(
        "It ends when the steps carry biases to where they find a lower loss.",
        "Each step sees a few data drawn at random, so the gradient flow predicts it only on average.",
        "Fully trained: an epoch of batches changes nothing any more.",
    ),
}


def words_of(method: Method) -> MethodWords:
    """The sentences about a method."""
    return WORDS.get(method.name, MethodWords())
