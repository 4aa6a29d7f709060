"""The player in a real browser: scrubbing, keys, the stage table, losing the server, a replay, a phone."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, until
from tests.browser.playing import COUNT_REDRAWS, RACE, opened, place_of, seek, settle, state


def test_scrubbing_moves_every_picture_and_redraws_no_history(open_page: OpenPage) -> None:
    page = opened(open_page)
    seek(page, 1000)
    page.evaluate(COUNT_REDRAWS)
    sizes = (
        "() => [...document.querySelectorAll('.plot')].map((plot) => plot.getBoundingClientRect().toJSON())"
    )
    before = page.evaluate(sizes)
    seen = set()
    for epoch in (0, 3, 50, 1000, 20_000, 30_000):
        seek(page, epoch)
        now = state(page)
        assert now["epoch"] <= epoch
        cursor = page.locator("#plot-loss .pl-cursor").get_attribute("x1")
        picture = page.evaluate("document.querySelector('#plot-fit .pl-board').toDataURL().length")
        sentence = page.locator(".pl-sentence").text_content()
        seen.add(
            (cursor, picture, sentence, page.locator(".pl-thumb").evaluate("(thumb) => thumb.style.left"))
        )
    assert len(seen) == 6
    assert page.evaluate("window.reacts") == 0
    assert page.evaluate(sizes) == before, "a longer sentence must not push the panels about"


def test_every_run_shows_its_last_frame_at_or_before_the_cursor(open_page: OpenPage) -> None:
    page = opened(open_page)
    seek(page, 7)
    shown = {run["method"]: run["frame"] for run in state(page)["runs"]}
    assert shown["anls"] == 7
    epochs = "plateau.player.state_.runs.find((run) => run.method === 'gd').column.epoch"
    gd = page.evaluate(f"{epochs}[{shown['gd']}]")
    assert gd == 7
    seek(page, 29_999)
    frames = {run["method"]: (run["frame"], run["frames"]) for run in state(page)["runs"]}
    assert frames["anls"][0] == frames["anls"][1] - 1


def test_the_keys_step_by_frame_and_by_stage_and_play(open_page: OpenPage) -> None:
    page = opened(open_page)
    page.keyboard.press("Home")
    settle(page)
    assert state(page)["epoch"] == 0 and not state(page)["following"]
    page.keyboard.press("ArrowRight")
    settle(page)
    assert state(page)["epoch"] == 1
    page.keyboard.press("ArrowLeft")
    settle(page)
    assert state(page)["epoch"] == 0
    starts = page.evaluate("plateau.player.state_.selected.stages.map((stage) => stage.start)")
    for start in starts[1:4]:
        page.keyboard.press("Shift+ArrowRight")
        settle(page)
        assert state(page)["epoch"] == start
    page.keyboard.press("Shift+ArrowLeft")
    settle(page)
    assert state(page)["epoch"] == starts[2]
    page.keyboard.press("End")
    settle(page)
    assert state(page)["epoch"] == 30_000 and state(page)["following"]
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    until(page, "plateau.player.state().epoch > 1")
    assert state(page)["playing"]
    page.keyboard.press(" ")
    assert not state(page)["playing"]


def test_the_scrubber_is_a_slider_for_everyone(open_page: OpenPage) -> None:
    page = opened(open_page)
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
    settle(page)
    assert state(page)["epoch"] > epoch


def test_typing_in_a_field_does_not_move_time(open_page: OpenPage) -> None:
    page = opened(open_page)
    seek(page, 100)
    page.locator("#field-width").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    settle(page)
    assert state(page)["epoch"] == 100


def test_a_click_goes_to_the_moment_and_a_zoom_is_shared(open_page: OpenPage) -> None:
    page = opened(open_page)
    x, y = place_of(page, "loss", "100", "0.5")
    page.mouse.click(x, y)
    settle(page)
    assert state(page)["epoch"] == pytest.approx(100, rel=0.1)
    page.wait_for_timeout(400)
    left, top = place_of(page, "loss", "10", "0.5")
    right, _ = place_of(page, "loss", "1000", "0.5")
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move((left + right) / 2, top + 1, steps=4)
    page.mouse.move(right, top + 2, steps=4)
    page.mouse.up()
    until(page, "plateau.player.state_.view.window !== null")
    settle(page)
    for panel in ("loss", "biases"):
        low, high = page.evaluate(f"plateau.draw.hosts.get('{panel}').gd._fullLayout.xaxis.range")
        assert low == pytest.approx(1, abs=0.05) and high == pytest.approx(3, abs=0.05)
    page.mouse.dblclick(left + 30, top + 40)
    until(page, "plateau.player.state_.view.window === null")


def test_a_stage_of_the_table_is_a_jump(open_page: OpenPage) -> None:
    page = opened(open_page, RACE + "&stages=1")
    rows = page.locator("#stage-table tbody tr")
    expect(rows.first).to_be_visible()
    told = page.evaluate("plateau.player.state_.selected.stages.map((stage) => stage.start)")
    assert rows.count() == len(told)
    rows.nth(2).locator("button").click()
    settle(page)
    assert state(page)["epoch"] == told[2]
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")
    expect(page.locator(".pl-sentence")).to_contain_text("Stage 3")


def test_losing_the_server_is_said_quietly_and_mended(open_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("ERR_FAILED")
    page = opened(open_page)
    page.evaluate(
        """() => { window.said = [];
          document.addEventListener("plateau:connection", (event) => window.said.push(event.detail.ok)); }"""
    )
    page.route("**/api/runs/**", lambda route: route.abort())
    page.evaluate("plateau.player.poke(plateau.player.state_.runs[0].id)")
    until(page, "window.said[0] === false")
    page.unroute("**/api/runs/**")
    until(page, "window.said.at(-1) === true")
    seek(page, 10)
    assert state(page)["epoch"] == 10


def test_a_replay_needs_no_server(open_page: OpenPage) -> None:
    page = opened(open_page)
    replay = page.evaluate(
        """async () => { const kept = {}; const {runs} = plateau.player.state_;
          for (const run of runs) for (const rest of ["", "/frames", "/stages", "/data"]) {
            const path = "/api/runs/" + run.id + rest; kept[path] = await (await fetch(path)).json(); }
          for (const theme of ["light", "dark"]) {
            const path = "/api/panels?theme=" + theme; kept[path] = await (await fetch(path)).json(); }
          return {kept, race: runs.map(({id, method}) => ({id, method}))}; }"""
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    frames = page.evaluate(
        """async ({kept, race}) => { plateau.player.close(); plateau.source.embedded = kept;
          await plateau.player.open(race, {moment: 100}); await new Promise((done) => setTimeout(done, 500));
          return plateau.player.state(); }""",
        json.loads(json.dumps(replay)),
    )
    assert frames["epoch"] == 100 and all(run["frames"] > 0 for run in frames["runs"])
    assert not [url for url in asked if "/api/" in url]


def test_a_phone_gets_the_same_player(open_page: OpenPage) -> None:
    page = opened(open_page, size=(390, 844), touch=True)
    expect(page.locator(".pl-play")).to_be_visible()
    for selector in (".pl-track", ".pl-read", ".pl-sentence", "#plot-loss"):
        box = page.locator(selector).bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390, selector
    assert page.evaluate("plateau.draw.hosts.get('loss').gd.layout.dragmode") is False, "a swipe must scroll"
    page.locator(".pl-play").tap()
    until(page, "plateau.player.state().playing")


def test_the_moment_of_a_link_waits_for_the_run_that_reaches_it(open_page: OpenPage) -> None:
    """ANLS is loaded first and ends at a few dozen iterations: that is not where the link points."""
    page = opened(open_page, RACE + "&at=1000")
    settle(page)
    assert state(page)["epoch"] == 1000 and not state(page)["following"]


def test_a_hidden_tab_asks_for_nothing(open_page: OpenPage) -> None:
    page = open_page("/?epochs=4e8&seed=5&target=sin5&width=30")
    until(page, "window.plateau?.player?.state().runs.length > 0 || !document.querySelector('#run').disabled")
    if page.evaluate("plateau.player.state().runs.length === 0"):
        page.locator("#run").click()
    until(page, "plateau.player.state().runs[0]?.status === 'running'", 60)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    until(page, "plateau.player.state().runs[0].frames > 0")
    page.wait_for_timeout(1500)
    assert any("/frames" in url for url in asked)
    hide = """(hidden) => { Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
      document.dispatchEvent(new Event("visibilitychange")); }"""
    page.evaluate(hide, True)
    page.wait_for_timeout(1500)
    asked.clear()
    page.wait_for_timeout(2500)
    assert not [url for url in asked if "/frames" in url]
    page.evaluate(hide, False)
    page.wait_for_timeout(1500)
    assert [url for url in asked if "/frames" in url]
    page.evaluate("fetch('/api/runs/' + plateau.player.state().runs[0].id + '/stop', {method: 'POST'})")
    until(page, "plateau.player.state().runs[0].status === 'stopped'", 30)
