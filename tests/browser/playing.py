"""A page with finished runs on it, and how the tests of the player look at it."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import OpenPage, until

RACE = "/?epochs=3e4,300&method=gd,anls&seed=1"
COUNT_REDRAWS = """() => { window.reacts = 0; const react = Plotly.react;
  Plotly.react = function (...given) { window.reacts += 1; return react.apply(this, given); }; }"""


def opened(open_page: OpenPage, path: str = RACE, **more: Any) -> Page:
    """A page whose runs are finished, loaded and drawn."""
    page = open_page(path, **more)
    until(page, "window.plateau?.player?.state().runs.length > 0")
    until(page, "plateau.player.state().runs.every((run) => run.status === 'finished' && run.frames > 0)", 60)
    until(page, "plateau.player.state_.runs.every((run) => run.stages.length > 0)")
    until(page, "document.querySelectorAll('#plot-loss .scatterlayer .trace').length > 0")
    return page


def state(page: Page) -> dict[str, Any]:
    return dict(page.evaluate("plateau.player.state()"))


def settle(page: Page) -> None:
    """Two animation frames: what was asked for has been drawn."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
    )


def seek(page: Page, epoch: float) -> None:
    page.evaluate("(epoch) => plateau.player.seek(epoch)", epoch)
    settle(page)


def place_of(page: Page, panel: str, x: str, y: str) -> tuple[float, float]:
    """Page coordinates of a point given in a panel's own ones."""
    script = f"""() => {{ const host = plateau.draw.hosts.get("{panel}");
      const scale = plateau.overlay.scales(host);
      const box = host.element.getBoundingClientRect();
      const run = plateau.player.state_.selected; const moment = plateau.player.moment();
      return [box.left + scale.x({x}), box.top + scale.y({y})]; }}"""
    left, top = page.evaluate(script)
    return float(left), float(top)


def displayed(page: Page, selector: str) -> bool:
    """Whether a mark of the overlay is shown; a line without width is hidden to Playwright."""
    shown = page.evaluate(f"document.querySelector({selector!r}).style.display !== 'none'")
    return bool(shown)
