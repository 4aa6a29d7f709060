"""Claims, figures and samples fit together: nothing is named that does not exist, nothing is left out."""

from urllib.parse import parse_qsl

import pytest

from components.common.view import split_query
from components.figures.paper import PAPER_PICTURES
from components.panels import PANELS
from core.config.run_config import race_from_query
from reproduction.claims import CLAIMS
from reproduction.criteria import criteria
from reproduction.errata import errata
from reproduction.figures import FIGURES, UNPICKED_SEED, UNPICKED_WHOLE, PaperFigure
from reproduction.samples import EXPLORED, SAMPLES
from reproduction.shipping import shipped_runs

EVERY_FIGURE = pytest.mark.parametrize("figure", FIGURES.values(), ids=list(FIGURES))


def test_every_sample_is_measured_for_some_claim() -> None:
    assert {name for claim in CLAIMS.values() for name in claim.samples} == set(SAMPLES)


def test_every_claim_stands_under_exactly_one_figure() -> None:
    shown = [name for figure in FIGURES.values() for name in figure.claims]
    assert sorted(shown) == sorted(CLAIMS)


def test_randomness_is_averaged_over_many_seeds() -> None:
    """Forty at least, a hundred where a run takes a third of a second, five of the longest."""
    fixed = {"seven", "silent", "dead"}
    for name, sample in SAMPLES.items():
        if name in fixed:
            continue
        least = 5 if name == "sin5_long" else 100 if sample.seconds <= 0.3 else 40
        assert sample.seeds >= least, name
        assert sample.confirming().seeds > sample.seeds <= EXPLORED[1], name


def test_no_seed_of_the_confirmation_was_explored() -> None:
    known = {seed for first in EXPLORED for seed in range(first, first + 1000)}
    for sample in SAMPLES.values():
        assert known.isdisjoint(sample.confirming().places)
    assert set(criteria().seeds) == set(SAMPLES)
    assert criteria().ablations["cut-off"].seeds >= 40


@EVERY_FIGURE
def test_pictures_name_panels_and_methods_of_the_race(figure: PaperFigure) -> None:
    methods = {config.method.name for config in figure.race()}
    for picture in figure.pictures:
        assert picture.panel in PAPER_PICTURES
        assert {picture.focus, *picture.methods, *figure.curves_only} - {""} <= methods


@EVERY_FIGURE
def test_link_is_the_race_of_the_figure(figure: PaperFigure) -> None:
    config_query, view = split_query(figure.link.removeprefix("/?"))
    assert [c.run_id for c in race_from_query(config_query)] == [c.run_id for c in figure.race()]
    assert set(view.panels) <= set(PANELS)
    assert dict(parse_qsl(figure.link.removeprefix("/?")))["panels"] == figure.view["panels"]


def test_a_curve_only_serves_panels_over_time_and_the_end() -> None:
    """A thinned run has one network, its last: no trajectory and no earlier moment can be drawn from it."""
    for figure in FIGURES.values():
        for picture in figure.pictures:
            drawn = set(picture.methods or [config.method.name for config in figure.race()])
            if drawn & set(figure.curves_only):
                assert picture.from_curve


def test_a_seed_that_nobody_picked_stands_beside_every_picked_one() -> None:
    assert {name for name, figure in FIGURES.items() if figure.unpicked} == {
        name for name, figure in FIGURES.items() if "seed=" in figure.query
    }
    for name in UNPICKED_WHOLE:
        assert FIGURES[name].unpicked == FIGURES[name].pictures and not FIGURES[name].unpicked_curves
    for figure in FIGURES.values():
        for picked, other in zip(figure.race(), figure.unpicked_race(), strict=False):
            assert other.seed == UNPICKED_SEED != picked.seed
            assert (other.method, other.target, other.width) == (picked.method, picked.target, picked.width)


def test_each_run_ships_once() -> None:
    paths = [entry.path for entry in shipped_runs()]
    assert len(set(paths)) == len(paths)


def test_errata_are_found_in_the_docs() -> None:
    items = errata()
    assert len(items) >= 10
    assert any("factor 2" in item for item in items)
    assert all(item and "\n" not in item for item in items)


def test_definition_of_a_sample_follows_its_query() -> None:
    keys = {sample.key for sample in SAMPLES.values()}
    assert len(keys) == len(SAMPLES)
