"""The studies that ship are those that the page links to, whole, small, and what this code computes."""

from pathlib import Path

import pytest

from core.config import RunConfig, runs_from_query
from core.service.settings import Settings
from core.service.studies.plan import study_id_of
from core.service.studies.shipped import read_study
from core.service.studies.store import record_place
from reproduction.ready_studies import FOLDER, READY
from reproduction.study_work import record_of
from tests.service.services import at_once

LARGEST = 1_000_000
RECOMPUTED = 3


@pytest.mark.parametrize("query", [query for _, query, _ in READY])
def test_a_ready_study_is_whole_and_what_is_computed_now(query: str) -> None:
    order, records = read_study(FOLDER / f"{study_id_of(query)}.xz")
    runs = runs_from_query(query)
    assert (order.query, order.runs, order.differing) == (query, len(runs.configs), runs.differing)
    assert [record_place(record) for record in records] == list(range(order.runs))
    costs = [RunConfig.estimated_seconds(config) for config in runs.configs]
    for place in sorted(range(order.runs), key=lambda place: (costs[place], -place))[:RECOMPUTED]:
        assert record_of(place, runs.configs[place]) == records[place]


def test_nothing_else_ships_and_all_of_it_is_small() -> None:
    files = list(FOLDER.iterdir())
    assert {path.stem for path in files} == {study_id_of(query) for _, query, _ in READY}
    assert sum(path.stat().st_size for path in files) < LARGEST


def test_it_opens_at_once_and_belongs_to_nobody(tmp_path: Path) -> None:
    studies = at_once(tmp_path, Settings(home=tmp_path))[0].studies
    for _, query, _ in READY:
        info, new = studies.submit(query, "me", "me")
        assert not new and info.status == "finished" and info.done == info.runs
        assert studies.listing("me") == []
        with pytest.raises(PermissionError):
            studies.stop(info.id, "me")
        assert len(list(studies.csv(info.id))) > 1
