"""What a page without any settings opens on.

Not the defaults of the configuration but a finished race that tells the story by
itself. At the moment shown gradient descent has stood near 2e-3 for 150,000 epochs,
most of them in one stage; within the next 100,000 a dozen biases cross data points,
the loss halves, and then it stands again: "play" shows it. ANLS was at 1.6e-4 after
21 iterations, three times lower than gradient descent gets in 1e8 epochs.
"""

from components.view import View, join_query
from core.config import race_from_query

RACE = "epochs=1e8,500&method=gd,anls&seed=11"
"""The query of the race, in canonical spelling; its runs ship with the app."""

MOMENT = 5e5
"""The epoch to open at."""

FIRST_VISIT = join_query(RACE, View(at=MOMENT))

_PARTS = ("", "/data", "/frames?after=-1&format=compact", "/stages", "/plateaus", "/best", "/forecast")


def first_paths() -> list[str]:
    """What the page will ask of the server for the first visit."""
    return [f"/api/runs/{config.run_id}{part}" for config in race_from_query(RACE) for part in _PARTS]
