"""Pictures for the report: the figures of /paper, photographed in a headless browser.

So the report shows what the page shows, drawn by the same panels. Without Chromium the
report has no new pictures; nothing else depends on it.
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

from reproduction.figures import FIGURES
from reproduction.idle import served

FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
)
SIZE = (1180, 900)


def photograph(folder: Path) -> dict[str, str]:
    """File name of the picture of each figure."""
    chromium = (
        os.environ.get("PLATEAU_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if chromium is None:
        print("No Chromium here: the report keeps the pictures it has.", file=sys.stderr)
        return _present(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with served() as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="light")
            page.goto(f"{base}/paper")
            page.add_style_tag(content="#bar { display: none }")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
            _wait_for_pictures(page)
            for name in FIGURES:
                page.locator(f"#figure-{name} .pictures").screenshot(path=folder / f"{name}.png")
            browser.close()
    except Error as error:
        print(f"The pictures could not be taken: {error}", file=sys.stderr)
    return _present(folder)


def _wait_for_pictures(page: Page) -> None:
    """Asked from outside: the page's own policy forbids it to evaluate text."""
    for _ in range(600):
        if page.locator("[data-picture]:not([data-drawn])").count() == 0:
            return
        page.wait_for_timeout(100)
    raise Error("some picture was not drawn within a minute")


def _present(folder: Path) -> dict[str, str]:
    return {name: f"{name}.png" for name in FIGURES if (folder / f"{name}.png").exists()}
