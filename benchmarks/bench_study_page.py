"""The long tasks of the Study page: for how long it does not answer while it loads, fills and is used.

`python -m benchmarks.bench_study_page` takes ten thousand short runs, of two methods, five widths and a
thousand seeds; an argument takes fewer seeds. A task is what Chromium's tracing calls one, on the main thread
of the page. Beside the wall-clock time of the longest of each phase stands its processor time, which other
work on the machine does not lengthen. The bar is 100 ms.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.real_app import chromium, real_app
from reproduction.ready_studies import EVERY_METHOD

FEW = "epochs=300,20&method=gd,anls&points=30&seed=0..1&width=4,5,6,7,8,9,10,11,12,13"
MANY = "epochs=300,20&method=gd,anls&points=20&seed=0..{last}&width=4,5,6,8,10"
GROUPS = f"{EVERY_METHOD}&seed=0..9"
"""A study that ships with the app: 16 groups in every picture."""
BAR = 100.0
LONG = 50.0
VISITS = 3
OPENING = 3_000
"""So long, in milliseconds, Chromium is busy with a new window of its own; a visitor's is open already."""
WHOLE = """
  [...document.querySelectorAll(".study-picture")].every((each) => each.querySelector(".scatterlayer .trace"))
  && document.querySelectorAll(".ag-center-cols-container .ag-row [col-id=loss]").length > 5"""
"""All pictures are drawn, and the table has rows."""


@dataclass(frozen=True)
class Task:
    """One turn of the main thread, in milliseconds."""

    wall: float
    processor: float


class Watch:
    """Chromium's tracing while somebody does something with a page."""

    def __init__(self, browser: Browser, page: Page) -> None:
        self._page = page
        self._session = browser.new_browser_cdp_session()
        self._session.on("Tracing.dataCollected", lambda part: self.events.extend(part["value"]))
        self._session.on("Tracing.tracingComplete", lambda _: self._ended.append(True))
        self.events: list[dict[str, Any]] = []
        self._ended: list[bool] = []

    def tasks(self, act: Callable[[], object], *more: str) -> list[Task]:
        """What the page's main thread did meanwhile, longest first; `more` are categories to be traced."""
        self.events.clear()
        self._ended.clear()
        config = {"includedCategories": ["disabled-by-default-devtools.timeline", *more]}
        self._session.send("Tracing.start", {"traceConfig": config, "transferMode": "ReportEvents"})
        act()
        self._session.send("Tracing.end")
        while not self._ended:
            self._page.wait_for_timeout(50)
        return _tasks(self.events)


def _tasks(events: list[dict[str, Any]]) -> list[Task]:
    """The tasks of the main thread that was busiest: the page's."""
    threads: dict[tuple[int, int], list[Task]] = {
        (event["pid"], event["tid"]): []
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    for event in events:
        found = threads.get((event["pid"], event["tid"]))
        if found is not None and event["name"] == "RunTask":
            found.append(Task(event.get("dur", 0) / 1e3, event.get("tdur", 0) / 1e3))
    busiest = max(threads.values(), key=lambda tasks: sum(task.wall for task in tasks))
    return sorted(busiest, key=lambda task: -task.wall)


def whole(page: Page) -> None:
    """Wait until the page stands, and a moment more for what comes after."""
    end = time.monotonic() + 120
    while not page.evaluate(WHOLE):
        if time.monotonic() > end:
            raise RuntimeError(f"the page is not whole: {page.url}")
        page.wait_for_timeout(100)
    page.wait_for_timeout(1_500)


def print_tasks(phase: str, tasks: list[Task]) -> None:
    """One line of the report."""
    long = [task for task in tasks if task.wall >= LONG]
    longest = tasks[0] if tasks else Task(0, 0)
    busiest = max((task.processor for task in tasks), default=0.0)
    others = ", ".join(f"{task.wall:.0f}" for task in long[1:8])
    print(
        f"{phase}: longest task {longest.wall:.0f} ms, of it {longest.processor:.0f} ms of processor time; "
        f"most processor time {busiest:.0f} ms (bar {BAR:.0f}); {len(long)} of 50 ms or more"
        + (f", the next {others}" if others else ""),
        flush=True,
    )


def main(seeds: int = 1_000) -> None:
    """A line a phase."""
    many = MANY.format(last=seeds - 1)
    with tempfile.TemporaryDirectory() as home, real_app(Path(home)) as app, chromium() as browser:
        filled(browser, f"{app.base}/study?{FEW}", "40 rows")
        filled(browser, f"{app.base}/study?{many}", f"{10 * seeds:,} rows")
        for name, query in (("40 rows", FEW), (f"{10 * seeds:,} rows", many), ("16 groups", GROUPS)):
            loaded(browser, f"{app.base}/study?{query}", name)
        used(browser, f"{app.base}/study?{many}")


def filled(browser: Browser, address: str, name: str) -> None:
    """Run a study and look on until it is done."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    page.locator("#study-run:enabled").wait_for(timeout=60_000)
    page.wait_for_timeout(2_000)

    def fill() -> None:
        page.locator("#study-run").click()
        page.get_by_text(" runs are done.").wait_for(timeout=600_000)
        whole(page)

    print_tasks(f"filling with {name}", Watch(browser, page).tasks(fill))
    page.close()


def loaded(browser: Browser, address: str, name: str) -> None:
    """Some new visitors."""
    tasks: list[Task] = []
    for _ in range(VISITS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.wait_for_timeout(OPENING)

        def visit(page: Page = page) -> None:
            page.goto(address)
            whole(page)

        tasks += Watch(browser, page).tasks(visit)
        context.close()
    print_tasks(f"loading with {name}, {VISITS} visits", sorted(tasks, key=lambda task: -task.wall))


def used(browser: Browser, address: str) -> None:
    """All that a hand does on the page."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    whole(page)
    watch = Watch(browser, page)
    for name, act in ACTS.items():

        def rest(act: Callable[[Page], None] = act) -> None:
            act(page)
            page.wait_for_timeout(1_500)

        print_tasks(name, watch.tasks(rest))
    page.close()


def _choose(page: Page) -> None:
    for name, value in (("across", "epochs"), ("up", "seconds"), ("level", "0.01")):
        page.select_option(f"#pick-{name}", value)
        page.wait_for_timeout(700)


def _group(page: Page) -> None:
    for value in ("width", "method", "width"):
        page.select_option("#pick-group", value)
        page.wait_for_timeout(1_500)


def _sort(page: Page) -> None:
    for _ in range(3):
        page.locator(".ag-header-cell[col-id=loss] .ag-header-cell-text").click()
        page.wait_for_timeout(700)


def _filter(page: Page) -> None:
    page.locator(".ag-header-cell[col-id=loss]").hover()
    page.locator(".ag-header-cell[col-id=loss] .ag-header-cell-filter-button").click()
    page.locator(".ag-filter input[type=number]:visible, .ag-filter input:visible").last.fill("0.1")
    page.wait_for_timeout(1_500)
    page.keyboard.press("Escape")


def _scroll(page: Page) -> None:
    page.locator(".study-grid").hover()
    for across, down in [(0, 400)] * 30 + [(300, 0)] * 10 + [(0, 20_000)] * 3:
        page.mouse.wheel(across, down)
        page.wait_for_timeout(60)


def _theme(page: Page) -> None:
    page.evaluate("scrollTo(0, 0)")
    page.locator("#reading-theme").click()


ACTS: dict[str, Callable[[Page], None]] = {
    "other columns and another loss": _choose,
    "other groups": _group,
    "sorting": _sort,
    "filtering": _filter,
    "scrolling the table": _scroll,
    "light to dark": _theme,
}


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
