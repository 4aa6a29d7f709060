"""Links in the documents lead somewhere: to files, headings, and addresses that the app has."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from app import create_app
from core.service.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb"), ROOT / "lessons/README.md"]
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^()\s]+)\)")
LOCAL = "http://127.0.0.1:8050"


def prose(path: Path) -> str:
    """A document, or what stands between the code of a notebook."""
    if path.suffix != ".ipynb":
        return path.read_text()
    cells = json.loads(path.read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def links(path: Path) -> list[str]:
    """What a document links to; code is not read."""
    text = re.sub(r"```.*?```", "", prose(path), flags=re.DOTALL)
    return LINK.findall(re.sub(r"`[^`\n]*`", "", text))


@cache
def anchors(path: Path) -> set[str]:
    """The headings of a document, as links call them."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_headings_exist(path: Path) -> None:
    for link in links(path):
        if re.match(r"[a-z]+:", link) or link.startswith("/"):
            continue
        place, _, heading = link.partition("#")
        target = (path.parent / place).resolve() if place else path
        assert target.exists(), link
        if heading and target.suffix in (".md", ".ipynb"):
            assert heading in anchors(target), link


def test_the_app_has_the_addresses_that_documents_link_to(tmp_path: Path) -> None:
    client = create_app(Settings(home=tmp_path)).server.test_client()
    found = {link.removeprefix(LOCAL) for path in DOCUMENTS for link in links(path)}
    places = sorted(link for link in found if link.startswith("/"))
    assert {"/api/openapi.json", "/docs/api", "/runs"} <= set(places)
    for place in places:
        answer = client.get(place, buffered=True)
        assert answer.status_code in (200, 302), place
