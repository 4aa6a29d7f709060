"""The warning about a learning rate that is too large for a start, before a run and at its end."""

from typing import Any

from ..config.run_config import RunConfig
from ..methods.hybrid.method import first_step

UNSTABLE = "A smaller learning rate keeps it stable."


def caution(config: RunConfig) -> str:
    """A warning if the learning rate is too large for the start; else empty.

    Parameters
    ----------
    config
        The run.

    Examples
    --------
    >>> caution(RunConfig.from_query("target=f1"))
    ''
    >>> caution(RunConfig.from_query("target=f1&learning_rate=1"))[:34]
    'The learning rate 1 is too large. '
    """
    method, data = config.method, config.training_data()
    if method.step_limited_by in ("nothing", "unknown"):
        return ""
    (b, c), rate = config.initial(), _number(method, "learning_rate")
    limit = method.step_limit(data, b, c)
    if rate <= limit:
        return ""
    if method.step_limited_by == "curvature":
        return (
            f"The learning rate {rate:g} is too large. Use a learning rate below {limit:.2g}: "
            "the loss is strongly curved at the start."
        )
    if method.step_limited_by == "momentum":
        return (
            f"The learning rate {rate:g} is too large. With momentum {_number(method, 'momentum'):g}, "
            f"use a learning rate below {limit:.2g}."
        )
    if method.step_limited_by == "spacing":
        return (
            f"The learning rate {rate:g} is large for Adam: biases move about that far per epoch. "
            f"Neighbouring data are {limit:.2g} apart, so biases jump over them."
        )
    first = first_step(data, b, rate)
    before, after = data.scale.loss(first.before), data.scale.loss(first.after)
    return (
        f"The learning rate {rate:g} is too large: the first step raises the loss from {before:.3g} to "
        f"{after:.3g}. Use one below {limit:.1g}."
    )


def _number(method: Any, key: str) -> float:
    return float(getattr(method, key))
