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

from playwright.sync_api import Browser, Page, expect

from benchmarks.real_app import checkouts, chromium, real_app

CASES = (
    ("f1, width 10", "target=f1&epochs=1e7,1000&method=gd,anls", 50.0),
    ("f2, width 300", "target=f2&epochs=1e5,300&method=gd,anls", 40.0),
)
STEPS = 120
SCRUB = """async (steps) => {
  const track = document.querySelector(".pl-track"); const box = track.getBoundingClientRect();
  const painted = () => new Promise((done) => requestAnimationFrame(done));
  const move = (share) => track.dispatchEvent(new PointerEvent("pointermove",
    { pointerId: 1, bubbles: true, clientX: box.left + share * box.width, clientY: box.top + 5 }));
  for (let i = 0; i < 5; i++) { move(i / 100); await painted(); }
  const start = performance.now();
  for (let i = 0; i < steps; i++) { move(((i * 37) % steps) / (steps - 1)); await painted(); }
  return (performance.now() - start) / steps;
}"""
"""With the button held down on the track, the pointer jumps about on it."""


def main() -> None:
    """Measure both cases."""
    with chromium() as browser:
        for label, root in checkouts():
            with tempfile.TemporaryDirectory() as home, real_app(Path(home), root=root) as app:
                _measure(label, app.base, browser)


def _measure(label: str, base: str, browser: Browser) -> None:
    for name, query, bar in CASES:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        _start(base, query)
        page.goto(f"{base}/?{query}")
        _await_page(page)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = _busy(session.send("Performance.getMetrics"))
        box = page.locator(".pl-track").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        milliseconds = float(page.evaluate(SCRUB, STEPS))
        busy = 1000 * (_busy(session.send("Performance.getMetrics")) - before) / (STEPS + 5)
        rate = 1000 / milliseconds
        print(
            f"{label}{name}: {rate:.1f} updates/s (bar {bar:g}), main thread {busy:.1f} ms each", flush=True
        )
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
    """The runs are finished, the sentence stands, and what was still on its way has come."""
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished", timeout=300_000)
    expect(page.locator(".pl-why")).to_be_visible(timeout=60_000)
    page.wait_for_timeout(3000)
