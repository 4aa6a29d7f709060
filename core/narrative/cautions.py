"""What to say of a learning rate that is too large for a start, before a run and at its end."""

from typing import Any

from ..config.run_config import RunConfig
from ..methods.hybrid.method import first_step

UNSTABLE = "A smaller learning rate keeps it stable."


def caution(config: RunConfig) -> str:
    """A sentence where the learning rate is too large for the start; empty where there is nothing to say.

    Parameters
    ----------
    config
        The run.

    Examples
    --------
    >>> caution(RunConfig.from_query("target=f1"))
    ''
    >>> caution(RunConfig.from_query("target=f1&learning_rate=1"))[:34]
    'The learning rate 1 is too large: '
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
            f"The learning rate {rate:g} is too large: the loss is so curved at the start that the largest "
            f"stable step is about {limit:.2g}."
        )
    if method.step_limited_by == "momentum":
        return (
            f"The learning rate {rate:g} is too large: with momentum {_number(method, 'momentum'):g} the "
            f"largest stable step at the start is about {limit:.2g}."
        )
    if method.step_limited_by == "spacing":
        return (
            f"The learning rate {rate:g} is large for Adam: it moves a bias by up to about that much an "
            f"epoch, and neighbouring data are {limit:.2g} apart, so that biases jump over them."
        )
    first = first_step(data, b, rate)
    before, after = data.scale.loss(first.before), data.scale.loss(first.after)
    return (
        f"The learning rate {rate:g} is too large: the first step raises the loss from {before:.3g} to "
        f"{after:.3g}, one of about {limit:.1g} would not."
    )


def _number(method: Any, key: str) -> float:
    return float(getattr(method, key))
