"""The first minute: what a newcomer sees, and that the page reacts without being told twice."""

import re
from collections import Counter

from playwright.sync_api import Browser, expect

from components.common.view import View, join_query
from components.pages.lab.first_visit import RACE
from reproduction.ready_studies import READY
from tests.browser.conftest import QUICK, OpenPage, field, linked, until
from tests.browser.playing import at_sizes
from tests.browser.test_shell import wait_for_run


def test_the_first_screen_says_what_it_is_and_explains_its_signs(open_page: OpenPage) -> None:
    page = open_page("/")
    expect(page.locator("#welcome")).to_contain_text("stands still")
    start = page.locator("#welcome a")
    expect(start).to_have_text("Start: 4 minutes")
    assert start.get_attribute("href") == "/?lesson=plateau"
    wait_for_run(page)
    lit = page.locator("#plot-loss .pl-lit")
    page.locator("#legend summary").click()
    page.locator(".legend-rows [data-term=floor]").hover()
    expect(lit).to_have_attribute("d", re.compile("M"))
    assert page.evaluate("document.querySelector('#plot-biases .pl-lit').style.display") == "none"
    page.locator("#legend summary").click()
    page.locator(".pl-sentence .pl-term").first.hover()
    expect(page.locator(".pl-sentence .pl-term").first).to_have_attribute("data-term", re.compile("."))
    page.locator("#welcome-close").click()
    expect(page.locator("#welcome")).to_be_hidden()
    page.reload()
    wait_for_run(page)
    expect(page.locator("#welcome")).to_be_hidden()
    page.keyboard.press("?")
    page.locator("#welcome-again").click()
    expect(page.locator("#keys-dialog")).to_be_hidden()
    expect(page.locator("#welcome")).to_be_visible()


def test_the_first_plateau_is_explained_by_a_lesson(open_page: OpenPage) -> None:
    """And the help, the glossary and the lesson tell one story: at its floor, or still creeping."""
    page = open_page("/")
    wait_for_run(page)
    lesson = page.locator(".pl-why a").filter(visible=True)
    page.locator(".pl-why summary").click()
    expect(lesson).to_have_text("Lesson: at its floor")
    for _ in at_sizes(page):
        if not lesson.is_visible():  # on a phone behind one more tap
            page.locator(".pl-extra").click()
        expect(lesson).to_be_in_viewport()
    page.keyboard.press("?")
    for text in ("reached its floor", "creeps towards it"):
        expect(page.locator("#keys-dialog")).to_contain_text(text)
    expect(page.locator("#keys-dialog")).not_to_contain_text("lasts as long as")
    page.keyboard.press("Escape")
    lesson.click()
    expect(page.locator("#lesson-place")).to_contain_text("1 of")


SENTENCES = """() => {
  for (const unseen of document.querySelectorAll(".visually-hidden")) unseen.style.display = "none";
  return document.body.innerText.split(/\\n|(?<=[.!?]) +(?=[A-Z])/).map((text) => text.trim())
    .filter((text) => text.endsWith(".") && text.split(" ").length > 3);
}"""


def test_no_sentence_is_twice_on_the_screen(open_page: OpenPage) -> None:
    """With all that explains it open: on the plateau at the floor, above it, and off it."""
    page = open_page("/")
    wait_for_run(page)
    page.keyboard.press("?")
    for epoch in (1000, 85, 50):
        page.evaluate("(query) => lab.go(query)", f"/?{join_query(RACE, View(at=epoch))}")
        until(page, f"lab.epoch() === {epoch}")
        page.evaluate("for (const fold of document.querySelectorAll('.pl-why, #legend')) fold.open = true")
        seen = Counter(page.evaluate(SENTENCES))
        assert len(seen) > 20
        assert not [text for text, often in seen.items() if often > 1]


def test_a_link_that_cannot_be_run_does_not_look_as_if_it_were_opening(open_page: OpenPage) -> None:
    page = open_page("/?width=-3")
    expect(page.locator("#overlay")).to_contain_text("allowed are whole numbers from 1 to 1024")
    expect(page.locator("#overlay-out")).to_be_visible()
    expect(page.locator("#run-note")).to_have_text("")


def test_what_the_words_name_is_lit_up_in_the_pictures(open_page: OpenPage) -> None:
    """The next neuron and its data point, without a pointer; when the plateau ends, on a phone too."""
    page = open_page("/")
    wait_for_run(page)
    expect(page.locator(".pl-outcome")).to_contain_text("neuron 3 crosses")
    for panel in ("fit", "biases"):
        place = page.locator(f"#plot-{panel}")
        expect(place.locator(".pl-name")).to_have_text("neuron 3")
        for sign in (".pl-name", ".pl-place", ".pl-datum"):
            expect(place.locator(sign)).not_to_have_css("display", "none")
    when = page.locator(".pl-when")
    for _ in at_sizes(page):
        expect(when).to_have_text("The plateau ends at epoch 7,001, after 18 more crossings.")
        expect(when).to_be_in_viewport()
    page.keyboard.press("End")
    expect(when).to_have_text("")


PAGES = ("/study", f"/study?{READY[0][1]}", "/paper", "/runs", "/lessons", "/lessons/plateau/handout")


def test_no_sentence_is_twice_on_a_page(open_page: OpenPage) -> None:
    """With everything unfolded that can be."""
    for path in PAGES:
        page = open_page(path, wait=False)
        until(page, "document.querySelector('h1') !== null")
        if "study" in path:
            expect(page.locator("#study-note")).not_to_be_empty()
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        seen = Counter(page.evaluate(SENTENCES))
        assert len(seen) > 5, path
        assert not [text for text, often in seen.items() if often > 1], path


def test_every_sign_is_drawn(open_page: OpenPage) -> None:
    """Also those that a button changes to: pause, and back to all panels."""
    page = open_page("/")
    wait_for_run(page)
    page.keyboard.press("Home")
    page.locator(".pl-play").click()
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Back to all panels")).to_be_visible()
    bare = """[...document.querySelectorAll(".icon")]
      .filter((sign) => !getComputedStyle(sign).maskImage.startsWith("url")).map((sign) => sign.className)"""
    assert page.locator(".icon").count() > 20
    assert page.evaluate(bare) == []


def test_cheap_changes_run_at_once_and_enter_runs_expensive_ones(open_page: OpenPage) -> None:
    page = open_page(QUICK)
    expect(page.locator(field("seed"))).to_have_value("0")
    wait_for_run(page)
    first = page.evaluate("lab.runs()[0].id")
    page.locator("#dice").click()
    until(page, f"lab.runs().length === 1 && lab.runs()[0].id !== '{first}' && lab.runs()[0].frames > 1")
    expect(page.locator("#overlay")).to_be_hidden()
    assert page.locator("#run-cost").inner_text() == ""
    page.locator(field("gd", "budget")).fill("9e8")
    page.locator(field("gd", "budget")).press("Tab")
    expect(page.locator("#run-cost")).to_have_text(re.compile("about"))
    expect(page.locator("#run")).to_be_enabled()
    page.locator(field("width")).fill("12")
    page.locator(field("width")).press("Enter")
    expect(page.locator("#stop")).to_be_visible()
    until(page, linked("width=12"))
    page.locator("#stop").click()
    expect(page.locator("#run-text")).to_have_text("Resume")
    page.locator("#run").click()
    expect(page.locator("#stop")).to_be_visible()
    page.locator("#stop").click()
    expect(page.locator("#run-text")).to_have_text("Resume")


def test_it_puts_nothing_into_the_window_but_what_dash_looks_for(open_page: OpenPage) -> None:
    """A page with Dash and Plotly alone has all that the Lab has, but for its own name."""
    names = "Object.getOwnPropertyNames(window)"
    page = open_page("/paper", wait=False)
    expect(page.locator("#figures")).to_be_visible()
    without = set(page.evaluate(names))
    page = open_page(QUICK)
    wait_for_run(page)
    assert set(page.evaluate(names)) - without <= {"plateau_lab", "regeneratorRuntime", "lab"}


def test_it_is_printed_as_it_is_seen(open_page: OpenPage) -> None:
    page = open_page(QUICK)
    wait_for_run(page)
    before = page.evaluate("document.querySelector('#plot-fit').getBoundingClientRect().width")
    printed = page.pdf(prefer_css_page_size=True)
    # in points, three quarters of a pixel: one page of the window's size, not the narrow layout over several
    assert re.findall(rb"/MediaBox ?\[0 0 (\d+)[^ ]* (\d+)", printed) == [(b"1080", b"675")]
    assert page.evaluate("document.querySelector('#plot-fit').getBoundingClientRect().width") == before
    assert page.evaluate("matchMedia('(max-width: 900px)').matches") is False


def test_without_scripts_the_page_says_what_it_needs(browser: Browser, server: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server)
    expect(page.locator("main")).to_contain_text("needs JavaScript")
    assert page.locator("main img").bounding_box()["width"] > 300  # type: ignore[index]
    context.close()
