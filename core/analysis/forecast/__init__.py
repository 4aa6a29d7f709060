"""What happens next in a run: the paper's theory turned towards the future, as numbers and codes.

`predict` says from one frame when the present stage ends and who ends it: `by_flow` for the methods that
follow the gradient flow, `by_steps` for those whose next steps can be tried out. `result` is what it holds,
`track_record` compares forecasts with what happened; core.narrative.forecast puts one into words. It knows
no method by name.
"""

from .predict import predict
from .result import Forecast, Future
from .track_record import track_record

__all__ = ["Forecast", "Future", "predict", "track_record"]
