"""One type scale: seven sizes for the page and two for figures, each named once."""

import re
from pathlib import Path

import pytest

from components.common.theme import LABEL_FONT_SIZE, POWER_FONT_SIZE

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sorted((ROOT / "assets").glob("*.css"))
SIZES = ("label", "note", "body", "read", "lead", "head", "title")
"""What the variables `--type-…` are called, from the smallest to the largest."""
DECLARED = re.compile(r"--type-(\w+):\s*([^;]+);")
IN_FIGURES = re.compile(r"(?:tick|text)?font\"?[=:]\s*{[^{}]*?\"size\":\s*([\w.]+)")


def sizes_in(sheet: str) -> list[str]:
    """What a style sheet gives as sizes of type, in declarations of their own and in short ones."""
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    own = re.findall(r"(?<![\w-])(?:--ag-)?font-size:\s*([^;}]+)", sheet)
    return [*own, *(one for one in re.findall(r"(?<![\w-])font:\s*([^;}]+)", sheet) if one != "inherit")]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_every_size_on_the_page_is_one_of_the_scale(path: Path) -> None:
    named = re.compile(rf"var\(--type-(?:{'|'.join(SIZES)})\)(?:/.*)?|inherit|calc\(14px \* var\(--scale\)\)")
    found = [size for size in sizes_in(path.read_text("utf-8")) if not named.fullmatch(size.strip())]
    assert not found, found


def test_the_scale_has_seven_sizes_each_larger_than_the_last() -> None:
    declared = dict(one for path in SHEETS for one in DECLARED.findall(path.read_text("utf-8")))
    sizes = [re.fullmatch(r"calc\((\d+)rem / 14\)", declared.pop(name)) for name in SIZES]
    pixels = [int(size[1]) for size in sizes if size]
    assert len(pixels) == len(SIZES) and pixels == sorted({*pixels}) and not declared
    assert pixels[0] == LABEL_FONT_SIZE == 12, "nothing on the page is smaller"


def test_every_size_in_a_figure_is_one_of_two() -> None:
    assert POWER_FONT_SIZE < LABEL_FONT_SIZE, "Plotly draws the ten of a power larger than its exponent"
    found = [
        f"{path.relative_to(ROOT)}: {size}"
        for path in sorted((ROOT / "components").rglob("*.py"))
        for size in IN_FIGURES.findall(path.read_text("utf-8"))
        if size not in ("LABEL_FONT_SIZE", "POWER_FONT_SIZE")
    ]
    assert not found, found


def test_sizes_are_found() -> None:
    sheet = "a { font-size: 13px; font: .9rem/1.4 x } /* font-size: 1px */ b { font: inherit; --font: y }"
    assert sizes_in(sheet) == ["13px", ".9rem/1.4 x "]
    assert IN_FIGURES.findall('{"tickfont": {"size": 11}}, textfont={"size": 13, "color": c}') == ["11", "13"]
