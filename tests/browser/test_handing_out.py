"""What a lecturer takes away: files that arrive, a small table of losses, pictures for slides and papers."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage, field, in_theme, until
from tests.browser.playing import at_sizes, opened
from tests.browser.sizes import SIZES, Size, failed_at

RACE = "/?epochs=3000,30&method=gd,anls&seed=1"
LECTURE = (1920, 1080)


def menu(page: Page, name: str) -> None:
    page.locator(f"#panel-{name}").hover()
    page.locator(f"#panel-{name} [data-action=more]").click()


def saved_picture(page: Page, panel: str, size: str, kind: str) -> bytes:
    menu(page, panel)
    page.get_by_role("menuitem", name="Save the picture…").click()
    page.locator("#picture-size").select_option(size)
    with page.expect_download() as download:
        page.locator(f"#picture-{kind}").click()
    return Path(download.value.path()).read_bytes()


@pytest.mark.parametrize(
    ("entry", "path", "head"),
    [("All runs with data", "**/comparison.zip?*", b"PK"), ("A replay", "**/replay.html?*", b"<!")],
)
def test_a_file_that_is_still_being_made_is_waited_for(
    same_page: OpenPage, entry: str, path: str, head: bytes
) -> None:
    page = opened(same_page, RACE, size=LECTURE)
    asked = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 2:
            return route.continue_()
        return route.fulfill(
            status=202,
            body='{"ahead":0}',
            headers={"Retry-After": "0.4"},
            content_type="application/json",
        )

    page.route(path, answer)
    for _ in at_sizes(page, (LECTURE, *SIZES)):
        asked.clear()
        menu(page, "loss")
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=entry).click()
            expect(page.locator("#toast")).to_have_text("Preparing the file…")
        body = Path(download.value.path()).read_bytes()
        assert body.startswith(head) and len(body) > 1000
        assert re.fullmatch(r"plateau-[0-9a-f]{8}\.(zip|html)", download.value.suggested_filename)
        expect(page.locator("#toast")).to_contain_text("Saved plateau-")


@failed_at(LECTURE)
def test_a_file_that_is_never_made_is_given_up(same_page: OpenPage, size: Size) -> None:
    page = opened(same_page, RACE, size=size)
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=202, json={"ahead": 0}, headers={"Retry-After": "0.001"})

    page.route("**/comparison.zip?*", answer)
    menu(page, "loss")
    page.get_by_role("menuitem", name="All runs with data").click()
    expect(page.locator("#toast")).to_have_text("The server had no time to make this file. Try again later.")
    assert len(asked) == 300


@failed_at(LECTURE)
def test_a_file_that_cannot_be_made_says_why(same_page: OpenPage, forgiven: list[str], size: Size) -> None:
    forgiven.append("503")
    page = opened(same_page, RACE, size=size)
    page.route(
        "**/comparison.zip?*", lambda route: route.fulfill(status=503, json={"error": "The disk is full."})
    )
    menu(page, "loss")
    page.get_by_role("menuitem", name="All runs with data").click()
    expect(page.locator("#toast")).to_have_text("The disk is full.")


def test_the_losses_of_a_race_are_the_first_choice_and_small(same_page: OpenPage) -> None:
    page = opened(same_page, RACE, size=LECTURE)
    losses = page.evaluate("Object.fromEntries(lab.runs().map((run) => [run.title, run.loss]))")
    for _ in at_sizes(page, (LECTURE, *SIZES)):
        menu(page, "loss")
        first = page.get_by_role("menuitem").first
        expect(first).to_have_text("Losses of this race (CSV)")
        with page.expect_download() as download:
            first.click()
        rows = Path(download.value.path()).read_text().splitlines()
        assert rows[0] == "epoch,GD,ANLS"
        table = [row.split(",") for row in rows[1:]]
        epochs = [float(row[0]) for row in table]
        assert epochs == sorted(set(epochs)) and epochs[0] == 0 and epochs[-1] == 3000
        assert all(row[1] and (row[2] or float(row[0]) > 30) for row in table), "nothing is missing"
        assert float(table[-1][1]) == pytest.approx(losses["GD"])
        assert len("\n".join(rows)) < 100_000


def test_a_picture_of_a_race_is_ready_for_a_slide(open_page: OpenPage) -> None:
    """White, from a page in light and in dark."""
    page = opened(open_page, RACE, size=LECTURE)
    page.locator(field("seed")).fill("2")  # what was there before stays on screen as a grey curve
    page.locator(field("seed")).press("Enter")
    until(page, "lab.runs().length === 2 && lab.runs().every((run) => run.status === 'finished')")
    until(
        page,
        "[...document.querySelectorAll('#plot-loss .textpoint')].some((x) => /before/.test(x.textContent))",
    )
    for width in at_sizes(page, (LECTURE, *SIZES)):
        in_theme(page, "light" if width == LECTURE[0] else "dark")
        text = saved_picture(page, "loss", "slide", "svg").decode()
        assert 'width="1280"' in text and 'height="720"' in text
        assert "before" not in text
        assert text.count(">GD<") == text.count(">ANLS<") == 1, "one legend"
        assert "floor" not in text.split("</desc>")[1]
        filled = re.findall(r"fill: rgb\((\d+), (\d+), (\d+)\)", text)
        assert ("255", "255", "255") in filled and ("28", "31", "38") not in filled, "white on dark too"
    png = saved_picture(page, "fit", "slide", "png")
    assert png.startswith(b"\x89PNG") and png[16:24] == (1920).to_bytes(4, "big") + (1080).to_bytes(4, "big")


def test_a_picture_of_one_run_explains_every_mark(open_page: OpenPage) -> None:
    page = opened(open_page, "/?epochs=3e4&seed=1", size=LECTURE)
    for _ in at_sizes(page, (LECTURE, *SIZES)):
        text = saved_picture(page, "loss", "column", "svg").decode()
        assert 'width="321"' in text
        assert {"GD", "floor of the stage"} <= set(re.findall(r">([^<>]+)</text>", text))
    fit = saved_picture(page, "fit", "column", "svg").decode()
    assert {"data", "GD", "bias"} <= set(re.findall(r">([^<>]+)</text>", fit))
    assert "epoch 30,000" in fit


@failed_at(LECTURE)
def test_a_pdf_is_one_page_of_the_chosen_size_with_real_type(same_page: OpenPage, size: Size) -> None:
    page = opened(same_page, RACE, size=size)
    page.evaluate("window.print = () => { window.printed = true; }")
    menu(page, "loss")
    page.get_by_role("menuitem", name="Save the picture…").click()
    page.locator("#picture-pdf").click()
    until(page, "window.printed === true")
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.count(b"/Type /Page\n") == 1
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert box and [round(float(side)) for side in box.groups()] == [960, 540], (
        "1280 by 720 pixels, in points"
    )
    assert b"/FontFile2" in pdf, "type, not dots"
    expect(page.locator("#print-picture")).to_have_count(0)


PAGES = b"/Type /Page\n"


def test_a_handout_has_a_figure_per_step_on_white_and_its_answers_apart(open_page: OpenPage) -> None:
    page = open_page("/lessons/pinned/handout", theme="dark", size=LECTURE, wait=False)
    steps, pictures = page.locator(".handout-step"), page.locator(".handout-step .handout-figure img")
    expect(pictures.first).to_be_visible()
    expect(pictures).to_have_count(steps.count())
    expect(page.locator(".handout-answers")).to_have_count(1)
    for _ in at_sizes(page, (LECTURE, *SIZES)):
        for step in steps.all():
            picture = step.locator(".handout-figure img")
            expect(picture).to_have_js_property("complete", True)
            assert picture.evaluate("(img) => img.naturalWidth > 100 && img.clientWidth > 250")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator(".handout-step", has_text="Answers:").count() == 0
    page.emulate_media(media="print", color_scheme="dark")
    paper = "getComputedStyle(document.querySelector('{}'))['{}']"
    for part in ("html", "body"):
        assert page.evaluate(paper.format(part, "backgroundColor")) == "rgb(255, 255, 255)", "white paper"
    assert page.evaluate(paper.format(".handout-answers", "color")) == "rgb(0, 0, 0)"
    whole = page.pdf(format="A4").count(PAGES)
    page.evaluate("document.querySelector('.handout-answers').remove()")
    without = page.pdf(format="A4").count(PAGES)
    assert whole == without + 1 >= 2, "the answers are a page of their own"
