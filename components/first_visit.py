"""What a page without any settings opens on.

Not the defaults of the configuration but a finished race that tells the story by
itself. With this seed gradient descent has stood between 2.1e-3 and 1.9e-3 for
180,000 epochs; at the moment shown neuron 1 has just crossed a data point, the
floor has dropped, and within 40,000 epochs a dozen crossings follow and the loss
halves: "play" shows it. ANLS was at 1.6e-4 after 21 iterations, three times lower
than gradient descent gets in 1e8 epochs.
"""

from components.view import View, join_query
from core.config.run_config import race_from_query

RACE = "epochs=1e8,500&method=gd,anls&seed=11"
"""The query of the race, in canonical spelling; its runs ship with the app."""

MOMENT = 1e7
"""The epoch to open at."""

FIRST_VISIT = join_query(RACE, View(at=MOMENT))

_PARTS = ("", "/data", "/frames?after=-1&format=compact", "/stages", "/best")


def first_paths() -> list[str]:
    """What the page will ask of the server for the first visit."""
    return [f"/api/runs/{config.run_id}{part}" for config in race_from_query(RACE) for part in _PARTS]
