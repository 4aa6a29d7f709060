"""Beyond the paper: what can be said of a run, of a problem or of a moment, as numbers and codes.

`plateaus` finds where the loss stands still, `standstill` and `stage_facts` the facts about a plateau and a
stage; `forecast` says what happens next; `best_known` is the smallest loss known for a width, `free_knots`
the proof of it on small problems (`knot_search`, `knot_lines`), `slowest` the direction that holds training
up. It may import frames, config, the methods and what lies below.
"""

from .best_known import BestKnown, best_known

__all__ = ["BestKnown", "best_known"]
