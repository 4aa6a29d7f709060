"""A page with finished runs on it, and how the tests of the player look at it."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from playwright.sync_api import CDPSession, Page

from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.run.train import train
from tests.browser.conftest import OpenPage, until
from tests.browser.sizes import SIZES, Size
from tests.effort import SEARCHING

RACE = "/?epochs=3e4,300&method=gd,anls&seed=1"
GD = RunConfig.from_query("epochs=3e4&method=gd&seed=1")
AT_REST = "document.querySelector('#player').getAttribute('aria-busy') === 'false'"
"""The page says that what it was opened with is there, in every panel on screen. Some answers come late (the
best known loss, the stages), and each redraws what it changes."""
COUNT_REDRAWS = """() => { window.reacts = 0; const react = Plotly.react;
  Plotly.react = function (...given) { window.reacts += 1; return react.apply(this, given); }; }"""


@cache
def gd_frames() -> list[Frame]:
    """The frames of the race's first run, as the core computes them."""
    return list(train(GD))


def frame_at(epoch: float) -> Frame:
    """The last of them at or before an epoch."""
    return [frame for frame in gd_frames() if frame.epoch <= epoch][-1]


def starts() -> list[float]:
    """Where its stages begin."""
    first: dict[int, float] = {}
    for frame in gd_frames():
        first.setdefault(frame.stage, frame.epoch)
    return list(first.values())


def opened(open_page: OpenPage, path: str = RACE, **more: Any) -> Page:
    """A page whose runs are finished, loaded and drawn: all answers have come, and no drawing is due."""
    page = open_page(path, **more)
    until(page, "lab.runs().length > 0")
    until(page, "lab.runs().every((run) => run.status === 'finished' && run.frames > 0)")
    until(page, "document.querySelector('.pl-why')?.hidden === false || lab.view('lesson') !== null")
    until(page, AT_REST)
    return page


def at_sizes(page: Page, sizes: Sequence[Size] = SIZES) -> Iterator[int]:
    """One page in window after window; the width of each, once the page has been laid out for it.

    `make test` takes the first and the last of them, `make test-long` all.
    """
    for width, height in sizes if SEARCHING else (sizes[0], sizes[-1]):
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width}")
        settle(page)
        yield width


def state(page: Page) -> dict[str, Any]:
    """What the player tells and shows."""
    return dict(
        page.evaluate("({...lab.moment(), epoch: lab.epoch(), playing: lab.playing(), runs: lab.runs()})")
    )


def settle(page: Page) -> None:
    """Two animation frames and the pause after which the moment is told."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
    )
    page.wait_for_timeout(200)


def seek(page: Page, epoch: float) -> None:
    """Go to a moment, as a callback would."""
    page.evaluate("(epoch) => lab.set({at: epoch})", epoch)
    settle(page)


def place_of(page: Page, panel: str, x: float, y: float) -> tuple[float, float]:
    """Page coordinates of a point given in a panel's own ones."""
    script = """([panel, x, y]) => { const plot = document.querySelector(`#plot-${panel} .js-plotly-plot`);
      const {xaxis, yaxis} = plot._fullLayout; const box = plot.getBoundingClientRect();
      return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)]; }"""
    left, top = page.evaluate(script, [panel, x, y])
    return float(left), float(top)


def touch(session: CDPSession, kind: str, points: Sequence[tuple[float, float]]) -> None:
    """Fingers on the screen."""
    fingers = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def at(page: Page, epoch: float) -> None:
    """The page gets to this moment."""
    until(page, f"lab.epoch() === {epoch!r}")


def shows(page: Page, selector: str, *, shown: bool = True) -> None:
    """A mark of the overlay gets shown, or hidden; a line without width is hidden to Playwright."""
    until(page, f"document.querySelector({selector!r}).style.display {'!==' if shown else '==='} 'none'")
