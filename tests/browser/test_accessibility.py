"""axe-core finds nothing serious on the page, in light and dark, on a desk and on a phone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import OpenPage

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
"""axe-core 4.14.0, Deque Systems, MPL-2.0; unchanged."""
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dialogs_and_tabs(open_page: OpenPage, theme: str) -> None:
    page = open_page(RACE, theme=theme)
    wait_for_race(page)
    for key, name in (("q", "#share-dialog"), ("?", "#keys-dialog")):
        page.keyboard.press(key)
        expect(page.locator(name)).to_be_visible()
        assert serious(page) == []
        page.keyboard.press("Escape")
    for name in ("pattern", "rates", "candidates"):
        page.locator(f"#tab-{name}").click()
        expect(page.locator(f"#panel-{name}")).to_be_visible()
        assert serious(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone(open_page: OpenPage, theme: str) -> None:
    page = open_page(RACE, size=(390, 844), theme=theme, touch=True)
    wait_for_race(page)
    assert serious(page) == []
    page.locator("#settings-button").click()
    page.wait_for_timeout(350)
    assert serious(page) == []
