"""One file a theorem (paper, section 3): everything is a function of data, pattern and network; nothing
trains.

`floor` and `rates` are Theorem conti-loss-n (rates with the matrix M(t) of Lemma def-M and its singular
values), `q_decrease` its sequel, `convergence` the theorem of that name, `stationarity` Lemma critical,
`regression_lines` Theorem LSQ-Stationary, `construction` Prop. fullyNN. It may import the model and
least_squares.
"""

from .construction import fully_trained, fully_trained_network
from .floor import best_fit, excess, floor, rank
from .q_decrease import QDecrease, q_decrease
from .rates import Rates, rates
from .regression_lines import Line, modified_lines, regression_lines
from .stationarity import Stationarity, critical_error, stationarity

__all__ = [
    "Line",
    "QDecrease",
    "Rates",
    "Stationarity",
    "best_fit",
    "critical_error",
    "excess",
    "floor",
    "fully_trained",
    "fully_trained_network",
    "modified_lines",
    "q_decrease",
    "rank",
    "rates",
    "regression_lines",
    "stationarity",
]
