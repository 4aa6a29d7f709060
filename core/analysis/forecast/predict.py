"""The forecast from one frame, by whatever foretells the method's events."""

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...model.pattern import Pattern
from ...model.sharpness import sharpness
from .by_flow import forecast_by_flow
from .by_steps import forecast_by_steps
from .result import EVENTS, Forecast, without_event


def predict(config: RunConfig, frame: Frame, events: int = EVENTS) -> Forecast:
    """What ends the stage that a frame lies in, when, and what follows: the next few changes of the pattern.

    A pure function that takes a second at most; where that is not enough its reason says so.

    Parameters
    ----------
    config
        The run.
    frame
        A frame of it.
    events
        How many changes are looked for.
    """
    if (frame.pin <= -2).any():
        return without_event(frame, "hopping", numbers=_stable_step(config, frame))
    if config.method.forecast_by == "flow":
        return forecast_by_flow(config, frame, events)
    if config.method.forecast_by == "steps":
        return forecast_by_steps(config, frame, events)
    return without_event(frame, "no_theory")


def _stable_step(config: RunConfig, frame: Frame) -> dict[str, float]:
    """The step below which descent would be stable where the run is now, if its step is not."""
    step = config.method.step(frame.epoch)
    if step is None:
        return {}
    curved = sharpness(config.training_data(), Pattern(frame.gap, frame.pin), frame.b, frame.c)
    return {"step": step, "stable": 2.0 / curved} if step * curved > 2.0 else {}
