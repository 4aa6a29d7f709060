"""Requests, budgets, starters, damage, room: without processes."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.limits import Limits
from core.service.accounts import Client
from core.service.disk_quota import DiskQuota
from core.service.presence import MemoryPresence
from core.service.queue import QueueFullError
from core.service.run_record import RunState
from core.service.service import SNAPSHOT_SECONDS
from core.service.settings import Settings
from tests.service.samples import put, request_of, state_of, timeless, truth
from tests.service.services import ALICE, BOB, at_once

SHORT = RunConfig.from_query("target=five&method=gd&epochs=100")
LONG = SHORT.with_epochs(1_000)


@pytest.fixture(autouse=True)
def always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.service.service.SNAPSHOT_SECONDS", 0.0)
    assert SNAPSHOT_SECONDS < 0.5


def test_the_same_question_is_the_same_run(tmp_path: Path) -> None:
    service, scheduler, _ = at_once(tmp_path)
    info, new = service.submit(SHORT, ALICE)
    assert new and info.id == SHORT.run_id and info.status == "finished" and info.epochs == 100
    again, new = service.submit(SHORT, BOB)
    assert not new and again.starter == "alice" and scheduler.enqueued == [info.id]
    assert again.loss == service.frames(info.id)[-1].loss and again.frames == len(service.frames(info.id))


def test_a_longer_budget_continues_and_a_shorter_one_is_there(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    service.submit(SHORT, ALICE)
    info, new = service.submit(LONG, BOB)
    assert not new and info.epochs == 1_000 and info.starter == "bob" and info.epoch == 1_000
    assert [timeless(p) for p in store.payloads(info.id, 0, 9**9)] == truth(LONG)
    service.submit(SHORT, ALICE)
    assert len(scheduler.enqueued) == 2


def test_a_stopped_run_does_not_go_on_for_a_budget_that_it_has_passed(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    info, _ = service.submit(LONG, ALICE)
    put(store, info.id, RunState(status="stopped", epoch=500.0))
    service.submit(SHORT, BOB)
    assert len(scheduler.enqueued) == 1
    service.submit(LONG, BOB)
    assert len(scheduler.enqueued) == 2


def test_a_longer_budget_for_a_waiting_run_changes_its_request_only(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    scheduler.holding = True
    info, _ = service.submit(SHORT, ALICE)
    assert (info.status, info.position) == ("queued", 0)
    info, new = service.submit(LONG, BOB)
    assert not new and info.epochs == 1_000 and info.starter == "alice"
    assert RunConfig.from_query(request_of(store, info.id).query) == LONG


def test_only_the_starter_stops(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    scheduler.holding = True
    service.submit(SHORT, ALICE)
    with pytest.raises(PermissionError):
        service.stop(SHORT.run_id, BOB)
    stopped = service.stop(SHORT.run_id, ALICE)
    assert stopped is not None and stopped.status == "stopped"
    assert state_of(store, SHORT.run_id).status == "stopped"
    assert service.stop("0" * 32, ALICE) is None
    # Asking again continues it, for whoever asks.
    scheduler.holding = False
    info, _ = service.submit(SHORT, BOB)
    assert (info.status, info.starter) == ("finished", "bob")
    assert service.stop(SHORT.run_id, BOB) == service.info(SHORT.run_id)


def test_a_full_queue_leaves_no_trace(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    scheduler.full = True
    with pytest.raises(QueueFullError):
        service.submit(SHORT, ALICE)
    assert store.runs() == [] and service.info(SHORT.run_id) is None
    scheduler.full = False
    service.submit(SHORT, ALICE)
    scheduler.full = True
    before = service.info(SHORT.run_id)
    with pytest.raises(QueueFullError):
        service.submit(LONG, BOB)
    assert service.info(SHORT.run_id) == before


def test_what_costs_too_much_is_refused_with_both_numbers(tmp_path: Path) -> None:
    service, _, store = at_once(tmp_path, Settings(home=tmp_path, limits=Limits(cpu_seconds=1)))
    with pytest.raises(ValueError, match=r"epochs: 1e9 epochs of GD .* allowed are 1 s"):
        service.submit(RunConfig.from_query("target=f1&width=500&epochs=1e9"), ALICE)
    assert store.runs() == []


def test_looking_wakes_a_paused_run_and_nothing_else(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    service.watch(SHORT.run_id, Client("viewer", "viewer"))
    assert scheduler.enqueued == []
    service.submit(SHORT, ALICE)
    for status in ("stopped", "failed", "finished"):
        put(store, SHORT.run_id, RunState(status=status))
        service.watch(SHORT.run_id, Client("viewer", "viewer"))
    assert len(scheduler.enqueued) == 1
    put(store, SHORT.run_id, RunState(status="paused"))
    service.watch(SHORT.run_id, Client("viewer", "viewer"))
    assert len(scheduler.enqueued) == 2 and service.status(SHORT.run_id) == "finished"


def test_viewers_are_counted_once_each(tmp_path: Path) -> None:
    service, _, _ = at_once(tmp_path)
    service.submit(SHORT, ALICE)
    for viewer in ("alice", "v1", "v2", "v1"):
        service.watch(SHORT.run_id, Client(viewer, viewer))
    info = service.info(SHORT.run_id)
    assert info is not None and info.watching == 3


def test_damage_is_told_and_mended_by_running_again(tmp_path: Path) -> None:
    service, _, store = at_once(tmp_path)
    service.submit(LONG, ALICE)
    path = tmp_path / "runs" / LONG.run_id / "frames.rec"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    store = at_once(tmp_path)[2]
    service = at_once(tmp_path)[0]
    info = service.info(LONG.run_id)
    assert info is not None and info.status == "failed" and "damaged" in info.reason
    assert 0 < info.frames < len(truth(LONG))
    assert [timeless(p) for p in store.payloads(LONG.run_id, 0, 9**9)] == truth(LONG)[: info.frames]
    again, _ = service.submit(LONG, BOB)
    assert again.status == "finished"
    assert [timeless(p) for p in store.payloads(LONG.run_id, 0, 9**9)] == truth(LONG)


def test_a_lost_record_is_rebuilt(tmp_path: Path) -> None:
    service, _, _ = at_once(tmp_path)
    before, _ = service.submit(LONG, ALICE)
    service, _, store = at_once(tmp_path)
    with store.database.transaction() as connection:
        connection.execute("UPDATE runs SET document = substr(document, 1, length(document) - 1)")
    after = service.info(LONG.run_id)
    assert after is not None and after.frames == before.frames
    assert (after.query, after.loss, after.epoch) == (before.query, before.loss, before.epoch)


def test_the_oldest_that_nobody_watches_make_room(tmp_path: Path) -> None:
    service, _, store = at_once(tmp_path)
    configs = [RunConfig.from_query(f"target=five&epochs=100&seed={seed}") for seed in range(5)]
    for age, config in enumerate(configs):
        service.submit(config, ALICE)
        put(store, config.run_id, RunState(status="finished", updated=float(age)))
    sizes = sum(size for size, _ in store.sizes().values())
    presence = service._presence
    ended = {config.run_id for config in configs[:4]}

    class Watched:
        def watching(self, run_id: str) -> int:
            return int(run_id == configs[0].run_id)

    quota = DiskQuota(store, Watched(), sizes - 1)  # type: ignore[arg-type]
    quota.make(lambda run_id: service._removable(run_id) if run_id in ended else None)
    assert {c.run_id for c in configs} - set(store.runs()) == {configs[1].run_id, configs[2].run_id}
    with pytest.raises(QueueFullError):
        DiskQuota(store, presence, 1).check(lambda _: None)


def test_what_somebody_has_pinned_is_not_removed(tmp_path: Path) -> None:
    service, _, store = at_once(tmp_path)
    configs = [RunConfig.from_query(f"target=five&epochs=100&seed={seed}") for seed in range(6)]
    for age, config in enumerate(configs):
        service.submit(config, replace(ALICE, handle="a" * 16))
        put(store, config.run_id, RunState(status="finished", updated=float(age)))
    assert service.history.change("a" * 16, configs[0].run_id, pinned=True)
    assert service.history.pinned() == {configs[0].run_id}
    sizes = sum(size for size, _ in store.sizes().values())
    DiskQuota(store, MemoryPresence(), sizes - 1, service.history.pinned).make(service._removable)
    assert configs[0].run_id in store.runs() and configs[1].run_id not in store.runs()
    every = {config.run_id for config in configs}
    DiskQuota(store, MemoryPresence(), sizes // 3, lambda: every).make(service._removable)
    assert configs[5].run_id in store.runs() and configs[0].run_id not in store.runs(), "the newest pins"


def test_who_starts_a_run_does_not_wait_for_sizes_to_be_added_up() -> None:
    going_on = threading.Event()

    class Slow:
        def sizes(self) -> dict[str, tuple[int, float]]:
            going_on.wait(30)
            return {"0" * 32: (100, 1.0)}

    quota = DiskQuota(Slow(), MemoryPresence(), 10)  # type: ignore[arg-type]
    quota.check(lambda _: None)
    quota.check(lambda _: None)
    assert quota.taken is None, "not known yet, and nobody is refused for it"
    going_on.set()
    assert quota._thread is not None
    quota._thread.join(30)
    with pytest.raises(QueueFullError):
        quota.check(lambda _: None)


def test_a_run_too_large_for_its_file_fails_and_keeps_its_frames(tmp_path: Path) -> None:
    limits = replace(Limits(), run_bytes=20_000)
    service, _, _ = at_once(tmp_path, Settings(home=tmp_path, limits=limits))
    info, _ = service.submit(LONG, ALICE)
    assert info.status == "failed" and "0 MB" in info.reason


def test_own_data_are_kept_with_the_run(tmp_path: Path) -> None:
    service, _, _ = at_once(tmp_path)
    name, notes = service.upload("x;y\n0;1\n1;2\n1;3\n2;0\n", ALICE)
    assert len(notes) == 2
    config = RunConfig.from_query(f"data=@{name}&epochs=50", datasets=service.datasets)
    info, _ = service.submit(config, ALICE)
    assert info.status == "finished"
    known = service.config(info.id)
    assert known is not None and known.training_data().y.tolist() == [1.0, 2.5, 0.0]
