"""What keeps its place while it is dragged, and what is large enough to be read, in windows of any size."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import at_sizes, opened, seek, settle
from tests.browser.sizes import DESKTOP, LAPTOP, PHONE, PROJECTOR, Size

PLACES = """() => [...document.querySelectorAll('.plot')].filter((plot) => plot.checkVisibility())
  .map((plot) => { const {left, top, width, height} = plot.getBoundingClientRect();
  return [plot.id, left, top + scrollY, width, height].join(' '); })"""
HEIGHTS = """() => [...document.querySelectorAll('.panel')].filter((panel) => panel.checkVisibility())
  .map((panel) => panel.querySelector('.js-plotly-plot')._fullLayout.yaxis._length)"""

CHARTS = """() => [...document.querySelectorAll('.panel')].filter((panel) => panel.checkVisibility())
  .map((panel) => panel.querySelector('.plot').getBoundingClientRect().height)"""
"""With their axes' labels, as a reader sees them."""


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


@pytest.mark.parametrize(("size", "least"), [(LAPTOP, 180), (DESKTOP, 220), (PROJECTOR, 145), (PHONE, 145)])
def test_the_charts_of_the_first_visit_are_high_enough_to_read(
    open_page: OpenPage, size: Size, least: int
) -> None:
    page = opened(open_page, "/", size=size)
    expect(page.locator("#welcome")).to_be_visible()
    heights = page.evaluate(HEIGHTS)
    assert len(heights) == 4
    assert min(sorted(heights)[1:]) >= least, heights
    # over the fourth stand the names of all the others, in two rows
    assert min(heights) >= least - 30, heights
    charts = page.evaluate(CHARTS)
    assert size == PROJECTOR or min(charts) >= 220, charts
