"""The Paper page as text: complete, escaped, and honest about what is missing."""

from pathlib import Path

import pytest

from components.common.document import markup
from components.common.prose import lettered
from components.pages.paper.claims import claim_card, open_choices, run_links, run_times, would_take
from components.pages.paper.content import (
    claims_table,
    data_files,
    no_results,
    paper_page,
    part,
    read_results,
)
from components.pages.paper.shipped import places
from core.config import runs_from_query
from reproduction.claims import CLAIMS
from reproduction.figures import FIGURES
from reproduction.samples import SAMPLES
from reproduction.verdicts import BY_OUR_WORD


@pytest.fixture(scope="module")
def page() -> str:
    return markup(paper_page(read_results(), ["An *item* with `code`."]))


@pytest.fixture(scope="module")
def claims() -> str:
    """The claims of every figure, as they are unfolded."""
    return "".join(markup(part(f"claims:{name}", "light")) for name in FIGURES)


def test_every_figure_and_claim_is_on_the_page(page: str, claims: str) -> None:
    assert all(f'id="figure-{name}"' in page for name in FIGURES)
    assert all(f'id="claim-{name}"' in claims for name in CLAIMS)
    assert all(f'id="plot-{name}"' in page for name in places())
    assert len(places()) == sum(len(figure.pictures) + len(figure.unpicked) for figure in FIGURES.values())
    assert page.count(">Open in the Lab<") == len(FIGURES)


def test_the_claims_that_differ_stand_at_the_top_with_their_numbers(page: str) -> None:
    results = read_results()
    assert results is not None
    names = [name for name, found in results["claims"].items() if found["verdict"] == "differs"]
    assert f"{len(names)} claims that our runs contradict" in page
    for name in names:
        assert page.index(f'id="differs-{name}"') < page.index('id="figures"')
        assert markup(lettered(results["claims"][name]["ours"])) in page


def test_what_there_is_no_part_of_is_empty() -> None:
    for name in ("", "picture:nothing-0", "claims:nothing", "table:nothing", "nothing"):
        assert part(name, "light") == []


def test_links_are_escaped(page: str) -> None:
    for figure in FIGURES.values():
        assert f'href="{figure.link.replace("&", "&amp;")}"' in page


@pytest.mark.slow
def test_every_claim_links_the_runs_behind_it(claims: str) -> None:
    confirmed = (read_results() or {})["stamp"]["confirmed"]
    for name, claim in CLAIMS.items():
        links = run_links(name, confirmed=confirmed)
        assert len(links) == len(claim.samples)
        for sample, (_, href) in zip(claim.samples, links, strict=True):
            assert f'href="{href.replace("&", "&amp;")}"' in claims
            runs = runs_from_query(href.split("?", 1)[1]).configs
            one = SAMPLES[sample].confirming() if confirmed else SAMPLES[sample]
            wanted = [one.config(seed).run_id for seed in one.places]
            assert [config.run_id for config in runs] == wanted


def test_how_firm_a_verdict_is_stands_on_its_card() -> None:
    results = read_results()
    assert results is not None
    name = next(iter(CLAIMS))
    trial = {"word": "similar", "value": 10.0, "verdict": "differs"}
    drawn = {"confirmed": True, "verdict": "agrees", "explored": "differs", "ours_explored": "7 of 20"}
    more = {**drawn, "trials": [trial]}
    card = markup(claim_card(name, {"claims": {name: {**results["claims"][name], **more}}}))
    assert "<dt>Seeds known before</dt>" in card and "differs: 7 of 20" in card
    assert "<dt>Sensitivity</dt>" in card and "similar 10: differs" in card
    steady = {**more, "explored": "agrees", "trials": [{**trial, "verdict": "agrees"}]}
    card = markup(claim_card(name, {"claims": {name: {**results["claims"][name], **steady}}}))
    assert "the same verdict at each of 1 other thresholds" in card and "the same verdict: 7 of 20" in card


def test_an_undecided_claim_says_how_many_seeds_it_would_take() -> None:
    assert would_take({}) == would_take({"would_tell": 0.0}) == ""
    assert would_take({"would_tell": 3300.0}) == "about 3300 seeds, if the share stays"
    assert would_take({"would_tell": "∞"}) == "no number of seeds decides it"


def test_changed_criteria_are_told(page: str) -> None:
    results = read_results()
    assert results is not None
    other = {**results, "stamp": {**results["stamp"], "criteria": "another", "confirmed": True}}
    told = markup(paper_page(other, []))
    assert "criteria have changed since" in told and BY_OUR_WORD in told
    assert "criteria have changed since" not in page


def test_run_times_and_open_choices_are_tables(tmp_path: Path) -> None:
    for empty in (run_times({}, tmp_path), open_choices({})):
        assert "There are none yet." in markup(empty)
    (tmp_path / "runtimes.csv").write_text("sample,seed,seconds\nf1_gd,0,2.0\nf1_gd,1,4.0\n")
    assert "<td>f1_gd</td><td>2</td><td>3</td><td>6</td>" in markup(run_times({}, tmp_path))
    row = {"asks": "Which ε?", "choice": "1e-8", "median": "0.1", "counts": "above", "hits": "3 of 5"}
    assert "<td>Which ε?</td><td>1e-8</td>" in markup(open_choices({"ablations": [row]}))


def test_the_numbers_can_be_taken_away(tmp_path: Path, page: str) -> None:
    for name in data_files():
        assert f'href="/paper/data/{name}"' in page
    for name in ("runs.csv", "runs.csv.gz", "results.json", "curve.json"):
        (tmp_path / name).write_text("x")
    assert list(data_files(tmp_path)) == ["runs.csv", "runs.csv.gz", "results.json"]


def test_the_entry_to_cite_is_on_the_page(page: str) -> None:
    assert "@article{ainsworth2021plateau" in page and ">Copy BibTeX</button>" in page


def test_without_results_the_page_says_how_to_get_them(tmp_path: Path) -> None:
    assert read_results(tmp_path) is None
    (tmp_path / "results.json").write_text("{")
    assert read_results(tmp_path) is None
    assert "make reproduce" in markup(no_results())


def test_all_claims_are_a_table() -> None:
    results = read_results()
    assert results is not None
    assert markup(claims_table(results)).count("<tr>") == len(CLAIMS) + 1


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
