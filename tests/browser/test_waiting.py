"""What takes a while says what it does, what is computed can be stopped, and estimates do not wander."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from benchmarks.real_app import BOOTED
from tests.browser.conftest import QUICK, OpenPage, field, until, what_it_waits_for
from tests.browser.playing import at_sizes, opened
from tests.browser.sizes import DESKTOP, PHONE, Size, failed_at

UPDATES = "**/_dash-update-component*"
FRAMES = re.compile(r"/frames\?")
STOP = "#stop, #stop-here"
"""Beside the settings, or in the bar of a phone."""
LONG = "/?epochs=1e9&points=200&seed={seed}&width=30"


def held(page: Page, pattern: str | re.Pattern[str], part: str = "") -> Callable[[], None]:
    """Keep back what is asked from now on; what is returned lets it go."""
    kept: list[Route] = []

    def hold(route: Route) -> None:
        kept.append(route) if part in (route.request.post_data or "") else route.fallback()

    def release() -> None:
        while kept:
            kept.pop(0).continue_()
        page.unroute(pattern)

    page.route(pattern, hold)
    return release


def change(page: Page, name: str, value: str, kind: str = "field") -> None:
    """Set a field, in the drawer of a phone or beside the charts, and look at the charts again."""
    if is_phone := page.locator("#settings-button").is_visible():
        page.locator("#settings-button").click()
    page.locator(field(name, kind)).fill(value)
    page.locator(field(name, kind)).press("Tab")
    if is_phone:
        page.locator("#settings-close").click()


@failed_at(DESKTOP)
def test_a_chosen_target_says_what_is_done_until_its_run_is_drawn(open_page: OpenPage, size: Size) -> None:
    page = opened(open_page, "/?epochs=2000&seed=81", size=size)
    sign, panels = page.locator("#overlay-text"), page.locator("#panels")
    answer = held(page, UPDATES, '"question"')
    frames = held(page, FRAMES)
    if is_phone := page.locator("#settings-button").is_visible():
        page.locator("#settings-button").click()
    page.locator(field("name", "gallery")).select_option("f2")
    expect(page.locator("#run-note")).to_have_text("Working out these settings…")
    if is_phone:
        page.locator("#settings-close").click()
    for _ in at_sizes(page):
        expect(sign).to_be_in_viewport()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(sign).to_have_text("Working out these settings…")
    expect(panels).to_have_attribute("data-waiting", "true")
    expect(page.locator("#overlay-run")).to_be_hidden()
    answer()
    expect(sign).to_have_text("Loading the run…")
    expect(panels).to_have_attribute("data-waiting", "true")
    frames()
    until(page, "lab.runs()[0]?.query.includes('f2') && lab.runs()[0].frames > 0")
    expect(page.locator("#overlay")).to_be_hidden()
    expect(panels).not_to_have_attribute("data-waiting", "true")
    expect(page.locator("#run-note")).not_to_contain_text("Working out")


def test_what_was_said_of_opening_a_link_goes_when_it_is_open(open_page: OpenPage) -> None:
    """Also where nothing runs yet, and nobody has anything else to say."""
    page = open_page(QUICK)
    answer = held(page, UPDATES, '"question"')
    page.goto(page.url.partition("/?")[0] + LONG.format(seed=93))
    expect(page.locator("#run-note")).to_have_text("Opening this link…")
    answer()
    expect(page.locator("#overlay-text")).to_contain_text("These settings have not been run yet")
    expect(page.locator("#run-note")).to_be_empty()


@failed_at(DESKTOP)
def test_the_drawer_of_stages_is_never_empty_without_a_sign(open_page: OpenPage, size: Size) -> None:
    page = opened(open_page, "/?epochs=2e4&seed=82", size=size)
    tables = held(page, UPDATES, "stage-table")
    page.keyboard.press("s")
    expect(page.locator("#stages-working")).to_have_text("Analysing the stages…")
    for _ in at_sizes(page):
        expect(page.locator("#stages-working")).to_be_in_viewport()
    tables()
    expect(page.locator("#stage-table tbody tr").first).to_be_visible()
    expect(page.locator("#stages-working")).to_be_hidden()


def start(page: Page) -> str:
    """Run what takes minutes; its name."""
    page.locator("#run, #overlay-run").locator("visible=true").first.click()
    try:
        until(page, "lab.runs().some((run) => run.status === 'running')")
    except AssertionError as error:
        raise AssertionError(f"{error}; {what_it_waits_for(page)}") from None
    return str(page.evaluate("lab.runs()[0].id"))


def has_status(page: Page, name: str, status: str) -> None:
    """The server comes to say so."""
    told = f"fetch('/api/runs/{name}?watch=no').then((answer) => answer.json())"
    until(page, f"{told}.then((run) => run.status === '{status}')")


def stop_of(page: Page) -> Locator:
    """The one that is in sight, in every window and without opening anything."""
    stop = page.locator(STOP).filter(visible=True)
    for _ in at_sizes(page):
        expect(stop).to_have_count(1)
        expect(stop).to_be_in_viewport(ratio=1.0)
    return stop


def stop_is_in_reach(page: Page) -> None:
    """And stops what is computed."""
    stop = stop_of(page)
    stop.click()
    expect(stop).to_have_count(0)


@pytest.mark.long
def test_stop_stays_in_reach_after_a_setting_was_changed(open_page: OpenPage) -> None:
    page = open_page(LONG.format(seed=83))
    name = start(page)
    change(page, "width", "31")
    expect(page.locator("#overlay-text")).to_contain_text("These settings have not been run yet")
    stop_is_in_reach(page)
    until(page, f"lab.runs().some((run) => run.id === '{name}' && run.status === 'stopped')")


def test_stop_is_in_reach_where_the_settings_are_hidden(open_page: OpenPage) -> None:
    page = open_page(LONG.format(seed=88), size=DESKTOP)
    name = start(page)
    link = page.evaluate("location.search")
    for view in ("controls=0", "lesson=plateau", "present=1", "embed=1"):
        key = view.partition("=")[0]
        page.evaluate("(query) => lab.go(query)", f"{link}&{view}")
        until(page, f"'{key}' in document.documentElement.dataset")
        expect(page.locator("#controls")).to_be_hidden()
        stop_of(page)
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    stop_is_in_reach(page)
    has_status(page, name, "stopped")


def test_a_run_that_was_left_behind_is_stopped_after_the_page_was_loaded_anew(open_page: OpenPage) -> None:
    page = open_page(LONG.format(seed=89))
    name = start(page)
    change(page, "gd", "1000", "budget")
    change(page, "seed", "90")
    expect(page.locator("#run-note")).to_contain_text("The run before is still being computed.")
    until(page, "location.search.includes('seed=90')")
    page.reload()
    page.wait_for_selector(BOOTED, state="attached")
    expect(page.locator("#run-note")).to_contain_text("The run before is still being computed.")
    stop_is_in_reach(page)
    has_status(page, name, "stopped")
    page.reload()
    page.wait_for_selector(BOOTED, state="attached")
    until(page, "lab.runs().some((run) => run.status === 'finished')")
    expect(page.locator(STOP).filter(visible=True)).to_have_count(0)


def test_stop_stays_in_reach_when_another_run_has_taken_the_screen(open_page: OpenPage) -> None:
    page = open_page(LONG.format(seed=84))
    name = start(page)
    change(page, "gd", "1000", "budget")
    until(page, f"lab.runs().some((run) => run.id === '{name}' && run.status === 'finished')")
    has_status(page, name, "running")
    expect(page.locator("#stop")).to_be_in_viewport()
    change(page, "seed", "85")
    until(page, f"lab.runs().every((run) => run.id !== '{name}' && run.status === 'finished')")
    has_status(page, name, "running")
    expect(page.locator("#run-note")).to_contain_text("The run before is still being computed.")
    stop_is_in_reach(page)
    has_status(page, name, "stopped")
    expect(page.locator("#run-note")).not_to_contain_text("still being computed")


def seconds_told(text: str) -> list[float]:
    """The ends of "about 9 to 24 s left", in seconds; of "a few seconds" none."""
    found = re.search(r"(?:about|up to) ([\d.]+)(?: (s|min|h))?(?: to ([\d.]+))? ?(s|min|h)? left", text)
    if not found:
        return []
    units = {"s": 1.0, "min": 60.0, "h": 3600.0}
    low, first, high, last = found.groups()
    unit = units[last or first]
    return [float(low) * (units[first] if first else unit), *([float(high) * unit] if high else [])]


def test_a_phone_stops_without_opening_the_settings(open_page: OpenPage) -> None:
    page = open_page(LONG.format(seed=87), size=PHONE, touch=True)
    name = start(page)
    bar, stop = page.locator("#bar"), page.locator("#stop-here")
    expect(stop).to_be_in_viewport(ratio=1.0)
    assert bar.evaluate("(bar) => bar.scrollWidth <= bar.clientWidth")
    stop.tap()
    has_status(page, name, "stopped")
    expect(stop).to_be_hidden()


@pytest.mark.long
@failed_at(DESKTOP)
def test_what_a_run_still_takes_is_a_range_that_does_not_jump(open_page: OpenPage, size: Size) -> None:
    """Two methods take turns on one worker."""
    page = open_page("/?epochs=3e8,3e8&method=gd,momentum&points=200&seed=86&width=30", size=size)
    start(page)
    told: list[list[float]] = []
    while len(told) < 12:
        ends = seconds_told(page.locator("#run-status").inner_text())
        if ends and (not told or ends != told[-1]):
            told.append(ends)
        page.wait_for_timeout(100)
    page.locator(STOP).filter(visible=True).click()
    assert all(len(ends) == 2 for ends in told[:3]), told
    for before, after in pairwise(told):
        if len(before) == len(after):
            for was, now in zip(before, after, strict=True):
                assert max(was, now) <= 2.0 * min(was, now), told
    until(page, "lab.runs().every((run) => run.status !== 'running')")
