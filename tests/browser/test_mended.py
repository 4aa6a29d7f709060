"""What once went wrong: requests that hang, panels that throw, keys in tables, panels that Python draws."""

import re

import pytest
from playwright.sync_api import Route, expect

from benchmarks.real_app import BOOTED
from components.common import ids
from tests.browser.conftest import QUICK, OpenPage, field, linked, until, wait_for
from tests.browser.playing import RACE, at_sizes, opened, settle, state
from tests.browser.sizes import LAPTOP, PHONE, SIZES, Size, failed_at
from tests.browser.test_shell import wait_for_run

SERVED = ("landscape", "sharpness")
TABLE = "document.querySelector('#table-loss')"
SCROLLED = {
    "End": "scrollTop + clientHeight >= scrollHeight - 1",
    "Home": "scrollTop === 0",
    "Space": "scrollTop > 20",
}
"""Where a table comes to rest after a key."""


def test_a_request_that_hangs_is_given_up_and_said(open_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("ERR_FAILED")
    page = open_page("/?epochs=4e8&seed=16&target=sin5&width=30", size=LAPTOP)
    page.locator("#run:enabled").click()
    until(page, "lab.runs()[0]?.status === 'running' && lab.runs()[0].frames > 5")
    hung: list[Route] = []
    page.route("**/frames*", lambda route: hung.append(route))
    expect(page.locator("#banner")).to_contain_text("does not answer")
    for _ in at_sizes(page):
        expect(page.locator("#banner")).to_be_in_viewport()
    expect(page.locator("#run-status")).to_contain_text("no contact")
    expect(page.locator("#run-note")).not_to_contain_text("left")
    page.unroute("**/frames*")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#run-status")).to_contain_text("running")
    page.locator("#stop").click()
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "stopped")


def test_an_answer_that_is_never_made_is_given_up_and_said(open_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("202")
    page = open_page(QUICK, size=LAPTOP)
    wait_for_run(page)
    asked: list[str] = []

    def put_off(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=202, json={"ahead": 0}, headers={"Retry-After": "0.001"})

    page.route("**/frames*", put_off)
    page.reload()
    expect(page.locator("#banner")).to_contain_text("no time")
    assert len(asked) >= 31, "one is asked for thirty times more"
    for _ in at_sizes(page):
        expect(page.locator("#banner")).to_be_in_viewport()
    page.unroute("**/frames*")
    until(page, "lab.runs()[0]?.frames > 5")
    expect(page.locator("#banner")).to_be_hidden()


def test_a_gap_in_the_frames_is_no_news(open_page: OpenPage) -> None:
    """An answer that lacks frames is asked for again, and nobody is told about frames."""
    page = open_page(QUICK, size=LAPTOP)
    wait_for_run(page)
    skipped: list[str] = []

    def skip_once(route: Route) -> None:
        if skipped:
            route.fallback()
            return
        skipped.append(route.request.url)
        route.fulfill(response=route.fetch(url=route.request.url.replace("after=-1", "after=5")))

    page.route("**/frames*", skip_once)
    page.add_init_script("""window.banners = []; addEventListener('DOMContentLoaded', () =>
      new MutationObserver(() => banners.push(document.querySelector('#banner')?.textContent))
        .observe(document, {childList: true, subtree: true}));""")
    page.reload()
    wait_for_run(page)
    until(page, "lab.runs()[0]?.frames > 5")
    assert skipped and not [text for text in page.evaluate("banners") if text and "missing" in text]
    for _ in at_sizes(page):
        expect(page.locator("#banner")).to_be_hidden()


def test_a_panel_that_throws_does_not_stop_the_others(open_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("on purpose")
    page = opened(open_page, size=LAPTOP)
    ink = "document.querySelector('#plot-biases .js-plotly-plot')._fullLayout.font.color"
    before = page.evaluate(ink)
    page.evaluate(
        """() => { const react = Plotly.react;
      Plotly.react = (plot, ...given) => {
        if (plot.closest('#plot-loss')) throw new Error('on purpose');
        return react(plot, ...given); }; }"""
    )
    page.locator("#theme-button").click()
    until(page, f"{ink} !== {before!r}")
    wide = "document.querySelector('#plot-biases .js-plotly-plot')._fullLayout.width"
    for _ in at_sizes(page, (*SIZES, LAPTOP)):
        expect(page.locator("#plot-loss .pl-empty")).to_contain_text("could not be drawn")
        until(page, f"{wide} === document.querySelector('#plot-biases').clientWidth")
    page.locator(".pl-track").focus()
    page.keyboard.press("Home")
    until(page, "lab.epoch() === 0")
    expect(page.locator(".pl-read")).to_contain_text("epoch 0")


@pytest.mark.parametrize("name", SERVED)
def test_a_panel_of_python_has_a_table_and_a_picture(open_page: OpenPage, name: str) -> None:
    page = opened(open_page, f"{RACE}&enlarged={name}", size=LAPTOP)
    expect(page.locator(f"#plot-{name} .scatterlayer .trace").first).to_be_attached()
    for _ in at_sizes(page, (*SIZES, LAPTOP)):
        page.locator(f"#panel-{name} .panel-data").click()
        expect(page.locator(f"#table-{name} tbody tr").nth(2)).to_be_visible()
        expect(page.locator(f"#table-{name} thead th").first).not_to_be_empty()
        page.locator(f"#panel-{name} [data-action=more]").click()
        page.get_by_role("menuitem", name="Save the picture").click()
        with page.expect_download() as download:
            page.locator("#picture-svg").click()
        assert download.value.suggested_filename == f"plateau-{name}.svg"
        assert "<path" in download.value.path().read_text()
        page.locator(f"#panel-{name} .panel-data").click()
        expect(page.locator(f"#table-{name}")).to_be_hidden()


@failed_at(LAPTOP)
def test_a_panel_of_python_waits_says_what_is_wrong_and_grows_in_present_mode(
    open_page: OpenPage, size: Size
) -> None:
    page = opened(open_page, size=size)
    held: list[Route] = []
    page.route(
        "**/_dash-update-component*",
        lambda route: (
            held.append(route)
            if ids.graph_id("landscape") in (route.request.post_data or "")
            else route.fallback()
        ),
    )
    page.locator("#tab-landscape").click()
    panel = page.locator("#plot-landscape")
    expect(panel).to_have_class(re.compile("pl-loading"))
    wait_for(page, lambda: bool(held))
    moment = (held[0].request.post_data_json or {})["inputs"][0]["value"]
    error = {"answer": {"asked": moment["asked"], "error": "Landscape could not be drawn."}}
    held[0].fulfill(json={"multi": True, "response": {ids.plot_id("landscape"): error}})
    expect(panel.locator(".pl-empty")).to_have_text("Landscape could not be drawn.")
    expect(panel).not_to_have_class(re.compile("pl-loading"))
    page.unroute("**/_dash-update-component*")
    page.locator(".pl-track").focus()
    page.keyboard.press("Home")
    expect(panel.locator(".textpoint text")).to_contain_text("neuron")
    expect(panel.locator(".pl-empty")).to_have_count(0)
    if size == PHONE:  # which presents nothing
        return
    type_size = "document.querySelector('#plot-landscape .js-plotly-plot')._fullLayout.font.size"
    before = page.evaluate(type_size)
    page.evaluate("lab.go('?epochs=3e4,300&method=gd,anls&seed=1&at=0&present=1&panels=landscape,loss')")
    until(page, f"{type_size} === {1.5 * before}")


def test_the_last_lesson_leads_to_the_lab(open_page: OpenPage) -> None:
    page = open_page("/lessons", wait=False)
    last = page.locator(".lesson-list a").last.get_attribute("href")
    page.goto(page.url.replace("/lessons", str(last)))
    place = page.locator("#lesson-place")
    expect(place).to_contain_text("1 of")
    steps = int(place.inner_text().split()[-1])
    for step in range(2, steps + 1):
        page.locator("#lesson-next").click()
        expect(place).to_contain_text(f"{step} of")
    until(page, linked(f"step={steps}"))  # the address follows the text
    last_step = page.url
    for _ in at_sizes(page):
        page.goto(last_step)
        expect(place).to_contain_text(f"{steps} of")
        page.locator("#lesson-next").click()
        page.wait_for_url(lambda url: "lesson=" not in url)
        page.wait_for_load_state()
        until(page, "window.lab?.view('lesson') === null")


def test_keys_in_a_table_move_the_table(open_page: OpenPage) -> None:
    page = opened(open_page, f"{RACE}&at=1000", size=LAPTOP)
    page.locator("#panel-loss").hover()
    page.locator("#panel-loss .panel-data").click()
    table = page.locator("#table-loss")
    expect(table.locator("tbody tr").nth(5)).to_be_visible()
    epoch = state(page)["epoch"]
    for _ in at_sizes(page):
        table.focus()
        for key, there in SCROLLED.items():
            page.keyboard.press(key)
            until(page, f"(({{scrollTop, clientHeight, scrollHeight}}) => {there})({TABLE})")
            settle(page)
        assert state(page)["epoch"] == epoch and not state(page)["playing"]


def test_the_study_takes_the_settings_from_the_link(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&method=gd&width=7", size=LAPTOP)
    wait_for_run(page)
    page.locator(field("width")).fill("8")
    page.locator(field("width")).press("Enter")
    until(page, "lab.view('width') === '8'")
    there = re.compile(r"/study\?epochs=2000&seed=0\.\.19&width=8")
    for width in at_sizes(page):
        if width == 390:
            page.locator(".pages-menu summary").click()
        page.locator("a:visible", has_text=re.compile("^Study$")).click()
        page.wait_for_url(there)
        page.go_back()
        page.wait_for_selector(BOOTED, state="attached")
        until(page, "lab.view('width') === '8'")


def test_a_typo_stays_out_of_the_link_and_is_mended_by_a_click(open_page: OpenPage) -> None:
    page = open_page(QUICK, size=LAPTOP)
    wait_for_run(page)
    page.locator("#source [value=formula]").check()
    page.locator(field("target")).fill("sine(x)")
    page.locator(field("target")).press("Enter")
    expect(page.locator("#error-target")).to_contain_text("did you mean sin?")
    expect(page.locator("#thumbnail .curve")).to_have_count(0)
    page.locator("#source [value=data]").check()
    expect(page.locator("#thumbnail.editable")).to_be_visible()
    expect(page.locator("#error-target")).to_be_hidden()
    assert "sine" not in page.url
    page.locator("#source [value=formula]").check()
    expect(page.locator(field("target"))).to_be_visible()
    for factor, _ in enumerate(at_sizes(page), 2):
        button = page.locator("#settings-button")
        expect(button.or_(page.locator(field("target"))).filter(visible=True).first).to_be_visible()
        if button.is_visible():  # on a phone the settings are a drawer
            button.click()
        page.locator(field("target")).fill(f"sine({factor}*x)")
        page.locator("#target-use", has_text=f"Use sin({factor}*x)").click()
        until(page, f"lab.view('target') === 'sin({factor}*x)'")
    wait_for_run(page)
