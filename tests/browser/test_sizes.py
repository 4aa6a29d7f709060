"""No text lies over another and none is cut off: six sizes, both themes, every kind of screen."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from reproduction.ready_studies import READY
from tests.browser.conftest import OpenPage, in_both_themes, until
from tests.browser.playing import AT_REST, settle
from tests.effort import SEARCHING

MEASURE = (Path(__file__).parent / "texts.js").read_text("utf-8")
OFFERED = "document.querySelector('#overlay').checkVisibility() && !document.querySelector('#run').disabled"
SIZES = {
    "1920": (1920, 1080),
    "1440": (1440, 900),
    "1366": (1366, 768),
    "1024": (1024, 768),
    "phone": (390, 844),
    "200 %": (720, 450),
}
ONCE_WRONG = {"light": ("1024", "phone", "200 %"), "dark": ("phone",)}
"""What `make test` looks at; `make test-long` takes every size in both themes."""
SCREENS = {
    "lab": "/",
    "race of eight": "/?epochs=3000&method=gd,adam,flow,lsq,ls_gd,ls_adam,anls,anls_plus&seed=3",
    "width 300": "/?epochs=2000,20&method=gd,anls&width=300&seed=1",
    "lesson": "/?lesson=pinned&step=2",
    "present": "/?epochs=1e8,500&method=gd,anls&present=1&target=f1",
    "paper": "/paper",
    "study": f"/study?{READY[1][1]}",
}


def measured(page: Page) -> dict[str, Any]:
    """What is wrong once the page rests after a change of its size; plots follow a moment later."""
    for _ in range(20):
        settle(page)
        found: dict[str, Any] = page.evaluate(MEASURE)
        if not (found["cut"] or found["over"] or found["sideways"] > 0):
            return {}
    return found


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_cut_and_nothing_overlaps(open_page: OpenPage, screen: str) -> None:
    is_lab = screen not in ("paper", "study")
    page = open_page(SCREENS[screen], wait=is_lab)
    if is_lab:
        until(page, f"lab.runs().length > 0 || {OFFERED}")
        if page.evaluate(OFFERED):  # where kernels are still being compiled even this is expensive
            page.locator("#run").dispatch_event("click")  # nothing happens where it has begun by itself
        until(page, "lab.runs().length > 0")
        until(page, "lab.runs().every((run) => run.status === 'finished' && run.frames > 0)")
        until(page, AT_REST)
    if screen == "study":
        expect(page.locator("#study-grid .ag-row").first).to_be_visible()
    wrong = {}
    for theme in in_both_themes(page):
        for name in SIZES if SEARCHING else ONCE_WRONG[theme]:
            width, height = SIZES[name]
            page.set_viewport_size({"width": width, "height": height})
            if found := measured(page):
                wrong[f"{theme} {name}"] = found
    assert not wrong, wrong


@pytest.mark.parametrize("size", ["200 %", "phone"])
def test_a_lesson_leaves_room_for_its_text(open_page: OpenPage, size: str) -> None:
    """Scrolled to, it has a third of the window at least, between what stays at the top and at the bottom."""
    page = open_page(SCREENS["lesson"], size=SIZES[size])
    until(page, "document.querySelector('.lesson-step h2')?.checkVisibility()")
    page.locator(".lesson-step").first.evaluate("(step) => step.scrollIntoView({ block: 'end' })")
    settle(page)
    free = page.evaluate("""() => {
      const seen = [];
      for (let y = 0; y < innerHeight; y += 4)
        seen.push(document.elementFromPoint(innerWidth / 2, y)?.closest('.lesson-text') ? 1 : 0);
      return seen.reduce((sum, one) => sum + one, 0) / seen.length;
    }""")
    assert free > 1 / 3
