"""The Lab in Firefox and in WebKit, in a few steps: it draws, plays, and runs a setting that is typed.

Chromium has all other tests of the page. These two are tested where they are installed (on Debian the
packages firefox-esr, and webkit2gtk-driver with xvfb), by `make test-long`.
"""

import json
import time
from collections.abc import Iterator

import pytest

from tests.browser.conftest import PATIENCE, QUICK, field
from tests.browser.other_browsers import OtherBrowser, firefox, firefox_path, webkit, webkit_paths

pytestmark = pytest.mark.long

INSTALLED = {"firefox": firefox_path(), "webkit": webkit_paths()}
STARTED = {"firefox": firefox, "webkit": webkit}
FINISHED = "document.querySelector('#run-dot')?.dataset.state === 'finished'"
DRAWN = """[...document.querySelectorAll(".panel")].filter((panel) => panel.checkVisibility()
  && panel.querySelector(".scatterlayer .trace")).length >= 4"""
EPOCH = "Number(document.querySelector('.pl-track').getAttribute('aria-valuenow'))"
LISTEN = """(() => { window.wrong = [];
  addEventListener("error", (event) => wrong.push(event.message));
  addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason))); return true; })()"""
EDIT = """((selector, value) => {
  const field = document.querySelector(selector);
  field.focus();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
  for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  field.blur();
  return true; })"""
"""As a hand does it; not by the field's own setter, since React would take the number for known."""
KEY = "document.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true, cancelable: true}))"


@pytest.fixture(scope="module", params=STARTED)
def other(request: pytest.FixtureRequest) -> Iterator[OtherBrowser]:
    """One of the two."""
    if not INSTALLED[request.param]:
        pytest.skip(f"{request.param} is not installed")
    with STARTED[request.param]() as browser:
        yield browser


def until(browser: OtherBrowser, expression: str) -> None:
    end = time.monotonic() + PATIENCE
    while not browser.evaluate(expression):
        assert time.monotonic() < end, f"not true within {PATIENCE} s: {expression}"
        time.sleep(0.1)


def test_the_lab_draws_plays_and_runs_what_is_typed(other: OtherBrowser, server: str) -> None:
    other.open(server + QUICK)
    until(other, "document.documentElement.hasAttribute('data-booted')")
    other.evaluate(LISTEN)
    until(other, FINISHED)
    until(other, DRAWN)
    until(other, f"{EPOCH} === 2000")
    other.evaluate(KEY % "Home")
    until(other, f"{EPOCH} === 0")
    other.evaluate(KEY % " ")
    until(other, f"{EPOCH} === 2000")
    other.evaluate(f"{EDIT}({json.dumps(field('width'))}, '7')")
    until(other, "location.search.includes('width=7')")
    until(other, "document.querySelector('#digest-network').textContent.includes('7')")
    until(other, FINISHED)
    until(other, DRAWN)
    assert other.evaluate("window.wrong") == []


@pytest.mark.parametrize("path", ["/lessons", "/paper", "/runs", "/study?seeds=3&epochs=100"])
def test_a_page_to_read_stands(other: OtherBrowser, server: str, path: str) -> None:
    other.open(server + path)
    until(other, "document.querySelector('main h1, main h2')?.checkVisibility() ?? false")
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
