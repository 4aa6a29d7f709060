"""What comes next, on the page: dotted curves, the line of words, the record, the switch; and plateaus."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from core.narrative import fill
from tests.browser.conftest import OpenPage, until, wait_for
from tests.browser.playing import COUNT_REDRAWS, at, frame_at, opened, seek, settle, shows, state
from tests.browser.sizes import DESKTOP, PHONE, Size, failed_at
from tests.browser.test_waiting import LONG, STOP, held, start

FORECAST = re.compile(r"/api/runs/\w+/forecast\?")
NOTE_FORECASTS = """() => { const line = document.querySelector(".pl-forecast"); window.forecasts = [];
  new MutationObserver(() => line.hidden || window.forecasts.push(line.innerText))
    .observe(line, { childList: true, subtree: true, characterData: true, attributes: true }); }"""
FIRST_FORECAST = "window.forecasts.find((text) => !text.includes('Working out'))"
SCRUB = """async (epochs) => { for (const epoch of epochs) {
  lab.set({ at: epoch }); await new Promise(requestAnimationFrame); } }"""
"""Within the page: from outside a busy machine takes so long that the moment comes to rest in between."""
ASKED_EVERY = 2500
"""A run that is being computed is predicted anew after so many milliseconds."""
DRAWN = """(panel) => { const board = document.querySelector(`#plot-${panel} .pl-board`);
  const pixels = board?.getContext("2d").getImageData(0, 0, board.width, board.height).data;
  return Boolean(pixels?.some(Boolean)); }"""


def plateaus(page: Page) -> list[dict[str, Any]]:
    """What the server says of the selected run."""
    run = next(run for run in state(page)["runs"] if run["method"] == "gd")
    return list(
        page.request.get(f"{page.url.split('/?')[0]}/api/runs/{run['id']}/plateaus").json()["plateaus"]
    )


def test_the_future_is_asked_for_at_rest_drawn_and_compared(open_page: OpenPage) -> None:
    page = opened(open_page)
    line = page.locator(".pl-forecast")
    expect(line).to_contain_text("Next: ")
    page.wait_for_timeout(1000)
    asked: list[str] = []
    page.on("request", lambda request: asked.extend(FORECAST.findall(request.url)))
    page.evaluate(COUNT_REDRAWS)
    page.evaluate(SCRUB, [50, 60, 80, 100, 200, 400, 700, 900, 1000])
    came = re.compile(r"Next: .* at epoch [\d,]+ \((as predicted|predicted for [\d,]+)\)")
    expect(line).to_contain_text(came)
    assert len(asked) == 1, asked
    assert all(page.evaluate(DRAWN, panel) for panel in ("loss", "biases", "coefficients"))
    assert page.evaluate("window.reacts") == 0, "the future is drawn on the canvas"
    line.hover()
    shows(page, "#plot-biases .pl-neuron")
    shows(page, "#plot-biases .pl-datum")
    with page.expect_request(FORECAST):
        seek(page, 50)
    assert len(asked) == 2, asked
    seek(page, 1000)
    page.wait_for_timeout(500)
    assert len(asked) == 2, "an answer is kept"


def test_the_switch_hides_all_of_it_and_is_in_the_link(same_page: OpenPage) -> None:
    page = opened(same_page)
    button = page.get_by_role("button", name="Forecast")
    expect(page.locator(".pl-forecast")).to_be_visible()
    button.click()
    expect(page.locator(".pl-forecast")).to_be_hidden()
    until(page, "lab.view('forecast') === '0'")
    assert not page.evaluate(DRAWN, "loss")
    button.click()
    expect(page.locator(".pl-forecast")).to_be_visible()
    until(page, "lab.view('forecast') === null")
    assert button.get_attribute("aria-pressed") == "true"


def test_a_lesson_does_not_give_its_answers_away(open_page: OpenPage) -> None:
    page = open_page("/?lesson=crossing")
    until(page, "lab.runs().some((run) => run.frames > 0)")
    page.wait_for_timeout(600)
    expect(page.locator(".pl-forecast")).to_be_hidden()


@pytest.mark.long
def test_a_lost_answer_is_asked_for_again_but_not_at_once(open_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("ERR_FAILED")
    lost: list[Route] = []

    def lose(route: Route) -> None:
        lost.append(route)
        route.abort()

    page = open_page(wait=False)
    page.route(FORECAST, lose)
    until(page, "lab.runs().some((run) => run.status === 'finished' && run.frames > 0)")
    expect(page.locator(".pl-forecast")).to_contain_text("Working out what comes next…")
    page.wait_for_timeout(ASKED_EVERY)
    assert 1 <= len(lost) <= 3
    page.unroute(FORECAST)
    expect(page.locator(".pl-forecast")).to_contain_text("Next: ")


def slow() -> str:
    """A run with so small a step, and so many neurons, that the first event is a minute away: on a busy
    machine the page would come too late for one that is reached within seconds."""
    many = [round(-0.4 + 0.02 * place, 2) for place in range(38)]
    biases, coefficients = ("-0.5,1.2", *map(str, many)), ("0.1,0.1", *["0.0001"] * len(many))
    start = f"biases={','.join(biases)}&coefficients={','.join(coefficients)}&data=-1:0;1:1;2:0;3:1"
    return f"/?{start}&epochs=1e9&learning_rate=2.5e-8"


def stop(page: Page) -> None:
    page.locator(STOP).filter(visible=True).click()
    until(page, "lab.runs().every((run) => run.status !== 'running')")


def test_a_computing_run_says_how_long_it_takes(open_page: OpenPage) -> None:
    page = open_page(slow())
    page.locator("#run").click()
    told = re.compile(r"Next: .* The run gets there in about \d+ ")
    expect(page.locator(".pl-forecast")).to_contain_text(told)
    stop(page)


@failed_at(DESKTOP)
def test_a_forecast_that_is_outdated_is_not_shown_as_if_it_were_of_now(
    open_page: OpenPage, size: Size
) -> None:
    page = open_page(LONG.format(seed=91), size=size)
    line, waits = page.locator(".pl-forecast"), "Working out what comes next…"
    start(page)
    told = re.compile(r"Next: |Forecast of epoch ")
    expect(line).to_contain_text(told)
    answers = held(page, FORECAST)
    expect(line).to_contain_text(waits)
    until(page, f"lab.epoch() > {2 * state(page)['epoch']!r}")
    expect(line).to_contain_text(waits)
    page.evaluate(NOTE_FORECASTS)
    answers()
    until(page, f"{FIRST_FORECAST} !== undefined")
    assert re.match(" ?Next: ", page.evaluate(FIRST_FORECAST)), "what came too late was not shown"
    assert line.inner_text().count("Next: ") < 2, "what has happened is not next"
    stop(page)


def test_answers_that_take_longer_than_the_next_question_are_shown(open_page: OpenPage) -> None:
    page = open_page(slow(), wait=False)
    kept: list[Route] = []
    page.route(FORECAST, lambda route: kept.append(route))
    start(page)
    for _ in range(3):
        wait_for(page, lambda: bool(kept))
        page.wait_for_timeout(1.2 * ASKED_EVERY)
        kept.pop(0).continue_()
    expect(page.locator(".pl-forecast")).to_contain_text("Next: ")
    page.unroute(FORECAST)
    for route in kept:
        route.continue_()
    stop(page)


def test_plateaus_have_numbers_keys_a_table_and_the_first_word(same_page: OpenPage) -> None:
    page = opened(same_page)
    known = plateaus(page)
    assert known
    page.keyboard.press("Home")
    settle(page)
    for plateau in known[:2]:
        page.keyboard.press("k")
        at(page, plateau["begin"])
        begins, frame = plateau["phases"][0], frame_at(plateau["begin"])
        expect(page.locator(".pl-sentence")).to_have_text(fill(begins["sentence"], frame.loss, frame.floor))
        expect(page.locator(".pl-ends")).to_have_text(begins["ends"])
        expect(page.locator(".pl-read")).to_contain_text(f"plateau {plateau['number']}/{len(known)}")
    page.keyboard.press("Home")
    page.keyboard.press("i")
    settle(page)
    falls = [0.0] * (known[0]["begin"] > 0) + [one["end"] for one in known if not one["open"]]
    assert state(page)["epoch"] == next((epoch for epoch in falls if epoch > 0), 0)
    page.keyboard.press("s")
    rows = page.locator("#plateau-table tbody tr")
    expect(rows).to_have_count(len(known))
    rows.first.get_by_role("button").click()
    at(page, known[0]["begin"])
    expect(rows.first).to_have_attribute("aria-current", "true")
    page.locator("#forecast-table summary").click()
    expect(page.locator("#forecast-table tbody tr").first).to_be_visible()


@failed_at(PHONE)
def test_the_words_have_room(open_page: OpenPage, size: Size) -> None:
    page = opened(open_page, size=size)
    if (more := page.get_by_role("button", name="More controls")).is_visible():
        more.click()
    expect(page.locator(".pl-forecast")).to_contain_text("Next: ")
    parts = ".pl-controls > *, .pl-forecast, .pl-sentence, .beside button"
    inside = """(parts) => [...document.querySelectorAll(parts)]
      .filter((part) => part.checkVisibility()).every((part) => { const box = part.getBoundingClientRect();
        return box.left >= 0 && box.right <= innerWidth; })"""
    assert page.evaluate(inside, parts)
