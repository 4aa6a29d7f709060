"""Pictures for the report: the figures of /paper, taken from a headless browser as vector files.

So the report shows what the page shows, drawn by the same panels. Without Chromium the
report has no new pictures; nothing else depends on it.
"""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from reproduction.figures import FIGURES
from reproduction.idle import served

FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
)
SIZE = (1180, 900)
PAPER, PANEL, LINE, MUTED, INK = "#f7f4ee", "#fffdf9", "#ddd7cb", "#5c5850", "#1c1b19"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"

BETWEEN = ".figure-foot, .paper-figure > .note, .paper-figure > .scroller { display: none }"
"""What stands between the pictures would leave gaps."""

MARKER = re.compile(
    r'<path class="point" transform="translate\(([-\d.]+),([-\d.]+)\)" d="([^"]*)" style="([^"]*)"/>'
)

TAKE = """async (section) => {
  const origin = section.getBoundingClientRect();
  const place = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left - origin.left, y: top - origin.top, width, height };
  };
  const parts = [];
  for (const picture of section.querySelectorAll(".picture")) {
    const plot = picture.querySelector(".plot");
    const box = place(plot);
    const size = { format: "svg", width: box.width, height: box.height };
    const url = await Plotly.toImage(plot.querySelector(".pl-canvas"), size);
    const svg = decodeURIComponent(url.slice(url.indexOf(",") + 1));
    const caption = picture.querySelector("figcaption");
    const words = [...caption.childNodes].map((node) => [node.textContent, node.nodeName === "SUB"]);
    parts.push({ frame: place(picture), plot: box, svg, caption: words, at: place(caption) });
  }
  const found = [...section.querySelectorAll(".unpicked-head")];
  const heads = found.map((one) => ({ text: [[one.innerText, false]], at: place(one) }));
  const top = Math.min(...parts.map(({ frame }) => frame.y));
  const bottom = Math.max(...parts.map(({ frame }) => frame.y + frame.height));
  return { parts, heads, top, width: origin.width, height: bottom - top };
}"""
"""What stands where in a figure, and each plot as its own drawing."""


def photograph(folder: Path) -> dict[str, str]:
    """File name of the picture of each figure."""
    chromium = (
        os.environ.get("PLATEAU_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if chromium is None:
        print("No Chromium here: the report keeps the pictures it has.", file=sys.stderr)
        return _present(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with served() as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="light")
            page.goto(f"{base}/paper")
            page.add_style_tag(content=BETWEEN)
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
            _wait_for_pictures(page)
            for name, figure in FIGURES.items():
                taken = page.locator(f"#figure-{name}").evaluate(TAKE)
                (folder / f"{name}.svg").write_text(composed(figure.title, taken), encoding="utf-8")
            browser.close()
    except Error as error:
        print(f"The pictures could not be taken: {error}", file=sys.stderr)
    return _present(folder)


def composed(title: str, taken: dict[str, Any]) -> str:
    """One drawing of all pictures of a figure, framed and captioned as on the page."""
    width, height, top = round(taken["width"]), round(taken["height"]), taken["top"]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{escape(FONT)}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for number, part in enumerate(taken["parts"]):
        frame, plot, at = part["frame"], part["plot"], part["at"]
        lines += [
            f'<rect x="{frame["x"] + 0.5:.1f}" y="{frame["y"] - top + 0.5:.1f}" '
            f'width="{frame["width"] - 1:.1f}" height="{frame["height"] - 1:.1f}" rx="6" '
            f'fill="{PANEL}" stroke="{LINE}"/>',
            f'<g transform="translate({plot["x"]:.1f} {plot["y"] - top:.1f})">',
            shared(plain(part["svg"], number), number),
            "</g>",
            _text(part["caption"], at["x"] + 12, at["y"] - top + 18, 13, MUTED),
        ]
    lines += [
        _text(head["text"], head["at"]["x"], head["at"]["y"] - top + 18, 16, INK) for head in taken["heads"]
    ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def plain(svg: str, number: int) -> str:
    """A plot's drawing without the names that differ from one time to the next, and with those of its own."""
    svg = svg.replace("\N{NO-BREAK SPACE}", " ")
    for place, name in enumerate(dict.fromkeys(re.findall(r"(?<=id=\")[^\"]+", svg))):
        svg = re.sub(rf"(?<=[\"#']){re.escape(name)}(?=[\"')])", f"p{number}-{place}", svg)
    return svg


def shared(svg: str, number: int) -> str:
    """The same with markers of one shape drawn once and used in many places: a tenth of the size."""
    names: dict[tuple[str, str], str] = {}

    def used(found: re.Match[str]) -> str:
        x, y, shape, style = found.groups()
        name = names.setdefault((shape, style), f"p{number}-mark{len(names)}")
        return f'<use href="#{name}" x="{float(x):.1f}" y="{float(y):.1f}"/>'

    drawn = MARKER.sub(used, svg)
    marks = "".join(f'<path id="{names[key]}" d="{key[0]}" style="{key[1]}"/>' for key in names)
    return f"<defs>{marks}</defs>{drawn}"


def _text(parts: Sequence[tuple[str, bool]], x: float, y: float, size: int, ink: str) -> str:
    """A line of text; a part may be a subscript."""
    words, depth = "", 0
    for part, is_below in parts:
        down, scale = (3, 0.75) if is_below else (0, 1.0)
        told = escape(re.sub(r"\s+", " ", part))
        words += f'<tspan dy="{down - depth}" font-size="{scale * size:g}">{told}</tspan>'
        depth = down
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{ink}">{words}</text>'


def _wait_for_pictures(page: Page) -> None:
    """Asked from outside: the page's own policy forbids it to evaluate text."""
    for _ in range(3000):
        if page.locator("[data-picture]:not([data-drawn])").count() == 0:
            return
        page.wait_for_timeout(100)
    raise Error("some picture was not drawn within five minutes")


def _present(folder: Path) -> dict[str, str]:
    return {name: f"{name}.svg" for name in FIGURES if (folder / f"{name}.svg").exists()}
