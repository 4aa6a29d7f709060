"""`make screenshots`: the animation of the README, and what is seen without JavaScript, from the real app."""

import io
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser

from benchmarks.real_app import BOOTED, ROOT, Served, chromium, real_app
from components.pages.lab.first_visit import MOMENT

FOLDER = ROOT / "docs" / "screenshots"
PICTURE = ROOT / "assets" / "lab.jpg"
SETTLED_MS = 6_000
"""Time for the run to arrive and the figures to be drawn."""


ANIMATION = "lab.webp"
MOMENTS = (*np.geomspace(10, MOMENT, 12), *np.geomspace(MOMENT, 1e6, 18)[1:])
"""Epochs of the first visit that the animation of the README shows, through its last drop."""
PACE_MS, REST_MS = 220, 2500
ANSWERED_MS = 1_500
"""Time for the forecast of a moment, which is asked for when it has come to rest."""
FRAME_WIDTH = 960


def animate(app: Served, browser: Browser) -> None:
    """The Lab in motion: one picture per moment, the last one held."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(app.base + "/")
    page.wait_for_selector(BOOTED)
    page.locator("#welcome-close").click()
    page.wait_for_timeout(SETTLED_MS)
    pictures = []
    for epoch in MOMENTS:
        page.evaluate("(at) => window.dash_clientside.set_props('player', {at})", float(epoch))
        page.wait_for_timeout(ANSWERED_MS)
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


def main() -> None:
    """Take both; a page that logs an error fails the command."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as home, real_app(Path(home)) as app, chromium() as browser:
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: wrong.append(str(e)))
        page.goto(app.base + "/")
        page.wait_for_selector(BOOTED)
        page.wait_for_timeout(SETTLED_MS)
        page.screenshot(path=PICTURE, type="jpeg", quality=60)
        page.context.close()
        animate(app, browser)
    if wrong:
        raise SystemExit("The page logged errors: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
