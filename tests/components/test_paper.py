"""The Paper page as text: complete, escaped, and honest about what is missing."""

from pathlib import Path

import pytest

from components.common.document import markup
from components.common.prose import lettered
from components.pages.paper.claims import claim_card, open_choices, run_links, run_times
from components.pages.paper.layout import SCRIPTS, SHEETS, data_files, paper_page, read_results
from core.config import runs_from_query
from reproduction.figures import FIGURES
from reproduction.registry import CLAIMS
from reproduction.samples import SAMPLES

ASSETS = Path(__file__).resolve().parents[2] / "assets"


@pytest.fixture(scope="module")
def page() -> str:
    return markup(paper_page(read_results(), ["An *item* with `code`."]))


def test_every_figure_and_claim_is_on_the_page(page: str) -> None:
    assert all(f'id="figure-{name}"' in page for name in FIGURES)
    assert all(f'id="claim-{name}"' in page for name in CLAIMS)
    pictures = sum(len(figure.pictures) + len(figure.unpicked) for figure in FIGURES.values())
    assert page.count("data-picture=") == pictures
    assert page.count("Open in the Lab") == len(FIGURES)


def test_links_are_escaped(page: str) -> None:
    for figure in FIGURES.values():
        assert f'href="{figure.link.replace("&", "&amp;")}"' in page


@pytest.mark.slow
def test_every_claim_links_the_runs_behind_it(page: str) -> None:
    for name, claim in CLAIMS.items():
        links = run_links(name)
        assert len(links) == len(claim.samples)
        for sample, (_, href) in zip(claim.samples, links, strict=True):
            assert f'href="{href.replace("&", "&amp;")}"' in page
            runs = runs_from_query(href.split("?", 1)[1]).configs
            first = SAMPLES[sample].first
            wanted = [SAMPLES[sample].config(first + k).run_id for k in range(SAMPLES[sample].seeds)]
            assert [config.run_id for config in runs] == wanted


def test_how_firm_a_verdict_is_stands_on_its_card() -> None:
    results = read_results()
    assert results is not None
    name = next(iter(CLAIMS))
    trial = {"word": "similar", "value": 10.0, "verdict": "differs"}
    more = {"alone": "agrees", "again": "differs", "ours_again": "7 of 20", "trials": [trial]}
    card = markup(claim_card(name, {"claims": {name: {**results["claims"][name], **more}}}))
    assert "<dt>Second seeds</dt>" in card and "differs: 7 of 20" in card
    assert "<dt>Sensitivity</dt>" in card and "similar 10: differs" in card
    steady = {**more, "again": "agrees", "trials": [{**trial, "verdict": "agrees"}]}
    card = markup(claim_card(name, {"claims": {name: {**results["claims"][name], **steady}}}))
    assert "the same verdict at each of 1 other thresholds" in card and "the same verdict" in card


def test_run_times_and_open_choices_are_tables(tmp_path: Path) -> None:
    assert run_times(tmp_path) == [] and open_choices({}) == []
    (tmp_path / "runtimes.csv").write_text("sample,seed,seconds\nf1_gd,0,2.0\nf1_gd,1,4.0\n")
    assert "<td>f1_gd</td><td>2</td><td>3</td><td>6</td>" in markup(run_times(tmp_path))
    row = {"asks": "Which ε?", "choice": "1e-8", "median": "0.1", "counts": "above", "hits": "3 of 5"}
    assert "<td>Which ε?</td><td>1e-8</td>" in markup(open_choices({"ablations": [row]}))


def test_the_numbers_can_be_taken_away(tmp_path: Path, page: str) -> None:
    for name in data_files():
        assert f'href="/paper/data/{name}"' in page
    for name in ("runs.csv", "runs.csv.gz", "results.json", "curve.json"):
        (tmp_path / name).write_text("x")
    assert list(data_files(tmp_path)) == ["runs.csv", "runs.csv.gz", "results.json"]


def test_the_entry_to_cite_is_on_the_page(page: str) -> None:
    assert "@article{ainsworth2020plateau" in page and ">Copy BibTeX</button>" in page


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
