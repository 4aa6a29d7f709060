"""What the page weighs, how soon it shows, and what a viewer of a run costs.

Bytes are those that Chromium received, headers included, compressed as they came. The first contentful paint
is the browser's own entry, on loopback, with the processor slowed down four times by the DevTools protocol:
the median of five new visitors. A poll's processor time is that of the web process over many polls, less what
it uses in the same time when nobody asks.
"""

import gzip
import http.client
import json
import os
import statistics
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.real_app import BOOTED, Served, chromium, real_app

RUNS = (
    ("f1, width 10, 1e8 epochs", "epochs=1e8&seed=11", 1.5),
    ("f2, width 300, 5e6 epochs", "target=f2&epochs=5e6", 10.0),
)
LIVE = "target=sin5&width=30&epochs=1e9&seed=1001"
POLLS = 30


def main() -> None:
    """Print every figure beside its bar."""
    with tempfile.TemporaryDirectory() as home, real_app(Path(home)) as app, chromium() as browser:
        _weigh(app, browser)
        _first_paint(app, browser)
        for name, query, bar in RUNS:
            _whole_run(app, name, query, bar)
        _polls(app)


def _weigh(app: Served, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    for name, bar in (("first load", 2500), ("repeat", 100)):
        page = context.new_page()
        received = _received(page)
        _open(page, app.base)
        print(f"{name} of /: {sum(received) / 1000:.0f} kB (bar {bar})", flush=True)
        page.close()
    context.close()


def _received(page: Page) -> list[float]:
    """Grows by the bytes of every answer."""
    sizes: list[float] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes


def _open(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(BOOTED, state="attached")
    page.wait_for_timeout(3000)


def _first_paint(app: Served, browser: Browser) -> None:
    paints = []
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        _open(page, app.base)
        entry = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        paints.append(float(page.evaluate(entry)) / 1000)
        context.close()
    print(
        f"first contentful paint, processor slowed down 4x: {statistics.median(paints):.2f} s, "
        f"at worst {max(paints):.2f} s (bar 1.5)",
        flush=True,
    )


def _whole_run(app: Served, name: str, query: str, bar: float) -> None:
    """All that a viewer of the run receives, from the first frame to the last."""
    run = _start(app, query)
    while json.loads(_get(app, run)[1])["status"] != "finished":
        time.sleep(0.5)
    parts = ("/frames?format=compact&after=-1", "/stages", "/data", "")
    size = sum(_get(app, run + part)[0] for part in parts) / 1e6
    print(f"{name}: {size:.3f} MB over the wire (bar {bar})", flush=True)


def _polls(app: Served) -> None:
    run, after, sizes = _start(app, LIVE), -1, []
    # Kept open, as a browser does.
    line = http.client.HTTPConnection(app.base.removeprefix("http://"), timeout=30)
    time.sleep(10)
    begun, before = time.monotonic(), _cpu_seconds(app.pid)
    for _ in range(POLLS):
        line.request("GET", f"{run}/frames?format=compact&after={after}", headers={"Accept-Encoding": "gzip"})
        answer = line.getresponse()
        packed = answer.read()
        size, body = len(packed) + len(str(answer.headers)), gzip.decompress(packed)
        told = json.loads(body[4 : 4 + int.from_bytes(body[:4], "little")])
        after = told["first"] + told["count"] - 1
        sizes.append(size)
        time.sleep(1.0)
    polled, lasted = _cpu_seconds(app.pid) - before, time.monotonic() - begun
    before = _cpu_seconds(app.pid)
    time.sleep(lasted)
    cpu = (polled - (_cpu_seconds(app.pid) - before)) / POLLS
    print(
        f"a poll of a live run: {statistics.median(sizes[1:]) / 1000:.1f} kB, at most "
        f"{max(sizes[1:]) / 1000:.1f} kB (bar 60); {1000 * cpu:.1f} ms of the server's processor (bar 5)",
        flush=True,
    )


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _start(app: Served, query: str) -> str:
    body = json.dumps({"query": query}).encode()
    request = urllib.request.Request(f"{app.base}/api/runs", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        started: dict[str, Any] = json.load(answer)
    return f"/api/runs/{started['id']}"


def _get(app: Served, path: str) -> tuple[int, bytes]:
    """Bytes received, and what they say."""
    request = urllib.request.Request(app.base + path, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        body = answer.read()
        packed = answer.headers.get("Content-Encoding") == "gzip"
        return len(body) + len(str(answer.headers)), gzip.decompress(body) if packed else body
