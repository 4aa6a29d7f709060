"""A phone: lessons show the chart that they speak of, the bar is small, fingers read and zoom the charts."""

import re
import time

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import OpenPage, linked, until
from tests.browser.playing import RACE, at_sizes, opened, place_of, touch
from tests.browser.sizes import PHONE, SIZES, Size, failed_at

LESSONS = ("plateau", "crossing", "pinned", "regression", "anls", "rate", "stability", "forecast", "river")
ONCE_WRONG = ("plateau", "pinned")
SHOWN = """() => {
  const strip = document.querySelector('#panels').getBoundingClientRect();
  const marked = [...document.querySelectorAll('.panel.highlighted')].filter((one) => one.checkVisibility());
  const wanted = (lab.view('highlight') ?? '').split(',').filter(Boolean);
  const seen = (panel) => {
    const {left, right, width} = panel.getBoundingClientRect();
    return Math.min(right, strip.right) - Math.max(left, strip.left) > 0.9 * Math.min(width, strip.width);
  };
  return !wanted.length || marked.some(seen);
}"""
IS_FREE = """(selector) => {
  const place = document.querySelector(selector);
  const {left, top, bottom} = place.getBoundingClientRect();
  return [top + 8, bottom - 8].every((y) => place.contains(document.elementFromPoint(left + 40, y)));
}"""


def step_is(page: Page, number: int) -> None:
    """The text of a step is there, and the link says so."""
    expect(page.locator("#lesson-place")).to_contain_text(f"{number} of")
    until(page, f"lab.view('step') === '{number}' || {number} === 1")


@pytest.mark.parametrize(
    "lesson", [each if each in ONCE_WRONG else pytest.param(each, marks=pytest.mark.long) for each in LESSONS]
)
def test_every_step_shows_the_chart_it_speaks_of(open_page: OpenPage, lesson: str) -> None:
    page = open_page(f"/?lesson={lesson}", size=PHONE, touch=True)
    step_is(page, 1)
    steps = int(page.locator("#lesson-place").inner_text().split()[-1])
    for number in range(1, steps + 1):
        step_is(page, number)
        until(page, f"({SHOWN})()")
        heading, bar = page.locator(".lesson-step h2"), page.locator("#moment-bar")
        expect(heading).to_be_in_viewport()
        top, under = heading.bounding_box(), bar.bounding_box()
        assert top is not None and under is not None and top["y"] >= under["y"] + under["height"] - 1
        if lesson in ONCE_WRONG:
            for _ in at_sizes(page, (*SIZES[1:], PHONE)):
                until(page, f"({SHOWN})()")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        if number < steps:
            page.locator("#lesson-next").tap()


def test_the_verdict_is_not_behind_the_buttons(open_page: OpenPage) -> None:
    page = open_page("/?lesson=plateau", size=PHONE, touch=True)
    step_is(page, 1)
    page.locator(".option").first.tap()
    expect(page.locator(".reveal .verdict")).to_have_text("Not quite.")
    until(page, f"({IS_FREE})('.reveal')")
    for _ in at_sizes(page):
        page.locator(".reveal").evaluate("(reveal) => reveal.scrollIntoView({ block: 'center' })")
        until(page, f"({IS_FREE})('.reveal')")
        until(page, f"({SHOWN})()")


def test_the_timeline_does_not_give_the_answer_away(open_page: OpenPage) -> None:
    page = open_page("/?lesson=plateau&step=3", size=PHONE, touch=True)
    step_is(page, 3)
    clip = "getComputedStyle(document.querySelector('.pl-stages')).clipPath"
    for _ in at_sizes(page):
        until(page, f"{clip}.startsWith('polygon(0')")
    page.locator(".option").last.tap()
    expect(page.locator(".reveal .verdict")).to_be_visible()
    for _ in at_sizes(page):
        until(page, f"{clip} === 'none'")


def test_the_bar_is_a_timeline_and_what_happens(open_page: OpenPage) -> None:
    page = opened(open_page, size=PHONE, touch=True)
    bar = page.locator("#moment-bar").bounding_box()
    assert bar is not None and bar["height"] < 844 / 5
    expect(page.locator(".pl-sentence")).to_be_visible()
    expect(page.locator(".pl-ending")).to_be_visible()
    for hidden in (".pl-next", ".pl-time", "#stages-button", ".pl-why", ".pl-read"):
        expect(page.locator(hidden).first).to_be_hidden()
    page.get_by_role("button", name="More controls").tap()
    for shown in (".pl-next", ".pl-time", "#stages-button", ".pl-why", ".pl-read"):
        expect(page.locator(shown).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="More controls").tap()
    for _ in at_sizes(page):
        expect(page.locator(".pl-sentence")).to_be_visible()
        assert page.evaluate("document.querySelector('#moment-bar').clientHeight < innerHeight / 3")


def test_a_tap_on_a_chart_tells_what_is_there(open_page: OpenPage) -> None:
    page = opened(open_page, size=PHONE, touch=True)
    tip = page.locator("#plot-loss .pl-tip")
    for _ in at_sizes(page):
        page.touchscreen.tap(*place_of(page, "loss", 100, 0.5))
        expect(tip).to_be_visible()
        expect(tip).to_contain_text(re.compile("epoch (99|100|101)GD"))
        page.locator("#method-tabs button").first.tap()
        expect(tip).to_be_hidden()


def double_tap(session: CDPSession, x: float, y: float) -> None:
    """Two taps a tenth of a second apart, however long the page takes for the first."""
    now = time.time()
    for after in (0.0, 0.1):
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            told = {"type": kind, "touchPoints": points, "timestamp": now + after + 0.02 * (not points)}
            session.send("Input.dispatchTouchEvent", told)


BUSY_AFTER_A_TAP = """() => { window.apart = 0; let first = 0;
  addEventListener("pointerup", () => {
    const now = performance.now();
    if (first) { window.apart = now - first; return; }
    first = now;
    while (performance.now() < now + 600);
  }, true); }"""


def test_two_fingers_zoom_the_time_of_all_charts(open_page: OpenPage) -> None:
    page = opened(open_page, RACE, size=PHONE, touch=True)
    session = page.context.new_cdp_session(page)
    for _ in at_sizes(page):
        x, y = place_of(page, "loss", 100, 0.1)
        touch(session, "touchStart", [(x - 30, y), (x + 30, y)])
        for apart in (40, 60, 80, 100):
            touch(session, "touchMove", [(x - apart, y), (x + apart, y)])
        until(page, "Number((lab.view('zoom') ?? '0').split(',')[0]) > 5")
        touch(session, "touchEnd", [])
        low, high = (float(end) for end in page.evaluate("lab.view('zoom')").split(","))
        assert 2 < low < 100 < high < 3000, "what is between the fingers stays there"
        assert page.evaluate("visualViewport.scale") == 1
        double_tap(session, x, y)
        until(page, "lab.view('zoom') === null")


@failed_at(PHONE)
def test_a_page_that_is_busy_takes_two_quick_taps_for_a_double_one(open_page: OpenPage, size: Size) -> None:
    """It hears of the second long after the first; what counts is when the finger came down."""
    page = opened(open_page, f"{RACE}&zoom=10,1000", size=size, touch=True)
    page.evaluate(BUSY_AFTER_A_TAP)
    double_tap(page.context.new_cdp_session(page), *place_of(page, "loss", 100, 0.1))
    until(page, "lab.view('zoom') === null")
    assert page.evaluate("window.apart") > 500


def test_the_other_pages_are_a_tap_away_and_no_title_is_hidden(open_page: OpenPage) -> None:
    page = opened(open_page, size=PHONE, touch=True)
    for _ in at_sizes(page, (*SIZES[1:], PHONE)):
        title, more = (
            page.locator("#title-loss").bounding_box(),
            page.locator("[data-action=more][data-panel=loss]").bounding_box(),
        )
        assert title is not None and more is not None and title["x"] + title["width"] <= more["x"]
    page.locator(".pages-menu summary").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".pages-menu a", has_text="Lessons").tap()
    page.wait_for_url("**/lessons")


def test_the_list_of_lessons_knows_how_far_somebody_has_come(open_page: OpenPage) -> None:
    page = open_page("/?lesson=plateau", size=PHONE)
    expect(page.locator("#lesson-place")).to_contain_text("1")
    page.locator("#lesson-next").click()
    until(page, linked("step=2"))
    page.goto(page.url.split("/?")[0] + "/lessons")
    first = page.locator(".lesson-list a").first
    for _ in at_sizes(page):
        expect(first.locator(".note")).to_have_text(re.compile(r"step 2 of \d+"))
        expect(first.locator(".note")).to_be_in_viewport()
    first.click()
    page.wait_for_url(re.compile("lesson=plateau.*step=2"))
    expect(page.locator("#lesson-place")).to_contain_text("2")
