"""axe-core finds nothing serious on the page, in light and dark, on a desk and on a phone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import OpenPage

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
"""axe-core 4.14.0, Deque Systems, MPL-2.0; unchanged."""
TABLE = Path(__file__).parents[1] / "core/problem/corpus/diabetes-bmi.csv"
RACE = "/?epochs=3000,20&method=gd,anls"


def serious(page: Page | Frame) -> list[str]:
    """What axe-core calls serious or critical, with the place, once no colour is on its way to another."""
    page.evaluate(
        "Promise.allSettled(document.getAnimations()"
        ".filter((each) => each instanceof CSSTransition).map((each) => each.finished)).then(() => null)"
    )
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations)"
    )
    wrong = [entry for entry in found if entry["impact"] in ("serious", "critical")]
    return [f"{entry['id']}: {[' '.join(node['target']) for node in entry['nodes'][:5]]}" for entry in wrong]


def wait_for_race(page: Page) -> None:
    """Both runs are finished and drawn."""
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")
    expect(page.locator("#explanation")).not_to_be_empty()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lab(open_page: OpenPage, theme: str) -> None:
    page = open_page(RACE, theme=theme)
    wait_for_race(page)
    assert serious(page) == []
    page.keyboard.press("s")
    expect(page.locator("#stages")).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.locator("#panels-button").click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.locator("#source-data").check()
    expect(page.locator("#error-data")).not_to_be_empty()
    assert serious(page) == []
    for k in range(3):
        page.locator("#thumbnail.editable").click(position={"x": 40 + 60 * k, "y": 30})
    expect(page.locator("#thumbnail .datum")).to_have_count(3)
    assert serious(page) == []


def save_picture(page: Page) -> None:
    page.locator("#panel-loss [data-action=more]").click()
    page.get_by_role("menuitem", name="Save the picture…").click()


DIALOGS: dict[str, Callable[[Page], None]] = {
    "#share-dialog": lambda page: page.keyboard.press("q"),
    "#keys-dialog": lambda page: page.keyboard.press("?"),
    "#present-dialog": lambda page: page.keyboard.press("p"),
    "#picture-dialog": save_picture,
    "#menu": lambda page: page.locator("#panel-loss [data-action=more]").click(),
    "#bubble": lambda page: page.locator("#panel-loss [data-hint]").click(),
    "#hands-on": lambda page: page.evaluate("lab.set({neuron: 3})"),
    "#table-loss": lambda page: page.locator("#panel-loss .panel-data").click(),
    ".legend-rows": lambda page: page.locator("#legend summary").click(),
    ".pl-more": lambda page: page.locator(".pl-why summary").click(),
    "#import-dialog": lambda page: page.locator("#data-file").set_input_files(TABLE),
}
"""How each part that opens over the page is opened."""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dialogs_and_tabs(open_page: OpenPage, theme: str) -> None:
    page = open_page(RACE, theme=theme)
    wait_for_race(page)
    wrong = {}
    for name, opens in DIALOGS.items():
        opens(page)
        expect(page.locator(name)).to_be_visible()
        wrong[name] = serious(page)
        if name == "#table-loss" or name in (".legend-rows", ".pl-more"):
            opens(page)
        else:
            page.keyboard.press("Escape")
        expect(page.locator(name)).to_be_hidden()
    for name in ("pattern", "rates", "candidates", "landscape"):
        page.locator(f"#tab-{name}").click()
        expect(page.locator(f"#panel-{name}")).to_be_visible()
        wrong[name] = serious(page)
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone(open_page: OpenPage, theme: str) -> None:
    page = open_page(RACE, size=(390, 844), theme=theme, touch=True)
    wait_for_race(page)
    assert serious(page) == []
    expect(page.get_by_role("heading", level=1)).to_have_text("Plateau Lab")
    page.locator("#settings-button").click()
    page.wait_for_timeout(350)
    assert serious(page) == []
