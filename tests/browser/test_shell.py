"""The frame of the Lab page in a real browser: form, link, share, panels, keys."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.config.run_config import RunConfig
from tests.browser.conftest import QUICK, OpenPage, field, linked, until

QUICK_RUN = RunConfig.from_query(QUICK.removeprefix("/?")).run_id


def query_of(page: Page) -> str:
    """The address bar's query, after waiting writes have been made."""
    page.wait_for_timeout(350)
    return str(page.evaluate("location.search")).lstrip("?")


def wait_for_run(page: Page) -> None:
    """A finished run is on screen."""
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "finished")


def quick(same_page: OpenPage, view: str = "") -> Page:
    """The page of the tests before, led to the quick run."""
    page = same_page(QUICK + view)
    until(page, f"lab.runs().map((run) => run.id).join() === '{QUICK_RUN}'")
    wait_for_run(page)
    return page


def test_a_cheap_link_starts_by_itself_and_says_why_it_ended(open_page: OpenPage) -> None:
    page = open_page(QUICK)
    wait_for_run(page)
    expect(page.locator("#run-chip")).to_have_text("")
    expect(page.locator("#run-note")).not_to_be_empty()
    expect(page.locator("#run")).to_be_disabled()
    expect(page.locator("#overlay")).to_be_hidden()


def test_an_expensive_link_waits_for_run_and_states_its_cost(open_page: OpenPage) -> None:
    page = open_page("/?epochs=9e8&method=gd&seed=77&width=12")
    expect(page.locator("#run")).to_be_enabled()
    expect(page.locator("#run-cost")).to_have_text(re.compile(r"about \d+ (s|min)"))
    expect(page.locator("#overlay-text")).to_contain_text("not been run")
    assert page.evaluate("lab.runs().length") == 0


def test_a_bad_formula_is_explained_as_it_is_typed(same_page: OpenPage) -> None:
    page = quick(same_page)
    page.locator("#source [value=formula]").check()
    page.locator(field("target")).fill("sin(pi*y)")
    expect(page.locator("#error-target")).to_contain_text("y")
    expect(page.locator("#run")).to_be_disabled()
    expect(page.locator("#box-target")).to_have_attribute("data-invalid", "true")
    page.locator(field("target")).fill("cos(3*x)")
    expect(page.locator("#error-target")).to_be_empty()
    expect(page.locator("#run")).to_be_enabled()


def test_an_invalid_field_says_why_and_disables_run(open_page: OpenPage) -> None:
    page = open_page("/?epochs=1e9&seed=4")
    expect(page.locator("#run")).to_be_enabled()
    page.locator(field("width")).fill("0")
    expect(page.locator("#error-width")).to_contain_text("whole numbers from 1")
    page.locator(field("points")).fill("1e9")
    expect(page.locator("#error-points")).to_contain_text("10000")
    expect(page.locator("#error-width")).to_contain_text("whole numbers from 1")
    expect(page.locator("#run")).to_be_disabled()
    page.locator(field("width")).fill("20")
    page.locator(field("points")).fill("50")
    expect(page.locator("#error-points")).to_be_empty()
    expect(page.locator("#run")).to_be_enabled()


def test_a_link_that_cannot_be_run_says_so_where_the_pictures_would_be(open_page: OpenPage) -> None:
    page = open_page("/?width=0")
    expect(page.locator("#overlay-text")).to_contain_text("Width: '0' is not allowed")
    expect(page.locator("#overlay-out")).to_have_attribute("href", "/?target=f1")
    expect(page.locator("#overlay-run")).to_be_hidden()
    page.locator(field("width")).fill("12")
    page.locator(field("width")).press("Enter")
    wait_for_run(page)
    expect(page.locator("#overlay-text")).to_be_hidden()


def test_pasted_data_stay_in_sight(same_page: OpenPage) -> None:
    page = quick(same_page)
    page.locator("#source [value=data]").check()
    text = "\n".join(f"{k / 100}, {(k * 37) % 101 / 7}" for k in range(300))
    page.locator(field("text", "points")).fill(text)
    until(page, "location.search.includes('data=')")
    rows = [tuple(map(float, row.split(","))) for row in text.splitlines()]
    shown = page.locator(field("text", "points")).input_value().splitlines()
    assert [tuple(map(float, row.split(","))) for row in shown] == rows


def test_a_link_with_a_mailers_key_runs_and_opens_as_it_was_looked_at(open_page: OpenPage) -> None:
    page = open_page(f"{QUICK}&utm_source=mail&neuron=5&zoom=10,1000")
    wait_for_run(page)
    expect(page.locator("#link-note")).to_contain_text("utm_source")
    until(page, "location.search === '?epochs=2000&neuron=5&zoom=10,1000'")
    expect(page.locator("#hands-name")).to_have_text("Neuron 5 at b =")
    axis = "document.querySelector('#plot-loss .js-plotly-plot').layout.xaxis.range"
    until(page, f"JSON.stringify({axis}?.map(Math.round)) === '[1,3]'")


def test_the_link_is_a_store_that_callbacks_read_and_set(same_page: OpenPage) -> None:
    """It says what the address says; another value of it leads there, as one step of the history."""
    page = quick(same_page, "&neuron=2")
    data = "dash_component_api.getLayout('link').props.data"
    assert page.evaluate(data) == {
        "query": "epochs=2000&neuron=2",
        "config": "epochs=2000",
        "view": {"neuron": "2"},
    }
    page.locator(field("seed")).fill("3")
    page.locator(field("seed")).press("Enter")
    until(page, f"{data}.query === location.search.slice(1) && {data}.config.includes('seed=3')")
    page.evaluate("dash_clientside.set_props('link', {data: {query: 'epochs=1500&panels=loss&seed=4'}})")
    until(page, "location.search === '?epochs=1500&panels=loss&seed=4'")
    expect(page.locator(field("seed"))).to_have_value("4")
    expect(page.locator("#panel-fit")).not_to_be_visible()
    page.evaluate("dash_clientside.set_props('link', {data: {view: {panels: 'fit'}}})")
    until(page, f"location.search === '?epochs=1500&panels=fit&seed=4' && {data}.view.panels === 'fit'")
    page.go_back()
    until(page, f"{data}.view.panels === 'loss'")


def test_controls_write_the_link_and_back_and_forward_restore_them(same_page: OpenPage) -> None:
    page = quick(same_page)
    assert query_of(page) == "epochs=2000"
    page.locator(field("seed")).fill("7")
    page.locator(field("seed")).press("Enter")
    until(page, "location.search === '?epochs=2000&seed=7'")
    until(page, "lab.runs()[0]?.query.includes('seed=7')")  # before its answer an edit is one step with it
    page.locator(field("width")).fill("15")
    page.locator(field("width")).press("Tab")
    until(page, "location.search === '?epochs=2000&seed=7&width=15'")
    page.go_back()
    expect(page.locator(field("width"))).to_have_value("10")
    expect(page.locator(field("seed"))).to_have_value("7")
    page.go_back()
    expect(page.locator(field("seed"))).to_have_value("0")
    page.go_forward()
    page.go_forward()
    expect(page.locator(field("width"))).to_have_value("15")
    until(page, "location.search === '?epochs=2000&seed=7&width=15'")


def test_the_link_is_written_before_anything_else_is_shown(same_page: OpenPage) -> None:
    page = quick(same_page)
    digest = page.locator("#digest-network")
    expect(digest).not_to_be_empty()
    before = digest.inner_text()
    page.evaluate("""() => { history.pushState = (...entry) => {
        History.prototype.pushState.apply(history, entry);
        window.seen = document.querySelector("#digest-network").innerText;
    }; }""")
    page.fill(field("width"), "7")
    page.press(field("width"), "Tab")
    expect(digest).not_to_have_text(before)
    assert page.evaluate("window.seen") == before and "width=7" in page.url


def test_a_hand_typed_link_becomes_canonical(open_page: OpenPage) -> None:
    page = open_page("/?width=10&method=gd&epochs=2000.0&target=abs(x)+x&points=100")
    until(page, "location.search === '?epochs=2000&target=abs(x)%2Bx'")
    expect(page.locator(field("target"))).to_have_value("abs(x)+x")


def test_run_starts_what_the_controls_say_and_stop_ends_it(open_page: OpenPage) -> None:
    page = open_page("/?epochs=4e8&seed=11&target=sin5&width=30")
    expect(page.locator("#run")).to_be_enabled()
    page.locator(field("seed")).fill("12")
    page.locator("#run").click()
    until(page, "lab.runs().some((run) => run.frames > 10)")
    assert "seed=12" in page.evaluate("lab.runs()[0].query")
    expect(page.locator("#run-note")).to_contain_text("of 4·10⁸ epochs")
    expect(page.locator("#run-text")).to_have_text("Running…")
    expect(page.locator("#run")).to_be_disabled()
    page.locator("#stop").click()
    expect(page.locator("#run-dot")).to_have_attribute("data-state", "stopped")


def test_continue_lengthens_the_budget_of_the_same_run(open_page: OpenPage) -> None:
    page = open_page("/?epochs=1000&seed=21")
    wait_for_run(page)
    before = page.evaluate("lab.runs()[0].id")
    page.locator("#continue").click()
    until(page, "location.search === '?epochs=1e4&seed=21'")
    until(page, "lab.runs()[0]?.status === 'finished' && lab.runs()[0].epoch === 1e4")
    assert page.evaluate("lab.runs()[0].id") == before
    expect(page.locator(field("gd", "budget"))).to_have_value("1e4")


def test_methods_race_with_a_budget_each(same_page: OpenPage) -> None:
    page = quick(same_page)
    page.locator("#methods [data-method=anls] input").click()
    page.locator(field("anls", "budget")).fill("30")
    page.locator(field("anls", "budget")).press("Enter")
    until(page, "location.search === '?epochs=2000,30&method=gd,anls'")
    expect(page.locator(".budget:visible")).to_have_count(2)
    page.locator("#methods [data-method=gd] input").click()
    until(page, "location.search === '?epochs=30&method=anls'")
    expect(page.locator("[data-field=learning_rate]")).to_be_hidden()
    page.locator("#methods [data-method=anls] input").click()
    expect(page.locator("#error-method")).to_contain_text("at least one")
    expect(page.locator("#run")).to_be_disabled()


def test_three_methods_stand_first_and_what_runs_is_never_folded_away(same_page: OpenPage) -> None:
    page = quick(same_page)
    expect(page.locator("#methods .chip:visible")).to_have_text(["GD", "Adam", "ANLS"])
    page.locator("#more-methods summary").click()
    page.locator("#methods [data-method=lsq] input").click()
    until(page, "location.search.includes('method=gd,lsq')")
    page.locator("#more-methods summary").click()
    expect(page.locator("#methods .chip:visible")).to_have_text(["GD", "Adam", "ANLS", "LSQ"])


def test_a_preset_replaces_the_configuration(same_page: OpenPage) -> None:
    page = quick(same_page)
    page.locator(field("name", "preset")).select_option("candidates")
    until(page, "location.search.includes('target=seven')")
    expect(page.locator("#preset-note")).to_contain_text("neuron")
    expect(page.locator(field("name", "preset"))).to_have_value("candidates")
    expect(page.locator(field("points"))).to_be_disabled()
    page.go_back()
    expect(page.locator(field("name", "preset"))).to_have_value("")


def test_own_data_by_paste_file_and_click(same_page: OpenPage, tmp_path: Path) -> None:
    page = quick(same_page)
    page.locator("#source [value=data]").check()
    expect(page.locator("#error-data")).to_contain_text("at least two")
    expect(page.locator("#run")).to_be_disabled()
    page.locator(field("text", "points")).fill("x;y\n0;0\n0,5;1\n1;0")
    until(page, "decodeURIComponent(location.search).includes('data=0:0;0.5:1;1:0')")
    expect(page.locator("#data-notes")).to_contain_text("header")
    page.locator(field("text", "points")).fill("0,0\n1,oops")
    expect(page.locator("#error-data")).to_contain_text("line 2")
    expect(page.locator("#run")).to_be_disabled()
    path = tmp_path / "points.csv"
    path.write_text("\n".join(f"{k / 10},{(k % 3) / 2}" for k in range(8)))
    page.locator("#data-file").set_input_files(path)
    page.locator("#import-use").click()
    until(page, "decodeURIComponent(location.search).includes('0.7:0.5')")
    expect(page.locator("#thumbnail .datum")).to_have_count(8)
    page.locator("#thumbnail").click(position={"x": 20, "y": 20})
    expect(page.locator("#thumbnail .datum")).to_have_count(9)
    page.locator("#thumbnail .datum").first.click()
    expect(page.locator("#thumbnail .datum")).to_have_count(8)


def test_the_dice_draws_another_seed(open_page: OpenPage) -> None:
    page = open_page("/?epochs=500&seed=5000")
    page.locator("#dice").click()
    until(page, "!location.search.includes('5000')")
    assert page.locator(field("seed")).input_value() != "5000"


def test_sliders_and_numbers_agree(same_page: OpenPage) -> None:
    page = quick(same_page)
    slider = page.locator("[data-field=width] input[type=range]")
    slider.evaluate("""(node) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(node, 1000);
      node.dispatchEvent(new Event("input", {bubbles: true}));
    }""")
    expect(page.locator(field("width"))).to_have_value("300")
    assert "width" not in query_of(page)
    slider.evaluate("(node) => node.dispatchEvent(new Event('change', {bubbles: true}))")
    until(page, "location.search.includes('width=300')")


@pytest.mark.parametrize("system", ["dark", pytest.param("light", marks=pytest.mark.long)])
def test_the_theme_follows_the_system_until_it_is_switched(open_page: OpenPage, system: str) -> None:
    page = open_page(QUICK, theme=system)
    assert page.evaluate("document.documentElement.dataset.theme") == system
    page.locator("#theme-button").click()
    other = {"light": "dark", "dark": "light"}[system]
    assert page.evaluate("document.documentElement.dataset.theme") == other
    page.reload()
    page.wait_for_selector("html[data-booted]", state="attached")
    assert page.evaluate("document.documentElement.dataset.theme") == other
    page.goto(page.url.split("?")[0] + QUICK[1:] + f"&theme={system}")
    assert page.evaluate("document.documentElement.dataset.theme") == system


@pytest.mark.parametrize("path", ["/paper", "/lessons", "/runs", "/handout?width=10"])
def test_pages_to_read_are_light_or_dark_by_their_own_button(open_page: OpenPage, path: str) -> None:
    page = open_page(path, size=(320, 700), wait=False)
    page.get_by_role("button", name="Light or dark").press("Enter")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_copy_link_and_qr_code(same_page: OpenPage) -> None:
    page = quick(same_page)
    page.locator("#copy-link").click()
    expect(page.locator("#toast")).to_have_text("Link copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(page.url.split("?")[0]) and "epochs=2000" in copied
    page.locator("#share-button").click()
    expect(page.locator("#share-dialog")).to_be_visible()
    until(page, "document.querySelector('#qr-code img')?.naturalWidth > 20")
    assert "GD on sin πx" in page.locator("#share-text").input_value()
    assert "RunConfig.from_query" in page.locator("#share-python").input_value()
    assert "@article" in page.locator("#share-cite").input_value()
    expect(page.locator("#share-reach")).to_contain_text("--host 0.0.0.0")
    page.keyboard.press("Escape")
    expect(page.locator("#share-dialog")).to_be_hidden()


def test_copy_link_works_without_the_clipboard_interface(open_page: OpenPage) -> None:
    page = open_page(QUICK)
    wait_for_run(page)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})")
    page.locator("#copy-link").click()
    expect(page.locator("#toast")).to_have_text("Link copied")


def test_panels_enlarge_hide_and_move_and_the_link_keeps_it(open_page: OpenPage) -> None:
    page = open_page(QUICK)
    wait_for_run(page)
    expect(page.locator(".panel:visible")).to_have_count(4)
    page.locator("#title-fit").dblclick()
    expect(page.locator(".panel:visible")).to_have_count(1)
    until(page, linked("enlarged=fit"))
    page.keyboard.press("Escape")
    expect(page.locator(".panel:visible")).to_have_count(4)
    page.locator("#tab-rates").click()
    expect(page.locator("#panel-rates")).to_be_visible()
    until(page, linked("tab=rates"))
    page.locator("#panel-loss").hover()
    page.locator("#panel-loss [data-action=more]").click()
    page.get_by_role("menuitem", name="Hide this panel").click()
    expect(page.locator("#panel-loss")).to_be_hidden()
    until(page, linked("panels=fit,biases,"))
    page.locator("#panels-button").click()
    page.get_by_label("Biases earlier").click()
    until(page, linked("panels=biases,fit,"))
    page.reload()
    page.wait_for_selector("html[data-booted]", state="attached")
    expect(page.locator("#panel-biases")).to_have_attribute("data-slot", "1")


def test_keys_alone_reach_everything(open_page: OpenPage) -> None:
    page = open_page(QUICK)
    wait_for_run(page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#panels")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys-dialog")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator("#stages")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#stages")).to_be_hidden()
    page.keyboard.press("p")
    page.locator("#present-anyway").click()
    expect(page.locator("#controls")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#controls")).to_be_visible()
    page.locator(field("seed")).focus()
    page.keyboard.press("s")
    expect(page.locator("#stages")).to_be_hidden()


def test_hints_explain_fields_and_panels(same_page: OpenPage) -> None:
    page = quick(same_page)
    page.get_by_role("button", name="About: Width").click()
    expect(page.locator("#bubble")).to_contain_text("neurons")
    page.keyboard.press("Escape")
    expect(page.locator("#bubble")).to_be_hidden()
    page.locator("#panel-loss").hover()
    page.locator("#panel-loss [data-hint]").click()
    expect(page.locator("#bubble")).to_be_visible()


@pytest.mark.long
def test_a_phone_has_a_drawer_and_no_sideways_scroll(open_page: OpenPage) -> None:
    page = open_page(QUICK, size=(390, 844), touch=True)
    wait_for_run(page)
    expect(page.locator("#controls")).to_be_hidden()
    page.locator("#settings-button").click()
    expect(page.locator("#run-bar")).to_be_in_viewport()
    page.locator("#settings-close").click()
    expect(page.locator("#controls")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("#timeline")).to_be_in_viewport()


def test_the_lab_fits_the_screen_without_page_scroll(same_page: OpenPage) -> None:
    page = quick(same_page)
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    expect(page.locator("#run-bar")).to_be_in_viewport()


def test_a_key_that_is_given_twice_is_refused_by_name(open_page: OpenPage) -> None:
    page = open_page("/?width=3&width=4")
    expect(page.locator("#error-width")).to_contain_text("given more than once")
    expect(page.locator("#run")).to_be_disabled()


def test_whole_numbers_are_written_once_and_in_full(same_page: OpenPage) -> None:
    page = quick(same_page)
    length = page.evaluate("history.length")
    page.locator(field("points")).fill("10000")
    page.locator(field("points")).press("Enter")
    until(page, "location.search.includes('points=')")
    until(page, linked("points=10000"))
    assert page.evaluate("history.length") == length + 1


def test_a_target_of_five_points_says_five(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&target=five")
    expect(page.locator("#digest-data")).to_contain_text("5 points")
    expect(page.locator(field("points"))).to_have_value("5")


def test_single_letter_keys_can_be_switched_off(open_page: OpenPage) -> None:
    page = open_page(QUICK)
    wait_for_run(page)
    page.keyboard.press("?")
    page.get_by_label("Single-letter shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    wait_for_run(page)
    page.keyboard.press("s")
    page.keyboard.press("p")
    page.wait_for_timeout(300)
    expect(page.locator("#stages")).to_be_hidden()
    expect(page.locator("#controls")).to_be_visible()
    page.keyboard.press("Home")
    until(page, "lab.epoch() === 0")
    page.locator("#keys-button").click()
    page.get_by_label("Single-letter shortcuts").check()
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(page.locator("#stages")).to_be_visible()


def test_nobody_asks_for_an_icon(open_page: OpenPage, server: str) -> None:
    page = open_page("/lessons", wait=False)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/lessons", QUICK):
        page.goto(server + path)
        page.wait_for_timeout(300)
    assert asked and not [url for url in asked if "favicon" in url]


def test_a_panel_made_in_python_follows_the_moment_and_the_neuron(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2e4&seed=9&target=five&width=5&tab=landscape")
    wait_for_run(page)
    label = page.locator("#plot-landscape .textpoint text")
    expect(label).to_contain_text("pinned")
    page.evaluate("lab.set({neuron: 5})")
    expect(label).to_contain_text("neuron 5")
    expect(page.locator("#plot-landscape .xtitle")).to_contain_text("b5")
    page.keyboard.press("Home")
    expect(label).to_contain_text("here")


def test_a_panel_made_in_python_draws_the_history_of_the_run(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2e4&seed=9&target=five&width=5&tab=sharpness")
    wait_for_run(page)
    expect(page.locator("#plot-sharpness .scatterlayer .trace")).to_have_count(4)
    expect(page.locator("#plot-sharpness .textpoint text")).to_have_text("2/η")
    until(page, "document.querySelector('#plot-sharpness .js-plotly-plot').data[0].x.length > 50")
