"""axe-core finds nothing, in light and dark, on a large screen and on a phone; Tab reaches everything."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import ADMIN_TOKEN, OpenPage, in_both_themes
from tests.browser.sizes import DESKTOP, PHONE, Size, failed_at

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
"""axe-core 4.14.0, Deque Systems, MPL-2.0; unchanged."""
TABLE = Path(__file__).parents[1] / "core/problem/corpus/diabetes-bmi.csv"
RACE = "/?epochs=3000,20&method=gd,anls"
COLOUR_RULES = ("color-contrast", "link-in-text-block")


def violations_in_both_themes(page: Page) -> list[str]:
    """What axe-core finds in light, and of colours in dark: themes differ in no more. Dark is what stays."""
    rules = {"light": (), "dark": COLOUR_RULES}
    return [f"{theme}: {each}" for theme in in_both_themes(page) for each in violations(page, *rules[theme])]


def violations(page: Page | Frame, *rules: str) -> list[str]:
    """What axe-core finds by all rules or by these, with its place, once no colour is still changing."""
    page.evaluate(
        "Promise.allSettled(document.getAnimations()"
        ".filter((each) => each instanceof CSSTransition).map((each) => each.finished)).then(() => null)"
    )
    page.evaluate(AXE)
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found: list[dict[str, Any]] = page.evaluate(
        "(options) => axe.run(document, options).then((result) => result.violations)",
        {"resultTypes": ["violations"], **only},
    )
    return [f"{entry['id']}: {[' '.join(node['target']) for node in entry['nodes'][:5]]}" for entry in found]


def wait_for_race(page: Page) -> None:
    """Both runs are finished and drawn."""
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")
    expect(page.locator("#explanation")).not_to_be_empty()


def test_the_lab(open_page: OpenPage) -> None:
    page = open_page(RACE)
    wait_for_race(page)
    assert violations_in_both_themes(page) == []
    page.keyboard.press("s")
    expect(page.locator("#stages")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.keyboard.press("Escape")
    page.locator("#panels-button").click()
    assert violations_in_both_themes(page) == []
    page.keyboard.press("Escape")
    page.locator("#source [value=data]").check()
    expect(page.locator("#error-data")).not_to_be_empty()
    assert violations_in_both_themes(page) == []
    for k in range(3):
        page.locator("#thumbnail.editable").click(position={"x": 40 + 60 * k, "y": 30})
    expect(page.locator("#thumbnail .datum")).to_have_count(3)
    assert violations_in_both_themes(page) == []


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


def test_dialogs_and_tabs(open_page: OpenPage) -> None:
    page = open_page(RACE)
    wait_for_race(page)
    wrong = {}
    for name, opens in DIALOGS.items():
        opens(page)
        expect(page.locator(name)).to_be_visible()
        wrong[name] = violations_in_both_themes(page)
        if name == "#table-loss" or name in (".legend-rows", ".pl-more"):
            opens(page)
        else:
            page.keyboard.press("Escape")
        expect(page.locator(name)).to_be_hidden()
    for name in ("pattern", "rates", "candidates", "landscape"):
        page.locator(f"#tab-{name}").click()
        expect(page.locator(f"#panel-{name}")).to_be_visible()
        wrong[name] = violations_in_both_themes(page)
    assert not any(wrong.values()), wrong


def test_a_phone(open_page: OpenPage) -> None:
    page = open_page(RACE, size=PHONE, touch=True)
    wait_for_race(page)
    assert violations_in_both_themes(page) == []
    expect(page.get_by_role("heading", level=1)).to_have_text("Plateau Lab")
    page.locator("#settings-button").click()
    page.wait_for_timeout(350)
    assert violations_in_both_themes(page) == []


PAGES = (
    *("/lessons", "/lessons/pinned/handout", "/handout?epochs=2000&method=gd"),
    *("/study", "/runs", f"/admin?token={ADMIN_TOKEN}"),
)
PRESENT = """fetch("/api/presentations", {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify({query: "at=0", live: true})}).then((answer) => answer.ok)"""


@failed_at(DESKTOP)
def test_pages_to_read(open_page: OpenPage, server: str, forgiven: list[str], size: Size) -> None:
    forgiven.append("favicon.ico")  # asked for where a page is left before its own icon was read
    page = open_page("/runs", size=size, wait=False)
    assert page.evaluate(PRESENT), "there is something for /admin to list"
    wrong = {}
    for path in PAGES:
        page.goto(server + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        wrong[path] = violations_in_both_themes(page)
    assert not any(wrong.values()), wrong


FOCUSED = """() => { const at = document.activeElement;
  const {left, top, right, bottom} = at.getBoundingClientRect();
  const middle = (from, to, end) => (Math.max(0, from) + Math.min(end, to)) / 2;
  const there = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  const isOf = there && (at.contains(there) || there.contains(at));
  const isFree = Boolean(isOf || (there && there.closest("label")?.control === at));
  return [at.checkVisibility() && isFree, at.id || at.className || at.tagName]; }"""
"""Whether what has the focus is in sight, with nothing over its middle, and its name."""
PHONE_STOPS = (
    *("skip", "settings-button", "keys-button", "pl-method", "tab-coefficients", "neuron-choice"),
    *("pl-button pl-play", "pl-track", "pl-sentence"),
)
STOPS = (
    *("skip", "brand", "panels-button", "keys-button", "continue", "pl-method", "tab-coefficients"),
    *("neuron-choice", "pl-button pl-play", "pl-track", "pl-sentence", "forecast-button", "stages-button"),
)
"""What Tab comes past, in this order: the header, the settings, the panels, the timeline, the sentence."""


@failed_at(PHONE, DESKTOP)
def test_tab_goes_through_the_page_in_order_and_ends(open_page: OpenPage, size: Size) -> None:
    """With the key itself; what has the focus can be seen, and nothing holds it."""
    page = open_page(RACE, size=size)
    wait_for_race(page)
    seen: list[str] = []
    while len(seen) < 200:
        page.keyboard.press("Tab")
        visible, name = page.evaluate(FOCUSED)
        if name == "BODY":
            break
        assert visible, f"{name} has the focus and cannot be seen"
        seen.append(name)
    assert len(seen) < 200, "the focus never leaves the page"
    stops = PHONE_STOPS if size == PHONE else STOPS
    assert not [stop for stop in stops if stop not in seen], seen
    places = [seen.index(stop) for stop in stops]
    assert places == sorted(places)
