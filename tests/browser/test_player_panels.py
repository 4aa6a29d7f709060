"""The panels in a real browser: linked highlights, tables, summaries, edits, pictures."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from components.panels import PANELS
from core.model.network import evaluate
from tests.browser.conftest import OpenPage, until
from tests.browser.playing import GD, RACE, frame_at, gd_frames, opened, place_of, seek, settle, shows


def test_hovering_a_neuron_highlights_it_everywhere(same_page: OpenPage) -> None:
    page = opened(same_page, RACE + "&tab=coefficients")
    until(page, "document.querySelectorAll('#plot-coefficients .scatterlayer .trace').length > 0")
    b = frame_at(1000).b
    neuron = int(np.flatnonzero(np.abs(b) < 0.95)[0])
    x, y = place_of(page, "biases", 1000, float(b[neuron]))
    page.mouse.move(x - 40, y - 60)
    page.mouse.move(x, y)
    expect(page.locator("#plot-biases .pl-tip")).to_contain_text(f"neuron {neuron + 1}")
    settle(page)
    for panel in ("biases", "coefficients"):
        expect(page.locator(f"#plot-{panel}")).to_have_class(re.compile("pl-faded"))
        shows(page, f"#plot-{panel} .pl-neuron")
        shows(page, f"#plot-{panel} .pl-hover")
    shows(page, "#plot-loss .pl-hover")
    shows(page, "#plot-fit .pl-neuron")
    page.mouse.move(5, 5)
    expect(page.locator("#plot-biases .pl-tip")).to_be_hidden()
    shows(page, "#plot-coefficients .pl-neuron", shown=False)


def test_hovering_a_datum_marks_it_in_the_biases(same_page: OpenPage) -> None:
    page = opened(same_page)
    datum = float(GD.training_data().x[40])
    x, y = place_of(page, "fit", datum, 0.5)
    page.mouse.move(x - 30, y)
    page.mouse.move(x, y)
    expect(page.locator("#plot-fit .pl-tip")).to_contain_text("f(x)")
    settle(page)
    shows(page, "#plot-biases .pl-datum")
    shows(page, "#plot-fit .pl-ring")
    line = float(page.locator("#plot-biases .pl-datum").get_attribute("y1") or "nan")
    box = page.locator("#plot-biases").bounding_box()
    assert box is not None
    _, expected = place_of(page, "biases", 1, datum)
    assert line + box["y"] == pytest.approx(expected, abs=0.6)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_every_panel_has_a_picture_a_summary_and_a_table(same_page: OpenPage, theme: str) -> None:
    page = opened(same_page, theme=theme)
    seek(page, 12)
    for name, panel in PANELS.items():
        page.evaluate("(query) => lab.go(query)", f"{RACE}&at=12&enlarged={name}")
        expect(page.locator(f"#plot-{name}")).to_be_visible()
        expect(page.locator(f"#plot-{name}")).not_to_have_class(re.compile("pl-loading"))
        settle(page)
        drawn = page.locator(f"#plot-{name} :is(.trace, .hm image, .pl-empty:not([hidden]))")
        expect(drawn.first).to_be_attached()
        until(page, f"document.querySelector('#summary-{name}').textContent.length > 20")
        summary = page.locator(f"#summary-{name}").text_content() or ""
        assert "{" not in summary and "undefined" not in summary and "NaN" not in summary, summary
        page.locator(f"#panel-{name} .panel-data").click()
        table = page.locator(f"#table-{name}")
        expect(table).to_be_visible()
        expect(table.locator("caption").first).to_contain_text(panel.title)
        assert "undefined" not in (table.text_content() or "")
        page.locator(f"#panel-{name} .panel-data").click()
        expect(table).to_be_hidden()


def test_the_table_holds_the_numbers_of_the_picture(same_page: OpenPage) -> None:
    page = opened(same_page)
    seek(page, 0)
    page.locator("#panel-fit .panel-data").click()
    rows = page.locator("#table-fit tbody tr")
    frame = gd_frames()[0]
    expect(rows).to_have_count(frame.b.size + 1)
    counts = [int(text) for text in page.locator("#table-fit tbody td:nth-child(2)").all_text_contents()]
    assert counts == frame.u.tolist()
    page.locator("#panel-fit .panel-data").click()


def test_a_dragged_bias_is_an_edited_network(same_page: OpenPage) -> None:
    page = opened(same_page)
    seek(page, 1000)
    before = frame_at(1000).b
    neuron = int(np.flatnonzero(np.abs(before) < 0.7)[0])
    left, _ = place_of(page, "fit", float(before[neuron]), 0)
    strip = page.locator("#plot-fit .pl-strip").bounding_box()
    assert strip is not None
    level = strip["y"] + strip["height"] / 2
    page.mouse.move(left, level)
    page.mouse.down()
    page.mouse.move(left + 40, level, steps=4)
    page.mouse.up()
    until(page, "lab.props().edit")
    edited = page.evaluate("lab.props().edit")
    assert edited["neuron"] == neuron + 1
    b, c = np.array(edited["b"]), np.array(edited["c"])
    data = GD.training_data()
    assert edited["loss"] == pytest.approx(float(np.mean((evaluate(b, c, data.x) - data.y) ** 2)), rel=1e-9)
    expect(page.locator(".pl-sentence")).to_contain_text("moved by hand")
    page.get_by_role("button", name="Push right").click()
    pushed = page.evaluate("(neuron) => lab.props().edit.b[neuron]", neuron)
    assert np.searchsorted(data.x, pushed) == np.searchsorted(data.x, b[neuron]) + 1
    seek(page, 2000)
    assert page.evaluate("lab.props().edit") is None


def test_each_method_can_be_looked_at(same_page: OpenPage) -> None:
    page = opened(same_page)
    tabs = page.locator("#method-tabs").get_by_role("radio")
    expect(tabs).to_have_count(2)
    expect(tabs.nth(0)).to_have_attribute("aria-checked", "true")
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-checked", "true")
    until(page, "lab.moment().selected === 'anls'")
    expect(tabs.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(tabs.nth(0)).to_have_attribute("aria-checked", "true")
    until(page, "lab.moment().selected === 'gd'")


def test_seconds_and_solves_can_be_the_time(same_page: OpenPage) -> None:
    page = opened(same_page)
    solves = "least-squares solves (none by GD)"
    for axis, title in (("seconds", "seconds"), ("solves", solves), ("epoch", "epoch k")):
        page.get_by_label("Horizontal axis").select_option(axis)
        expect(page.locator("#plot-loss .xtitle")).to_have_text(title)
    page.evaluate("lab.set({xaxis: 'solves', selected: 'anls'})")
    settle(page)
    assert page.locator("#plot-loss .pl-dot").count() >= 1
    shows(page, "#plot-loss .pl-dot")
