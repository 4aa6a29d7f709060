"""What sentences say of one method and not of another. A method that is not listed gets the plain words."""

from typing import NamedTuple

from ..methods.contract import Method

_NEXT_EVENT = "it will end when a bias crosses a data point or a pinned one is let go"
_LOWER_LOSS = "it will end when a step carries a bias over a data point to a lower loss"


class MethodWords(NamedTuple):
    """Clauses about one method."""

    plateau_ends: str = "it will end when its steps find a lower loss"
    """How a plateau of it ends, where nothing more can be said: a clause without a full stop."""
    no_forecast: str = "No theory tells what this method does next."
    at_rest: str = "Fully trained: no further step changes anything."
    """Its end at rest."""


_HYBRID = MethodWords(
    "it will end when the steps carry biases to where the best coefficients do better",
    "The coefficients jump to their best values after every step, "
    "so the gradient flow does not tell its events.",
    "No bias moves any more: the gradient is zero to the last digit.",
)
_GAUSS_NEWTON = MethodWords(
    _LOWER_LOSS, "Its steps leap to the minimum of a linear model, which the gradient flow does not follow."
)
_ROLLING = MethodWords(
    _NEXT_EVENT,
    "Its velocity remembers earlier gradients, so the gradient flow does not tell its events.",
    "Fully trained: no epoch changes a bias, a coefficient or a velocity any more.",
)
WORDS: dict[str, MethodWords] = {
    "gd": MethodWords(
        _NEXT_EVENT,
        at_rest="Fully trained: every step is below rounding, so no further epoch changes a bias or a "
        "coefficient.",
    ),
    "flow": MethodWords(_NEXT_EVENT),
    "adam": MethodWords(
        "it will end when Adam's steps carry a bias over a data point or find a lower loss",
        "Adam steps by the gradients that it remembers, so the gradient flow does not tell its events.",
        "Fully trained: the gradient and its running mean vanish to rounding.",
    ),
    "lsq": MethodWords("it will not end, because LSQ moves no bias"),
    "ls_gd": _HYBRID,
    "ls_adam": _HYBRID,
    "anls": MethodWords(
        "it will end when one neuron's move over one data point gains more, and ANLS stops when none gains"
    ),
    "anls_plus": MethodWords(
        "it will end when some move of a neuron, near or far, gains more, and ANLS+ stops when none gains"
    ),
    "adaptive_width": MethodWords(
        "it will end when a neuron is moved, added or taken away",
        "It compares with networks that it had before, and a frame does not tell them.",
    ),
    "momentum": _ROLLING,
    "nesterov": _ROLLING,
    "gauss_newton": _GAUSS_NEWTON,
    "sggn": _GAUSS_NEWTON,
    "varpro": _GAUSS_NEWTON,
    "lbfgs": MethodWords(
        _LOWER_LOSS,
        "Its direction depends on the gradients that it remembers, so the flow does not tell its events.",
    ),
    "sgd": MethodWords(
        "it will end when the steps carry biases to where they find a lower loss",
        "Each step sees a few data drawn at random, so the gradient flow tells its events only on average.",
        "Fully trained: an epoch of batches changes no bias and no coefficient any more.",
    ),
}


def words_of(method: Method) -> MethodWords:
    """The clauses about a method."""
    return WORDS.get(method.name, MethodWords())
