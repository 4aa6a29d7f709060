"""What the page weighs, how soon it shows, and what a viewer of a run costs.

Bytes are those that Chromium received, headers included, compressed as they came. The first contentful paint
is the browser's own entry, on loopback; beside it stands when all four panels are drawn and the controls are
ready, which is what a person waits for: medians of five new visitors, as fast as the machine is and with the
processor slowed down four times by the DevTools protocol. Requests of a race that is under way are counted
by the browser, of every kind. With PLATEAU_AGAINST=<another checkout> both are
measured in turns. An edit of a setting is timed from the hand to the address bar. A poll's processor time is
that of the web process over many polls, less what it uses in the same time when nobody asks.
"""

import gzip
import http.client
import json
import os
import re
import statistics
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Request

from benchmarks.bars import verdict
from benchmarks.real_app import BOOTED, Served, checkouts, chromium, real_app
from components.common.comparison import read_comparison

RUNS = (
    ("f1, width 10, 1e8 epochs", "epochs=1e8&seed=11", 1.5),
    ("f2, width 300, 5e6 epochs", "target=f2&epochs=5e6", 10.0),
)
LIVE = "target=sin5&width=30&epochs=1e9&seed=1001"
POLLS = 30
RACE = "target=sin5&width=30&epochs=1e9&seed=" + ",".join(str(seed) for seed in range(2001, 2009))
COUNTED_SECONDS = 30
MAX_REQUESTS_PER_SECOND = 2.0
PANELS_OF_RACE = ("fit,loss", "loss,landscape", "loss,landscape,sharpness")
"""The last two have pictures that Python makes."""
VISITS = 5
WATCH = """(() => { const look = () => {
  const drawn = [...document.querySelectorAll(".panel")].filter((panel) => panel.offsetParent
    && panel.querySelector(".scatterlayer .trace"));
  const width = document.querySelector("[id*=width][id*=field]:is(input)");
  const why = document.querySelector("#explanation p");
  if (drawn.length >= 4 && width && width.value && why && why.textContent)
    document.documentElement.dataset.readyAt = performance.now();
  else setTimeout(look, 20);
}; look(); })()"""
"""Notes when four panels have curves in them, the settings have values and the sentence stands."""
EDITED = "/?epochs=2000&method=gd"
EDITS = 15
EDIT = """async (seed) => {
  const field = document.querySelector("[id*=seed][id*=field]:is(input)");
  const written = new Promise((done) => {
    for (const name of ["pushState", "replaceState"]) history[name] = (...entry) => {
      History.prototype[name].apply(history, entry);
      if (location.search.includes(`seed=${seed}`)) done(performance.now());
    };
  });
  const begun = performance.now();
  field.focus();
  // not the field's own setter: React would take the number for known
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, seed);
  for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  field.blur();
  return await written - begun;
}"""
"""Changes a number as a hand that lets go of it does; milliseconds until the link has it. It listens to the
writing itself: a look at the address now and then has to wait for whatever the page does next."""


def main() -> None:
    """Print every figure beside its bar."""
    with ExitStack() as stack:
        browser = stack.enter_context(chromium())
        apps = []
        for label, root in checkouts():
            home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            apps.append((label, stack.enter_context(real_app(home, root=root))))
        for label, served in apps:
            _weigh(label, served, browser)
        _first_visit(apps, browser)
        _edits(apps, browser)
        app = apps[-1][1]
        for name, query, bar in RUNS:
            _whole_run(app, name, query, bar)
        _polls(app)
        _race_of_eight(app, browser)


def _weigh(label: str, app: Served, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    for name, bar in (("first load", 900), ("repeat", 100)):
        page = context.new_page()
        received = _received(page)
        _open(page, app.base)
        kilobytes = sum(received) / 1000
        print(
            f"{label}{name} of /: {kilobytes:.0f} kB (bar {bar}) in {len(received)} requests (bar 50)",
            flush=True,
        )
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


def _first_visit(apps: list[tuple[str, Served]], browser: Browser) -> None:
    """What a person waits for, slowed down and not; the checkouts take turns."""
    for rate in (1, 4):
        found: dict[str, list[tuple[float, float, float]]] = {label: [] for label, _ in apps}
        for _ in range(VISITS):
            for label, app in apps:
                found[label].append(_visit(app, browser, rate))
        for label, visits in found.items():
            paint, ready, busy = (statistics.median(column) for column in zip(*visits, strict=True))
            best = min(visit[1] for visit in visits)
            print(
                f"{label}first visit, processor slowed down {rate}x: paint {paint:.2f} s, all panels drawn "
                f"and controls ready {ready:.2f} s (best {best:.2f}), main thread busy {busy:.2f} s",
                flush=True,
            )


def _edits(apps: list[tuple[str, Served]], browser: Browser) -> None:
    """From the hand to the address bar; the checkouts take turns."""
    pages = [(label, browser.new_page(), app) for label, app in apps]
    found: dict[str, list[float]] = {label: [] for label, _ in apps}
    for _, page, app in pages:
        _open(page, app.base + EDITED)
    for seed in range(100, 100 + EDITS):
        for label, page, _ in pages:
            found[label].append(float(page.evaluate(EDIT, str(seed))))
            page.wait_for_timeout(300)
    for label, page, _ in pages:
        page.close()
        times = found[label]
        print(
            f"{label}an edit of a setting is in the link after {statistics.median(times):.0f} ms "
            f"(best {min(times):.0f}, bar 150)",
            flush=True,
        )


def _visit(app: Served, browser: Browser, rate: int) -> tuple[float, float, float]:
    """Seconds to the first paint, to the last panel and control, and of processor time until then."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.add_init_script(WATCH)
    page.goto(app.base)
    page.wait_for_selector("html[data-ready-at]", state="attached", timeout=120_000)
    ready = float(page.get_attribute("html", "data-ready-at") or "nan") / 1000
    page.wait_for_timeout(1000)
    metrics = session.send("Performance.getMetrics")["metrics"]
    busy = next(float(entry["value"]) for entry in metrics if entry["name"] == "TaskDuration")
    paint = float(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")) / 1000
    context.close()
    return paint, ready, busy


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
        head = json.loads(body[4 : 4 + int.from_bytes(body[:4], "little")])
        after = head["first"] + head["count"] - 1
        sizes.append(size)
        time.sleep(1.0)
    polled, lasted = _cpu_seconds(app.pid) - before, time.monotonic() - begun
    before = _cpu_seconds(app.pid)
    time.sleep(lasted)
    cpu = (polled - (_cpu_seconds(app.pid) - before)) / POLLS
    print(
        f"a poll of a live run: {statistics.median(sizes[1:]) / 1000:.1f} kB, at most "
        f"{max(sizes[1:]) / 1000:.1f} kB (bar 1.5); {1000 * cpu:.1f} ms of the server's processor (bar 5)",
        flush=True,
    )


def _race_of_eight(app: Served, browser: Browser) -> None:
    """Requests per second of a page that follows eight runs, whatever they are for."""
    for config in read_comparison(RACE).configs:
        _start(app, config.to_query())
    for panels in PANELS_OF_RACE:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        _open(page, f"{app.base}/?{RACE}&panels={panels}")
        page.wait_for_timeout(5000)
        asked: list[str] = []
        page.on("request", partial(_note, asked))
        page.wait_for_timeout(1000 * COUNTED_SECONDS)
        page.close()
        per_second = len(asked) / COUNTED_SECONDS
        of = Counter(re.sub("/runs/[^/]*", "/runs", path) for path in asked)
        result = f"a live race of eight with {panels}: {per_second:.2f} requests per second"
        print(f"{result} {verdict(per_second, MAX_REQUESTS_PER_SECOND, 'less')}: {dict(of)}", flush=True)


def _note(asked: list[str], request: Request) -> None:
    asked.append(urlsplit(request.url).path)


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
