"""The Paper page as text: complete, escaped, and honest about what is missing."""

from pathlib import Path

import pytest

from components.document import markup
from components.paper import SCRIPTS, SHEETS, paper_page, read_results
from components.paper_figures import lettered
from reproduction.claims import VERDICTS
from reproduction.figures import FIGURES
from reproduction.registry import CLAIMS

ASSETS = Path(__file__).resolve().parents[2] / "assets"


@pytest.fixture(scope="module")
def page() -> str:
    return markup(paper_page(read_results(), ["An *item* with `code`."]))


def test_every_figure_and_claim_is_on_the_page(page: str) -> None:
    assert all(f'id="figure-{name}"' in page for name in FIGURES)
    assert all(f'id="claim-{name}"' in page for name in CLAIMS)
    assert page.count("data-picture=") == sum(len(figure.pictures) for figure in FIGURES.values())
    assert page.count("Open in the Lab") == len(FIGURES)


def test_links_are_escaped(page: str) -> None:
    for figure in FIGURES.values():
        assert f'href="{figure.link.replace("&", "&amp;")}"' in page


def test_every_verdict_has_its_colour() -> None:
    sheet = (ASSETS / "paper.css").read_text()
    for verdict in VERDICTS:
        assert f".verdict-{verdict} {{ --mark" in sheet
        assert f'html[data-theme="dark"] .verdict-{verdict} {{ --mark' in sheet


def test_scripts_and_sheets_exist() -> None:
    assert [name for name in (*SCRIPTS, *SHEETS) if not (ASSETS / name).exists()] == []


def test_without_results_the_page_says_how_to_get_them(tmp_path: Path) -> None:
    assert read_results(tmp_path) is None
    (tmp_path / "results.json").write_text("{")
    assert read_results(tmp_path) is None
    assert "make reproduce" in markup(paper_page(None, []))


def test_other_numerics_are_told(page: str) -> None:
    results = read_results()
    assert results is not None
    old = {**results, "stamp": {**results["stamp"], "numerics": "0"}}
    assert "numerics have changed" in markup(paper_page(old, []))
    assert "numerics have changed" not in page


def test_errata_are_prose(page: str) -> None:
    assert "<li>An <em>item</em> with <code>code</code>.</li>" in page


def test_small_letters_become_subscripts() -> None:
    assert markup(lettered("Uₗ and uₗ")) == "U<sub>l</sub> and u<sub>l</sub>"
    assert markup(lettered("a < b")) == "a &lt; b"
