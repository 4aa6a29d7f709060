"""The panels in a real browser: linked highlights, tables, summaries, edits, pictures."""

import numpy as np
import pytest
from playwright.sync_api import expect

from components.panels import PANELS
from core.config.run_config import RunConfig
from core.model.network import evaluate
from core.run.train import train
from tests.browser.conftest import OpenPage, until
from tests.browser.playing import RACE, displayed, opened, place_of, seek, settle, state


def test_hovering_a_neuron_highlights_it_everywhere(open_page: OpenPage) -> None:
    page = opened(open_page, RACE + "&tab=coefficients")
    until(page, "document.querySelectorAll('#plot-coefficients .scatterlayer .trace').length > 0")
    page.evaluate("document.addEventListener('plateau:hover', (event) => { window.hovered = event.detail; })")
    neuron = page.evaluate("plateau.player.moment().b.findIndex((value) => Math.abs(value) < 0.95)")
    x, y = place_of(page, "biases", "1000", f"run.row('b', run.frameAt(1000))[{neuron}]")
    page.mouse.move(x - 40, y - 60)
    page.mouse.move(x, y)
    until(page, f"window.hovered?.neuron === {neuron}")
    settle(page)
    for panel in ("biases", "coefficients"):
        expect(page.locator(f"#plot-{panel}")).to_have_class("plot pl-faded")
        assert displayed(page, f"#plot-{panel} .pl-neuron")
        assert displayed(page, f"#plot-{panel} .pl-hover")
    assert displayed(page, "#plot-loss .pl-hover")
    assert displayed(page, "#plot-fit .pl-neuron")
    expect(page.locator("#plot-biases .pl-tip")).to_contain_text(f"neuron {neuron + 1}")
    page.mouse.move(5, 5)
    until(page, "window.hovered.neuron === null")
    settle(page)
    assert not displayed(page, "#plot-coefficients .pl-neuron")


def test_hovering_a_datum_marks_it_in_the_biases(open_page: OpenPage) -> None:
    page = opened(open_page)
    x, y = place_of(page, "fit", "run.data.x[40]", "0.5")
    page.mouse.move(x - 30, y)
    page.mouse.move(x, y)
    until(page, "plateau.player.state_.hover?.datum === 40")
    settle(page)
    assert displayed(page, "#plot-biases .pl-datum")
    assert displayed(page, "#plot-fit .pl-ring")
    line = float(page.locator("#plot-biases .pl-datum").get_attribute("y1") or "nan")
    box = page.locator("#plot-biases").bounding_box()
    assert box is not None
    _, expected = place_of(page, "biases", "1", "run.data.x[40]")
    assert line + box["y"] == pytest.approx(expected, abs=0.6)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_panel_has_a_picture_a_summary_and_a_table(open_page: OpenPage, theme: str) -> None:
    page = opened(open_page, theme=theme)
    seek(page, 12)
    for name, panel in PANELS.items():
        page.evaluate("(name) => plateau.link.setView({enlarged: name})", name)
        until(page, f"plateau.draw.hosts.get('{name}').drawn !== null")
        settle(page)
        drawn = page.locator(f"#plot-{name} .trace, #plot-{name} .hm image").count()
        said = page.locator(f"#plot-{name} .pl-empty:not([hidden])").count()
        assert drawn + said > 0, name
        expect(page.locator(f"#plot-{name}")).not_to_have_class("pl-loading")
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


def test_the_table_holds_the_numbers_of_the_picture(open_page: OpenPage) -> None:
    page = opened(open_page)
    seek(page, 0)
    page.locator("#panel-fit .panel-data").click()
    rows = page.locator("#table-fit tbody tr")
    config = RunConfig.from_query("epochs=3e4&method=gd&seed=1")
    frame = next(iter(train(config)))
    expect(rows).to_have_count(frame.b.size + 1)
    counts = [int(text) for text in page.locator("#table-fit tbody td:nth-child(2)").all_text_contents()]
    assert counts == frame.u.tolist()


def test_a_dragged_bias_is_an_edited_network(open_page: OpenPage) -> None:
    page = opened(open_page)
    seek(page, 1000)
    page.evaluate("document.addEventListener('plateau:edit', (event) => { window.edited = event.detail; })")
    neuron = page.evaluate("plateau.player.moment().b.findIndex((value) => Math.abs(value) < 0.7)")
    left, _ = place_of(page, "fit", f"moment.b[{neuron}]", "0")
    strip = page.locator("#plot-fit .pl-strip").bounding_box()
    assert strip is not None
    level = strip["y"] + strip["height"] / 2
    page.mouse.move(left, level)
    page.mouse.down()
    page.mouse.move(left + 40, level, steps=4)
    page.mouse.up()
    edited = page.evaluate("window.edited")
    assert edited["neuron"] == neuron + 1
    b, c = np.array(edited["b"]), np.array(edited["c"])
    data = RunConfig.from_query("epochs=3e4&method=gd&seed=1").training_data()
    assert edited["loss"] == pytest.approx(float(np.mean((evaluate(b, c, data.x) - data.y) ** 2)), rel=1e-9)
    expect(page.locator(".pl-sentence")).to_contain_text("moved by hand")
    page.evaluate("(neuron) => plateau.player.pushOver(neuron, 'right')", neuron + 1)
    pushed = page.evaluate("window.edited.value")
    assert np.searchsorted(data.x, pushed) == np.searchsorted(data.x, b[neuron]) + 1
    seek(page, 2000)
    assert page.evaluate("window.edited.cleared") is True


def test_a_panel_can_be_saved(open_page: OpenPage) -> None:
    page = opened(open_page)
    svg = page.evaluate("plateau.player.image('fit', 'svg').then(decodeURIComponent)")
    assert svg.startswith("data:image/svg+xml") and "ANLS" in svg and "f(x)" in svg
    png = page.evaluate("plateau.player.image('loss', 'png')")
    assert png.startswith("data:image/png;base64,") and len(png) > 10_000


def test_each_method_can_be_looked_at(open_page: OpenPage) -> None:
    page = opened(open_page)
    tabs = page.locator("#method-tabs").get_by_role("radio")
    expect(tabs).to_have_count(2)
    expect(tabs.nth(0)).to_have_attribute("aria-checked", "true")
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-checked", "true")
    assert state(page)["selected"] == "anls"
    expect(tabs.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(tabs.nth(0)).to_have_attribute("aria-checked", "true")
    assert state(page)["selected"] == "gd"


def test_seconds_and_solves_can_be_the_time(open_page: OpenPage) -> None:
    page = opened(open_page)
    for axis, title in (("seconds", "seconds"), ("solves", "least-squares solves"), ("epoch", "epoch k")):
        page.evaluate("(x) => plateau.player.setView({x})", axis)
        settle(page)
        expect(page.locator("#plot-loss .xtitle")).to_have_text(title)
    page.evaluate("plateau.player.setView({x: 'solves', selected: 'anls'})")
    settle(page)
    assert page.locator("#plot-loss .pl-dot").count() >= 1
    assert displayed(page, "#plot-loss .pl-dot")
