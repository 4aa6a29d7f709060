"""`make screenshots`: the pictures in docs/screenshots, taken from the real app in Chromium."""

import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser

from benchmarks.real_app import BOOTED, ROOT, Served, chromium, real_app
from components.pages.lab.first_visit import MOMENT

FOLDER = ROOT / "docs" / "screenshots"
SETTLED_MS = 6_000
"""Time for the run to arrive and the figures to be drawn."""


@dataclass(frozen=True)
class Shot:
    """One picture: what to open, how large, in which colours."""

    name: str
    path: str
    size: tuple[int, int]
    theme: str = "light"
    whole_page: bool = False


SHOTS = (
    Shot("lab-light", "/", (1440, 900)),
    Shot("lab-dark", "/", (1440, 900), "dark"),
    Shot("lab-1920", "/", (1920, 1080)),
    Shot("lab-1024", "/", (1024, 768)),
    Shot("lab-1024-dark", "/", (1024, 768), "dark"),
    Shot("lab-zoom-200", "/", (720, 450)),
    Shot("lab-phone", "/", (390, 844)),
    Shot("lab-phone-dark", "/", (390, 844), "dark"),
    Shot("lesson-phone", "/?lesson=pinned&step=2", (390, 844)),
    Shot("handout", "/handout?epochs=1e8,500&method=gd,anls&seed=11", (900, 1000)),
    Shot("present", "/?present=1&epochs=1e8,500&method=gd,anls&target=f1", (1440, 900)),
    Shot("lesson", "/lessons", (1440, 900)),
    Shot("paper", "/paper", (1440, 900)),
)


ANIMATION = "lab.webp"
MOMENTS = (*np.geomspace(10, MOMENT, 12), *np.geomspace(MOMENT, 1e6, 18)[1:])
"""Epochs of the first visit that the animation of the README shows, through its last drop."""
PACE_MS, REST_MS = 220, 2500
FRAME_WIDTH = 960


def animate(app: Served, browser: Browser) -> None:
    """The Lab in motion: one picture per moment, the last one held."""
    page = browser.new_context(viewport={"width": 1200, "height": 750}).new_page()
    page.goto(app.base + "/")
    page.wait_for_selector(BOOTED)
    page.locator("#welcome-close").click()
    page.wait_for_timeout(SETTLED_MS)
    pictures = []
    for epoch in MOMENTS:
        page.evaluate("(at) => window.dash_clientside.set_props('player', {at})", float(epoch))
        page.wait_for_timeout(PACE_MS)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        height = round(picture.height * FRAME_WIDTH / picture.width)
        pictures.append(picture.resize((FRAME_WIDTH, height), Image.Resampling.LANCZOS))
    pictures[0].save(
        FOLDER / ANIMATION,
        save_all=True,
        append_images=pictures[1:],
        duration=[PACE_MS] * (len(pictures) - 1) + [REST_MS],
        loop=0,
        quality=60,
        method=4,
    )
    page.context.close()
    print(ANIMATION)


def main() -> None:
    """Take every picture; a page that logs an error fails the command."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as home, real_app(Path(home)) as app, chromium() as browser:
        for shot in SHOTS:
            context = browser.new_context(
                viewport={"width": shot.size[0], "height": shot.size[1]},
                color_scheme="dark" if shot.theme == "dark" else "light",
            )
            page = context.new_page()
            page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
            page.on("pageerror", lambda e: wrong.append(str(e)))
            page.goto(app.base + shot.path)
            if shot.path.startswith("/?") or shot.path == "/":
                page.wait_for_selector(BOOTED)
            page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=FOLDER / f"{shot.name}.png", full_page=shot.whole_page)
            if shot.name == "lab-light":
                page.screenshot(path=ROOT / "assets" / "lab.jpg", type="jpeg", quality=60)
            print(f"{shot.name}.png")
            context.close()
        animate(app, browser)
    if wrong:
        raise SystemExit("The pages logged errors: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
