"""The page of one's own runs: found again, named, compared."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, until
from tests.browser.test_accessibility import serious


@pytest.mark.parametrize(("theme", "seeds"), [("light", "41,42"), ("dark", "43,44")])
def test_a_run_is_listed_named_and_compared(open_page: OpenPage, theme: str, seeds: str) -> None:
    page = open_page(f"/?seed={seeds}&epochs=2000&width=7", theme=theme)
    until(page, "lab.runs().length === 2 && lab.runs().every((run) => run.status === 'finished')")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(page.url.split("/?")[0] + "/runs")
    rows = page.locator(".runs-list li")
    expect(rows).to_have_count(2)
    expect(rows.first.locator("img")).to_have_js_property("complete", True)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows.first.locator("summary").focus()
    page.keyboard.press("Enter")
    rows.first.get_by_label("Name", exact=True).fill("<i>stuck</i> here")
    page.keyboard.press("Enter")
    expect(rows.first.locator(".runs-title")).to_have_text("<i>stuck</i> here")
    for seed in seeds.split(","):  # a search keeps what was ticked before it
        page.get_by_label("Search", exact=True).first.fill(f"seed {seed}")
        page.keyboard.press("Enter")
        expect(rows).to_have_count(1)
        page.get_by_role("checkbox").check()
    expect(page.get_by_text("1 ticked out of sight")).to_be_visible()
    page.get_by_role("button", name="Compare the ticked runs").click()
    expect(page).to_have_url(re.compile(f"seed={seeds}"))
    until(page, "lab.runs().length === 2")


def test_runs_that_nobody_ticked_are_told_before_they_are_computed(
    open_page: OpenPage, forgiven: list[str]
) -> None:
    forgiven.append("400 (BAD REQUEST)")
    page = open_page("/?seed=45&epochs=2000&width=7")
    until(page, "lab.runs().length === 1 && lab.runs()[0].status === 'finished'")
    lab = page.url.split("/?")[0]
    page.goto(f"{lab}/?seed=46&epochs=2000&width=8")
    until(page, "lab.runs().length === 1 && lab.runs()[0].status === 'finished'")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{lab}/runs?q=epochs+2000")
    page.get_by_role("button", name="Compare the ticked runs").click()
    expect(page.get_by_role("alert")).to_have_text("Tick two runs or more to compare them.")
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Compare the ticked runs").click()
    expect(page.get_by_role("heading", name="Compare 2 runs")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("link", name="Back to the list").click()
    for box in page.get_by_role("checkbox").all():
        expect(box).to_be_checked()
    expect(page.get_by_label("Search", exact=True).first).to_have_value("epochs 2000")
    rows = page.locator(".runs-list li")
    rows.last.get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    assert page.evaluate("document.activeElement.id") == rows.first.get_attribute("id")
    assert serious(page) == []
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(2)
