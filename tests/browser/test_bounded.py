"""What a page must not gather or do at every frame: listeners, searches of a lesson; and equal points."""

from collections import Counter

from playwright.sync_api import CDPSession, expect

from tests.browser.conftest import OpenPage, until, wait_for
from tests.browser.playing import opened, seek
from tests.browser.sizes import DESKTOP, LAPTOP, Size, failed_at
from tests.browser.test_drawing import CENTRES, shown_pad
from tests.browser.test_shell import wait_for_run

ADD_A_PLAYER = """() => {
  window.kept = dash_component_api.getLayout("workspace").props.children;
  const { namespace, props } = window.kept;
  const { timeline, story, race } = props;
  const children = { namespace, type: "Panel", props: { id: "second-loss", name: "loss" } };
  const second = { namespace, type: "Player", props: { id: "second", timeline, story, race, children } };
  dash_clientside.set_props("workspace", { children: [window.kept, second] });
}"""
COUNT_SEARCHES = """() => { window.searches = [];
  const lesson = document.querySelector("#lesson");
  for (const kind of [Document, Element])
    for (const name of ["querySelector", "querySelectorAll"]) {
      const search = kind.prototype[name];
      kind.prototype[name] = function (selector) {
        if (lesson.contains(this) || selector.includes("lesson")) window.searches.push(selector);
        return search.call(this, selector);
      };
    }
}"""


def listeners(session: CDPSession) -> Counter[tuple[str, str]]:
    """How many listen to the window and to the document, by what they wait for."""
    found: Counter[tuple[str, str]] = Counter()
    for place in ("window", "document"):
        name = session.send("Runtime.evaluate", {"expression": place})["result"]["objectId"]
        for one in session.send("DOMDebugger.getEventListeners", {"objectId": name})["listeners"]:
            found[place, one["type"]] += 1
    return found


@failed_at(LAPTOP)
def test_a_player_that_is_taken_off_the_page_leaves_no_listener_behind(
    open_page: OpenPage, size: Size
) -> None:
    """A callback adds a second one, and takes it away again; React puts its effects off until it has time."""
    page = opened(open_page, size=size)
    session = page.context.new_cdp_session(page)
    before = listeners(session)
    for _ in range(3):
        page.evaluate(ADD_A_PLAYER)
        expect(page.locator("#second .pl-track")).to_be_attached()
        wait_for(page, lambda: (listeners(session) - before)["window", "pointerup"] == 1)  # its panel's
        page.evaluate("dash_clientside.set_props('workspace', { children: window.kept })")
        expect(page.locator("#second")).to_have_count(0)
        wait_for(page, lambda: listeners(session) == before)


ZOOMS = """async (from) => {
  for (let k = from; k < from + 200; k++) {
    lab.set({ zoom: [1 + k / 7, 1000 + k] });
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
}"""
MOST_GROWTH = 3e6
"""Bytes; without a bound they were 15 million in 200 zooms."""


def heap(session: CDPSession) -> float:
    """Bytes of the page's objects that somebody still holds."""
    session.send("HeapProfiler.collectGarbage")
    return float(session.send("Runtime.getHeapUsage")["usedSize"])


@failed_at(LAPTOP)
def test_two_hundred_zooms_keep_no_table_of_each(open_page: OpenPage, size: Size) -> None:
    """Once what may be kept is full, more zooms need no more."""
    page = opened(open_page, size=size)
    session = page.context.new_cdp_session(page)
    page.evaluate(ZOOMS, 0)
    before = heap(session)
    page.evaluate(ZOOMS, 200)
    grown = heap(session) - before
    print(f"\n200 zooms at {size[0]}: the heap grows by {grown / 1e6:.2f} MB from {before / 1e6:.1f} MB")
    assert grown < MOST_GROWTH


@failed_at(DESKTOP)
def test_scrubbing_behind_a_curtain_searches_no_lesson(open_page: OpenPage, size: Size) -> None:
    page = open_page("/?lesson=pinned&step=2", size=size)
    until(page, "lab.runs().length > 0 && lab.runs().every((run) => run.frames > 0)")
    until(page, "lab.epoch() === 11000")
    curtain = page.locator("#plot-biases .pl-curtain")
    expect(curtain).to_be_visible()
    before = curtain.get_attribute("x")
    page.evaluate(COUNT_SEARCHES)
    for epoch in range(500, 10_500, 500):
        seek(page, epoch)
    assert curtain.get_attribute("x") != before, "the curtain has moved"
    assert page.evaluate("window.searches") == []


@failed_at(LAPTOP)
def test_points_with_the_same_x_are_drawn_once_and_stay_apart_from_the_others(
    open_page: OpenPage, size: Size
) -> None:
    """They are one point, of their mean and their weight."""
    page = open_page("/?data=-1:0;0:-1;0:1;0:0.5;1:0&epochs=2000&method=gd", size=size)
    wait_for_run(page)
    data = shown_pad(page).locator(".datum")
    expect(data).to_have_count(3)
    places = sorted(page.evaluate(CENTRES))
    page.mouse.click(*places[0])
    expect(data).to_have_count(2)
    assert sorted(page.evaluate(CENTRES)) == places[1:]
