"""What happens next in a run: the paper's theory turned towards the future, as numbers and codes.

`predict` says from one frame when the present stage ends and who ends it: `by_flow` for the methods that
follow the gradient flow (near events are `run_ahead`), `by_steps` for those whose next steps can be tried
out. `result` is what it holds, `track_record` compares forecasts with what happened. core.narrative.forecast
puts one into words. It knows no method by name.
"""

from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...model.pattern.gaps import is_hopping
from .by_flow import forecast_by_flow, unstable_step
from .by_steps import forecast_by_steps
from .result import EVENTS, Forecast, Future, without_event


def predict(config: RunConfig, frame: Frame, events: int = EVENTS) -> Forecast:
    """What ends the stage that a frame lies in, when, and the next few changes of the pattern.

    A pure function that takes a second at most; where that is not enough its reason says so.
    """
    if is_hopping(frame.pin).any():
        return without_event(frame, "hopping", numbers=unstable_step(config, frame))
    if config.method.forecast_by == "flow":
        return forecast_by_flow(config, frame, events)
    if config.method.forecast_by == "steps":
        return forecast_by_steps(config, frame, events)
    return without_event(frame, "no_theory")


__all__ = ["Forecast", "Future", "predict"]
