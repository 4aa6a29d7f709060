"""Several runs in one picture, and the axis they are compared on."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, field, until
from tests.browser.playing import at_sizes, settle

SEEDS = "/?seed=0..3&epochs=2000"
DRAWN = "lab.runs().length && lab.runs().every((run) => run.frames > 3 && run.status === 'finished')"
CURVES = """[...document.querySelector('#plot-loss .js-plotly-plot').data]
  .filter((trace) => trace.meta.table === 'curve').map((trace) => [trace.line.color, trace.x.length])"""
LABELS = """[...document.querySelectorAll('#plot-loss .textpoint text')].map((text) => {
  const {left, right, top, bottom} = text.getBoundingClientRect();
  return [text.textContent, left, right, top, bottom];
})"""

ENDS = """[...document.querySelector('#plot-loss .js-plotly-plot').data]
  .filter((trace) => trace.meta.table === 'curve').map((trace) => trace.x.at(-1)).toSorted((a, b) => a - b)"""
STARTS = """[...document.querySelectorAll('#stage-table tr[data-start]')]
  .map((row) => Number(row.dataset.start))"""


def settled(page: Page) -> None:
    until(page, DRAWN)
    until(page, "document.querySelector('#player').getAttribute('aria-busy') === 'false'")


def overlapping(boxes: list[list[float]]) -> list[tuple[object, object]]:
    return [
        (a[0], b[0])
        for i, a in enumerate(boxes)
        for b in boxes[:i]
        if min(a[2], b[2]) - max(a[1], b[1]) > 1 and min(a[4], b[4]) - max(a[3], b[3]) > 3
    ]


def test_four_seeds_have_four_colours_and_a_legend_of_what_differs(open_page: OpenPage) -> None:
    page = open_page(SEEDS)
    settled(page)
    expect(page.locator("#method-tabs .pl-name")).to_have_text([f"seed {seed}" for seed in range(4)])
    expect(page.locator(field("seed"))).to_have_value("0..3")
    curves = page.evaluate(CURVES)
    assert len({colour for colour, _ in curves}) == len(curves) == 4 and all(n > 3 for _, n in curves)
    assert overlapping(page.evaluate(LABELS)) == []
    page.get_by_role("radio", name="seed 2").click()
    until(page, "lab.view('focus')?.length === 8")
    page.reload()
    settled(page)
    expect(page.get_by_role("radio", name="seed 2")).to_be_checked()


def test_a_list_is_typed_and_what_was_there_stays_in_grey(open_page: OpenPage) -> None:
    page = open_page("/?seed=5&epochs=2000")
    settled(page)
    page.locator(field("width")).fill("5,20")
    page.locator(field("width")).press("Enter")
    until(page, "location.search.includes('width=5,20')")
    until(page, "lab.runs().length === 2")
    settled(page)
    expect(page.locator("#method-tabs .pl-name")).to_have_text(["width 5", "width 20"])
    until(page, f"{CURVES}.length === 3")
    assert "before" in [label[0].strip() for label in page.evaluate(LABELS)]
    page.reload()
    settled(page)
    assert len(page.evaluate(CURVES)) == 2, "what was there before is no part of the link"


def test_more_than_eight_are_a_study(open_page: OpenPage) -> None:
    page = open_page("/?seed=0..8&width=12")
    link = page.locator("#overlay-study")
    expect(link).to_be_visible()
    assert link.get_attribute("href") == "/study?seed=0..8&width=12"
    expect(page.locator("#overlay-text")).to_contain_text("9 runs are asked for")


def test_the_axis_is_chosen_on_the_page_and_in_the_link(open_page: OpenPage) -> None:
    page = open_page("/?method=gd,anls&epochs=2000,30&seed=3")
    settled(page)
    choice = page.get_by_label("Horizontal axis")
    titles = {
        "gradients": "gradient evaluations (none by ANLS)",
        "solves": "least-squares solves (none by GD)",
    }
    for name, title in titles.items():
        choice.select_option(name)
        until(page, f"lab.view('xaxis') === '{name}'")
        until(page, f"document.querySelector('#plot-loss .xtitle').textContent === '{title}'")
    assert len(page.evaluate(CURVES)) == 1, "gradient descent solves nothing"
    page.reload()
    settled(page)
    expect(choice).to_have_value("solves")
    choice.select_option("epoch")
    until(page, "lab.view('xaxis') === null")


def test_a_method_that_is_not_on_the_axis_says_so_in_every_panel(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&seed=3&xaxis=solves")
    settled(page)
    for panel in ("loss", "biases"):
        expect(page.locator(f"#plot-{panel} .pl-empty")).to_have_text(
            "GD solves no least-squares problems. Switch the axis to epochs."
        )


def test_a_budget_between_two_frames_is_the_last_moment_of_its_link_for_good(open_page: OpenPage) -> None:
    """1,234 is no epoch of the frame schedule. Going on must neither keep that moment nor lose it."""
    page = open_page("/?epochs=1234&seed=23&width=4")
    settled(page)
    until(page, f"{ENDS}.join() === '1234'")
    assert page.evaluate("lab.epoch()") == 1234
    page.evaluate("lab.go('/?epochs=3e3&seed=23&width=4')")
    until(page, f"{ENDS}.join() === '3000'")
    again = open_page("/?epochs=1234&seed=23&width=4")
    settled(again)
    until(again, f"{ENDS}.join() === '1234'")
    assert again.evaluate("lab.runs().map((run) => [run.status, run.epoch])") == [["finished", 1234]]


def test_a_run_ends_at_the_budget_of_the_link_whatever_others_have_had_computed(open_page: OpenPage) -> None:
    settled(open_page("/?epochs=3e4&seed=21&width=4"))
    page = open_page("/?epochs=1000&seed=21..22&width=4&stages=1")
    settled(page)
    assert (
        page.evaluate("lab.runs().map((run) => [run.status, run.budget, run.epoch])")
        == [["finished", 1000, 1000]] * 2
    )
    until(page, f"{ENDS}.join() === '1000,1000'")
    assert page.evaluate("lab.epoch()") == 1000
    until(page, f"{STARTS}.length > 1")
    assert max(page.evaluate(STARTS)) <= 1000, "the table of stages ends there too"
    further = page.locator("#further")
    expect(further).to_have_text("seed 21 was trained further, to 30,000 epochs: show all")
    further.click()
    until(page, f"{ENDS}.join() === '1000,30000'")
    until(page, f"Math.max(...{STARTS}) > 1000")
    assert page.evaluate("lab.view('epochs')") == "3e4", "the budget of the link is what there is"
    expect(page.locator("#run-text")).to_have_text("Run")
    expect(further).to_be_hidden()
    page.go_back()
    until(page, f"{ENDS}.join() === '1000,1000'")
    until(page, "lab.epoch() === 1000")
    page.locator("#continue").click()
    until(page, f"{ENDS}.join() === '10000,10000'")
    assert page.evaluate("lab.view('epochs')") == "1e4"
    expect(further).to_have_text("seed 21 was trained further, to 30,000 epochs: show all")


NAMES = """(() => {
  const plot = document.querySelector('#plot-loss .js-plotly-plot');
  const {xaxis} = plot._fullLayout;
  return {right: plot.getBoundingClientRect().left + xaxis._offset + xaxis._length, labels: LABELS};
})()""".replace("LABELS", LABELS)


NAMED = f"{LABELS}.map((label) => label[0].trim()).filter((name) => name.includes(','))"


def test_many_names_stand_in_a_column_of_their_own(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&seed=0..3&width=5,10")
    settled(page)
    losses = page.evaluate("Object.fromEntries(lab.runs().map((run) => [run.title, run.loss]))")
    chips = set(page.locator("#method-tabs .pl-name").all_inner_texts())
    assert chips == set(losses)
    for size in ((1440, 900), (1024, 768), (1366, 768), (1024, 768), (390, 844), (1440, 900)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(page, f"{NAMED}.length === 8")
        until(page, f"{NAMED}.every((name) => {'!' if size[0] > 1200 else ''}/^\\d, \\d+$/.test(name))")
        settle(page)
        found = page.evaluate(NAMES)
        boxes = [[box[0].strip(), *box[1:]] for box in found["labels"]]
        assert overlapping(boxes) == []
        named = [box for box in boxes if "," in box[0]]
        assert len({box[0] for box in named}) == 8, "all are told apart"
        assert all(box[1] >= found["right"] - 1 for box in named), "none over a curve"
        plot = page.locator("#plot-loss").bounding_box()
        assert plot and all(box[2] <= plot["x"] + plot["width"] + 1 for box in named), "none is cut off"
        assert all(box[4] - box[3] > 9 for box in named), "none is too small to be read"
        short = {title.replace("seed ", "").replace("width ", ""): loss for title, loss in losses.items()}
        tops = [box[3] for box in sorted(named, key=lambda box: -{**losses, **short}[box[0]])]
        assert tops == sorted(tops), "in the order of their curves"


def test_the_tooltip_has_the_colours_of_the_curves_and_does_not_hide_them(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&seed=0..3&width=5,10")
    settled(page)
    tip = page.locator("#plot-loss .pl-tip")
    for _ in at_sizes(page):
        page.mouse.move(1, 1)
        box = page.locator("#plot-loss").bounding_box()
        assert box
        page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.4 * box["height"])
        expect(tip).to_be_visible()
        signs = page.evaluate(
            "[...document.querySelectorAll('#plot-loss .pl-tip-sign')].map((x) => x.style.borderTopColor)"
        )
        curves = page.evaluate(f"{CURVES}.length")
        assert len(signs) == curves == 8 and len(set(signs)) == 8
