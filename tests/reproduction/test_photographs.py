"""The vector files of the report: one for each figure, whole, of a bearable size."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from reproduction.figures import FIGURES
from reproduction.photographs import composed, plain, shared
from reproduction.report import PICTURES

FOLDER = Path(__file__).resolve().parents[2] / "docs" / PICTURES
LARGEST = 600_000
SVG = "{http://www.w3.org/2000/svg}"
POINT = '<path class="point" transform="translate({},2.04)" d="M0,0Z" style="fill: red"/>'


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_has_its_file(name: str) -> None:
    text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST
    root = ElementTree.fromstring(text)
    figure = FIGURES[name]
    assert root.findtext(f"{SVG}title") == figure.title
    # one frame for each picture, the unpicked ones too, and the ground below them
    assert len(root.findall(f"{SVG}rect")) == 1 + len(figure.pictures) + len(figure.unpicked)


@pytest.mark.parametrize("name", FIGURES)
def test_no_caption_is_wider_than_its_frame(name: str) -> None:
    """In a file it is one line, at 7.3 units a letter."""
    root = ElementTree.fromstring((FOLDER / f"{name}.svg").read_text(encoding="utf-8"))
    frames = root.findall(f"{SVG}rect")[1:]
    captions = root.findall(f"{SVG}text")[: len(frames)]
    for frame, caption in zip(frames, captions, strict=True):
        assert 24 + 7.3 * len("".join(caption.itertext())) < float(frame.attrib["width"])


def test_no_other_file_is_there() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.svg" for name in FIGURES}


def test_names_that_differ_from_one_time_to_the_next_are_replaced() -> None:
    drawn = '<g><clipPath id="clip8f3"/><g clip-path="url(#clip8f3)"/><use href="#clip8f3"/></g>'
    other = drawn.replace("8f3", "a07")
    assert plain(drawn, 2) == plain(other, 2) != plain(drawn, 3)
    assert "8f3" not in plain(drawn, 2)


def test_markers_of_one_shape_are_drawn_once() -> None:
    drawn = shared("<g>" + "".join(POINT.format(x) for x in range(50)) + "</g>", 1)
    assert drawn.count("M0,0Z") == 1 and drawn.count("<use ") == 50
    assert '<use href="#p1-mark0" x="7.0" y="2.0"/>' in drawn


def test_captions_are_text_and_nothing_else() -> None:
    box = {"x": 1.0, "y": 5.0, "width": 10.0, "height": 10.0}
    caption = [("L < Q", False), ("l", True), ("\n& more", False)]
    part = {"frame": box, "plot": box, "svg": "<svg/>", "caption": caption, "at": box}
    head = {"text": [("The same", False)], "at": box}
    taken = {"parts": [part], "heads": [head], "top": 5.0, "width": 20.0, "height": 10.0}
    root = ElementTree.fromstring(composed("A <title>", taken))
    told = ["".join(text.itertext()) for text in root.findall(f"{SVG}text")]
    assert told == ["L < Ql & more", "The same"]
    moved = [(part.text, part.attrib["dy"]) for part in root.findall(f"{SVG}text/{SVG}tspan")]
    assert moved == [("L < Q", "0"), ("l", "3"), (" & more", "-3"), ("The same", "0")]
