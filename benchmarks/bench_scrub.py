"""How often a second scrubbing can redraw the page, in Chromium, at width 10 and at width 300.

Each step seeks to another frame and waits for the animation frame in which it was
painted, so the rate cannot exceed the display's 60 a second. The time that the main
thread was busy a step (scripts, layout, paint) is printed beside it: it tells what
the rate would be on a machine that is not shared.
"""

import json
import tempfile
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.real_app import chromium, real_app

CASES = (
    ("f1, width 10", "target=f1&epochs=1e7,1000&method=gd,anls", 30.0),
    ("f2, width 300", "target=f2&epochs=1e5,300&method=gd,anls", 10.0),
)
STEPS = 120
SCRUB = """async (steps) => {
  const { player } = plateau; const run = player.state_.selected;
  const painted = () => new Promise((done) => requestAnimationFrame(done));
  for (let i = 0; i < 5; i++) { player.seek(run.value("epoch", i)); await painted(); }
  const start = performance.now();
  for (let i = 0; i < steps; i++) {
    player.seek(run.value("epoch", Math.floor(((run.count - 1) * ((i * 37) % steps)) / (steps - 1))));
    await painted();
  }
  return (performance.now() - start) / steps;
}"""
LOADED = """(window.plateau && plateau.player && plateau.player.state().runs.length > 0 &&
  plateau.player.state_.runs.every((run) =>
    run.status === "finished" && run.stages.length > 0 && run.data.best_known !== undefined))"""


def main() -> None:
    """Measure both cases."""
    with tempfile.TemporaryDirectory() as home, real_app(Path(home)) as app, chromium() as browser:
        _measure(app.base, browser)


def _measure(base: str, browser: Browser) -> None:
    for name, query, bar in CASES:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        _start(base, query)
        page.goto(f"{base}/?{query}")
        _await_page(page)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = _busy(session.send("Performance.getMetrics"))
        milliseconds = float(page.evaluate(SCRUB, STEPS))
        busy = 1000 * (_busy(session.send("Performance.getMetrics")) - before) / (STEPS + 5)
        rate = 1000 / milliseconds
        print(f"{name}: {rate:.1f} updates/s (bar {bar:g}), main thread {busy:.1f} ms each", flush=True)
        page.close()


def _busy(metrics: dict[str, list[dict[str, float | str]]]) -> float:
    """Seconds of processor time that the page's main thread has used."""
    found = [entry["value"] for entry in metrics["metrics"] if entry["name"] == "TaskDuration"]
    return float(found[0])


def _start(base: str, query: str) -> None:
    body = json.dumps({"query": query}).encode()
    request = urllib.request.Request(f"{base}/api/runs", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=30).close()


def _await_page(page: Page) -> None:
    for _ in range(1200):
        if page.evaluate(f"Boolean({LOADED})"):
            page.wait_for_timeout(3000)
            return
        page.wait_for_timeout(250)
    raise SystemExit("the runs did not finish")
