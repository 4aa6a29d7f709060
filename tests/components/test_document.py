"""Pages of text: every component becomes the HTML that a browser reads it as, and every text is escaped."""

import ast
import re
from html.parser import HTMLParser
from importlib import import_module
from inspect import isclass
from pathlib import Path

import pytest
from dash import html
from dash.development.base_component import Component
from hypothesis import given, settings
from hypothesis import strategies as st

from app import create_app
from components import player
from components.common.document import document, markup
from core.service import Settings

ROOT = Path(__file__).resolve().parents[2]


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
    namespace = player.Select().to_plotly_json()["namespace"]
    assert import_module(namespace) is player is import_module(player.NAMESPACE)


def test_every_component_of_our_own_is_in_the_bundle() -> None:
    """A callback that names one which is not there would break the page."""
    classes = [node for node in vars(player).values() if isclass(node) and issubclass(node, Component)]
    bundle = (ROOT / "components" / "player" / "src" / "main.ts").read_text()
    (exported,) = re.findall(r"window\.plateau_lab = \{(.*)\}", bundle)
    assert classes and {node.__name__ for node in classes} <= set(exported.replace(" ", "").split(","))
    own = [path for path in (ROOT / "components").rglob("*.py") if "(Component)" in path.read_text()]
    assert all(path.parent.name == "player" for path in own), own


def test_nothing_private_of_dash_is_used() -> None:
    """Neither of its objects, which have their public ways, nor of its modules."""
    public = {"_fields", "_asdict", "_replace"}  # of named tuples
    found = []
    generated = ROOT / "components" / "player"
    for path in (ROOT / "components").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())) if generated not in path.parents else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dash"):
                found += [f"{path}: {name.name}" for name in node.names if name.name.startswith("_")]
            if not isinstance(node, ast.Attribute) or not re.fullmatch("_[a-z]+.*[^_]", node.attr):
                continue
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "super")
            if not own and node.attr not in public:
                found.append(f"{path}:{node.lineno}: {node.attr}")
    assert found == []
