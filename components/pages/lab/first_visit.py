"""What a page without any settings opens on.

Not the defaults of the configuration but a finished race that tells the story by
itself: a staircase of three plateaus, with falls to a sixth and to a quarter between
them. At the moment shown gradient descent is on the second one; "play" shows how a
hundred crossings carry it down to the third, where it stays. ANLS has left all of them
after 46 iterations, and is a thousand times lower.
"""

from components.common.view import View, join_query
from core.config import race_from_query

RACE = "epochs=1e7,500&learning_rate=0.01&method=gd,anls&seed=4&target=flight"
"""The query of the race, in canonical spelling; its runs ship with the app."""

MOMENT = 5000.0
"""The epoch to open at."""

FIRST_VISIT = join_query(RACE, View(at=MOMENT))

_PARTS = ("", "/data", "/frames?after=-1&format=compact", "/stages", "/plateaus", "/best", "/forecast")


def first_paths() -> list[str]:
    """What the page will ask of the server for the first visit."""
    runs = [config.run_id for config in race_from_query(RACE)]
    return [
        "/_dash-layout",
        "/api/paper/panels",
        *(f"/api/runs/{run_id}{part}" for run_id in runs for part in _PARTS),
    ]
