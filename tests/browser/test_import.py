"""A researcher's files: shown before anything runs, then told in their own units and names."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import QUICK, OpenPage, field, until, wait_for
from tests.browser.playing import at_sizes
from tests.browser.sizes import DESKTOP, PHONE, Size, failed_at
from tests.browser.test_accessibility import violations_in_both_themes
from tests.browser.test_shell import wait_for_run
from tests.browser.test_sizes import measured

CORPUS = Path(__file__).parents[1] / "core/problem/corpus"
CHOSEN = "(role) => document.querySelector(`#import-${role}`).selectedOptions[0].text"


def with_own_data(same_page: OpenPage, size: Size = DESKTOP) -> Page:
    """The Lab with the settings open at My data."""
    page = same_page(QUICK, size=size)
    wait_for_run(page)
    if page.locator("#settings-button").is_visible():
        page.locator("#settings-button").click()
    page.locator("#source [value=data]").check()
    return page


def open_file(page: Page, name: str) -> None:
    page.locator("#data-file").set_input_files(CORPUS / name)
    expect(page.locator("#import-dialog-title")).to_have_text(name)
    expect(page.locator("#import-use")).to_be_enabled()


def use_file(page: Page, name: str) -> None:
    """Open a file, use it as it is, and wait for its run."""
    before = page.url
    open_file(page, name)
    page.locator("#import-use").click()
    started(page, before)


def started(page: Page, before: str) -> None:
    expect(page).not_to_have_url(before)
    expect(page).to_have_url(re.compile("data="))
    wait_for_run(page)
    if page.locator("#settings-close").is_visible():
        page.locator("#settings-close").click()


def paste(page: Page, text: str) -> None:
    page.evaluate(
        """text => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          document.querySelector("#source-part-data textarea")
            .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def at_every_size(page: Page) -> dict[str, object]:
    """What is cut or lies over something else, by size."""
    before, wrong = page.viewport_size, {}
    assert before is not None
    for width in at_sizes(page):
        wrong[f"{width}"] = measured(page)
    page.set_viewport_size(before)
    return {size: found for size, found in wrong.items() if found}


@failed_at(PHONE, DESKTOP)
def test_a_file_is_shown_before_it_is_used(same_page: OpenPage, size: Size) -> None:
    """Index, bmi and target do not become x, y and weight."""
    page = with_own_data(same_page, size)
    before = page.url
    open_file(page, "diabetes-bmi.csv")
    assert page.url == before, "nothing runs before Use"
    assert [page.evaluate(CHOSEN, role) for role in ("x", "y", "weight")] == ["bmi", "target", "none"]
    titles = page.locator("#import-head th")
    expect(titles.locator(".import-role")).to_have_text(["x", "y"])
    page.locator("#import-weight").select_option(label="bmi")
    expect(page.locator("#import-head th[data-role]")).to_have_count(2)
    page.locator("#import-weight").select_option("")
    page.keyboard.press("Escape")
    expect(page.locator("#import-dialog")).to_be_hidden()
    assert page.url == before
    use_file(page, "diabetes-bmi.csv")
    assert "labels=diabetes-bmi.csv%7Cbmi%7Ctarget" in page.url


@failed_at(DESKTOP)
def test_a_second_file_has_its_own_units(same_page: OpenPage, size: Size) -> None:
    page = with_own_data(same_page, size)
    use_file(page, "sunspots.csv")
    expect(page.locator(field("text", "points"))).to_have_value(re.compile(r"^1700, 5\n1701, 11\n"))
    first = re.search(r"units=([^&]*)", page.url)
    open_file(page, "co2-gaps.csv")
    expect(page.locator("#import-notes")).to_contain_text("26 of 300 rows skipped: no value")
    before = page.url
    page.locator("#import-use").click()
    started(page, before)
    expect(page).to_have_url(re.compile("calendar=yes"))
    second = re.search(r"units=([^&]*)", page.url)
    assert first and second and first[1] != second[1], "no units of the file before"
    expect(page.locator(field("text", "points"))).to_have_value("")
    fit = page.locator("#plot-fit")
    expect(fit).to_contain_text(re.compile(r"19(58|59|60)"))
    expect(fit).to_contain_text("co2")
    assert at_every_size(page) == {}


@failed_at(DESKTOP)
def test_dates_gaps_and_a_single_column_are_read(same_page: OpenPage, size: Size) -> None:
    page = with_own_data(same_page, size)
    for name, x, points in (
        ("co2-gaps.csv", "date (dates)", 274),
        ("nile-volume-only.txt", "row number", 100),
        ("copied-column.txt", "row number", None),
    ):
        open_file(page, name)
        assert page.evaluate(CHOSEN, "x") == x
        if points:
            expect(page.locator("#import-use")).to_have_text(f"Use {points} points")
        assert at_every_size(page) == {}
        page.keyboard.press("Escape")
        expect(page.locator("#import-dialog")).to_be_hidden()


@pytest.mark.parametrize("name", [pytest.param("sunspots.csv", marks=pytest.mark.long), "co2-gaps.csv"])
@failed_at(DESKTOP)
def test_a_run_is_told_in_the_names_and_units_of_its_file(same_page: OpenPage, name: str, size: Size) -> None:
    page = with_own_data(same_page, size)
    use_file(page, name)
    dated = name.startswith("co2")
    x, y = ("date", "co2") if dated else ("YEAR", "SUNACTIVITY")
    expect(page.locator("#run-chip")).to_have_text(name)
    expect(page).to_have_title(f"{name} · Plateau Lab")
    expect(page.locator("#caution")).to_be_hidden()  # neither of the scale nor of the step
    expect(page.locator("#plot-fit")).to_contain_text(x)
    expect(page.locator("#plot-fit")).to_contain_text(f"{y}, f(x)")
    expect(page.locator("#plot-loss")).to_contain_text(f"loss ({y}²)")
    expect(page.locator("#plot-biases")).to_contain_text(f"({x})")
    box = page.locator("#plot-fit").bounding_box()
    assert box
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"])
    year = r"19\d\d-\d\d-\d\d" if dated else r"1[789]\d\d"
    expect(page.locator(".pl-tip").filter(visible=True)).to_contain_text(re.compile(f"{x} = {year}"))
    page.mouse.move(2, 2)
    for panel in ("fit", "biases"):
        page.locator(f".panel-data[data-panel={panel}]").evaluate("button => button.click()")
    expect(page.locator("#table-fit thead")).to_contain_text(f"mean {x}")
    expect(page.locator("#table-biases thead")).to_contain_text(f"bias b_j ({x})")
    expect(page.locator("#table-biases td:nth-child(2)").first).to_have_text(
        re.compile(r"^19\d\d-\d\d-\d\d$" if dated else r"^1\d\d\d$")
    )
    for panel in ("fit", "biases"):
        page.locator(f".panel-data[data-panel={panel}]").evaluate("button => button.click()")
    assert at_every_size(page) == {}


@failed_at(DESKTOP)
def test_a_file_names_its_run_and_what_is_saved_of_it(open_page: OpenPage, size: Size) -> None:
    page = with_own_data(open_page, size)
    use_file(page, "sunspots-index.csv")
    run = page.evaluate("lab.runs()[0].id")
    query, base = page.url.partition("?")[2], page.url.partition("/?")[0]
    saved = page.request.get(f"{base}/api/runs/{run}/export.csv")
    while saved.status == 202:  # it is being made
        page.wait_for_timeout(200)
        saved = page.request.get(saved.url)
    assert re.search(r'filename="sunspots-index-[0-9a-f]{8}\.csv"', saved.headers["content-disposition"])
    page.goto(f"{base}/handout?{query}")
    expect(page.locator("h1")).to_have_text("GD on sunspots-index.csv")
    page.goto(f"{base}/runs")
    for _ in at_sizes(page):
        expect(page.locator(".runs-list li").first).to_contain_text("sunspots-index.csv")
        expect(page.locator(".runs-list li a", has_text="sunspots-index.csv").first).to_be_in_viewport()


@failed_at(DESKTOP)
def test_what_cannot_be_read_is_said_in_the_dialog(
    same_page: OpenPage, forgiven: list[str], size: Size
) -> None:
    forgiven.append("400 (BAD REQUEST)")
    page = with_own_data(same_page, size)
    page.locator("#data-file").set_input_files(CORPUS / "excel.xlsx")
    expect(page.locator("#import-error")).to_contain_text("Save the sheet as CSV")
    expect(page.locator("#import-use")).to_be_disabled()
    assert at_every_size(page) == {}


BUSY = '{"error": "The server is reading other data.", "ahead": %s, "retry_after": 1}'


def answered_after(page: Page, *ahead: int) -> None:
    """So many others are read first, by and by."""
    left = list(ahead)

    def busy(route: Route) -> None:
        if not left:
            return route.fallback()
        answer = BUSY % left.pop(0)
        return route.fulfill(
            status=429, body=answer, headers={"Content-Type": "application/json", "Retry-After": "1"}
        )

    page.route("**/api/data?*", busy)


@failed_at(DESKTOP)
def test_a_busy_server_reads_a_file_in_its_turn(same_page: OpenPage, forgiven: list[str], size: Size) -> None:
    """Nobody has to send it again, neither to look at it nor to use it."""
    forgiven.append("429 (")
    page = with_own_data(same_page, size)
    answered_after(page, 3, 1)
    page.locator("#data-file").set_input_files(CORPUS / "sunspots.csv")
    found = page.locator("#import-found")
    expect(found).to_have_text("Waiting: 3 before yours…")
    expect(found).to_be_in_viewport()
    expect(found).to_have_text("Waiting: 1 before yours…")
    expect(page.locator("#import-use")).to_be_enabled()
    expect(found).to_contain_text("309 rows")
    expect(page.locator("#import-error")).to_be_empty()
    answered_after(page, 2)
    before = page.url
    page.locator("#import-use").click()
    expect(found).to_have_text("Waiting: 2 before yours…")
    started(page, before)


def test_a_file_that_is_put_away_is_not_sent_again(same_page: OpenPage, forgiven: list[str]) -> None:
    forgiven.append("429 (")
    page = with_own_data(same_page)
    answered_after(page, *range(50))
    page.locator("#data-file").set_input_files(CORPUS / "sunspots.csv")
    expect(page.locator("#import-found")).to_have_text("Waiting for the server…")
    page.keyboard.press("Escape")
    expect(page.locator("#import-dialog")).to_be_hidden()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "/api/data?" in request.url else None)
    page.wait_for_timeout(2500)
    assert not sent


@failed_at(DESKTOP)
def test_a_pasted_table_is_shown_and_its_names_are_text(same_page: OpenPage, size: Size) -> None:
    page = with_own_data(same_page, size)
    paste(page, "year,<img src=x onerror=alert(1)>\n1990,1\n1991,4\n1992,2\n1993,5\n")
    expect(page.locator("#import-use")).to_have_text("Use 4 points")
    before = page.url
    page.locator("#import-use").click()
    started(page, before)
    assert page.locator("img[src=x]").count() == 0
    expect(page.locator("#workspace")).to_contain_text("<img src=x")


@failed_at(DESKTOP)
def test_a_column_of_a_spreadsheet_can_be_pasted(same_page: OpenPage, size: Size) -> None:
    page = with_own_data(same_page, size)
    paste(page, "flow\r\n1120\r\n1160\r\n963\r\n1210\r\n")
    expect(page.locator("#import-use")).to_have_text("Use 4 points")
    assert page.evaluate(CHOSEN, "x") == "row number"
    expect(page.locator("#import-head th")).to_have_text(["xrow number", "yflow"])


@failed_at(DESKTOP)
def test_a_file_can_be_dropped_anywhere(same_page: OpenPage, size: Size) -> None:
    page = with_own_data(same_page, size)
    page.evaluate(
        """text => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "dropped.csv", { type: "text/csv" }));
          for (const kind of ["dragover", "drop"])
            document.querySelector("#plot-fit")
              .dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        "t,v\n0,1\n1,3\n2,2\n",
    )
    expect(page.locator("#import-dialog-title")).to_have_text("dropped.csv")
    expect(page.locator("#import-use")).to_have_text("Use 3 points")
    until(page, "!('dropping' in document.documentElement.dataset)")


def test_the_preview_is_read_by_all_at_every_size(same_page: OpenPage) -> None:
    """A wide table, with what is used of it in sight on a phone too."""
    page = with_own_data(same_page)
    open_file(page, "diabetes.csv")
    assert at_every_size(page) == {}
    for _ in at_sizes(page):
        assert violations_in_both_themes(page) == []
        for role in ("x", "y"):
            expect(page.locator(f"#import-head th[data-role={role}]")).to_be_in_viewport(ratio=0.9)


def file_choosers(page: Page) -> list[object]:
    """Those that open from now on. Playwright's own way does not wait until the browser keeps them back: the
    system's chooser may open instead."""
    session = page.context.new_cdp_session(page)
    opened: list[object] = []
    session.on("Page.fileChooserOpened", lambda told: opened.append(told))
    session.send("Page.enable")
    session.send("Page.setInterceptFileChooserDialog", {"enabled": True})
    return opened


@failed_at(DESKTOP)
def test_a_file_is_imported_by_the_keyboard_alone(same_page: OpenPage, size: Size) -> None:
    page = with_own_data(same_page, size)
    page.locator(field("text", "points")).focus()
    page.keyboard.press("Tab")
    expect(page.locator("#data-open")).to_be_focused()
    choosers = file_choosers(page)
    page.keyboard.press("Enter")
    wait_for(page, lambda: bool(choosers))
    page.locator("#data-file").set_input_files(CORPUS / "diabetes.csv")
    expect(page.locator("#import-use")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Shift+Tab")
    expect(page.locator("#import-x")).to_be_focused()
    page.keyboard.type("bmi")
    expect(page.locator("#import-head th[data-role=x]")).to_contain_text("bmi")
    expect(page.locator("#import-x")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.locator("#import-use")).to_be_focused()
    before = page.url
    page.keyboard.press("Enter")
    started(page, before)
    assert "labels=diabetes.csv%7Cbmi%7Ctarget" in page.url
