"""Every sentence about a run, made from numbers and codes by rules: each has its condition beside it.

`rules` says what a rule is, `numbers` how numbers and places are written, `methods` what is said of one
method only. `story` describes a stage (from `stage_facts`), `plateaus` says why a plateau stands still
(with `standstill_words`), `forecast` what comes next, `cautions` and `endings` what to think of a step size
and why a run ended. No number of a run depends on it. It may import everything in core but the run, the study
and the service.
"""

from .cautions import caution
from .endings import Outcome, outcome_of
from .forecast import ForecastReport, forecast
from .numbers import count, date_text, fill, number, place_of_datum
from .plateaus import Plateau, plateaus_of
from .story import explain

__all__ = [
    "ForecastReport",
    "Outcome",
    "Plateau",
    "caution",
    "count",
    "date_text",
    "explain",
    "fill",
    "forecast",
    "number",
    "outcome_of",
    "place_of_datum",
    "plateaus_of",
]
