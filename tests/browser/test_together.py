"""One run, many eyes: shared links, reloads, a killed worker, a first visit."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.real_app import Served
from tests.browser.conftest import OpenPage, until, worker_processes

StartLong = Callable[[int], Page]
FRAMES = "lab.runs()[0]?.frames > {}"


def frames_of(page: Page) -> int:
    """How many frames of the first run the page has."""
    return int(page.evaluate("lab.runs()[0]?.frames ?? 0"))


def start(open_page: OpenPage, path: str) -> Page:
    """Open a link whose run is under way before the browser knows it."""
    page = open_page(path)
    until(page, FRAMES.format(5))
    return page


@pytest.fixture
def start_long(open_page: OpenPage) -> Iterator[StartLong]:
    """Press Run for a run that takes minutes; it is stopped whatever happens, for there is one worker."""
    pages: list[Page] = []

    def start_run(seed: int) -> Page:
        page = open_page(f"/?epochs=4e8&seed={seed}&target=sin5&width=30")
        pages.append(page)
        expect(page.locator("#run")).to_be_enabled()
        page.locator("#run").click()
        until(page, FRAMES.format(5))
        return page

    yield start_run
    for page in pages:
        page.evaluate("fetch('/api/runs/' + lab.runs()[0]?.id + '/stop', {method: 'POST'}).then(() => 1)")


def stop(page: Page) -> None:
    """End the run on screen. A page behind another one draws no frames, and a click waits for one."""
    page.bring_to_front()
    page.locator("#stop").click()
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "stopped")


def test_two_browsers_on_one_link_watch_one_run(open_page: OpenPage, start_long: StartLong) -> None:
    first = start_long(31)
    second = start(open_page, "/?epochs=4e8&seed=31&target=sin5&width=30")
    assert first.evaluate("lab.runs()[0].id") == second.evaluate("lab.runs()[0].id")
    expect(first.locator("#watching")).to_have_text("2 watching")
    expect(second.locator("#stop")).to_be_hidden()
    expect(first.locator("#stop")).to_be_visible()
    stop(first)
    expect(second.locator("#run-dot")).to_have_attribute("data-state", "stopped")
    until(second, FRAMES.format(frames_of(first) - 1))
    assert frames_of(first) == frames_of(second)


def test_a_shared_moment_opens_at_that_moment(open_page: OpenPage) -> None:
    first = start(open_page, "/?epochs=5000&seed=32")
    expect(first.locator("#run-dot")).to_have_attribute("data-state", "finished")
    first.keyboard.press("Shift+ArrowLeft")
    first.keyboard.press("Shift+ArrowLeft")
    first.locator("#copy-link").click()
    expect(first.locator("#toast")).to_have_text("Link copied")
    link = first.evaluate("navigator.clipboard.readText()")
    assert "at=" in link
    second = start(open_page, link[link.index("/?") :])
    until(second, f"lab.epoch() === {first.evaluate('lab.epoch()')}")


def test_reload_in_mid_run_loses_nothing(start_long: StartLong) -> None:
    page = start_long(33)
    before = frames_of(page)
    page.reload()
    page.wait_for_selector("html[data-booted]", state="attached")
    until(page, FRAMES.format(before - 1))
    stop(page)
    expect(page.locator("#continue")).to_be_visible()


def test_a_killed_worker_is_replaced_and_the_run_goes_on(open_page: OpenPage, served: Served) -> None:
    page = start(open_page, "/?epochs=2e7&seed=34&width=12")
    before = frames_of(page)
    for pid in worker_processes(served):
        os.kill(pid, signal.SIGKILL)
    until(page, FRAMES.format(before + 5))
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished", timeout=60_000)


def test_pause_view_stops_following_but_not_the_run(start_long: StartLong) -> None:
    page = start_long(35)
    page.locator("#pause").click()
    expect(page.locator("#pause")).to_have_text("Follow live")
    at = page.evaluate("lab.epoch()")
    until(page, f"lab.runs()[0].epoch > {page.evaluate('lab.runs()[0].epoch')}")
    assert page.evaluate("lab.epoch()") == at
    page.locator("#pause").click()
    expect(page.locator("#pause")).to_have_text("Freeze charts")
    stop(page)


def test_the_first_visit_opens_on_a_finished_race_at_its_moment(open_page: OpenPage) -> None:
    page = open_page("/")
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")
    assert page.evaluate("lab.runs().map((run) => run.method)") == ["gd", "anls"]
    until(page, "lab.epoch() === 1000")
    expect(page.locator("#explanation .pl-sentence")).to_contain_text("has reached its floor, 0.0522.")
    expect(page.locator("#explanation .pl-ends")).to_have_text("Only a crossing can lower it.")
    expect(page.locator("#explanation .pl-forecast")).to_contain_text("Next: neuron 3 crosses")
    expect(page.locator(".pl-read")).to_contain_text("plateau 1/1")
    expect(page.locator(".panel:visible .plot")).to_have_count(4)
    loss = page.locator(".pl-method .pl-loss").first
    before = loss.inner_text()
    page.keyboard.press("Space")
    until(page, "Number(document.querySelector('.pl-method .pl-loss').textContent) < 0.02")
    assert float(before) > 0.05


def test_a_run_from_a_moved_neuron(open_page: OpenPage) -> None:
    page = start(open_page, "/?epochs=3000&seed=36")
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")
    before = page.evaluate("lab.runs()[0].id")
    page.evaluate("lab.set({neuron: 3})")
    page.locator("#hands-bias").fill("0.25")
    page.locator("#hands-bias").press("Enter")
    expect(page.locator("#hands-on")).to_be_visible()
    expect(page.locator("#hands-name")).to_contain_text("Neuron 3")
    page.get_by_role("button", name="Push right").click()
    until(page, "Number(document.querySelector('#hands-bias').value) > 0.25")
    page.get_by_role("button", name="Start a run from here").click()
    until(page, "location.search.includes('biases=') && location.search.includes('coefficients=')")
    until(page, f"lab.runs()[0]?.id !== '{before}' && lab.runs()[0]?.status === 'finished'")
    page.go_back()
    until(page, f"lab.runs()[0]?.id === '{before}'")


def test_a_replay_plays_from_disk(open_page: OpenPage, browser: Browser, tmp_path: Path) -> None:
    page = start(open_page, "/?epochs=3000,20&method=gd,anls&seed=37")
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")
    page.locator("#panel-loss").hover()
    page.locator("#panel-loss [data-action=more]").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="A replay that needs no server").click()
    path = tmp_path / "replay.html"
    download.value.save_as(path)
    replay = browser.new_context(offline=True).new_page()
    wrong: list[str] = []
    replay.on("pageerror", lambda error: wrong.append(str(error)))
    replay.on("console", lambda message: wrong.append(message.text))
    replay.goto(path.as_uri())
    expect(replay.locator("#method-tabs button")).to_have_count(2)
    replay.keyboard.press("Home")
    expect(replay.get_by_role("slider", name="Epoch")).to_have_attribute("aria-valuenow", "0")
    expect(replay.locator("#plot-fit .pl-board")).to_be_visible()
    expect(replay.locator("#explanation")).not_to_be_empty()
    expect(replay.locator("#plot-loss svg").first).to_be_visible()
    assert wrong == []
    replay.context.close()
