"""The first run on a fresh machine: the app and `train` with an empty cache of kernels, in seconds.

Nobody waits for the compiler: an interpreted worker begins, and a compiled one goes on from its checkpoint.
PLATEAU_BUSY, a number, keeps so many processes busy beside it.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.bars import verdict
from benchmarks.real_app import ROOT, real_app
from core.answers import OneRunAnswer
from core.client import LabClient
from core.service.workers.kernels import FIRST

QUERY = "target=f1&epochs=1e5&seed=4711&method={}"
"""No run that ships with the product."""
BUSY = int(os.environ.get("PLATEAU_BUSY", "0"))
FIRST_FRAME = 8.0 if BUSY else 3.0
FIRST_EPOCHS = 500
SCRIPT = """
import time
start = time.perf_counter()
from core import RunConfig, train
next(iter(train(RunConfig.from_query("target=f1&method=gd"))))
print(time.perf_counter() - start)
"""


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Other programs that compute all the time."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def seconds_until(reached: Callable[[], bool], start: float) -> float:
    """From the start until something holds; a defect ends it after three minutes."""
    while not reached():
        if time.monotonic() - start > 180.0:
            return float("inf")
        time.sleep(0.02)
    return time.monotonic() - start


def first_run(lab: LabClient, method: str, newest: Path) -> None:
    """One run of the page, on a server that has just started."""
    start = time.monotonic()
    run = lab.start(QUERY.format(method))
    posted = time.monotonic() - start

    def state() -> OneRunAnswer:
        return lab.info(run["id"])

    frame = seconds_until(lambda: state()["frames"] > 0, start)
    print(f"{method:>5}  POST {posted:.2f} s {verdict(posted, 0.5, 'less')}")
    print(f"{method:>5}  first frame {frame:.1f} s {verdict(frame, FIRST_FRAME, 'less')}")
    if method == "gd":
        epochs = seconds_until(lambda: state()["epoch"] >= FIRST_EPOCHS, start)
        print(f"{method:>5}  {FIRST_EPOCHS} epochs {epochs:.1f} s {verdict(epochs, 8.0, 'less')}")
    compiled = seconds_until(lambda: any(newest.rglob(f"{method}.compiled")), start)
    print(f"{method:>5}  full speed {compiled:.0f} s {verdict(compiled, 45.0, 'less')}")


def main() -> None:
    """Each part on an empty cache."""
    print(f"seconds on {os.cpu_count()} processors, {BUSY} other processes busy")
    with busy(BUSY):
        for method in FIRST:
            with tempfile.TemporaryDirectory() as folder:
                home, cache = Path(folder) / "home", Path(folder) / "cache"
                home.mkdir()
                with real_app(home, {"XDG_CACHE_HOME": str(cache), "PLATEAU_WORKERS": "2"}) as app:
                    first_run(LabClient(app.base), method, cache)
        with tempfile.TemporaryDirectory() as cache_home:
            script = subprocess.run(
                [sys.executable, "-c", SCRIPT],
                cwd=ROOT,
                env={**os.environ, "XDG_CACHE_HOME": cache_home},
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
    first = float(script.stdout)
    print(f"train  first frame {first:.1f} s, progress shown {verdict(first, 25.0, 'less')}")
