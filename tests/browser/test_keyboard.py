"""A neuron is chosen and every panel is read by the keyboard alone, from the top of the page."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, linked, until
from tests.browser.playing import opened
from tests.browser.sizes import LAPTOP, Size, failed_at

FOCUSED = "(selector) => document.activeElement.matches(selector) && document.activeElement.checkVisibility()"
PANELS = """dash_component_api.getLayout('specification').props.data.panels.map(({name}) => name)"""
MOST_STOPS = 150


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab as often as it takes; what then has the focus can be seen."""
    passed: list[str] = []
    while len(passed) < MOST_STOPS:
        page.keyboard.press(key)
        if page.evaluate(FOCUSED, selector):
            return
        passed.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
    raise AssertionError(f"{key} does not come to {selector}, but past {passed}")


def read(page: Page, name: str) -> None:
    """Open the table of a panel that has the focus on its button, go into it, and close it again."""
    button, table = page.locator(f"#panel-{name} .panel-data"), page.locator(f"#table-{name}")
    page.keyboard.press("Enter")
    expect(table.locator("tbody tr, p").first).to_be_visible()
    if table.locator("tbody tr").count():
        tab_to(page, f"#table-{name}")
        tab_to(page, f"#panel-{name} .panel-data", "Shift+Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Space")
    expect(table).to_be_hidden()


@failed_at(LAPTOP)
def test_every_panel_is_reached_and_read(open_page: OpenPage, size: Size) -> None:
    page = opened(open_page, size=size)
    first = ("loss", "fit", "biases")
    for name in first:
        tab_to(page, f"#panel-{name} .panel-data")
        read(page, name)
    panels: list[str] = page.evaluate(PANELS)
    tab_to(page, "#panel-tabs button")
    for name in panels[len(first) :]:
        expect(page.locator(f"#tab-{name}")).to_be_focused()
        expect(page.locator(f"#panel-{name}")).to_be_visible()
        tab_to(page, f"#panel-{name} .panel-data")
        read(page, name)
        tab_to(page, "#panel-tabs button", "Shift+Tab")
        page.keyboard.press("ArrowRight")


@failed_at(LAPTOP)
def test_a_neuron_is_chosen(open_page: OpenPage, size: Size) -> None:
    page = opened(open_page, size=size)
    tab_to(page, "#neuron-choice")
    page.keyboard.press("3")
    expect(page.locator("#hands-name")).to_have_text("Neuron 3 at b =")
    until(page, linked("neuron=3"))
    tab_to(page, "#hands-bias")
    expect(page.locator("#hands-bias")).to_have_value(re.compile(r"\d"))
    page.keyboard.press("Escape")
    expect(page.locator("#hands-on")).to_be_hidden()
    expect(page.locator("#neuron-choice")).to_have_value("")
    until(page, "lab.view('neuron') === null")


@failed_at(LAPTOP)
def test_numbers_choose_a_panel(open_page: OpenPage, size: Size) -> None:
    page = opened(open_page, size=size)
    tab_to(page, ".pl-track")
    for key, place in (("0", 9), ("-", 10)):
        page.keyboard.press(key)
        expect(page.locator(".panel").nth(place)).to_be_visible()
    assert page.locator(".panel").count() == 11, "each has a key"
