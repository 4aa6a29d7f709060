"""The Paper page with no worker at all: every picture is drawn, and the Lab opens the same numbers."""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from benchmarks.real_app import BOOTED, forget
from components.pages.paper.claims import run_links
from components.pages.paper.content import read_results
from reproduction.claims import CLAIMS
from reproduction.figures import FIGURES, PaperFigure
from reproduction.verdicts import VERDICTS
from tests.browser.conftest import LOOK, PATIENCE
from tests.browser.idle import served
from tests.browser.test_accessibility import violations_in_both_themes

PLOTS = "[...document.querySelectorAll('.paper-figure .plot')]"
IS_DRAWN = "(one) => one.querySelector('.main-svg') && one.querySelector('.js-plotly-plot').data.length"
WHOLE = [figure for figure in FIGURES.values() if not figure.curves_only]
LOOKS: dict[str, tuple[str, tuple[int, int]]] = {
    "light": ("light", (1280, 900)),
    "dark": ("dark", (1280, 900)),
    "phone": ("light", (390, 844)),
    "dark phone": ("dark", (390, 844)),
}
OFTEN = ("light",)
PICTURES = sum(len(figure.pictures) + len(figure.unpicked) for figure in FIGURES.values())


@pytest.fixture(scope="module")
def idle() -> Iterator[str]:
    """A server whose run service was never started: nothing can be computed."""
    with served() as base:
        yield base


@contextmanager
def opened(
    lasting: BrowserContext, idle: str, theme: str = "light", size: tuple[int, int] = (1280, 900)
) -> Iterator[Page]:
    """A page of its own; it is an error if it logs anything."""
    forget(lasting, idle)
    lasting.set_default_timeout(1000 * PATIENCE)
    wrong: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            wrong.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    page = lasting.new_page()
    page.add_init_script(LOOK)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.on("console", note)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    page.close()
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def page(lasting: BrowserContext, idle: str) -> Iterator[Page]:
    with opened(lasting, idle) as made:
        yield made


@pytest.fixture(scope="module")
def paper(lasting: BrowserContext, idle: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The Paper page with all pictures, which take seconds to draw: one for all who look at it alike."""
    with opened(lasting, idle, *LOOKS[request.param]) as made:
        made.goto(f"{idle}/paper")
        drawn(made)
        yield made


def seen(*looks: str) -> pytest.MarkDecorator:
    """Test the whole page as it looks so; `make test-long` also as it looks otherwise."""
    given = [look if look in OFTEN else pytest.param(look, marks=pytest.mark.long) for look in looks]
    return pytest.mark.parametrize("paper", given, indirect=True)


def wait_until(page: Page, expression: str) -> None:
    """Asked from outside: the page's own policy forbids it to evaluate text."""
    for _ in range(1200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"not within two minutes: {expression}")


def drawn(page: Page) -> None:
    """Everything is unfolded, all pictures were asked for, and are there."""
    page.wait_for_selector("#take-away")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wait_until(page, f"{PLOTS}.every({IS_DRAWN})")
    wait_until(page, "document.querySelectorAll('.claim').length > 0")


@seen("light", "dark", "phone", "dark phone")
def test_every_picture_is_drawn_without_a_worker(paper: Page) -> None:
    assert paper.evaluate(f"{PLOTS}.length") == PICTURES
    empty = "(one) => !one.querySelector('.scatterlayer :is(path, text)')"
    assert paper.evaluate(f"{PLOTS}.filter({empty}).map((one) => one.parentElement.id)") == []
    wide = paper.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


def texts(page: Page, place: str) -> list[str]:
    """What is written there, without the signs of no width that Plotly puts around subscripts."""
    return [text.replace("\u200b", "") for text in page.locator(place).all_text_contents()]


@seen("light")
def test_networks_are_drawn_in_front_of_the_data(paper: Page) -> None:
    fits = [f"plot-{figure.name}-{place}" for figure in FIGURES.values()
            for place, picture in enumerate(figure.pictures) if picture.panel in ("fit", "fits")]  # fmt: skip
    assert len(fits) >= 8
    for name in fits:
        figure = FIGURES[name.removeprefix("plot-").rpartition("-")[0]]
        picture = figure.pictures[int(name.rpartition("-")[2])]
        methods = {run.method.name: run.method.title for run in figure.race()}
        shown = [methods[method] for method in picture.methods or methods]
        drawn = paper.evaluate(
            f"document.querySelector('#{name} .js-plotly-plot').data.map((one) => one.name)"
        )
        networks = shown if picture.panel == "fits" else shown[:1]
        assert all(drawn.index(title) > drawn.index("data") for title in networks), name
        lines = paper.locator(f"#{name} .scatterlayer .trace path.js-line")
        assert lines.count() >= len(networks), name


@seen("light")
def test_every_method_of_a_race_is_named_in_its_pictures(paper: Page) -> None:
    names = texts(paper, "#plot-f2-race-0 .legendtext")
    assert sorted(names) == sorted(config.method.title for config in FIGURES["f2-race"].race())
    assert set(texts(paper, "#plot-f2-race-2 .legendtext")) == {*("data", "target", "LS/GD", "LS/Adam")}
    assert texts(paper, "#plot-sets-0 .textpoint") == [f"U{level}" for level in range(6)]


@seen("light")
def test_the_papers_own_signs(paper: Page) -> None:
    """Axes counted evenly, gluing lines dashed, u_l as named curves, every bias, both envelopes."""

    def layout(name: str, key: str) -> Any:
        return paper.evaluate(f"document.querySelector('#plot-{name} .js-plotly-plot')._fullLayout.{key}")

    def values(name: str, trace: str, key: str) -> list[Any]:
        found: list[Any] = paper.evaluate(
            f"""document.querySelector('#plot-{name} .js-plotly-plot')._fullData
              .filter((one) => one.name.startsWith('{trace}')).map((one) => {{
                const value = one.{key};
                return value?.length && typeof value !== 'string' ? [...value] : value;
              }})"""
        )
        return found

    assert [layout(f"ranges-{place}", "xaxis.type") for place in range(3)] == ["linear"] * 3
    assert layout("ranges-1", "xaxis.range") == [1e3, 1e7]
    assert values("explicit-0", "gluing lines", "line.dash") == ["4px,3px"]
    names = " ".join(texts(paper, "#plot-f1-trajectories-2 .textpoint"))
    assert sorted(re.findall(r"u\d+", names)) == sorted(f"u{level}" for level in range(11))
    low, high = layout("f1-trajectories-0", "yaxis.range")
    drawn = paper.evaluate(
        """[...document.querySelector('#plot-f1-trajectories-0 .js-plotly-plot')._fullData]
          .filter(({ yaxis, mode }) => yaxis !== 'y2' && mode === 'lines')
          .flatMap(({ y }) => [...y].filter(Number.isFinite))"""
    )
    assert low < min(drawn) and max(drawn) < high
    low, high = layout("rates-0", "yaxis.range")
    (lower,) = values("rates-0", "lower", "y")
    assert low < math.log10(min(lower)) < high
    (rows,) = values("candidates-0", "candidate", "y")
    assert [rows.count(neuron) for neuron in range(1, 6)] == [2, 1, 1, 2, 1]


@pytest.mark.parametrize("has_clipboard", [True, False], ids=["clipboard", "plain http"])
def test_the_entry_to_cite_is_copied_by_keyboard(page: Page, idle: str, has_clipboard: bool) -> None:
    if not has_clipboard:
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    else:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=idle)
    page.add_init_script("addEventListener('copy', () => { window.copied = String(getSelection()) })")
    page.goto(f"{idle}/paper")
    page.locator("#cite summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "bibtex"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#bibtex-status")).to_have_text("Copied.")
    entry = page.locator("#bibtex").input_value()
    copied = "navigator.clipboard.readText()" if has_clipboard else "window.copied"
    assert page.evaluate(copied).replace("\r", "") == entry
    assert entry.startswith("@article{ainsworth2021plateau")


@seen("light", "dark phone")
def test_axe_finds_nothing_with_everything_unfolded(paper: Page) -> None:
    wait_until(paper, f"document.querySelectorAll('.claim').length === {len(CLAIMS)}")
    assert violations_in_both_themes(paper) == []


def test_the_numbers_are_a_file(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    links = page.locator("#downloads a")
    expect(links.last).to_be_visible()
    with page.expect_download() as download:
        links.filter(has_text="results").first.click()
    assert download.value.suggested_filename == "results.json"


def test_a_claim_opens_its_runs_as_a_study(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    page.locator("#figure-f1-race .card-claims summary").first.click()
    card = page.locator("#claim-anls-lsq")
    card.locator("summary").click()
    href = card.locator(".claim-runs a").first.get_attribute("href")
    assert href == run_links("anls-lsq", confirmed=True)[0][1]
    assert href.startswith("/study?") and "seed=31000.." in href


def test_pictures_wait_until_they_are_scrolled_to(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    last = page.locator("#plot-f2-race-0 .plot")
    wait_until(page, f"{PLOTS}.slice(0, 1).some({IS_DRAWN})")
    expect(last).to_be_empty()
    last.scroll_into_view_if_needed()
    expect(last.locator(".main-svg").first).to_be_visible()
    folded = page.locator("#plot-f2-race-1 .plot")
    expect(folded).to_be_empty()
    page.locator("#figure-f2-race summary", has_text="more pictures").click()
    expect(folded.locator(".main-svg").first).to_be_visible()


def test_the_claims_that_differ_stand_above_the_figures(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    rows = page.locator("#differ .differing > li")
    results = read_results() or {}
    differ = [one for one in results["claims"].values() if one["verdict"] == "differs"]
    expect(rows).to_have_count(len(differ))
    first = rows.first.locator("details").first
    expect(first.locator("dd").first).to_be_hidden()
    first.locator("summary").first.click()
    expect(first.locator(".ours")).to_be_visible()
    expect(first.locator(".why")).to_be_visible()
    top, figures = (page.locator(f"#{name}").bounding_box() for name in ("differ", "figures"))
    assert top is not None and figures is not None and top["y"] < figures["y"]


@seen("light")
def test_every_claim_has_its_verdict(paper: Page) -> None:
    for name in CLAIMS:
        card = paper.locator(f"#claim-{name}")
        expect(card.locator(".badge")).to_have_count(1)
        assert card.locator(".badge").inner_text() in VERDICTS.values()
        assert card.locator(".ours").inner_text()
        assert card.locator(".why").inner_text()
    assert paper.locator(".errata li").count() >= 10


def final_losses(page: Page) -> dict[str, float]:
    """Final loss of every run that the Lab shows, from its own frames."""
    page.wait_for_selector(BOOTED, state="attached")
    wait_until(page, "lab.runs().length && lab.runs().every((run) => run.frames)")
    wait_until(page, "document.querySelector('#player').getAttribute('aria-busy') === 'false'")
    losses: dict[str, float] = page.evaluate(
        "Object.fromEntries(lab.runs().map(({ id, loss }) => [id, loss]))"
    )
    return losses


@pytest.mark.parametrize(
    "figure",
    [WHOLE[0], WHOLE[-1], *(pytest.param(figure, marks=pytest.mark.long) for figure in WHOLE[1:-1])],
    ids=lambda figure: figure.name,
)
def test_the_link_opens_the_same_numbers_in_the_lab(figure: PaperFigure, page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    section = page.locator(f"#figure-{figure.name}")
    expect(section).to_be_visible()
    shown: list[dict[str, Any]] = section.locator(".card-body > .ended-list .ended").evaluate_all(
        "(all) => all.map(({ dataset }) => ({ run: dataset.run, loss: Number(dataset.loss) }))"
    )
    assert len(shown) == len(figure.race())
    section.get_by_role("link", name="Open in the Lab").click()
    assert final_losses(page) == {entry["run"]: entry["loss"] for entry in shown}


def test_the_first_visit_is_there_without_a_worker(page: Page, idle: str) -> None:
    page.goto(f"{idle}/")
    assert len(final_losses(page)) == 2


def test_every_verdict_has_its_colour(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    mark = """([verdict, theme]) => {
      document.documentElement.dataset.theme = theme;
      const shown = document.body.appendChild(document.createElement("span"));
      shown.className = `verdict-${verdict}`;
      return getComputedStyle(shown).getPropertyValue("--mark");
    }"""
    themes = [{name: page.evaluate(mark, [name, theme]) for name in VERDICTS} for theme in ("light", "dark")]
    for verdict in VERDICTS:
        assert themes[0][verdict] and themes[1][verdict]
        assert themes[0][verdict] != themes[1][verdict]


def test_dark_and_light_are_drawn_again(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    wait_until(page, f"{PLOTS}.slice(0, 1).some({IS_DRAWN})")
    colour = "getComputedStyle(document.querySelector('#plot-ranges-0 .xtick text')).fill"
    before = page.evaluate(colour)
    page.locator("#reading-theme").click()
    wait_until(page, f"{colour} !== {before!r}")
