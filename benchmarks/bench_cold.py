"""The first run on a fresh machine: the app and `train` with an empty cache of kernels, in seconds.

Nobody waits for the compiler: an interpreted worker begins, and a compiled one goes on from its checkpoint.
Each part has an empty cache and a home of its own. Afterwards the first frames are measured once more, beside
BUSY processes that compute all the time; other bars are of a quiet machine.
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
from benchmarks.real_app import BOOTED, ROOT, chromium, real_app
from core.answers import OneRunAnswer
from core.client import LabClient
from core.service.workers.kernels import FIRST

QUERY = "target=f1&epochs=1e5&seed=4711&method={}"
"""No run that ships with the product."""
BUSY = 4
FIRST_EPOCHS = 500
FIRST_VISIT = """(() => { const look = () => {
  const text = (selector) => document.querySelector(selector)?.textContent ?? "";
  const root = document.documentElement.dataset;
  const drawn = [...document.querySelectorAll(".panel")].filter((panel) => panel.offsetParent
    && panel.querySelector(".scatterlayer .trace"));
  if (drawn.length >= 4) root.drawnAt ??= performance.now();
  if (text(".pl-sentence") && /plateau \\d/.test(text(".pl-read"))) root.toldAt ??= performance.now();
  if (!root.drawnAt || !root.toldAt) setTimeout(look, 20);
}; look(); })()"""
"""Notes when four panels have curves in them, and when the sentence and the number of the plateau stand."""
SCRIPT = """
import time
start = time.perf_counter()
from core import RunConfig, train
print("imported", flush=True)
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


@contextmanager
def cold_app() -> Iterator[tuple[str, Path]]:
    """Where an app that has just started is, and its cache of kernels, which is empty."""
    with tempfile.TemporaryDirectory() as folder:
        home, cache = Path(folder) / "home", Path(folder) / "cache"
        home.mkdir()
        with real_app(home, {"XDG_CACHE_HOME": str(cache), "PLATEAU_WORKERS": "2"}) as app:
            yield app.base, cache


def seconds_until(reached: Callable[[], bool], start: float) -> float:
    """From the start until something holds; a defect ends it after three minutes."""
    while not reached():
        if time.monotonic() - start > 180.0:
            return float("inf")
        time.sleep(0.02)
    return time.monotonic() - start


def tell(what: str, seconds: float, bar: float) -> None:
    print(f"{what:28} {seconds:5.1f} s {verdict(seconds, bar, 'less')}", flush=True)


def first_run(method: str, *, quiet: bool) -> None:
    """One run of the page, on a server that has just started."""
    with cold_app() as (base, cache):
        lab, start = LabClient(base), time.monotonic()
        run = lab.start(QUERY.format(method))
        posted = time.monotonic() - start

        def state() -> OneRunAnswer:
            return lab.info(run["id"])

        frame = seconds_until(lambda: state()["frames"] > 0, start)
        tell(f"{method}: first frame", frame, 3.0 if quiet else 8.0)
        if not quiet:
            return
        tell(f"{method}: POST /api/runs", posted, 0.5)
        if method == "gd":
            tell(
                f"gd: {FIRST_EPOCHS} epochs",
                seconds_until(lambda: state()["epoch"] >= FIRST_EPOCHS, start),
                8.0,
            )
        compiled = seconds_until(lambda: any(cache.rglob(f"{method}.compiled")), start)
        tell(f"{method}: full speed", compiled, 45.0)


def first_visit() -> None:
    """The sentence and the plateaus of the page that everybody sees first come with its pictures."""
    with cold_app() as (base, _), chromium() as browser:
        page = browser.new_page()
        page.add_init_script(FIRST_VISIT)
        page.goto(base)
        page.wait_for_selector(BOOTED, state="attached")
        at = "Number(document.documentElement.dataset.{})"
        start = time.monotonic()
        seconds_until(lambda: bool(page.evaluate(f"{at.format('drawnAt')} && {at.format('toldAt')}")), start)
        drawn, explained = (page.evaluate(at.format(name)) / 1000 for name in ("drawnAt", "toldAt"))
        print(f"{'first visit: pictures':28} {drawn:5.1f} s")
        tell("first visit: sentence after", max(0.0, explained - drawn), 1.0)


def from_python() -> None:
    """The first frame of `train`, import included, and when it begins to say that it compiles."""
    with tempfile.TemporaryDirectory() as cache:
        variables = {**os.environ, "XDG_CACHE_HOME": cache}
        command = [sys.executable, "-c", SCRIPT]
        with subprocess.Popen(
            command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as script:
            assert script.stderr is not None and script.stdout is not None
            script.stdout.readline()
            asked = time.monotonic()
            script.stderr.read(1)
            shown = time.monotonic() - asked
            script.stderr.read()
            first = float(script.stdout.read())
    tell("train: progress shown", shown, 1.0)
    tell("train: first frame", first, 25.0)


def main() -> None:
    """Each part on an empty cache."""
    print(f"seconds on {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} when it began")
    for method in FIRST:
        first_run(method, quiet=True)
    first_visit()
    from_python()
    print(f"beside {BUSY} busy processes")
    with busy(BUSY):
        for method in FIRST:
            first_run(method, quiet=False)
