"""The page of one's own runs: found again, named, compared."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenPage, until
from tests.browser.playing import at_sizes
from tests.browser.sizes import DESKTOP, Size, failed_at
from tests.browser.test_accessibility import violations, violations_in_both_themes
from tests.browser.test_waiting import start

RUN = """async (query) => {
  const headers = {"Content-Type": "application/json"};
  const asked = await fetch("/api/runs", {method: "POST", headers, body: JSON.stringify({query})});
  let run = await asked.json();
  while (run.status !== "finished") {
    await new Promise((done) => setTimeout(done, 100));
    run = await (await fetch(`/api/runs/${run.id}`)).json();
  }
}"""
"""Have a link computed, without its page."""


def tick(box: Locator) -> None:
    """Select a run, and see that it is."""
    box.click()
    expect(box).to_be_checked()


def test_a_run_is_listed_named_and_compared(open_page: OpenPage) -> None:
    seeds = "41,42"
    page = open_page(f"/?seed={seeds}&epochs=2000&width=7")
    until(page, "lab.runs().length === 2 && lab.runs().every((run) => run.status === 'finished')")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(page.url.split("/?")[0] + "/runs")
    rows = page.locator(".runs-list li")
    expect(rows).to_have_count(2)
    expect(rows.first.locator("img")).to_have_js_property("complete", True)
    assert violations_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows.first.get_by_role("button", name="Rename").focus()
    page.keyboard.press("Enter")
    expect(rows.first.get_by_label("Name", exact=True)).to_be_focused()
    rows.first.get_by_label("Name", exact=True).fill("<i>stuck</i> here")
    page.keyboard.press("Enter")
    expect(rows.first.locator(".runs-title")).to_have_text("<i>stuck</i> here")
    for seed in seeds.split(","):  # a search keeps what was selected before it
        page.get_by_label("Search", exact=True).first.fill(f"seed {seed}")
        page.keyboard.press("Enter")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(f"seed {seed}")
        tick(page.get_by_role("checkbox"))
    expect(page.get_by_text("1 more selected on other pages")).to_be_visible()
    page.get_by_role("button", name="Compare 2 runs").click()
    expect(page).to_have_url(re.compile(f"seed={seeds}"))
    until(page, "lab.runs().length === 2")


def test_eight_runs_that_differ_in_everything_are_compared_and_no_others(
    open_page: OpenPage, forgiven: list[str]
) -> None:
    forgiven.append("400 (BAD REQUEST)")
    asked = [
        "epochs=2000&seed=61",
        "epochs=1000&seed=62&width=20",
        "epochs=20&method=anls&seed=61",
        "data=0:1;1:2;2:0;3:1&epochs=500",
        "epochs=1000&target=five",
        "epochs=1500&method=adam&seed=63",
        "epochs=1000&points=31&seed=64&width=5",
        "epochs=800&target=sin(3*x)%2Bx",
        "epochs=800&seed=65",
    ]
    page = open_page(f"/?{asked[0]}")
    lab = page.url.split("/?")[0]
    until(page, "lab.runs().length === 1 && lab.runs()[0].status === 'finished'")
    for query in asked[1:]:
        page.evaluate(RUN, query)
    page.goto(f"{lab}/runs")
    boxes = page.get_by_role("checkbox")
    expect(boxes).to_have_count(9)
    for box in boxes.all():
        tick(box)
    for _ in at_sizes(page):
        page.get_by_role("button", name="Compare 9 runs").click()
        expect(page.get_by_role("alert")).to_have_text("9 runs are selected; up to 8 can be shown together.")
    boxes.first.click()
    expect(boxes.first).not_to_be_checked()
    chosen = ".runs-list li:has([aria-checked=true])"
    selected = f"[...document.querySelectorAll('{chosen}')].map((row) => row.id.slice(4))"
    compare = page.get_by_role("button", name="Compare 8 runs")
    expect(compare).to_be_visible()
    ids = page.evaluate(selected)
    compare.click()
    expect(page).to_have_url(re.compile(r"/\?"))
    until(page, "window.lab && lab.runs().length === 8 && lab.runs().every((run) => run.frames > 3)")
    assert sorted(page.evaluate("lab.runs().map((run) => run.id)")) == sorted(ids)
    for _ in at_sizes(page):
        expect(page.locator("#comparison-text")).to_contain_text("Comparing 8 runs.")
        expect(page.locator("#method-tabs .pl-name").nth(7)).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.reload()
    until(page, "lab.runs().length === 8 && lab.runs().every((run) => run.frames > 3)")
    assert sorted(page.evaluate("lab.runs().map((run) => run.id)")) == sorted(ids), "the link says it all"
    page.locator("#comparison-first").click()
    until(page, "window.lab && lab.runs().length === 1")
    expect(page.locator("#comparison-first")).to_be_hidden()


def test_a_list_keeps_what_is_selected_through_deleting_and_undoing(open_page: OpenPage) -> None:
    page = open_page("/?seed=45&epochs=2000&width=7")
    until(page, "lab.runs().length === 1 && lab.runs()[0].status === 'finished'")
    lab = page.url.split("/?")[0]
    page.goto(f"{lab}/?seed=46&epochs=2000&width=8")
    until(page, "lab.runs().length === 1 && lab.runs()[0].status === 'finished'")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{lab}/runs?q=epochs+2000")
    expect(page.get_by_label("Search", exact=True)).to_have_value("epochs 2000")
    expect(page.get_by_role("button", name="Compare").first).to_be_disabled()
    rows = page.locator(".runs-list li")
    expect(rows).to_have_count(2)
    for box in page.get_by_role("checkbox").all():
        tick(box)
    expect(page.get_by_role("button", name="Compare 2 runs")).to_be_visible()
    assert violations(page) == []
    page.get_by_label("Search", exact=True).fill("epochs")
    page.get_by_label("Search", exact=True).fill("epochs 2000")
    rows.last.get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("checkbox")).to_be_checked()
    expect(rows.first).to_be_focused()
    assert violations(page) == []
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(2)
    for box in page.get_by_role("checkbox").all():
        expect(box).to_be_checked()
    rows.last.get_by_role("button", name="Pin").click()
    expect(rows.first).to_have_class("pinned")


@failed_at(DESKTOP)
def test_a_run_is_stopped_from_the_list(open_page: OpenPage, size: Size) -> None:
    """Also one that no page shows any more."""
    page = open_page("/?epochs=1e9&points=200&seed=47&width=30", size=size)
    start(page)
    page.goto(page.url.split("/?")[0] + "/runs")
    row = page.locator(".runs-list li")
    expect(row).to_contain_text("computing")
    stop = row.get_by_role("button", name="Stop")
    for _ in at_sizes(page):
        expect(stop).to_be_in_viewport(ratio=1.0)
    stop.focus()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("stopped")
    expect(row).to_be_focused()
    expect(stop).to_have_count(0)


def test_nothing_run_yet_says_what_to_do(open_page: OpenPage) -> None:
    page = open_page("/runs", wait=False)
    expect(page.get_by_text("You have not started a run yet.")).to_be_visible()
    expect(page.get_by_label("Search", exact=True)).to_be_hidden()
    assert violations(page) == []
    page.get_by_role("link", name="Open the Lab").click()
    expect(page.locator("#run")).to_be_visible()
