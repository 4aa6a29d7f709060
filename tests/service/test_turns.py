"""Runs on one worker take turns: all of them grow, and each gives the frames that it gives alone."""

import io
import json
import os
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service.files.file_store import FileStore
from core.service.files.unsaved import PatientFileStore
from core.service.lifecycle import start_attempt, stop
from core.service.presence import MemoryPresence
from core.service.settings import Settings
from core.service.workers.compute import Progress
from core.service.workers.local_runs import LocalRuns
from core.service.workers.pool import WorkerPool
from core.service.workers.run_worker import RunWorker
from tests.service.samples import place, put, request, state_of, timeless, truth

CONFIGS = [
    RunConfig.from_query(f"target=five&method={method}&epochs=1e3&seed={seed}")
    for method, seed in (("gd", 0), ("gd", 1), ("anls", 0))
]


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[RunWorker, FileStore, io.StringIO]:
    """A worker in this process that has been given all runs, with chunks of one call each."""
    monkeypatch.setattr("core.service.workers.compute.ROUND_SECONDS", 0.0)
    store, events = FileStore(tmp_path, LIMITS), io.StringIO()
    made = RunWorker(Settings(home=tmp_path), store, io.StringIO(), events)
    for config in CONFIGS:
        place(store, config.run_id, request(config.to_query(), config.epochs))
    for config in reversed(CONFIGS):
        made.begin_run(config.run_id)
    return made, store, events


def told(events: io.StringIO) -> list[dict[str, str]]:
    return [json.loads(line) for line in events.getvalue().splitlines()]


def test_all_curves_grow_together_and_are_those_of_single_runs(
    worker: tuple[RunWorker, FileStore, io.StringIO],
) -> None:
    made, store, events = worker
    for _ in CONFIGS:
        made.work([])
    assert all(store.count(config.run_id) for config in CONFIGS), "a frame of each after one round"
    while made._chunks:
        made.work([])
    for config in CONFIGS:
        assert state_of(store, config.run_id).status == "finished"
        assert [timeless(p) for p in store.payloads(config.run_id, 0, 10**6)] == truth(config)
    turns = [event["job"] for event in told(events) if event["event"] == "turn"]
    assert turns[:4] == [config.run_id for config in (*CONFIGS, CONFIGS[0])]


def test_no_rate_is_told_of_the_chunk_in_which_kernels_are_loaded(
    worker: tuple[RunWorker, FileStore, io.StringIO],
) -> None:
    made, _, events = worker
    while made._chunks:
        made.work([])
    for config in CONFIGS[:2]:
        reports = [one for one in told(events) if one["event"] == "progress" and one["job"] == config.run_id]
        first = next(one for one in reports if one["epochs"])
        assert float(first["rate"]) == 0.0 and sum(float(one["epochs"]) for one in reports) == config.epochs


def test_who_shall_stop_has_the_next_turn(worker: tuple[RunWorker, FileStore, io.StringIO]) -> None:
    made, store, _ = worker
    for _ in CONFIGS:
        made.work([])
    store.change(CONFIGS[1].run_id, lambda known: stop(known) if known else None)
    made._given_back[CONFIGS[1].run_id] = 1
    made.work([])
    assert state_of(store, CONFIGS[1].run_id).status == "stopped"
    assert list(made._chunks) == [CONFIGS[0].run_id, CONFIGS[2].run_id]


def test_the_time_of_others_is_not_charged(worker: tuple[RunWorker, FileStore, io.StringIO]) -> None:
    made, store, _ = worker
    before = os.times().user
    while made._chunks:
        made.work([])
    spent = [state_of(store, config.run_id).seconds for config in CONFIGS]
    assert sum(spent) <= os.times().user - before + 0.1


class DeadWorker:
    """What a scheduler knows of a process that has ended."""

    def __init__(self, runs: list[str], turn: str, *, left: bool) -> None:
        self.kind, self.jobs = "run", dict.fromkeys(runs, Progress(0.0, 0.0))
        self.turn, self.left, self.ready, self.overdue = turn, left, True, False
        self.ending, self.stopping = "signal 9", dict[str, float]()
        self.is_interpreted = False

    def send(self, command: dict[str, object]) -> None: ...


@pytest.mark.parametrize("left", [False, True], ids=["killed", "made room"])
def test_only_the_run_whose_turn_it_was_has_cost_a_worker(tmp_path: Path, left: bool) -> None:
    store = PatientFileStore(tmp_path, LIMITS)
    pool = WorkerPool(Settings(home=tmp_path))
    scheduler = LocalRuns(Settings(home=tmp_path), store, MemoryPresence(), pool)
    names = [config.run_id for config in CONFIGS]
    for config in CONFIGS:
        place(store, config.run_id, request(config.to_query(), config.epochs))
        store.change(config.run_id, lambda known: start_attempt(known) if known else None)
    store.change(names[2], lambda known: stop(known) if known else None)
    dead = DeadWorker(names, names[1], left=left)
    pool._workers["run"].append(dead)  # type: ignore[arg-type]
    pool.on_exit(dead)  # type: ignore[arg-type]
    found = [state_of(store, name) for name in names]
    assert [state.status for state in found] == ["queued", "queued", "stopped"]
    assert [state.deaths for state in found] == [0, int(not left), 0]
    assert scheduler.under_way() == [names[1], names[0]] and scheduler.position(names[2]) is None


def test_a_late_command_does_not_hit_the_next_attempt(
    worker: tuple[RunWorker, FileStore, io.StringIO],
) -> None:
    made, store, _ = worker
    run_id = CONFIGS[0].run_id
    put(store, run_id, state_of(store, run_id).but(attempt=2))
    made._given_back[run_id] = 1
    while made._chunks:
        made.work([])
    assert state_of(store, run_id).status == "finished"


def test_a_run_that_needs_too_much_memory_fails_with_a_sentence(
    worker: tuple[RunWorker, FileStore, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    def greedy(*_: object) -> None:
        raise MemoryError

    made, store, _ = worker
    monkeypatch.setattr("core.service.workers.compute.Training.step", greedy)
    made.work([])
    state = state_of(store, CONFIGS[0].run_id)
    assert state.status == "failed" and "more than 2.1 GB of memory" in state.reason


def test_a_worker_that_has_had_many_runs_makes_room_for_a_fresh_one(
    worker: tuple[RunWorker, FileStore, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, store, events = worker
    monkeypatch.setattr("core.service.workers.worker.MAX_JOBS", len(CONFIGS))
    monkeypatch.setattr("core.service.workers.run_worker.load_kernels", lambda *_, **__: None)
    monkeypatch.setattr("core.service.workers.worker.step_back", lambda _: None)
    monkeypatch.setattr(made, "_listen", lambda: None)
    made._jobs, made._chunks = [{"job": config.run_id} for config in CONFIGS], {}
    made.serve(0)
    assert all(state_of(store, config.run_id).status == "finished" for config in CONFIGS)
    assert [event["event"] for event in told(events)].count("ended") == len(CONFIGS)
