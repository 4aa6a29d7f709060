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
from reproduction.claims import VERDICTS
from reproduction.figures import FIGURES, PaperFigure
from reproduction.idle import served
from reproduction.registry import CLAIMS
from tests.browser.conftest import LOOK, PATIENCE
from tests.browser.test_accessibility import serious

PLOTS = "[...document.querySelectorAll('[data-picture]')]"
WHOLE = [figure for figure in FIGURES.values() if not figure.curves_only]
LOOKS: dict[str, tuple[str, tuple[int, int]]] = {
    "light": ("light", (1280, 900)),
    "dark": ("dark", (1280, 900)),
    "phone": ("light", (390, 844)),
    "dark phone": ("dark", (390, 844)),
}
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
    """Test the whole page as it looks so."""
    return pytest.mark.parametrize("paper", looks, indirect=True)


def wait_until(page: Page, expression: str) -> None:
    """Asked from outside: the page's own policy forbids it to evaluate text."""
    for _ in range(1200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"not within two minutes: {expression}")


def drawn(page: Page) -> None:
    """All pictures were asked for, and are there."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wait_until(page, f"{PLOTS}.every((one) => one.dataset.drawn)")


@seen("light", "dark", "phone")
def test_every_picture_is_drawn_without_a_worker(paper: Page) -> None:
    assert paper.evaluate(f"{PLOTS}.length") == PICTURES
    empty = paper.evaluate(
        PLOTS
        + """.filter((element) =>
             !element.querySelector(".main-svg") || element.querySelector(".pl-empty:not([hidden])"))
           .map((one) => one.id)"""
    )
    assert empty == []
    wide = paper.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


def texts(page: Page, place: str) -> list[str]:
    """What is written there, without the signs of no width that Plotly puts around subscripts."""
    return [text.replace("\u200b", "") for text in page.locator(place).all_text_contents()]


@seen("light")
def test_networks_are_drawn_in_front_of_the_data(paper: Page) -> None:
    """Nothing is left for a layer that this page does not have."""
    found: dict[str, list[list[Any]]] = paper.evaluate(
        f"""Object.fromEntries({PLOTS}.map((one) => {{
          const plot = one.querySelector(".pl-canvas");
          return [one.id, plot.data.map(({{ meta }}) => [meta.table, Boolean(meta.direct)])];
        }}))"""
    )
    for name, traces in found.items():
        assert not any(direct for _, direct in traces), name
    fits = [f"plot-{figure.name}-{place}" for figure in FIGURES.values()
            for place, picture in enumerate(figure.pictures) if picture.panel in ("fit", "fits")]  # fmt: skip
    assert len(fits) >= 8
    for name in fits:
        tables = [table for table, _ in found[name]]
        assert "network" in tables and tables.index("network") > tables.index("data"), name
        lines = paper.locator(f"#{name} .scatterlayer .trace path.js-line")
        assert lines.count() >= tables.count("network"), name


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
        return paper.evaluate(f"document.querySelector('#plot-{name} .pl-canvas')._fullLayout.{key}")

    def values(name: str, table: str, key: str) -> list[Any]:
        found: list[Any] = paper.evaluate(
            f"""document.querySelector('#plot-{name} .pl-canvas').data
              .filter(({{ meta }}) => meta.table === '{table}').map((trace) => trace.{key})"""
        )
        return found

    assert [layout(f"ranges-{place}", "xaxis.type") for place in range(3)] == ["linear"] * 3
    assert layout("ranges-1", "xaxis.range") == [1e3, 1e7]
    (dash,) = values("explicit-0", "glue", "line.dash")
    assert dash == "4px,3px"
    names = " ".join(texts(paper, "#plot-f1-trajectories-2 .textpoint"))
    assert sorted(re.findall(r"u\d+", names)) == sorted(f"u{level}" for level in range(11))
    low, high = layout("f1-trajectories-0", "yaxis.range")
    biases = [value for trace in values("f1-trajectories-0", "neurons", "y") for value in trace if value]
    assert low < min(biases) and max(biases) < high
    low, high = layout("rates-0", "yaxis.range")
    lower = values("rates-0", "rates", "y")[3]
    assert low < math.log10(min(lower)) < high
    rows = values("candidates-0", "candidates", "y")[0]
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
    expect(page.locator("#bibtex-told")).to_have_text("Copied.")
    entry = page.locator("#bibtex").input_value()
    copied = "navigator.clipboard.readText()" if has_clipboard else "window.copied"
    assert page.evaluate(copied).replace("\r", "") == entry
    assert entry.startswith("@article{ainsworth2020plateau")


@seen("light", "dark phone")
def test_axe_finds_nothing_serious_with_everything_unfolded(paper: Page) -> None:
    paper.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert serious(paper) == []


def test_the_numbers_are_a_file(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    links = page.locator("#downloads a")
    assert links.count() >= 1
    with page.expect_download() as download:
        links.last.click()
    assert download.value.suggested_filename == "results.json"


def test_a_claim_opens_its_runs_as_a_study(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    card = page.locator("#claim-anls-lsq")
    card.locator("summary").click()
    href = card.locator(".claim-runs a").first.get_attribute("href")
    assert href == run_links("anls-lsq")[0][1]
    assert href.startswith("/study?") and "seed=0.." in href


def test_pictures_wait_until_they_are_scrolled_to(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    last = page.locator("#figure-f2-race .plot").last
    wait_until(page, f"{PLOTS}[0].dataset.drawn")
    expect(last).not_to_have_attribute("data-drawn", "1")
    last.scroll_into_view_if_needed()
    expect(last).to_have_attribute("data-drawn", "1")


def test_every_claim_has_its_verdict(page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    for name in CLAIMS:
        card = page.locator(f"#claim-{name}")
        expect(card.locator(".badge")).to_have_count(1)
        assert card.locator(".badge").inner_text() in VERDICTS.values()
        assert card.locator(".ours").inner_text()
        assert card.locator(".why").inner_text()
    assert page.locator(".errata li").count() >= 10


def final_losses(page: Page) -> dict[str, float]:
    """Final loss of every run that the Lab shows, from its own frames."""
    page.wait_for_selector(BOOTED, state="attached")
    wait_until(page, "lab.runs().length && lab.runs().every((run) => run.frames)")
    wait_until(page, "document.querySelector('#player').getAttribute('aria-busy') === 'false'")
    losses: dict[str, float] = page.evaluate(
        "Object.fromEntries(lab.runs().map(({ id, loss }) => [id, loss]))"
    )
    return losses


@pytest.mark.parametrize("figure", WHOLE, ids=[figure.name for figure in WHOLE])
def test_the_link_opens_the_same_numbers_in_the_lab(figure: PaperFigure, page: Page, idle: str) -> None:
    page.goto(f"{idle}/paper")
    section = page.locator(f"#figure-{figure.name}")
    shown: list[dict[str, Any]] = section.locator(".ended").evaluate_all(
        "(all) => all.map(({ dataset }) => ({ run: dataset.run, loss: Number(dataset.loss) }))"
    )
    shown = shown[: len(figure.race())]  # those of a seed that nobody picked follow
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
    drawn(page)
    colour = "getComputedStyle(document.querySelector('#figure-f1 .xtick text')).fill"
    before = page.evaluate(colour)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    wait_until(page, f"{colour} !== {before!r}")
