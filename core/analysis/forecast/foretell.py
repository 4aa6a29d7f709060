"""The forecast from one frame, by whatever foretells the method's events."""

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...model.pattern import Pattern
from ...model.sharpness import sharpness
from ...narrative.numbers import hoppers, number
from .answer import EVENTS, Forecast, open_ended
from .by_flow import forecast_by_flow
from .by_steps import forecast_by_steps


def forecast(config: RunConfig, frame: Frame, events: int = EVENTS) -> Forecast:
    """What ends the stage that a frame lies in, when, and what follows: the next few changes of the pattern.

    A pure function that takes a second at most; where that is not enough it says so.

    Parameters
    ----------
    config
        The run.
    frame
        One of its frames.
    events
        How many changes of the pattern are looked for.

    Returns
    -------
    Forecast
        `kind`, `epoch`, `neuron`, `datum`, `certified`, `sentence`, and the trajectories until then.

    Examples
    --------
    >>> from core import RunConfig, forecast, train
    >>> config = RunConfig.from_query("target=five&method=lsq&epochs=1")
    >>> forecast(config, list(train(config))[-1]).kind
    'trained'
    """
    if (frame.pin <= -2).any():
        return open_ended(frame, _told_hops(config, frame))
    if config.method.forecast_by == "flow":
        return forecast_by_flow(config, frame, events)
    if config.method.forecast_by == "steps":
        return forecast_by_steps(config, frame, events)
    return open_ended(frame, f"Unknown. {config.method.unforeseen}")


def _told_hops(config: RunConfig, frame: Frame) -> str:
    """Who hops, and below which step descent would be stable where the run is now."""
    data = config.training_data()
    told = hoppers(data, frame.pin)
    sentence = f"{told[0].upper()}{told[1:]}: the step is too large here."
    step = config.method.step(frame.epoch)
    sharp = sharpness(data, Pattern(frame.gap, frame.pin), frame.b, frame.c) if step is not None else 0.0
    if step is None or step * sharp <= 2.0:
        return sentence
    return f"{sentence} A learning rate below {number(2.0 / sharp, 2)} would be stable."
