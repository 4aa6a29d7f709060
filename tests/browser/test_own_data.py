"""Own data: files that are too large, notes that are over, biases by hand."""

from pathlib import Path

from playwright.sync_api import expect

from core.limits import LIMITS
from tests.browser.conftest import QUICK, OpenPage, field, until
from tests.browser.test_shell import wait_for_run


def test_a_file_that_is_too_large_is_refused_in_a_sentence(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(QUICK)
    wait_for_run(page)
    page.locator("#source [value=data]").check()
    path = tmp_path / "large.csv"
    path.write_text("\n".join(f"{k},0.12345678901234567890" for k in range(LIMITS.upload_bytes // 25)))
    assert path.stat().st_size > LIMITS.upload_bytes
    page.locator("#data-file").set_input_files(path)
    expect(page.get_by_text(f"at most {LIMITS.upload_bytes} are allowed").first).to_be_visible()
    page.locator(field("text", "points")).fill("0,0\n1,1")
    until(page, "decodeURIComponent(location.search).includes('data=0:0;1:1')")


def test_a_method_that_is_done_at_once_shows_its_values(open_page: OpenPage) -> None:
    page = open_page("/?method=lsq&target=f1")
    wait_for_run(page)
    for panel in ("biases", "coefficients"):
        lines = f"[...document.querySelectorAll('#plot-{panel} .js-line')]"
        until(page, f"{lines}.some((line) => /^M[\\d.]+,[\\d.]+L/.test(line.getAttribute('d')))")


def test_a_bias_that_is_no_number_is_refused(open_page: OpenPage) -> None:
    page = open_page(f"{QUICK}&neuron=5")
    wait_for_run(page)
    bias = page.locator("#hands-bias")
    expect(bias).not_to_have_value("")
    before = bias.input_value()
    for wrong in ("abc", ""):
        bias.fill(wrong)
        bias.press("Enter")
        expect(page.get_by_text("A bias is a number.")).to_be_visible()
        expect(bias).to_have_value(before)
    expect(page.locator("#hands-start")).to_be_disabled()
