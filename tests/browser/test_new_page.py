"""What somebody adds by the recipes of CONTRIBUTING.md, in a real browser.

A page is one file with dcc components, a callback and a kind of trace that the Lab's slim Plotly lacks;
a panel with an ordinary callback, or a control of the Lab, is one file, and the line that imports it.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.real_app import Served, real_app
from tests.browser.conftest import until

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "tests/components/recipes"
CALLBACKS = "components/pages/lab/callbacks"


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app from a copy of the sources that has three files and two lines more."""
    copy = tmp_path_factory.mktemp("extended")
    leave = shutil.ignore_patterns("__pycache__", "node_modules", "src")
    for name in ("core", "components"):
        shutil.copytree(ROOT / name, copy / name, ignore=leave)
    shutil.copy(ROOT / "app.py", copy)
    for name in ("assets", "lessons", "reproduction"):
        (copy / name).symlink_to(ROOT / name)
    shutil.copy(RECIPES / "about.py", copy / "components/pages")
    shutil.copy(RECIPES / "spread.py", copy / "components/panels")
    panels = copy / "components/panels/__init__.py"
    panels.write_text(panels.read_text().replace("_NAMES = (", '_NAMES = (\n    "spread",'))
    shutil.copy(RECIPES / "run_choice.py", copy / CALLBACKS)
    with (copy / CALLBACKS / "__init__.py").open("a") as source:
        source.write("from components.pages.lab.callbacks import run_choice\n")
    with real_app(tmp_path_factory.mktemp("home"), root=copy) as app:
        yield app


def test_a_page_of_one_file_is_listed_drawn_and_answers(browser: Browser, extended: Served) -> None:
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{extended.base}/runs")
    page.locator("#bar .pages a", has_text="About").click()
    expect(page.locator("#about-said")).to_have_text("10 runs in at most 5 bins")
    expect(page).to_have_title("About · Plateau Lab")
    until(page, "document.querySelectorAll('#about-losses .barlayer .point').length > 1")
    sign = page.locator("#about-losses .modebar-btn svg").first
    assert sign.evaluate("(svg) => getComputedStyle(svg).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.locator("#about-bins [role=slider]").press("ArrowRight")
    expect(page.locator("#about-said")).to_have_text("10 runs in at most 6 bins")
    assert wrong == []
    context.close()


def test_a_list_on_the_lab_chooses_the_shown_run(browser: Browser, extended: Served) -> None:
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{extended.base}/?epochs=2000,1&method=gd,lsq&width=5")
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")
    expect(page.locator("#run-choice")).to_have_text("gd")
    page.locator("#run-choice").click()
    page.get_by_role("option", name="lsq").click()
    until(page, "location.search.includes('focus=lsq')")
    expect(page.locator("#method-tabs [aria-checked=true]")).to_contain_text("LSQ")
    page.locator("#method-tabs [role=radio]").first.click()
    until(page, "!location.search.includes('focus=')")
    expect(page.locator("#run-choice")).to_have_text("gd")
    assert wrong == []
    context.close()


def test_a_panel_with_a_callback_follows_the_moment_and_has_what_every_panel_has(
    browser: Browser, extended: Served
) -> None:
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{extended.base}/?epochs=2000&width=5&panels=spread,loss")
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")
    plot = "document.querySelector('#plot-spread .js-plotly-plot')"
    until(page, f"{plot}?.querySelectorAll('.barlayer .point').length > 1")
    expect(page.locator("#plot-spread")).not_to_have_class(re.compile("pl-loading"))
    drawn = f"{plot}._fullData[0].x.join()"
    last = page.evaluate(drawn)
    page.locator(".pl-track").focus()
    page.keyboard.press("Home")
    until(page, f"{drawn} !== {last!r}")
    page.locator("#panel-spread .panel-data").click()
    expect(page.locator("#table-spread caption")).to_have_text("Spread of the biases")
    expect(page.locator("#table-spread thead th")).to_have_text(["bias"])
    expect(page.locator("#table-spread tbody tr")).to_have_count(5)
    page.locator("#panel-spread .panel-data").click()
    page.locator("#panel-spread [data-action=more]").click()
    page.get_by_role("menuitem", name="Save the picture").click()
    with page.expect_download() as download:
        page.locator("#picture-svg").click()
    assert download.value.suggested_filename == "plateau-spread.svg"
    size = f"{plot}._fullLayout.font.size"
    before = page.evaluate(size)
    page.locator("#panel-spread [data-action=enlarge]").click()
    expect(page.locator("#panel-loss")).to_be_hidden()
    page.locator("#present-button").click()
    page.locator("#present-anyway").click()
    until(page, f"{size} === 1.5 * {before}")
    assert wrong == []
    context.close()
