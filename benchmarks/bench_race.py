"""`python -m benchmarks.bench_race`: how live a race is on one worker.

Six methods race on f2 at width 300. Told for each: when its first frame came after Run, and its longest pause
without a new one while it was under way.
"""

import tempfile
import time
from pathlib import Path

from core.config import race_from_query
from core.service.accounts import Client
from core.service.run_record import ENDED
from core.service.service import RunService
from core.service.settings import Settings

QUERY = "target=f2&width=300&method=gd,adam,ls_gd,ls_adam,anls,anls_plus&epochs=1e6,1e6,1e5,1e5,200,100"
EVERY = 0.02
LONGEST = 120.0


def main() -> None:
    """One line a method."""
    with tempfile.TemporaryDirectory() as home:
        service = RunService(Settings(home=Path(home), workers=1, library=Path(home) / "none"))
        service.start()
        try:
            while not service.workers:
                time.sleep(0.1)
            race(service)
        finally:
            service.close()


def race(service: RunService) -> None:
    """Start it, and look at it until it has ended."""
    configs = race_from_query(QUERY)
    me = Client("me", "me")
    expected = service.estimates.seconds(configs)
    begin = time.monotonic()
    for config in configs:
        service.submit(config, me)
    counts = dict.fromkeys((config.run_id for config in configs), 0)
    first, latest, pause = dict[str, float](), dict.fromkeys(counts, begin), dict.fromkeys(counts, 0.0)
    open_runs = set(counts)
    while open_runs and time.monotonic() - begin < LONGEST:
        for run_id in list(open_runs):
            ended = service.status(run_id) in ENDED
            service.watch(run_id, me)
            now, count = time.monotonic(), service.count(run_id)
            if count > counts[run_id]:
                first.setdefault(run_id, now - begin)
                if counts[run_id]:
                    pause[run_id] = max(pause[run_id], now - latest[run_id])
                counts[run_id], latest[run_id] = count, now
            if ended:
                open_runs.discard(run_id)
        time.sleep(EVERY)
    for config, seconds in zip(configs, expected, strict=True):
        run_id = config.run_id
        print(
            f"{config.method.title:8} first frame after {first.get(run_id, LONGEST):5.2f} s, longest pause"
            f" {pause[run_id]:5.2f} s, {counts[run_id]} frames, {seconds:6.2f} s told"
        )
    print(f"together {time.monotonic() - begin:.1f} s, told {sum(expected):.1f} s")


if __name__ == "__main__":
    main()
