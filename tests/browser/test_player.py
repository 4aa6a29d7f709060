"""The player in a real browser: scrubbing, keys, the stage table, losing the server, a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, field, until
from tests.browser.playing import (
    COUNT_REDRAWS,
    RACE,
    at,
    gd_frames,
    opened,
    place_of,
    seek,
    settle,
    starts,
    state,
)


def test_scrubbing_moves_every_picture_and_redraws_no_history(same_page: OpenPage) -> None:
    page = opened(same_page)
    seek(page, 1000)
    page.evaluate(COUNT_REDRAWS)
    sizes = (
        "() => [...document.querySelectorAll('.plot')].map((plot) => plot.getBoundingClientRect().toJSON())"
    )
    before = page.evaluate(sizes)
    cursors, pictures, sentences, tracks = set(), set(), set(), set()
    for epoch in (0, 3, 50, 1000, 20_000, 30_000):
        seek(page, epoch)
        assert state(page)["epoch"] <= epoch
        cursors.add(page.locator("#plot-loss .pl-cursor").get_attribute("x1"))
        pictures.add(page.evaluate("document.querySelector('#plot-fit .pl-board').toDataURL()"))
        sentences.add(page.locator(".pl-sentence").text_content())
        tracks.add(page.locator(".pl-track").evaluate("(track) => track.style.getPropertyValue('--now')"))
    assert len(cursors) == len(pictures) == len(tracks) == 6 and len(sentences) > 1
    assert page.evaluate("window.reacts") == 0
    assert page.evaluate(sizes) == before, "a longer sentence must not push the panels about"


def test_every_run_shows_its_last_frame_at_or_before_the_cursor(same_page: OpenPage) -> None:
    page = opened(same_page)
    seek(page, 7)
    now = state(page)
    shown = {run["method"]: now["frames"][run["id"]] for run in now["runs"]}
    assert shown["anls"] == 7
    assert gd_frames()[shown["gd"]].epoch == 7
    seek(page, 29_999)
    now = state(page)
    anls = next(run for run in now["runs"] if run["method"] == "anls")
    assert now["frames"][anls["id"]] == anls["frames"] - 1


def test_the_keys_step_by_frame_and_by_stage_and_play(same_page: OpenPage) -> None:
    page = opened(same_page)
    page.keyboard.press("Home")
    at(page, 0)
    until(page, "!lab.moment().following")
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    for start in starts()[1:4]:
        page.keyboard.press("Shift+ArrowRight")
        at(page, start)
    page.keyboard.press("Shift+ArrowLeft")
    at(page, starts()[2])
    page.keyboard.press("End")
    at(page, 30_000)
    until(page, "lab.moment().following")
    page.keyboard.press("Home")
    until(page, "lab.epoch() === 0")
    page.keyboard.press(" ")
    until(page, "lab.epoch() > 1 && lab.playing()")
    page.keyboard.press(" ")
    until(page, "!lab.playing()")


def test_the_scrubber_is_a_slider_for_everyone(same_page: OpenPage) -> None:
    page = opened(same_page)
    slider = page.get_by_role("slider", name="Epoch")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10, steps=4)
    page.mouse.up()
    settle(page)
    epoch = state(page)["epoch"]
    assert 10 < epoch < 1000
    assert float(slider.get_attribute("aria-valuenow") or "nan") == epoch
    assert "stage" in (slider.get_attribute("aria-valuetext") or "")
    slider.focus()
    page.keyboard.press("ArrowRight")
    until(page, f"lab.epoch() > {epoch}")


def test_typing_in_a_field_does_not_move_time(same_page: OpenPage) -> None:
    page = opened(same_page)
    seek(page, 100)
    page.locator(field("width")).focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    settle(page)
    assert state(page)["epoch"] == 100


def test_a_click_goes_to_the_moment_and_a_zoom_is_shared(same_page: OpenPage) -> None:
    page = opened(same_page)
    x, y = place_of(page, "loss", 100, 0.5)
    page.mouse.click(x, y)
    until(page, "Math.abs(lab.epoch() - 100) <= 10")
    page.wait_for_timeout(400)
    left, top = place_of(page, "loss", 10, 0.5)
    right, _ = place_of(page, "loss", 1000, 0.5)
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move((left + right) / 2, top + 1, steps=4)
    page.mouse.move(right, top + 2, steps=4)
    page.mouse.up()
    span = "document.querySelector('#plot-{} .js-plotly-plot')._fullLayout.xaxis.range"
    until(page, f"{span.format('biases')}[0] > 0.5")
    for panel in ("loss", "biases"):
        low, high = page.evaluate(span.format(panel))
        assert low == pytest.approx(1, abs=0.05) and high == pytest.approx(3, abs=0.05)
    page.mouse.dblclick(left + 30, top + 40)
    until(page, f"{span.format('biases')}[0] < 0.5")


def test_a_stage_of_the_table_is_a_jump(same_page: OpenPage) -> None:
    page = opened(same_page, RACE + "&stages=1")
    rows = page.locator("#stage-table tbody tr")
    expect(rows.first).to_be_visible()
    assert rows.count() == len(starts())
    rows.nth(2).locator("button").click()
    at(page, starts()[2])
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")
    expect(page.locator(".pl-sentence")).to_contain_text("Stage 3")


@pytest.mark.long
def test_losing_the_server_is_said_quietly_and_mended(open_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("ERR_FAILED")
    page = open_page("/?epochs=4e8&seed=6&target=sin5&width=30")
    page.locator("#run:enabled").click()
    until(page, "lab.runs()[0]?.status === 'running' && lab.runs()[0].frames > 5")
    page.route("**/frames*", lambda route: route.abort())
    expect(page.locator("#banner")).to_contain_text("does not answer")
    page.unroute("**/frames*")
    expect(page.locator("#banner")).to_be_hidden()
    page.locator("#stop").click()
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "stopped")


@pytest.mark.long
def test_a_phone_gets_the_same_player(open_page: OpenPage) -> None:
    page = opened(open_page, size=(390, 844), touch=True)
    expect(page.locator(".pl-play")).to_be_visible()
    for selector in (".pl-track", ".pl-sentence", "#plot-loss"):
        box = page.locator(selector).bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390, selector
    mode = page.evaluate("document.querySelector('#plot-loss .js-plotly-plot').layout.dragmode")
    assert mode is False, "a swipe must scroll"
    page.locator(".pl-play").tap()
    until(page, "lab.playing()")


def test_the_moment_of_a_link_waits_for_the_run_that_reaches_it(open_page: OpenPage) -> None:
    """ANLS is loaded first and ends at a few dozen iterations: that is not where the link points."""
    page = opened(open_page, RACE + "&at=1000")
    settle(page)
    assert state(page)["epoch"] == 1000 and not state(page)["following"]


def test_a_hidden_tab_asks_for_nothing(open_page: OpenPage) -> None:
    page = open_page("/?epochs=4e8&seed=5&target=sin5&width=30")
    until(page, "lab.runs().length > 0 || !document.querySelector('#run').disabled")
    if page.evaluate("lab.runs().length === 0"):
        page.locator("#run").click()
    until(page, "lab.runs()[0]?.status === 'running'")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    until(page, "lab.runs()[0].frames > 0")
    with page.expect_request("**/frames*"):
        pass
    hide = """(hidden) => { Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
      document.dispatchEvent(new Event("visibilitychange")); }"""
    page.evaluate(hide, True)
    page.wait_for_timeout(1500)
    asked.clear()
    page.wait_for_timeout(2500)
    assert not [url for url in asked if "/frames" in url]
    with page.expect_request("**/frames*"):
        page.evaluate(hide, False)
    page.evaluate("fetch('/api/runs/' + lab.runs()[0].id + '/stop', {method: 'POST'})")
    until(page, "lab.runs()[0].status === 'stopped'", 30)


def test_the_space_bar_before_the_first_frame_does_nothing(open_page: OpenPage) -> None:
    page = open_page(RACE + "&at=1000", wait=False)
    page.route("**/frames*", lambda _: None)
    page.reload()  # the first frames may have been here before they could be held up
    page.wait_for_selector("html[data-booted]", state="attached")
    until(page, "lab.runs().length > 0")
    page.keyboard.press(" ")
    assert page.evaluate("lab.playing()") is False
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    page.keyboard.press(" ")
    until(page, "lab.runs().length > 0 && lab.runs().every((run) => run.frames > 0)")
    page.wait_for_timeout(500)
    assert page.evaluate("lab.epoch()") >= 1000


@pytest.mark.long
def test_a_lost_answer_is_asked_for_again_in_good_time(open_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("ERR_FAILED")
    page = opened(open_page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/rates" in request.url else None)
    page.route("**/rates*", lambda route: route.abort())
    page.locator("#tab-rates").click()
    page.wait_for_timeout(2500)
    assert 1 <= len(asked) <= 3
    page.unroute("**/rates*")
    expect(page.locator("#plot-rates .scatterlayer .trace")).not_to_have_count(0)


def test_a_figure_that_python_made_is_true_in_the_state_of_dash(open_page: OpenPage) -> None:
    """What a callback sets is what is drawn, and the graph tells Dash what happens to it."""
    page = opened(open_page, RACE + "&panels=landscape")
    graph = "dash_component_api.getLayout('graph-landscape')"
    plot = "document.querySelector('#plot-landscape .js-plotly-plot')"
    until(page, f"{graph}.props.figure?.data.length > 0")
    until(page, f"{plot}?.data?.length === {graph}.props.figure.data.length")
    assert page.evaluate(f"{graph}.type") == "Graph"
    assert page.evaluate(f"{graph}.props.figure.data.map((t) => t.name)") == page.evaluate(
        f"{plot}.data.map((t) => t.name)"
    )
    page.evaluate("dash_clientside.set_props('graph-landscape', {figure: {data: [{x: [1, 2], y: [3, 5]}]}})")
    until(page, f"{plot}.data.length === 1 && {plot}.data[0].y[1] === 5")


def test_a_trace_that_the_slim_plotly_lacks_is_drawn_by_the_whole(open_page: OpenPage) -> None:
    """A histogram of an ordinary callback has bars, not a zig-zag line."""
    page = opened(open_page, RACE + "&panels=landscape,loss")
    plot = "document.querySelector('#plot-landscape .js-plotly-plot')"
    until(page, f"{plot}?.data?.length > 0")
    with page.expect_request("**/plotly.min.js"):
        page.evaluate(
            "dash_clientside.set_props('graph-landscape',"
            " {figure: {data: [{type: 'histogram', x: [1, 1, 2, 3, 3, 3]}]}})"
        )
    until(page, f"{plot}.querySelectorAll('.barlayer .point').length === 3")
    page.locator(".pl-track").focus()
    page.keyboard.press("Home")
    until(page, "lab.epoch() === 0")
    expect(page.locator("#plot-loss .scatterlayer .trace")).not_to_have_count(0)


def test_a_zoom_is_told_and_set_by_a_property(same_page: OpenPage) -> None:
    page = opened(same_page)
    left, top = place_of(page, "loss", 10, 0.5)
    right, _ = place_of(page, "loss", 1000, 0.5)
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(right, top + 2, steps=6)
    page.mouse.up()
    until(page, "lab.props().zoom?.[0] > 3")
    axis = "document.querySelector('#plot-loss .js-plotly-plot')._fullLayout.xaxis.range"
    page.evaluate("lab.set({zoom: [10, 100]})")
    until(page, f"Math.abs({axis}[0] - 1) < 1e-6 && Math.abs({axis}[1] - 2) < 1e-6")
    until(page, "lab.view('zoom') === '10,100'")


def test_a_callback_that_selects_a_run_writes_the_link(same_page: OpenPage) -> None:
    page = opened(same_page)
    page.evaluate("lab.set({selected: 'anls'})")
    until(page, "lab.view('focus') === 'anls'")
    expect(page.locator("#method-tabs [aria-checked=true]")).to_contain_text("ANLS")
    page.evaluate("lab.set({selected: 'gd'})")
    until(page, "lab.view('focus') === null")


def test_the_player_is_told_and_tells_by_its_properties(open_page: OpenPage) -> None:
    page = opened(open_page)
    page.evaluate("lab.set({at: 1000, selected: 'anls', xaxis: 'seconds'})")
    until(page, "lab.moment().selected === 'anls' && lab.moment().epoch === 1000")
    expect(page.locator("#plot-loss .xtitle")).to_have_text("seconds")
    expect(page.locator("#method-tabs [aria-checked=true]")).to_contain_text("ANLS")
    page.get_by_label("Horizontal axis").select_option("solves")
    until(page, "lab.props().xaxis === 'solves' && lab.view('xaxis') === 'solves'")
    race = page.evaluate("lab.runs().map(({id, method}) => ({id, method}))")
    page.evaluate("(race) => lab.set({race})", race[:1])
    until(page, "lab.runs().length === 1")
    expect(page.locator("#method-tabs button")).to_have_count(1)
