"""Beyond the paper: what can be said of a run, of a problem or of a moment, as numbers.

`best_known` is the smallest loss known for a width, `free_knots` the proof of it on small problems
(`knot_search`, `knot_lines`), `slowest` the direction that holds training up, `forecast` what happens next
in a run. It may import everything in core but the
service and the study, but only `forecast` the run.
"""

from .best_known import BestKnown, best_known

__all__ = ["BestKnown", "best_known"]
