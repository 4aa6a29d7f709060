"""The criteria are complete, every one of them is used, and none can be changed unseen."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from reproduction.claims import Finding, judge, judge_all
from reproduction.criteria import DECIDING, FILE, Criteria, criteria, parse
from reproduction.figures import FIGURES
from reproduction.judges import JUDGES
from reproduction.report import claims_section, criteria_section
from reproduction.runs import Tables, shipped_tables
from reproduction.samples import SAMPLES
from reproduction.verdicts import VERDICTS


@pytest.fixture(scope="module")
def shipped() -> Tables:
    return shipped_tables()


@pytest.fixture(scope="module")
def findings(shipped: Tables) -> dict[str, Finding]:
    """Every claim, judged by the criteria as they are."""
    return judge_all(shipped.explored, shipped.confirmation, criteria())


def judged_anew(names: Iterable[str], tables: Tables, by: Criteria) -> dict[str, Finding]:
    return {name: judge(by.claims[name], tables.explored, tables.confirmation, by) for name in names}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "value"),
    [(word.name, value) for word in criteria().words.values() for value in word.tried],
)
def test_no_threshold_can_be_changed_unseen(
    word: str, value: float, shipped: Tables, findings: dict[str, Finding]
) -> None:
    """Neither in the table of criteria nor in what is said about the claims that use it."""
    by = criteria()
    old = by.words[word]
    # the old value is tried instead, so that all numbers are there
    new = replace(old, value=value, tried=tuple({old.value, *old.tried} - {value}))
    changed = replace(by, words={**by.words, word: new})
    users = [name for name, claim in by.claims.items() if word in claim.uses]
    after = {**findings, **judged_anew(users, shipped, changed)}
    assert criteria_section(changed) != criteria_section(by)
    assert claims_section(after, changed) != claims_section(findings, by)


NUMBERED = [name for name, claim in criteria().claims.items() if claim.value == claim.value]


@pytest.mark.parametrize("name", NUMBERED)
@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_no_number_of_the_paper_can_be_changed_unseen(
    name: str, factor: float, shipped: Tables, findings: dict[str, Finding]
) -> None:
    by = criteria()
    claim = replace(by.claims[name], value=by.claims[name].value * factor)
    changed = replace(by, claims={**by.claims, name: claim})
    after = {**findings, **judged_anew([name], shipped, changed)}
    assert claims_section(after, changed) != claims_section(findings, by)


def test_the_report_says_which_seeds_and_which_iterations() -> None:
    told = "\n".join(criteria_section(criteria()))
    assert "Earlier second sets were smaller" in told and "A lowest loss within so many iterations" in told


def test_every_claim_is_whole() -> None:
    by = criteria()
    assert set(by.claims) == set(JUDGES)
    for claim in by.claims.values():
        assert claim.samples and set(claim.samples) <= set(SAMPLES), claim.name
        assert claim.figure in FIGURES, claim.name
        assert all((claim.sentence, claim.label, claim.paper, claim.measured, claim.counts)), claim.name
        assert claim.rule in by.rules, claim.name
        assert (claim.value == claim.value) or claim.rule != "value", claim.name


def test_every_verdict_of_every_rule_has_its_meaning() -> None:
    for meanings in criteria().rules.values():
        assert set(meanings) == set(VERDICTS)


def test_every_word_is_used_and_tried_on_both_sides() -> None:
    by = criteria()
    used = {word for claim in by.claims.values() for word in claim.uses}
    assert used == set(by.words)
    for word in by.words.values():
        assert min(word.tried) < word.value < max(word.tried), word.name
    for claim in by.claims.values():
        assert (set(DECIDING) <= set(claim.uses)) == (claim.rule in ("share", "eye"))


def test_an_unknown_word_is_refused_by_name() -> None:
    text = FILE.read_text(encoding="utf-8").replace('uses = ["well"]', 'uses = ["nicely"]')
    with pytest.raises(ValueError, match="nicely"):
        parse(text)
