"""Runs on one worker take turns: all of them grow, and each gives the frames that it gives alone."""

import io
import json
import os
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service.files.file_store import FileStore
from core.service.workers.process import WorkerProcess
from core.service.workers.supervisor import Supervisor
from core.service.workers.worker import Worker
from tests.service.samples import order, timeless, truth

CONFIGS = [
    RunConfig.from_query(f"target=five&method={method}&epochs=1e3&seed={seed}")
    for method, seed in (("gd", 0), ("gd", 1), ("anls", 0))
]


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Worker, FileStore, io.StringIO]:
    """A worker in this process that has been given all runs, with chunks of one call each."""
    monkeypatch.setattr("core.service.workers.compute.ROUND_SECONDS", 0.0)
    store, events = FileStore(tmp_path, LIMITS), io.StringIO()
    made = Worker(store, LIMITS, io.StringIO(), events)
    for config in CONFIGS:
        store.place(config.run_id, order(config.to_query(), config.epochs))
        made._chunks[config.run_id] = made._work(config.run_id)
    return made, store, events


def told(events: io.StringIO) -> list[dict[str, str]]:
    return [json.loads(line) for line in events.getvalue().splitlines()]


def test_all_curves_grow_together_and_are_those_of_single_runs(
    worker: tuple[Worker, FileStore, io.StringIO],
) -> None:
    made, store, events = worker
    for _ in CONFIGS:
        made._take_turn()
    assert all(store.count(config.run_id) for config in CONFIGS), "a frame of each after one round"
    while made._chunks:
        made._take_turn()
    for config in CONFIGS:
        assert store.state(config.run_id).status == "finished"
        assert [timeless(p) for p in store.payloads(config.run_id, 0, 10**6)] == truth(config)
    turns = [event["run"] for event in told(events) if event["event"] == "turn"]
    assert turns[:4] == [config.run_id for config in (*CONFIGS, CONFIGS[0])]


def test_who_shall_stop_has_the_next_turn(worker: tuple[Worker, FileStore, io.StringIO]) -> None:
    made, store, _ = worker
    made._wishes[CONFIGS[1].run_id] = ("stop", "enough")
    made._take_turn()
    assert store.state(CONFIGS[1].run_id).status == "stopped"
    assert list(made._chunks) == [CONFIGS[0].run_id, CONFIGS[2].run_id]


def test_the_time_of_others_is_not_charged(worker: tuple[Worker, FileStore, io.StringIO]) -> None:
    made, store, _ = worker
    before = os.times().user
    while made._chunks:
        made._take_turn()
    spent = [store.state(config.run_id).seconds for config in CONFIGS]
    assert sum(spent) <= os.times().user - before + 0.1


@pytest.mark.parametrize("code", [-9, 0], ids=["killed", "made room"])
def test_only_the_run_whose_turn_it_was_has_cost_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    settled: dict[str, int] = {}
    store = FileStore(tmp_path, LIMITS)
    supervisor = Supervisor.__new__(Supervisor)
    monkeypatch.setattr(
        Supervisor, "_settle", lambda _, run_id, state: settled.__setitem__(run_id, state.deaths)
    )
    pushed: list[str] = []
    queue = type("Queue", (), {"push": lambda *told, **_: pushed.append(told[1])})()
    settings = type("Settings", (), {"deaths": 3})()
    for config in CONFIGS:
        store.place(config.run_id, order(config.to_query(), config.epochs))
    supervisor.__dict__ |= {"_store": store, "_queue": queue, "_closing": False}
    supervisor.__dict__ |= {"_settings": settings}
    dead = WorkerProcess.__new__(WorkerProcess)
    dead.__dict__ |= {"runs": {config.run_id: None for config in CONFIGS}, "turn": CONFIGS[1].run_id}
    dead.__dict__ |= {"hung": False, "_process": type("Process", (), {"poll": lambda _: code})()}
    for run_id in dead.runs:
        supervisor._revive(dead, run_id)
    assert settled == {config.run_id: int(config is CONFIGS[1] and code != 0) for config in CONFIGS}
    assert pushed == list(dead.runs)


def test_a_run_that_needs_too_much_memory_fails_with_a_sentence(
    worker: tuple[Worker, FileStore, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    def greedy(*_: object) -> None:
        raise MemoryError

    made, store, _ = worker
    monkeypatch.setattr("core.service.workers.compute.Training.step", greedy)
    made._take_turn()
    state = store.state(CONFIGS[0].run_id)
    assert state.status == "failed" and "more than 2.1 GB of memory" in state.reason


def test_a_worker_that_has_had_many_runs_makes_room_for_a_fresh_one(
    worker: tuple[Worker, FileStore, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, store, events = worker
    monkeypatch.setattr("core.service.workers.worker.RUNS", len(CONFIGS))
    monkeypatch.setattr("core.service.workers.worker.warm", lambda *_, **__: None)
    monkeypatch.setattr("core.service.workers.worker.step_back", lambda _: None)
    monkeypatch.setattr(made, "_listen", lambda: None)
    made._waiting, made._chunks = [config.run_id for config in CONFIGS], {}
    made.serve()
    assert all(store.state(config.run_id).status == "finished" for config in CONFIGS)
    assert [event["event"] for event in told(events)].count("ended") == len(CONFIGS)
