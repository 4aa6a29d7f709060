"""Pages of text: every component becomes the HTML that a browser reads it as, and every text is escaped."""

from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest
from dash import html
from hypothesis import given, settings
from hypothesis import strategies as st

from app import create_app
from components import player
from components.common.document import document, markup
from components.common.native import Input
from core.service import Settings


class Reader(HTMLParser):
    """What a browser would see: tags in order, attributes, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.found: dict[str, str | None] = {}
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found |= dict(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


@pytest.mark.slow
@settings(deadline=None)
@given(st.text(), st.text())
def test_no_text_can_become_a_tag_or_end_an_attribute(text: str, title: str) -> None:
    seen = read(markup(html.P(["a", text], title=title)))
    assert seen.tags == ["p"]
    # HTML has no NUL and one kind of line end; everything else comes back as it was.
    plain = "a" + text
    if not {"\0", "\r"} & set(plain + title):
        assert seen.text == plain
        assert seen.found["title"] == title


def test_spelling_of_attributes() -> None:
    label = html.Label("x", htmlFor="y", className="z", hidden=True, tabIndex=-1, title=None)
    assert markup(label) == '<label class="z" hidden for="y" tabindex="-1">x</label>'
    assert markup(html.Div(style={"fontSize": "2em"}, **{"data-step": "1", "aria-label": "<"})) == (
        '<div aria-label="&lt;" data-step="1" style="font-size:2em"></div>'
    )
    assert markup([html.Br(), html.Img(src="a&b"), None, 3]) == '<br><img src="a&amp;b">3'


def test_a_page_has_the_header_of_all_pages(tmp_path: Path) -> None:
    create_app(Settings(home=tmp_path))  # registers the pages
    page = document(
        "A < B", [html.H1("A < B")], styles="", sheets=("/s.css",), head_script="/h.js", current="/lessons"
    )
    assert "<title>A &lt; B · Plateau Lab</title>" in page
    assert page.count('aria-current="page"') == 1 and '<a aria-current="page" href="/lessons">' in page
    assert page.index("/h.js") < page.index("/s.css")


def test_dash_finds_the_package_that_it_asks_for_its_version() -> None:
    """It does so for every property of every component; where there is none it looks through all folders."""
    assert import_module(Input._namespace) is player is import_module(player.Select._namespace)
