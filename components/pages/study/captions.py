"""What stands below each picture of a study: what is drawn there, and nothing that is not."""

from components.pages.study.endings import MOST_OUTLINES
from components.pages.study.figures import BANDS, MOST_MARKERS

PICTURES: tuple[tuple[str, str], ...] = (
    ("bands", "Loss over epochs"),
    ("seconds", "Loss over seconds"),
    ("reached", "How many got there"),
    ("losses", "Where they end"),
    ("plateaus", "Longest plateau"),
    ("widths", "Loss against width"),
    ("scatter", "Any two columns"),
)
"""Name and title of each picture."""
_ROWS = "One row per group, best median first. Dots are runs; bars span the middle 50 %."
_SAID = {
    "seconds": "The median run of each group over its computing time, estimated for one machine.",
    "reached": "The share of runs that have reached the chosen loss by an epoch. Select a step to open "
    "its run in the Lab.",
}


def caption(name: str, groups: int, widths: int, runs: int = 1) -> str:
    """The sentence for a picture of so many groups, widths and runs."""
    outlined = groups <= MOST_OUTLINES
    if name == "bands":
        few, more = (most for most, _ in BANDS)
        bands = " Bands span the middle 50 % and 80 % of the runs." if groups <= few else ""
        bands = bands or (" Bands span the middle 50 %." if groups <= more else "")
        return f"The line is the median run of each group.{bands} A run that has ended keeps its last loss."
    if name == "losses":
        spread = "Shares of the runs of each group." if outlined else _ROWS
        return f"Final losses on a logarithmic axis. {spread}"
    if name == "plateaus":
        spread = "" if outlined else f" {_ROWS}"
        return (
            f"The longest time that each run stood still. From epoch 1,000 to 10,000 is one decade.{spread}"
        )
    if name == "widths":
        slopes = "Slopes are those on logarithmic axes."
        if widths < 2:
            slopes = "All runs have one width. Enter several, such as 5,10,20, to see how the loss drops."
        return f"Medians and quartiles of the final loss. {slopes}"
    if name == "scatter":
        if runs <= MOST_MARKERS:
            return "One marker per run. Select it to open the run in the Lab at that moment."
        return "All runs. Those in the same place share a marker, which opens the best of them in the Lab."
    return _SAID[name]
