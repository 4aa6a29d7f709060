"""What happens next in a run: the paper's theory turned towards the future.

`forecast` says from one frame when the present stage ends and who ends it: `by_flow` for the methods that
follow the gradient flow, `by_steps` for those whose next steps can be tried out. `answer` is what it holds,
and `record` compares forecasts with what happened. It knows no method by name. It may import everything in
core but the service.
"""

from .answer import Forecast, Future
from .foretell import forecast
from .record import track_record

__all__ = ["Forecast", "Future", "forecast", "track_record"]
