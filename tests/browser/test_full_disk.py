"""A server whose disk is full: the page says what it waits for, and goes on by itself."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.real_app import BOOTED, real_app
from tests.browser.conftest import LOOK, PATIENCE, until
from tests.browser.playing import at_sizes
from tests.browser.sizes import DESKTOP
from tests.browser.test_waiting import LONG, start, stop_is_in_reach
from tests.faults.test_disk import fill


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of forty megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def page_on_it(browser: Browser, small_disk: Path, tmp_path: Path) -> Iterator[Page]:
    """The Lab of a server that keeps its runs there; its log is elsewhere."""
    with real_app(tmp_path, {"PLATEAU_HOME": str(small_disk)}) as app:
        page = browser.new_page(viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
        page.set_default_timeout(1000 * PATIENCE)
        page.add_init_script(LOOK)
        page.goto(app.base + LONG.format(seed=91))
        page.wait_for_selector(BOOTED, state="attached")
        yield page
        page.close()


@pytest.mark.long
def test_a_full_disk_is_said_and_the_run_goes_on_by_itself(page_on_it: Page, small_disk: Path) -> None:
    page = page_on_it
    start(page)
    until(page, "lab.runs()[0].frames > 5")
    fill(small_disk)
    until(page, "lab.runs()[0].status === 'paused'")
    note = page.locator("#run-note")
    expect(note).to_contain_text("Paused until there is space")
    expect(page.locator("#run-status")).to_have_text("paused")
    for width in at_sizes(page):
        if width == 390:
            page.locator("#settings-button").click()
        expect(note).to_be_in_viewport()
        if width == 390:
            page.locator("#settings-close").click()
    frames = page.evaluate("lab.runs()[0].frames")
    (small_disk / "ballast").unlink()
    until(page, f"lab.runs()[0].status === 'running' && lab.runs()[0].frames > {frames}")
    expect(note).not_to_contain_text("Paused")
    stop_is_in_reach(page)
    until(page, "lab.runs()[0].status === 'stopped'")
