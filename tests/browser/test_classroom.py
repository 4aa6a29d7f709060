"""Lessons, present mode, follow me and embedding, in a real browser."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.real_app import BOOTED, free_port
from components.pages.lessons.folder import LessonFolder
from core.service.settings import Settings
from tests.browser.conftest import LOOK, PATIENCE, OpenPage, in_both_themes, until
from tests.browser.playing import at_sizes
from tests.browser.sizes import LAPTOP, PHONE, PROJECTOR, Size, failed_at
from tests.browser.test_accessibility import violations, violations_in_both_themes

RACE = "/?epochs=3000,30&method=gd,anls&seed=3"
"""Two runs of some milliseconds."""


def is_shown(page: Page, seconds: float = PATIENCE) -> None:
    """All runs of the link are on screen, whole."""
    until(page, "lab.runs().length > 0", seconds)
    until(page, "lab.runs().every((run) => run.frames > 0 && run.status === 'finished')", seconds)


def epoch(page: Page) -> float:
    """The moment on screen."""
    return float(page.evaluate("lab.epoch()"))


def has_room(page: Page) -> str:
    """The name under which a presenter publishes."""
    until(page, "Boolean(lab.view('follow'))")
    return str(page.evaluate("lab.view('follow')"))


# ---- lessons --------------------------------------------------------------------------------------


def test_the_list_of_lessons_leads_into_the_first_one(open_page: OpenPage) -> None:
    page = open_page("/lessons", wait=False)
    expect(page.locator(".lesson-list li")).to_have_count(len(LessonFolder(Settings().lessons).lessons()))
    first = page.locator(".lesson-list li").first
    expect(first.locator("progress")).to_have_attribute("value", "0")
    expect(first).to_contain_text("Start")
    page.get_by_role("link", name=re.compile("Pinned neurons")).click()
    page.wait_for_selector(BOOTED, state="attached")
    expect(page.locator("#lesson h2:visible")).to_have_text("Five points, eight neurons")
    expect(page.locator("#controls")).to_be_hidden()
    expect(page.locator("#panel-fit")).to_have_class(re.compile("highlighted"))
    expect(page.locator(".panel:visible")).to_have_count(2)
    is_shown(page)
    assert epoch(page) == 0.0


def test_steps_by_button_key_and_history(open_page: OpenPage) -> None:
    page = open_page("/?lesson=pinned")
    expect(page.locator("#lesson-place")).to_have_text("1 of 5")
    expect(page.locator("#lesson-back")).to_be_disabled()
    is_shown(page)
    page.locator("#lesson-next").click()
    expect(page.locator("#lesson h2:visible")).to_have_text("A bias meets a data point")
    until(page, "lab.epoch() === 11000")
    page.keyboard.press("n")
    expect(page.locator("#lesson-place")).to_have_text("3 of 5")
    until(page, "lab.epoch() > 1e6")
    page.keyboard.press("PageUp")
    expect(page.locator("#lesson-place")).to_have_text("2 of 5")
    until(page, "lab.epoch() === 11000")
    page.go_back()
    expect(page.locator("#lesson-place")).to_have_text("3 of 5")
    page.go_back()
    page.go_back()
    expect(page.locator("#lesson h2:visible")).to_have_text("Five points, eight neurons")
    until(page, "lab.epoch() === 0")


def test_a_prediction_is_asked_for_before_the_future_is_shown(open_page: OpenPage) -> None:
    page = open_page("/?lesson=pinned&step=2")
    is_shown(page)
    until(page, "lab.epoch() === 11000")
    curtain = page.locator("#plot-biases .pl-curtain")
    expect(curtain).to_be_visible()
    expect(page.locator(".reveal:visible")).to_have_count(0)
    page.get_by_role("button", name="It turns back").click()
    expect(page.locator(".reveal:visible")).to_contain_text("Not quite. Crossing takes")
    expect(page.get_by_role("button", name="It stays on the point")).to_have_class(re.compile("right"))
    expect(curtain).to_be_hidden()
    until(page, "lab.epoch() === 12000")
    page.get_by_role("button", name="It stays on the point").click(force=True)
    expect(page.locator(".reveal:visible")).to_contain_text("Not quite.")
    expect(page.locator("#lesson-next")).to_have_class(re.compile("primary"))


def test_a_forecast_is_read_whole_beside_a_lesson(open_page: OpenPage) -> None:
    """What happened and what comes next take three lines there: the third was cut off."""
    page = open_page("/?lesson=forecast&step=2", size=LAPTOP)
    is_shown(page)
    words = page.locator(".pl-words")
    expect(words).to_contain_text("556,053")
    bottoms = "e => [e, ...e.children].map((part) => part.getBoundingClientRect().bottom)"
    end, *parts = words.evaluate(bottoms)
    assert max(parts) <= end + 1


def test_the_last_step_opens_the_settings_and_leaving_keeps_the_run(open_page: OpenPage) -> None:
    page = open_page("/?lesson=anls&step=5")
    expect(page.locator("#controls")).to_be_visible()
    expect(page.locator("#lesson-next")).to_have_text("Go on")
    expect(page.locator(".lesson-end")).to_contain_text("Next lesson")
    is_shown(page)
    runs = page.evaluate("lab.runs().map((run) => run.id)")
    page.locator("#lesson-leave").click()
    expect(page.locator("#lesson")).to_be_hidden()
    until(page, "!location.search.includes('lesson')")
    assert page.evaluate("lab.runs().map((run) => run.id)") == runs
    page.go_back()
    expect(page.locator("#lesson-place")).to_have_text("5 of 5")
    page.locator("#lesson-next").click()
    expect(page.locator("#lesson h2:visible")).to_have_text("A wait with a date")


def test_beside_a_lesson_and_the_settings_no_button_covers_another(open_page: OpenPage) -> None:
    page = open_page("/?lesson=anls&step=5", size=LAPTOP)
    is_shown(page)
    for width in (1240, 1366, 1520, 1600):
        page.set_viewport_size({"width": width, "height": 768})
        ends = page.locator(".pl-choice").last.bounding_box()
        begins = page.locator(".beside .button").first.bounding_box()
        assert ends is not None and begins is not None
        assert ends["x"] + ends["width"] <= begins["x"], width


def test_a_shared_moment_of_a_lesson_opens_as_it_was(open_page: OpenPage) -> None:
    page = open_page("/?lesson=pinned&step=3&at=14239&panels=biases&target=five&seed=9&epochs=1e7")
    is_shown(page)
    until(page, "lab.epoch() === 14239")
    expect(page.locator("#lesson-place")).to_have_text("3 of 5")
    expect(page.locator(".panel:visible")).to_have_count(1)


def test_an_unknown_lesson_says_so_beside_the_first_visit(open_page: OpenPage) -> None:
    page = open_page("/?lesson=no-such-thing")
    expect(page.locator("#lesson")).to_contain_text("There is no such lesson here.")
    until(page, "lab.runs().length > 0 || !document.querySelector('#overlay').hidden")


def test_a_lesson_on_a_phone_does_not_scroll_sideways(open_page: OpenPage) -> None:
    page = open_page("/?lesson=pinned", size=PHONE, touch=True)
    expect(page.locator("#lesson h2:visible")).to_have_text("Five points, eight neurons")
    expect(page.locator("#settings-button")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("document.querySelector('.pl-live').hidden = false")  # as while a run computes
    assert page.evaluate("document.querySelector('.pl-controls').scrollWidth") <= 390 - 2 * 8
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#lesson-next").click()
    expect(page.locator("#lesson-place")).to_have_text("2 of 5")


def test_lessons_are_for_everyone(open_page: OpenPage) -> None:
    page = open_page("/lessons", wait=False)
    expect(page.locator("h1")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page = open_page("/?lesson=pinned&step=2")
    is_shown(page)
    page.get_by_role("button", name="It turns back").click()
    expect(page.locator(".reveal:visible")).to_have_count(1)
    assert violations_in_both_themes(page) == []


# ---- present mode ---------------------------------------------------------------------------------


def test_present_mode_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page(RACE)
    is_shown(page)
    page.keyboard.press("p")
    expect(page.locator("#present-dialog")).to_contain_text("start it with --host 0.0.0.0")
    for _ in at_sizes(page):
        expect(page.locator("#present-anyway")).to_be_in_viewport(ratio=1.0)
    expect(page.locator("#controls")).to_be_visible()
    page.get_by_role("button", name="Present without phones").click()
    expect(page.locator("#corner")).to_be_hidden()
    for hidden in ("#bar", "#controls", ".pl-controls", ".panel-tools >> nth=0"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator(".panel:visible")).to_have_count(3)
    expect(page.locator("#panel-biases")).to_be_visible()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 21
    until(page, "document.querySelector('#corner-code img')?.naturalWidth > 20")
    page.keyboard.press("Home")
    until(page, "lab.epoch() === 0")
    page.keyboard.press("PageDown")
    until(page, "lab.epoch() > 0")
    first = epoch(page)
    page.keyboard.press("Shift+ArrowRight")
    until(page, f"lab.epoch() > {first}")
    page.keyboard.press("4")
    expect(page.locator("#panel-coefficients")).to_be_visible()
    expect(page.locator(".panel:visible")).to_have_count(3)
    page.keyboard.press("1")
    expect(page.locator(".panel:visible")).to_have_count(1)
    page.keyboard.press("1")
    page.keyboard.press("m")
    until(page, "lab.moment().selected === 'anls'")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_contain_text("present mode")
    page.keyboard.press("Escape")
    expect(page.locator("#keys-dialog")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#bar")).to_be_visible()
    expect(page.locator(".panel:visible")).to_have_count(4)
    until(page, "!/present|follow|panels/.test(location.search)")


@failed_at(PROJECTOR)
def test_a_projector_never_shows_how_to_start_the_server(same_page: OpenPage, size: Size) -> None:
    """Presented by link there is no dialog beforehand; what phones need is no business of the audience."""
    page = same_page(RACE + "&present=1", size=size)
    is_shown(page)
    has_room(page)
    until(page, "document.querySelector('#corner-code img')?.naturalWidth > 20")
    expect(page.locator("#corner")).to_be_hidden()
    assert "--host" not in page.locator("body").inner_text()


def test_the_code_in_the_corner_is_the_moment_for_the_audience(same_page: OpenPage) -> None:
    page = same_page(RACE + "&present=1")
    is_shown(page)
    presentation = has_room(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    until(page, "lab.epoch() === 1")
    code = "decodeURIComponent(document.querySelector('#corner-code img')?.src.split('path=')[1] ?? '')"
    until(page, f"{code}.includes('at=1&')")
    path = page.evaluate(code)
    assert "present" not in path and f"follow={presentation}" in path and "seed=3" in path


def test_present_mode_has_the_strongest_contrast(same_page: OpenPage) -> None:
    page = same_page(RACE + "&present=1")
    is_shown(page)
    black, white = "rgb(0, 0, 0)", "rgb(255, 255, 255)"
    for theme in in_both_themes(page):
        ink, paper = page.evaluate(
            "['color', 'backgroundColor'].map((key) => getComputedStyle(document.body)[key])"
        )
        assert (ink, paper) == ((white, black) if theme == "dark" else (black, white))
        tick = "document.querySelector('#plot-loss .ytick text')"
        until(page, f"{tick} !== null && parseFloat(getComputedStyle({tick}).fontSize) === 18")
        assert violations(page) == []


# ---- follow me ------------------------------------------------------------------------------------


def test_viewers_follow_the_presenter_until_they_take_over(open_page: OpenPage) -> None:
    presenter = open_page(RACE + "&present=1")
    is_shown(presenter)
    presentation = has_room(presenter)
    viewer = open_page(f"{RACE}&follow={presentation}")
    is_shown(viewer)
    expect(viewer.locator("#follow-text")).to_have_text("Following the presenter")
    presenter.keyboard.press("Home")
    until(viewer, "lab.epoch() === 0")
    presenter.evaluate("lab.set({at: 200})")
    until(viewer, "lab.epoch() === 200")
    presenter.keyboard.press("m")
    until(viewer, "lab.moment().selected === 'anls'")
    presenter.keyboard.press("3")
    expect(viewer.locator("#panel-biases")).to_be_visible()
    expect(viewer.locator("#follow-again")).to_be_hidden()

    viewer.keyboard.press("ArrowRight")
    expect(viewer.locator("#follow-again")).to_be_visible()
    until(viewer, "lab.epoch() > 200")
    own = epoch(viewer)
    presenter.keyboard.press("End")
    presenter.wait_for_timeout(1500)
    assert epoch(viewer) == own
    assert epoch(presenter) == 3000

    viewer.locator("#follow-again").click()
    until(viewer, "lab.epoch() === 3000")
    expect(viewer.locator("#follow-again")).to_be_hidden()

    presenter.keyboard.press("Escape")  # makes the enlarged panel one of several again
    presenter.keyboard.press("Escape")
    expect(viewer.locator("#follow-text")).to_have_text("The presenter has left present mode.")


def test_viewers_play_along_and_go_along_to_another_run(open_page: OpenPage) -> None:
    presenter = open_page("/?lesson=pinned&present=1")
    is_shown(presenter)
    viewer = open_page(f"/?lesson=pinned&follow={has_room(presenter)}")
    is_shown(viewer)
    presenter.keyboard.press("PageDown")
    expect(viewer.locator("#lesson-place")).to_have_text("2 of 5")
    until(viewer, "lab.epoch() === 11000")
    presenter.keyboard.press("Space")
    until(viewer, "lab.playing()")
    presenter.keyboard.press("Space")
    until(viewer, "!lab.playing()")
    until(viewer, f"lab.epoch() === {epoch(presenter)}")
    for _ in range(2):
        presenter.keyboard.press("n")
    expect(presenter.locator("#lesson-place")).to_have_text("4 of 5")
    until(viewer, "lab.view('seed') === '1' && lab.epoch() === 3000")
    expect(viewer.locator("#follow-again")).to_be_hidden()


BAR_CONTRAST = """(row) => {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const { backgroundImage, backgroundSize } = getComputedStyle(row);
  const bar = backgroundImage.match(/rgb\\([^)]+\\)/)?.[0];
  if (!bar || !backgroundSize.startsWith("100%") || !row.checkVisibility()) return 0;
  let around = row.parentElement;
  while (getComputedStyle(around).backgroundColor === "rgba(0, 0, 0, 0)") around = around.parentElement;
  const [one, two] = [bar, getComputedStyle(around).backgroundColor].map(luminance);
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}"""
"""How the bar of an answer that all have given stands out from what is behind it."""
CHOSEN = (
    "[...document.querySelectorAll('#lesson-answers li')].find((row) => /turns back/.test(row.textContent))"
)


def test_phones_predict_and_the_presenter_reveals(open_page: OpenPage) -> None:
    presenter = open_page("/?lesson=pinned&step=2&present=1")
    is_shown(presenter)
    phone = open_page(f"/?lesson=pinned&step=2&follow={has_room(presenter)}", size=PHONE, touch=True)
    expect(phone.locator("#follow-text")).to_have_text("Following the presenter")
    is_shown(phone)
    picture, text = phone.locator("#plot-biases").bounding_box(), phone.locator("#lesson").bounding_box()
    assert picture is not None and text is not None and picture["y"] + picture["height"] <= text["y"] < 600
    phone.get_by_role("button", name="It turns back").click()
    expect(phone.locator(".reveal:visible")).to_have_count(0)
    expect(presenter.locator("#lesson-answers")).to_contain_text("1 answered")
    expect(presenter.locator("#lesson-answers li")).to_have_count(0)
    expect(presenter.locator("#corner-count")).to_have_text("1 following")
    presenter.get_by_role("button", name="It stays on the point").click()
    expect(phone.locator(".reveal:visible")).to_contain_text("Not quite. Crossing takes")
    expect(presenter.locator(".reveal:visible")).to_contain_text("Yes.")
    expect(presenter.locator("#lesson-answers li")).to_have_count(3)
    for theme in ("light", "dark"):
        presenter.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        until(presenter, f"document.documentElement.dataset.theme === '{theme}'")
        for _ in at_sizes(presenter):
            until(presenter, f"({BAR_CONTRAST})({CHOSEN}) >= 3")
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    for _ in at_sizes(phone):
        expect(phone.locator("#follow-text")).to_be_in_viewport()


@pytest.mark.parametrize(
    "path", [pytest.param(RACE + "&present=1", marks=pytest.mark.long), "/?lesson=pinned&step=2&present=1"]
)
def test_a_small_projector_has_a_timeline_and_the_numbers_of_neurons(open_page: OpenPage, path: str) -> None:
    page = open_page(path, size=PROJECTOR)
    is_shown(page)
    numbers = "[...document.querySelectorAll('#plot-biases .textpoint')]"
    for _ in at_sizes(page):
        track = page.locator(".pl-track").bounding_box()
        assert track is not None and track["width"] > 250
        if "lesson" in path:
            until(page, f"{numbers}.some((x) => /2/.test(x.textContent))")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nobody_can_speak_for_a_presenter(open_page: OpenPage) -> None:
    presenter = open_page(RACE + "&present=1")
    is_shown(presenter)
    presentation = has_room(presenter)
    copied = open_page(f"{RACE}&follow={presentation}&present=1")
    is_shown(copied)
    expect(copied.locator("#follow-text")).to_have_text("Following the presenter")
    copied.keyboard.press("Home")
    expect(copied.locator("#follow-again")).to_be_visible()
    copied.wait_for_timeout(800)
    assert "at=0" not in presenter.evaluate(
        f"fetch('/api/presentations/{presentation}').then((r) => r.json()).then((r) => r.query)"
    )
    other = copied.evaluate(
        "fetch('/api/presentations', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({query: 'at=0', live: true})})"
        ".then((r) => r.json()).then((r) => r.presentation)"
    )
    assert other != presentation


# ---- in another page ------------------------------------------------------------------------------


@contextmanager
def serving(folder: Path, port: int) -> Iterator[str]:
    """A folder on a port, as somebody else's web site."""
    handler = partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.shutdown()
        server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves, and says nothing of it."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


ARE_WIDE = """() => {
  const columns = innerWidth > 900 && document.querySelector("#panels").dataset.count === "4" ? 2 : 1;
  return [...document.querySelectorAll(".panel")].filter((panel) => panel.checkVisibility())
    .every(({ offsetWidth }) => offsetWidth > 0.9 * innerWidth / columns);
}"""
"""Panels take the width that there is: in a narrow frame one stands below the other."""


def test_embedded_in_a_course_page(browser: Browser, server: str, course_port: int, tmp_path: Path) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    context = browser.new_context(viewport={"width": 1000, "height": 1100}, permissions=permissions)
    context.add_init_script(LOOK)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{server}{RACE}&at=200")
    page.wait_for_selector(BOOTED, state="attached")
    is_shown(page)
    page.keyboard.press("q")
    expect(page.locator("#share-embed")).to_have_value(re.compile("^<iframe "))
    code = page.locator("#share-embed").input_value()
    page.keyboard.press("Escape")
    page.locator("#panel-loss").hover()
    page.locator("#panel-loss [data-action=more]").click()
    page.get_by_role("menuitem", name="Copy the code to embed it").click()
    expect(page.locator("#toast")).to_have_text("Embed code copied")
    single = page.evaluate("navigator.clipboard.readText()")
    assert code.startswith("<iframe ") and "embed=1" in code and "panels=loss&amp;" in single
    course = f"<!doctype html><title>Course</title><link rel=icon href=data:,>{code}{single}"
    (tmp_path / "index.html").write_text(course)
    with serving(tmp_path, course_port) as address:
        page.goto(address)
        frames = [page.frame_locator(f"iframe >> nth={index}") for index in (0, 1)]
        for frame in frames:
            expect(frame.locator("#timeline")).to_be_visible()
            expect(frame.locator("#plot-loss .ytick text").first).to_be_visible()
            expect(frame.locator("#bar")).to_be_hidden()
            expect(frame.locator("#controls")).to_be_hidden()
        lab, loss = frames
        expect(lab.locator(".panel:visible")).to_have_count(4)
        expect(loss.locator(".panel:visible")).to_have_count(1)
        expect(loss.locator("#explanation")).to_be_hidden()
        inner = page.frames[-1]
        assert violations(inner) == []
        assert inner.evaluate("lab.epoch()") == 200
        assert inner.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for width in (720, 390, 1000):
            page.set_viewport_size({"width": width, "height": 1100})
            for inside in page.frames[1:]:
                until(inside, f"innerWidth < {width} && ({ARE_WIDE})()")
        with context.expect_page() as opened:
            loss.locator("#embed-open").click()
        assert opened.value.url.startswith(server)
        assert "embed" not in opened.value.url and "at=200" in opened.value.url
        context.close()
    assert not wrong, wrong


def test_a_page_that_is_not_named_cannot_embed(browser: Browser, server: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f'<!doctype html><iframe src="{server}{RACE}&embed=1"></iframe>')
    context = browser.new_context()
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    with serving(tmp_path, free_port()) as address:
        page.goto(address)
        page.wait_for_timeout(1000)
        context.close()
    assert any("frame-ancestors" in text for text in refused)
