"""What a page without any settings opens on.

Not the defaults of the configuration but a finished race that tells the paper's story: four
neurons learn a step. At the moment shown the loss of gradient descent has reached its floor and
stands still, as the second lesson explains it; one neuron is on its way to a data point. "Play"
shows it cross that point, and with the crossings that follow the loss drops to a tenth. ANLS moves
neurons over data points from the start, and is past the plateau after a few dozen moves.
"""

from collections.abc import Iterator

from components.common.view import View, join_query
from core.config import race_from_query
from core.service import BackgroundQuery, RunService

RACE = "epochs=1e6,500&learning_rate=0.01&method=gd,anls&seed=12&target=step&width=4"
"""The query of the race, in canonical spelling; its runs ship with the app."""

MOMENT = 1000.0
"""The epoch to open at."""

FIRST_VISIT = join_query(RACE, View(at=MOMENT))

_PARTS = ("", "/data", "/frames?after=-1&format=compact", "/stages", "/plateaus", "/best", "/forecast")


def first_paths() -> list[str]:
    """What the page will ask of the server for the first visit."""
    runs = [config.run_id for config in race_from_query(RACE)]
    return [
        "/_dash-layout",
        "/paper/data/results.json",
        *(f"/api/runs/{run_id}{part}" for part in _PARTS for run_id in runs),
    ]


def first_queries(service: RunService) -> Iterator[BackgroundQuery]:
    """The tables among them, as they ship with the app; the first run is the one that is shown."""
    for number, config in enumerate(race_from_query(RACE)):
        run_id, frames = config.run_id, service.frames(config.run_id)
        status = service.status(run_id) or ""
        for kind in ("stages", "plateaus"):
            yield BackgroundQuery(kind, run_id, head=len(frames), status=status)
        yield BackgroundQuery("best", run_id)
        shown = max(frame.index for frame in frames if frame.epoch <= MOMENT)
        for index in {shown, len(frames) - 1} if number == 0 else {len(frames) - 1}:
            yield BackgroundQuery("forecast", run_id, index)
