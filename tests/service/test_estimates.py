"""What a run costs is measured, and carried on to its budget."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.config import RunConfig
from core.methods import METHODS
from core.service.files.file_store import FileStore
from core.service.queries.estimates import Estimates
from core.service.queries.query import BackgroundQuery
from core.service.queries.service import NotYetError, QueryService
from core.service.settings import Settings
from core.service.store import StoreError
from core.service.workers.estimates import (
    Measured,
    extrapolate_cost,
    frames_until,
    key_of,
    measure_cost,
    rough_cost,
)
from core.service.workers.pool import WorkerPool
from core.service.workers.reading import Reader

GD = RunConfig.from_query("epochs=1e6&width=10")
ROUGH = rough_cost(GD.method, GD.width, GD.points, GD.epochs)
PART = Measured(frame=1e-3, epochs=1e4, seconds=0.01, stages=0)


def ticking(step: float = 1e-3) -> Callable[[], float]:
    """A clock that goes on by so much whenever it is looked at."""
    times = iter(range(10**9))
    return lambda: step * next(times)


def test_epochs_and_frames_are_carried_on_to_the_budget() -> None:
    assert frames_until(GD.epochs, PART.epochs, PART.stages) == pytest.approx(500.0, rel=0.01)
    assert extrapolate_cost(GD, PART) == pytest.approx(1.0 + 0.5, rel=0.01)
    busy = Measured(frame=1e-3, epochs=1e4, seconds=0.01, stages=400)
    assert extrapolate_cost(GD, busy) == pytest.approx(1.0 + 0.5 + 0.6, rel=0.01)


def test_iterations_with_a_frame_each_are_counted() -> None:
    anls = RunConfig.from_query("epochs=200&method=anls")
    assert extrapolate_cost(anls, PART) == pytest.approx(0.2)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_can_be_tried_out(method: str) -> None:
    config = RunConfig.from_query(f"target=five&method={method}")
    found = measure_cost(config, ticking())
    assert found.frame > 0.0 and found.epochs >= 0.0
    assert extrapolate_cost(config, found) > 0.0


def test_what_ends_within_the_measurement_is_known() -> None:
    short = RunConfig.from_query("target=five&epochs=3")
    found = measure_cost(short, ticking())
    assert found.used_up and found.covers(short) and extrapolate_cost(short, found) == found.whole
    assert not found.covers(short.with_epochs(4)), "a longer budget has to be measured anew"


def test_the_seed_has_no_part_in_the_cost() -> None:
    assert key_of(GD) == key_of(RunConfig.from_query("epochs=10&width=10&seed=7"))
    assert key_of(GD) != key_of(RunConfig.from_query("epochs=10&width=11"))


@pytest.fixture
def queries(tmp_path: Path) -> QueryService:
    """One that answers in the caller's thread."""
    settings = Settings(home=tmp_path)
    return QueryService(settings, Reader(FileStore(tmp_path), settings.limits), WorkerPool(settings))


def test_without_kernels_the_rough_estimate_is_told(queries: QueryService) -> None:
    assert Estimates(queries, lambda: False).seconds([GD]) == [ROUGH]
    warm = Estimates(queries, lambda: True)
    assert warm.seconds([GD], wait=False) == [ROUGH]


def test_measured_once_for_all(queries: QueryService, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[RunConfig] = []

    def fake(config: RunConfig) -> Measured:
        measured.append(config)
        # the first time its kernels are loaded, which has nothing to do with the run
        return PART if len(measured) > 1 else Measured(frame=9.0, epochs=1.0, seconds=9.0, stages=0)

    monkeypatch.setattr("core.service.workers.estimates.measure_cost", fake)
    monkeypatch.setattr("core.service.workers.estimates._loaded", set())
    estimates = Estimates(queries, lambda: True)
    seeds = [RunConfig.from_query(f"epochs=1e6&width=10&seed={seed}") for seed in range(3)]
    assert estimates.seconds(seeds) == [extrapolate_cost(GD, PART)] * 3
    assert len(measured) == 2 and estimates.seconds([GD], wait=False) == [extrapolate_cost(GD, PART)]
    estimates.seconds([RunConfig.from_query("epochs=1e6&width=11")])
    assert len(measured) == 3


def test_a_run_that_cannot_be_tried_out_is_estimated_roughly(
    queries: QueryService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: RunConfig) -> Measured:
        raise StoreError("It cannot be.")

    monkeypatch.setattr("core.service.workers.estimates.measure_cost", fails)
    assert Estimates(queries, lambda: True).seconds([GD]) == [ROUGH]


def test_a_busy_worker_keeps_no_answer_waiting(
    queries: QueryService, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def later(question: BackgroundQuery, client: str, patience: float) -> object:
        asked.append(patience)
        raise NotYetError(3)

    monkeypatch.setattr(queries, "table", later)
    assert Estimates(queries, lambda: True).seconds([GD], "somebody") == [ROUGH]
    assert asked[0] == 0.0 and len(asked) == 2, "asked for first, waited for then"
