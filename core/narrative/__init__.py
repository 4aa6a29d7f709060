"""Every sentence about a run, made from numbers and codes by rules: each has its condition beside it.

`rules` says what a rule is, `numbers` how numbers and places are written; `story` tells a stage (from
`stage_facts`), `standing` why a plateau stands still (from `standstill`). No number of a run depends on it.
It may import frames, analysis, config, methods and what lies below.
"""

from .numbers import count, date_text, fill, number, place_of_datum
from .plateaus import Plateau, plateaus_of
from .story import explain

__all__ = [
    "Plateau",
    "count",
    "date_text",
    "explain",
    "fill",
    "number",
    "place_of_datum",
    "plateaus_of",
]
