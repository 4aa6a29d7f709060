"""The forecast from one frame, by whatever foretells the method's events."""

from core.config.run_config import RunConfig
from core.foresight.answer import EVENTS, Forecast, open_ended
from core.foresight.by_flow import forecast_by_flow
from core.foresight.by_steps import forecast_by_steps
from core.run.frames import Frame


def forecast(config: RunConfig, frame: Frame, events: int = EVENTS) -> Forecast:
    """What ends the stage that a frame lies in, when, and what follows: the next few changes of the pattern.

    A pure function that takes a second at most; where that is not enough it says so.
    """
    if config.method.foresight == "flow":
        return forecast_by_flow(config, frame, events)
    if config.method.foresight == "steps":
        return forecast_by_steps(config, frame, events)
    return open_ended(frame, f"Unknown. {config.method.unforeseen}")
