"""A page that somebody adds by the recipe of CONTRIBUTING.md, in a real browser.

It is one file with dcc components, a callback and a kind of trace that the Lab's slim Plotly does not have.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.real_app import Served, real_app
from tests.browser.conftest import until

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "tests/components/recipes/about.py"


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app from a copy of the sources that has one file more."""
    copy = tmp_path_factory.mktemp("extended")
    leave = shutil.ignore_patterns("__pycache__", "node_modules", "src")
    for name in ("core", "components"):
        shutil.copytree(ROOT / name, copy / name, ignore=leave)
    shutil.copy(ROOT / "app.py", copy)
    for name in ("assets", "lessons", "reproduction"):
        (copy / name).symlink_to(ROOT / name)
    shutil.copy(RECIPE, copy / "components/pages")
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
    page.locator("#about-bins [role=slider]").press("ArrowRight")
    expect(page.locator("#about-said")).to_have_text("10 runs in at most 6 bins")
    assert wrong == []
    context.close()
