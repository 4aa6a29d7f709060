"""The numbered statements of section 3 and its appendices, by file.

They are functions of data, pattern and network; nothing trains.

    floor             Theorem 3.1 (thm:conti-loss-n), the floor Q_0; Lemma A.1 (app:lem:V)
    rates             Theorem 3.1, the envelopes; Lemma A.2 (lem:def-M)
    q_decrease        Theorem 3.2 (thm:Q-decrease)
    convergence       Theorem 3.3 (thm:convergence)
    stationarity      Lemma 3.4 (lemma:critical)
    regression_lines  Theorem 3.5 (thm:LSQ-Stationary)
    construction      Proposition F.1 (thm:fullyNN), Lemma F.2 (lem:line-twoNeurons)

The others stand where they are used:

    core.model.unit_weights    Proposition 2.1 (prop:w=1)
    core.methods.anls.gains    Proposition 4.1 (prop:ANLSQ-convg), in `improves`
    reproduction.measures.cod  Theorem 4.2 (thm:LSQ); the methods use core.least_squares.chain in its place

It may import the model and least_squares.
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
