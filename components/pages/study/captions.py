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
_ROWS = "One row a group, the least median on top; a dot a run, or some of many; bars for the middle half."
_SAID = {
    "seconds": "The median run of each group against the time that it takes to compute, as it is estimated "
    "before a run: for all on the same machine, which is none in particular.",
    "reached": "The share of runs whose loss has fallen to the chosen value by an epoch; click a step to "
    "open its run in the Lab at that moment.",
}


def caption(name: str, groups: int, widths: int, runs: int = 1) -> str:
    """The sentence for a picture of so many groups, widths and runs."""
    outlined = groups <= MOST_OUTLINES
    if name == "bands":
        few, more = (most for most, _ in BANDS)
        bands = " Bands: half of the runs, and four fifths of them." if groups <= few else ""
        bands = bands or (" Bands: half of the runs." if groups <= more else "")
        return (
            f"Line: the median run of each group.{bands} A run that has ended keeps its last loss as long as "
            "others of its group go on; where the last of them ends, so does the line."
        )
    if name == "losses":
        spread = "Shares of the runs of each group." if outlined else _ROWS
        return f"Final losses on a logarithmic axis. {spread}"
    if name == "plateaus":
        spread = "" if outlined else f" {_ROWS}"
        return f"How long each run stood still at a stretch, in decades of epochs as in the Lab.{spread}"
    if name == "widths":
        slopes = "Slopes are those of the lines on logarithmic axes."
        if widths < 2:
            slopes = "All runs have one width; a list such as width=5,10,20 shows how the loss drops with it."
        return f"Medians and quartiles of the final loss. {slopes}"
    if name == "scatter":
        if runs <= MOST_MARKERS:
            return "One marker per run; click it to open the run in the Lab at that moment."
        return "All runs; those in the same place share a marker, which opens the best of them in the Lab."
    return _SAID[name]
