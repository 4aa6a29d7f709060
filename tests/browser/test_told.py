"""What the page says of settings and runs before anybody asks: steps that are too large, data on another
scale, a run that is over; and what is taken away from a race."""

import io
import zipfile

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, until
from tests.browser.test_shell import wait_for_run

YEARS = "data=" + ";".join(f"{year}:{1000 + (year - 1950) ** 2}" for year in range(1950, 2010, 6))


def test_a_step_that_is_too_large_is_told_before_and_after(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&learning_rate=0.5")
    expect(page.locator("#caution")).to_be_visible()
    expect(page.locator("#caution-text")).to_contain_text("learning rate")
    until(page, "document.querySelector('#run-dot').dataset.state === 'finished'", 90)
    expect(page.locator("#explanation")).not_to_contain_text("Fully trained")


def test_data_on_another_scale_are_offered_in_better_units(open_page: OpenPage) -> None:
    page = open_page(f"/?epochs=500&{YEARS}", wait=False)
    expect(page.locator("#better-units")).to_be_visible()
    page.locator("#better-units").click()
    until(page, "location.search.includes('units=')")
    wait_for_run(page)
    expect(page.locator("#better-units")).to_be_hidden()


def test_a_run_that_is_over_says_so_beyond_its_end(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000,50&method=gd,anls&at=2000")
    wait_for_run(page)
    page.locator("#method-tabs [role=radio]", has_text="ANLS").click()
    until(page, "/ANLS ended at/.test(document.querySelector('#moment-bar').innerText)")


def test_a_race_is_taken_away_whole_with_a_program_that_plots(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000,50&method=gd,anls")
    wait_for_run(page)
    page.locator("[data-action=more][data-panel=loss]").click()
    with page.expect_download() as coming:
        page.get_by_text("All runs with data, queries and a program (ZIP)").click()
    archive = zipfile.ZipFile(io.BytesIO(coming.value.path().read_bytes()))
    program = archive.read("plot.py").decode()
    assert "matplotlib" in program or "plotly" in program
    assert {"1-gd.csv", "2-anls.csv"} <= set(archive.namelist())


def test_a_method_at_rounding_level_does_not_flatten_the_others(open_page: OpenPage) -> None:
    page = open_page("/?epochs=1e4,100&learning_rate=0.01&method=gd,anls&seed=2&target=stairs")
    wait_for_run(page)
    until(page, "lab.runs().length === 2")
    axis = "document.querySelector('#plot-loss .js-plotly-plot')?.layout?.yaxis.range"
    until(page, f"{axis} !== undefined && {axis}[0] > -22")
