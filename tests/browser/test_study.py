"""The Study page in a real browser: asked, filled while one looks, sorted, opened in the Lab."""

import csv
import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import OpenPage, until
from tests.browser.playing import at_sizes
from tests.browser.sizes import DESKTOP, PHONE, Size, failed_at
from tests.browser.test_accessibility import violations, violations_in_both_themes
from tests.browser.test_waiting import seconds_told

LINK = "/study?epochs=300,20&method=gd,anls&points=30&seed={seeds}&width=5,10"
UPDATES = "**/_dash-update-component*"
DRAWN = "document.querySelectorAll('#study-{name} .trace, #study-{name} .scatterlayer > g').length"


def run(page: Page, runs: int) -> None:
    """Ask for the study, and wait for all of its rows."""
    expect(page.locator("#study-note")).to_contain_text(f"{runs} runs that differ in")
    page.locator("#study-run").click()
    expect(page.locator("#study-progress")).to_have_text(f"All {runs} runs are done.", timeout=120_000)


def drawn(page: Page, name: str) -> None:
    until(page, f"{DRAWN.format(name=name)} > 0")


SORTED = """(() => {
  const place = (row) => Number(row.getAttribute("row-index"));
  const rows = [...document.querySelectorAll(".ag-center-cols-container .ag-row")];
  const cells = rows.sort((a, b) => place(a) - place(b)).map((row) => row.querySelector("[col-id=loss]"));
  const plain = (sign) => (sign === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign));
  const power = (text) => Number([...text].map(plain).join(""));
  const value = (text) => {
    const [, factor, raised] = text?.match(/^([\\d.]*)·?(?:10([⁻⁰¹²³⁴-⁹]+))?$/) ?? [];
    return raised ? Number(factor || 1) * 10 ** power(raised) : Number(factor);
  };
  const losses = cells.map((cell) => value(cell?.textContent));
  return losses.length > 5 && losses.every((loss, i) => i === 0 ? loss > 0 : loss >= losses[i - 1]);
})()"""


def test_a_study_fills_and_its_runs_open_in_the_lab(open_page: OpenPage) -> None:
    page = open_page(LINK.format(seeds="0..9"), wait=False)
    run(page, 40)
    for name in ("bands", "reached", "losses", "plateaus", "widths", "scatter"):
        drawn(page, name)
    rows = page.locator(".ag-center-cols-container .ag-row")
    expect(rows.first).to_be_visible()
    page.locator(".ag-header-cell", has_text="loss").first.click()
    until(page, SORTED)  # the rows of a page come from the server; before, there is nothing to choose
    page.locator('.ag-center-cols-container .ag-row[row-index="0"]').click()
    link = page.locator("#study-chosen a")
    expect(link).to_have_text("Open it in the Lab")
    href = link.get_attribute("href")
    assert href is not None and href.startswith("/?") and "&at=" in href
    link.click()
    expect(page.locator("#run-status")).not_to_be_empty()
    assert "seed=" in page.url or "method=" in page.url


def test_how_often_from_the_lab(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&method=gd&width=7")
    page.locator("#bar .pages a", has_text="Study").click()
    expect(page.locator("#study-query")).to_have_value("epochs=2000&seed=0..19&width=7")
    expect(page.locator("#study-note")).to_contain_text("20 runs that differ in seed")


def test_a_wrong_list_is_named_and_cannot_be_run(open_page: OpenPage) -> None:
    page = open_page("/study?width=0,5&seed=0..3", wait=False)
    expect(page.locator("#study-note")).to_contain_text("width")
    expect(page.locator("#study-run")).to_be_disabled()


def test_axe_finds_nothing_and_a_phone_is_wide_enough(open_page: OpenPage) -> None:
    page = open_page(LINK.format(seeds="20..23"), wait=False)
    run(page, 16)
    drawn(page, "bands")
    for _ in at_sizes(page, (DESKTOP, PHONE)):
        assert violations_in_both_themes(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#reading-theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert violations(page) == []


def test_the_keyboard_is_enough(open_page: OpenPage) -> None:
    page = open_page(LINK.format(seeds="30..33"), wait=False)
    expect(page.locator("#study-run")).to_be_enabled()
    page.locator("#study-form [value=sgd]").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#study-spelled summary")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "study-run"
    page.keyboard.press("Enter")
    expect(page.locator("#study-progress")).to_have_text("All 16 runs are done.", timeout=120_000)


def vary(page: Page, name: str) -> Locator:
    """The field of a setting."""
    return page.locator(f"#vary-{name}")


def chip(page: Page, value: str) -> Locator:
    """A method or a target."""
    return page.locator(f"#study-form label:has([value='{value}'])")


def test_a_study_is_asked_for_by_a_form(open_page: OpenPage) -> None:
    """What varies has a field each; the link says the same, and is out of the way."""
    page = open_page("/study", size=DESKTOP, wait=False)
    field, note, link = (
        page.locator("#study-form input"),
        page.locator("#study-note"),
        page.locator("#study-query"),
    )
    expect(vary(page, "seed")).to_have_value("0..19")
    expect(vary(page, "epochs")).to_have_value("1e5,500")
    expect(link).to_be_hidden()
    vary(page, "seed").fill("70..73")
    vary(page, "width").fill("5,10")
    vary(page, "points").fill("30")
    vary(page, "points").press("Enter")
    expect(note).to_contain_text("16 runs that differ in")
    vary(page, "epochs").fill("300,20")
    chip(page, "adam").click()
    expect(link).to_have_value("seed=70..73&method=gd,anls,adam&epochs=300,20,1e6&width=5,10&points=30")
    chip(page, "adam").click()
    expect(vary(page, "epochs")).to_have_value("300,20")
    chip(page, "gd").click()
    chip(page, "anls").click()
    expect(chip(page, "anls").locator("input")).to_be_checked()  # one method stays
    chip(page, "gd").click()
    vary(page, "epochs").fill("20,300")
    page.get_by_text("More targets").click()
    chip(page, "runge").click()
    chip(page, "f1").click()
    start = "seed=70..73&method=anls,gd&epochs=20,300&width=5,10&points=30"
    expect(link).to_have_value(f"{start}&target=runge")
    chip(page, "sin5").click()
    expect(link).to_have_value(f"{start}&target=runge,sin5")
    expect(note).to_contain_text("32 runs that differ in")
    chip(page, "runge").click()
    chip(page, "sin5").click()
    expect(chip(page, "sin5").locator("input")).to_be_checked()  # one target stays
    expect(link).to_have_value(f"{start}&target=sin5")
    vary(page, "points").fill("")
    for _ in at_sizes(page):
        expect(field.first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == []
    expect(note).to_contain_text("16 runs that differ in")
    page.locator("#study-run").click()
    expect(page.locator("#study-progress")).to_have_text("All 16 runs are done.", timeout=120_000)
    page.reload()
    expect(chip(page, "sin5").locator("input")).to_be_checked()
    expect(vary(page, "width")).to_have_value("5,10")
    vary(page, "width").fill("0,5")
    vary(page, "width").press("Enter")
    expect(note).to_contain_text("width")
    expect(page.locator("#study-run")).to_be_disabled()


def test_a_link_that_the_form_cannot_say_is_kept(open_page: OpenPage) -> None:
    page = open_page("/study?decay=0.1,0.2&epochs=300&points=20&seed=0..3&target=sin(3*x)%2Bx", wait=False)
    expect(chip(page, "sin(3*x)+x").locator("input")).to_be_checked()
    vary(page, "seed").fill("0..4")
    expect(page.locator("#study-query")).to_have_value(
        re.compile(r"decay=0.1,0.2&.*seed=0..4&target=sin\(3\*x\)%2Bx")
    )
    expect(page.locator("#study-note")).to_contain_text("10 runs that differ in")


def test_nothing_is_written_over_what_somebody_types(open_page: OpenPage) -> None:
    """Neither by what a late answer says, nor by what is told after a pause."""
    page = open_page("/study?epochs=300&points=30&seed=0..3", wait=False)
    field, note = page.locator("#study-query"), page.locator("#study-note")
    expect(field).to_have_value("epochs=300&points=30&seed=0..3")
    expect(note).to_contain_text("4 runs that differ in")
    held: list[Route] = []

    def hold(route: Route) -> None:
        first = not held and '"study-asked"' in (route.request.post_data or "")
        held.append(route) if first else route.fallback()

    page.route(UPDATES, hold)
    page.reload()
    page.locator("#study-spelled summary").click()
    field.fill("epochs=300&seed=5,6")
    page.wait_for_timeout(1000)
    assert len(held) == 1
    held[0].continue_()
    expect(note).to_contain_text("2 runs that differ in seed")
    field.press("End")
    for letter in "&width=":
        field.press(letter)
        page.wait_for_timeout(100)
    page.wait_for_timeout(1000)
    field.press_sequentially("7,9")
    expect(note).to_contain_text("4 runs that differ in seed and width")
    field.press("Enter")  # tells, and begins no line
    expect(field).to_have_value("epochs=300&seed=5,6&width=7,9")
    page.locator("#study-run").click()
    expect(page.locator("#study-progress")).to_have_text("All 4 runs are done.")
    expect(field).to_have_value("epochs=300&seed=5,6&width=7,9")
    page.go_back()
    expect(field).to_have_value("epochs=300&points=30&seed=0..3")


def test_a_study_that_was_not_begun_says_what_to_press_and_shows_nothing_else(open_page: OpenPage) -> None:
    page = open_page(LINK.format(seeds="50..53"), size=PHONE, wait=False)
    expect(page.locator("#study-note")).to_contain_text("Press Run: 16 runs")
    expect(page.locator("#study-run")).to_be_in_viewport()
    expect(page.locator("#study-bands")).not_to_be_visible()
    expect(page.locator("#study-grid")).not_to_be_visible()
    run(page, 16)
    for name in ("bands", "scatter"):
        drawn(page, name)
    expect(page.locator(".ag-center-cols-container .ag-row").first).to_be_visible()
    page.goto(page.url.split("?")[0])
    own = page.locator("#study-own a")
    expect(own).to_have_text("sin πx, GD, ANLS, points 30, seed 50..53, width 5,10")
    expect(page.locator("#study-ready a").first).to_be_visible()
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        shown = page.locator("#study-ready a").first.locator("img").filter(visible=True)
        expect(shown).to_have_class(f"in-{theme}")
    own.click()
    expect(page.locator("#study-progress")).to_have_text("All 16 runs are done.")
    expect(page.locator("#study-ready a").first).not_to_be_visible()


def test_how_somebody_looks_is_in_the_link_and_outlives_a_reload(open_page: OpenPage) -> None:
    page = open_page(LINK.format(seeds="60..63"), wait=False)
    run(page, 16)
    drawn(page, "scatter")
    chosen = {"group": "width", "level": "0.1", "across": "seed", "up": "plateaus"}
    for name, value in chosen.items():
        page.locator(f"#pick-{name}").select_option(value)
        expect(page).to_have_url(re.compile(f"&{name}={value}"))
    expect(page.locator("#study-legend button")).to_have_text(["width 5", "width 10"])
    page.reload()
    expect(page.locator("#study-progress")).to_have_text("All 16 runs are done.")
    for name, value in chosen.items():
        expect(page.locator(f"#pick-{name}")).to_have_value(value)
    expect(page.locator("#study-legend button")).to_have_text(["width 5", "width 10"])
    page.locator("#pick-level").select_option("")
    expect(page).not_to_have_url(re.compile("level="))
    faint = "document.querySelectorAll('#study-{name} .trace[style*=\"opacity: 0.1\"]').length > 0"
    page.locator("#study-legend button", has_text="width 5").click()
    for name in ("bands", "seconds", "scatter"):
        until(page, faint.format(name=name))
    expect(page.locator("#study-legend button[aria-pressed=true]")).to_have_text("width 5")
    assert violations(page) == []
    page.locator("#study-legend button", has_text="width 5").click()
    until(page, f"!({faint.format(name='bands')})")


@failed_at(DESKTOP)
def test_all_of_320_runs_are_in_the_scatter_and_methods_are_told_apart_at_each_width(
    open_page: OpenPage, size: Size
) -> None:
    link = "/study?epochs=50,5&method=gd,anls&points=20&seed=0..79&width=5,10"
    page = open_page(link, size=size, wait=False)
    expect(page.locator("#study-note")).to_contain_text("320 runs")
    if page.locator("#study-run").is_enabled():  # at one size it is run, at the other it is there
        page.locator("#study-run").click()
    expect(page.locator("#study-progress")).to_have_text("All 320 runs are done.", timeout=300_000)
    names = ["ANLS, width 5", "ANLS, width 10", "GD, width 5", "GD, width 10"]
    expect(page.locator("#study-legend button")).to_have_text(names)
    expect(page.locator("#pick-group")).to_have_value("method,width")
    drawn = "document.querySelector('#study-scatter .js-plotly-plot').data.flatMap((trace) => [...trace.y])"
    until(page, "document.querySelectorAll('#study-scatter .points path.point').length === 320")
    study = page.locator("#study-csv").get_attribute("href")
    assert study is not None
    lines = page.request.get(page.url.split("/study")[0] + study).text().splitlines()
    place = lines[0].split(",").index("loss")
    losses = [float(row[place]) for row in csv.reader(lines[1:])]
    assert sorted(page.evaluate(drawn)) == sorted(losses), "the best run too"
    for _ in at_sizes(page):
        expect(page.locator("#study-about-scatter")).to_contain_text("One marker per run")
        until(page, "document.querySelectorAll('#study-scatter .points path.point').length === 320")


@failed_at(DESKTOP)
def test_a_study_of_own_data_speaks_in_their_units(open_page: OpenPage, size: Size) -> None:
    """The Nile's discharge, in 10^8 m^3: losses are squares of hundreds, and so are those one asks for."""
    data = "1871:1120;1881:995;1891:1100;1901:874;1911:831;1921:768;1931:759;1941:859;1951:820;1961:1020"
    units = "units=1916,45,900,200"
    link = f"/study?data={data}&{units}&epochs=300,20&method=gd,anls&seed=0..4&width=4"
    page = open_page(link, size=size, wait=False)
    expect(page.locator("#study-note")).to_contain_text("10 runs")
    if page.locator("#study-run").is_enabled():  # at one size it is run, at the other it is there
        page.locator("#study-run").click()
    expect(page.locator("#study-progress")).to_have_text("All 10 runs are done.", timeout=120_000)
    until(page, "document.querySelectorAll('#pick-level option').length > 2")
    offered = page.evaluate(
        "[...document.querySelectorAll('#pick-level option')].slice(1).map((option) => Number(option.value))"
    )
    drawn(page, "scatter")
    losses = page.evaluate(
        "document.querySelector('#study-scatter .js-plotly-plot').data.flatMap((trace) => [...trace.y])"
    )
    assert min(losses) > 100 and all(min(losses) <= level for level in offered)
    drawn(page, "reached")
    shares = page.evaluate(
        "document.querySelector('#study-reached .js-plotly-plot').data.map((trace) => trace.y.at(-1))"
    )
    assert max(shares) > 0 and min(shares) < 1


@pytest.mark.long
def test_what_a_study_still_takes_narrows_and_does_not_jump(open_page: OpenPage) -> None:
    page = open_page("/study?epochs=3e6&method=gd&points=200&seed=0..23&target=sin5&width=30", wait=False)
    expect(page.locator("#study-note")).to_contain_text("24 runs that differ in seed")
    page.locator("#study-run").click()
    said = page.locator("#study-progress")
    told: list[tuple[float, list[float]]] = []
    while "are done" not in (text := said.inner_text()):
        ends = seconds_told(text)
        if len(ends) == 2 and (not told or ends != told[-1][1]):
            told.append((time.monotonic(), ends))
        page.wait_for_timeout(100)
    assert len(told) > 4, told
    for (then, before), (now, after) in pairwise(told):
        for was, left in zip(before, after, strict=True):
            # What has passed is no jump, nor is a second that is rounded.
            assert min(was / 2, was - (now - then)) - 1 <= left <= 2 * was + 1, told
    first, last = (high / low for _, (low, high) in (told[0], told[-1]))
    assert last < 0.8 * first, told


@failed_at(DESKTOP)
def test_a_slow_answer_about_a_study_says_what_is_done(open_page: OpenPage, size: Size) -> None:
    page = open_page("/study?epochs=300&points=30&seed=0..3", size=size, wait=False)
    expect(page.locator("#study-note")).to_contain_text("4 runs that differ in")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if '"study-note' in (route.request.post_data or "") else route.fallback()

    page.route(UPDATES, hold)
    vary(page, "seed").fill("5,6")
    vary(page, "seed").press("Enter")
    sign = "getComputedStyle(document.querySelector('#study-note'), '::after')"
    until(page, f"{sign}.content.includes('Counting the runs') && {sign}.visibility === 'visible'")
    while held:
        held.pop().continue_()
    expect(page.locator("#study-note")).to_contain_text("2 runs that differ in seed")
    until(page, f"!{sign}.content.includes('Counting the runs')")
