"""What keeps its place while it is dragged, and what is large enough to be read, in windows of any size."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, until
from tests.browser.playing import at_sizes, opened, seek, settle
from tests.browser.sizes import DESKTOP, LAPTOP, PHONE, PROJECTOR

PLACES = """() => [...document.querySelectorAll('.plot')].filter((plot) => plot.checkVisibility())
  .map((plot) => { const {left, top, width, height} = plot.getBoundingClientRect();
  return [plot.id, left, top + scrollY, width, height].join(' '); })"""
HEIGHTS = """() => [...document.querySelectorAll('.panel')].filter((panel) => panel.checkVisibility())
  .map((panel) => panel.querySelector('.js-plotly-plot')._fullLayout.yaxis._length)"""

CHARTS = """() => [...document.querySelectorAll('.panel')].filter((panel) => panel.checkVisibility())
  .map((panel) => panel.querySelector('.plot').getBoundingClientRect().height)"""
"""With their axes' labels, as a reader sees them."""
ARE_LAID_OUT = """(width) => innerWidth === width
  && [...document.querySelectorAll('.panel')].filter((panel) => panel.checkVisibility()).every((panel) => {
    const { width, height } = panel.querySelector('.js-plotly-plot')._fullLayout;
    const box = panel.querySelector('.plot').getBoundingClientRect();
    return Math.abs(width - box.width) < 1 && Math.abs(height - box.height) < 1; })"""
"""The plots have followed a change of the window."""
LEAST = {DESKTOP: 220, LAPTOP: 180, PROJECTOR: 145, PHONE: 145}
"""Pixels of a chart, by window."""


def test_nothing_moves_while_the_timeline_or_a_bias_is_dragged(open_page: OpenPage) -> None:
    page = opened(open_page, size=LAPTOP)
    for size in at_sizes(page):
        track = page.locator(".pl-track").bounding_box()
        assert track is not None
        widths = []
        page.mouse.move(track["x"] + 1, track["y"] + 12)
        page.mouse.down()
        for k in range(11):
            page.mouse.move(track["x"] + 1 + 0.1 * k * (track["width"] - 2), track["y"] + 12)
            settle(page)
            widths.append(page.locator(".pl-track").evaluate("(track) => track.clientWidth"))
        page.mouse.up()
        assert len(set(widths)) == 1, f"the timeline changes its width at {size}: {widths}"

        seek(page, 1000)
        strip = page.locator("#plot-fit .pl-strip")
        strip.evaluate("(strip) => strip.scrollIntoView({block: 'center'})")
        settle(page)
        before = page.evaluate(PLACES)
        box = strip.bounding_box()
        assert box is not None
        across, level = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for _ in range(100):  # to the first cross right of the middle
            page.mouse.move(across, level)
            if "pl-grab" in (strip.get_attribute("class") or ""):
                break
            across += 3
        page.mouse.down()
        page.mouse.move(across + 12, level, steps=4)
        expect(page.locator("#hands-on")).to_be_visible()
        settle(page)
        assert page.evaluate(PLACES) == before, f"the charts move under the pointer at {size}"
        page.mouse.up()
        page.locator("#hands-drop").click()
        expect(page.locator("#hands-on")).to_be_hidden()


def test_the_charts_of_the_first_visit_are_high_enough_to_read(open_page: OpenPage) -> None:
    page = opened(open_page, "/")
    for size, least in LEAST.items():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator("#welcome")).to_be_visible()
        until(page, f"({ARE_LAID_OUT})({size[0]})")
        heights = page.evaluate(HEIGHTS)
        assert len(heights) == 4
        assert min(sorted(heights)[1:]) >= least, (size, heights)
        # over the fourth stand the names of all the others, in two rows
        assert min(heights) >= least - 30, (size, heights)
        charts = page.evaluate(CHARTS)
        assert size == PROJECTOR or min(charts) >= 220, (size, charts)
