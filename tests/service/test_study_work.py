"""The record of one run of a study: computed in memory, kept in the store, or failed."""

import time
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from core.config import RunConfig
from core.frames.frame import Frame
from core.limits import LIMITS
from core.run.train import Training
from core.service.files.file_store import FileStore
from core.service.records import encode_frame, same_frame
from core.service.studies import work
from core.service.studies.store import record_curve, record_place, record_row
from core.service.studies.work import compute_record
from core.service.workers import kernels
from core.study import COLUMNS, Row, curve_of, row_of
from tests.service.samples import state_of

QUERY = "method=gd&points=30&epochs=3000&seed=4"


class PauseControl:
    """See PauseControl: lets go after so many steps."""

    def __init__(self, steps: int = 10**9) -> None:
        self.steps = steps

    def go_on(self) -> bool:
        self.steps -= 1
        return self.steps > 0


def single_run(query: str) -> tuple[RunConfig, list[Frame], Row]:
    config, frames = RunConfig.from_query(query), list[Frame]()
    training = Training(config)
    while training.outcome is None:
        frames += training.step()
    return config, frames, row_of(config, frames, training.outcome)


def row(record: bytes | None) -> Row:
    assert record is not None
    found: Row = orjson.loads(record_row(record))
    return {key: value for key, value in found.items() if not key.startswith("seconds")}


def alike(found: Row, expected: Row) -> bool:
    return found == {key: value for key, value in expected.items() if not key.startswith("seconds")}


@pytest.mark.slow
@pytest.mark.parametrize("steps", [20, 10**9])
def test_an_expensive_run_is_an_ordinary_run_of_the_store(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "LONG_SECONDS", 0.0)
    monkeypatch.setattr(work, "SAVE_SECONDS", 0.0)
    slow = Training.step
    monkeypatch.setattr(Training, "step", lambda self, _=None, frames=None: slow(self, 1e-4, frames))
    store, (config, frames, expected) = FileStore(tmp_path, LIMITS), single_run(QUERY)
    record, goes = None, 0
    while record is None:
        record, goes = compute_record(store, 3, QUERY, LIMITS, PauseControl(steps)), goes + 1
    assert (goes > 1) == (steps < 10**9)
    assert record_place(record) == 3 and record_curve(record).tolist() == curve_of(frames).tolist()
    assert alike(row(record), expected)
    stored = store.payloads(config.run_id, 0, len(frames) + 1)
    assert len(stored) == len(frames) and state_of(store, config.run_id).status == "finished"
    assert all(map(same_frame, stored, map(encode_frame, frames)))
    # It is there from now on, for another study as well.
    monkeypatch.setattr(Training, "step", None)
    again = compute_record(store, 5, QUERY, LIMITS, PauseControl())
    assert again is not None and row(again) == row(record)


def test_single_runs_that_go_first_are_no_part_of_a_rows_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a cluster they are computed by the same process, between two steps."""
    slow = Training.step
    monkeypatch.setattr(Training, "step", lambda self, _=None, frames=None: slow(self, 1e-4, frames))
    limits = replace(LIMITS, cpu_seconds=0.2)

    class BusyElsewhere(PauseControl):
        def go_on(self) -> bool:
            begun = time.process_time()
            while time.process_time() - begun < 0.3:
                pass
            return super().go_on()

    record = compute_record(
        FileStore(tmp_path, limits), 0, "method=lsq&points=30&epochs=2", limits, BusyElsewhere()
    )
    assert row(record)["outcome"] != "failed"


def test_a_row_that_takes_too_long_itself_is_failed(tmp_path: Path) -> None:
    limits = replace(LIMITS, cpu_seconds=0.0)
    record = compute_record(FileStore(tmp_path, limits), 0, QUERY, limits, PauseControl())
    assert row(record)["outcome"] == "failed"


def test_a_short_run_leaves_nothing_in_the_store(tmp_path: Path) -> None:
    store = FileStore(tmp_path, LIMITS)
    assert alike(row(compute_record(store, 0, QUERY, LIMITS, PauseControl())), single_run(QUERY)[2])
    assert store.runs() == []


def test_a_run_whose_data_cannot_be_drawn_or_are_gone_has_a_row_of_its_own(tmp_path: Path) -> None:
    """Its formula is finite on the points of other seeds, or its data were there when the study began."""
    store = FileStore(tmp_path, LIMITS)
    drawn = "target=sqrt(x+0.99)&sampling=uniform&points=40&method=anls&epochs=2&seed={}"
    rows = [row(compute_record(store, seed, drawn.format(seed), LIMITS, PauseControl())) for seed in range(6)]
    outcomes = {found["outcome"] == "failed" for found in rows}
    assert outcomes == {True, False} and [found["seed"] for found in rows] == list(range(6))
    gone = row(compute_record(store, 0, f"data=@{'ab' * 16}", LIMITS, PauseControl()))
    assert gone["outcome"] == "failed" and gone["query"] == f"data=@{'ab' * 16}"
    assert set(gone) == {column for column in COLUMNS if not column.startswith("seconds")}


def test_loading_kernels_is_no_part_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first run of a process takes no longer than the others: its row says so, and the time left."""
    order: list[str] = []
    step = Training.step

    def noted(training: Training, seconds: float | None = None) -> list[Frame]:
        order.append("step")
        return step(training, seconds)

    monkeypatch.setattr(work, "load_method", order.append)
    monkeypatch.setattr(Training, "step", noted)
    assert compute_record(FileStore(tmp_path, LIMITS), 0, QUERY, LIMITS, PauseControl()) is not None
    assert order[:2] == ["gd", "step"] and order.count("gd") == 1


def test_a_method_is_warmed_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[str] = []

    def noted(config: RunConfig) -> Training:
        trained.append(config.method.name)
        return Training(config)

    monkeypatch.setattr(kernels, "Training", noted)
    monkeypatch.setattr(kernels, "_loaded", {})
    for name in ("gd", "lsq", "gd"):
        assert kernels.load_method(name)[0].method.name == name
    assert trained == ["gd", "lsq"]
