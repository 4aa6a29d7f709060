"""What every store promises of studies, and the scheduler's turns."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from core.limits import LIMITS, Limits
from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_studies import RedisStudies
from core.service.files.database import Database
from core.service.records import DOCUMENT, frame_record
from core.service.service import RunService
from core.service.settings import Settings
from core.service.store import StorageFullError
from core.service.studies.plan import PORTION_RUNS, Plan, plan_of
from core.service.studies.scheduler import Portion, StudyScheduler
from core.service.studies.store import (
    RequestedStudy,
    StudyStore,
    pack_record,
    pack_request,
    record_curve,
    record_place,
    record_row,
)
from core.service.studies.table import DatabaseStudies
from core.spelling import FieldError

STUDY = "ab" * 16


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.redis)])
def studies(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StudyStore]:
    if request.param == "files":
        yield DatabaseStudies(Database(tmp_path))
    else:
        client = connection(request.getfixturevalue("redis_url"))
        yield RedisStudies(client)
        client.close()


def requested(quota: str = "alice", query: str = "seed=0..9", runs: int = 10) -> RequestedStudy:
    return RequestedStudy(query, "starter", quota, 1.0, runs, ("seed",), 1.5)


def record(place: int) -> bytes:
    return pack_record(place, {"seed": place, "loss": float("inf")}, np.array([1.0, 0.5], dtype=np.float32))


def test_a_record_says_what_was_packed() -> None:
    packed = record(7)
    assert record_place(packed) == 7 and record_curve(packed).tolist() == [1.0, 0.5]
    assert orjson.loads(record_row(packed)) == {"seed": 7, "loss": None}


def test_every_place_once_in_the_order_of_coming(studies: StudyStore) -> None:
    assert studies.request(STUDY) is None and studies.studies() == []
    studies.place(STUDY, requested())
    assert studies.request(STUDY) == requested() and studies.studies() == [STUDY]
    assert [studies.add(STUDY, record(place)) for place in (3, 1, 3, 2)] == [True, True, False, True]
    assert studies.count(STUDY) == 3
    assert [record_place(r) for r in studies.records(STUDY, 0, 10)] == [3, 1, 2]
    assert [record_place(r) for r in studies.records(STUDY, 1, 2)] == [1]
    assert studies.missing(STUDY, range(5)) == [0, 4] and studies.missing(STUDY, []) == []
    assert studies.size(STUDY) > 0
    studies.delete(STUDY)
    assert studies.request(STUDY) is None and studies.count(STUDY) == 0 and studies.studies() == []


@pytest.mark.redis
def test_a_request_of_version_2_is_read_and_replaced(redis_url: str) -> None:
    client: Any = connection(redis_url)
    studies = RedisStudies(client)
    studies.place(STUDY, requested())
    known = orjson.loads(pack_request(requested()))
    known["wanted"] = "stop"
    del known["command"]
    client.delete(f"plateau:study:{STUDY}:request")
    client.set(f"plateau:study:{STUDY}:order", frame_record(DOCUMENT, orjson.dumps(known)))
    assert studies.request(STUDY) == replace(requested(), command="stop")
    assert studies.add(STUDY, record(0))
    studies.place(STUDY, requested())
    assert studies.request(STUDY) == requested() and not client.exists(f"plateau:study:{STUDY}:order")
    studies.delete(STUDY)
    assert not client.keys(f"plateau:study:{STUDY}:*")
    client.close()


def test_another_process_reads_what_was_saved_and_goes_on_with_the_rest(tmp_path: Path) -> None:
    first = DatabaseStudies(Database(tmp_path))
    first.place(STUDY, requested())
    for place in range(2):
        first.add(STUDY, record(place))
    first.sync(STUDY)
    first.add(STUDY, record(2))
    assert first.count(STUDY) == 3, "readers find what is not saved yet"
    again = DatabaseStudies(Database(tmp_path))
    assert again.missing(STUDY, range(3)) == [2]
    assert again.add(STUDY, record(2)) and again.count(STUDY) == 3
    again.close()
    assert DatabaseStudies(Database(tmp_path)).records(STUDY, 0, 9) == [record(place) for place in range(3)]


def test_a_stop_that_cannot_be_written_counts_at_once_and_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(tmp_path)
    studies, stop = DatabaseStudies(database), replace(requested(), command="stop")
    studies.place(STUDY, requested())
    studies.add(STUDY, record(0))

    def full() -> None:
        raise StorageFullError("No space left.")

    with monkeypatch.context() as patch:
        patch.setattr(database, "transaction", full)
        with pytest.raises(StorageFullError):
            studies.place(STUDY, stop)
        with pytest.raises(StorageFullError):
            studies.delete(STUDY)
        assert studies.request(STUDY) == requested()
        studies.insist(STUDY, stop)
        with pytest.raises(StorageFullError):
            studies.delete(STUDY)
        studies.write_unsaved()
        assert studies.request(STUDY) == stop and studies.count(STUDY) == 1
        assert DatabaseStudies(Database(tmp_path)).request(STUDY) == requested()
    studies.write_unsaved()
    assert DatabaseStudies(Database(tmp_path)).request(STUDY) == stop
    studies.insist(STUDY, requested())
    assert DatabaseStudies(Database(tmp_path)).request(STUDY) == requested(), "and nothing is held any more"


def test_what_a_deleted_study_took_up_is_the_disks_again(tmp_path: Path) -> None:
    service = RunService(Settings(home=tmp_path, library=tmp_path / "none"))
    database, other = Database(tmp_path), "cd" * 16
    studies = DatabaseStudies(database)
    curve = np.zeros(60_000, dtype=np.float32)
    for study in (STUDY, other):
        studies.place(study, requested(runs=200))
        for place in range(200 if study == STUDY else 10):
            studies.add(study, pack_record(place, {"seed": place}, curve))
        studies.sync(study)
    assert database.path.stat().st_size > 45e6
    studies.delete(STUDY)
    for _ in range(12):
        for step in service.pool._steps.values():  # what the scheduler does in every round
            step()
    assert database.path.stat().st_size < 15e6
    assert studies.count(other) == 10 and database.read("PRAGMA integrity_check") == [("ok",)]
    database.close()
    service.close()


def test_limits_name_what_is_wrong_and_what_is_allowed() -> None:
    for query, limits, words in (
        ("seed=0..99", Limits(study_runs=50), ("seed", "0..99", "50")),
        ("seed=0..19&width=2,3,4", Limits(study_runs=50), ("query", "60", "50")),
        ("seed=0..19&epochs=1e7", Limits(study_seconds=1.0), ("query", "20 runs", "allowed are 1 s")),
        ("seed=0..19&epochs=1e9&width=500", LIMITS, ("epochs", "1e9", "600 s")),
        ("seed=0..1&learning_rat=1", LIMITS, ("learning_rat",)),
    ):
        with pytest.raises(FieldError) as refused:
            plan_of(query, limits, {})
        assert all(word in str(refused.value) for word in words), str(refused.value)


def test_portions_cover_every_run_once_and_the_name_is_of_the_content() -> None:
    plan = plan_of("seed=0..250&method=anls,gd&epochs=10", LIMITS, {})
    assert [place for portion in plan.portions for place in portion] == list(range(502))
    assert max(map(len, plan.portions)) <= PORTION_RUNS
    assert plan.id == plan_of("method=anls,gd&epochs=10&seed=0..100,101..250", LIMITS, {}).id
    assert plan.id != plan_of("seed=0..250&method=anls,gd&epochs=11", LIMITS, {}).id


class Hands:
    """See PortionWorkers: takes one portion at a time, and does it when told to."""

    def __init__(self, studies: StudyStore) -> None:
        self.studies, self.taken = studies, list[Portion]()
        self.dropped: list[str] = []

    def leads(self) -> bool:
        return True

    def out(self) -> set[tuple[str, int]]:
        return {portion.name for portion in self.taken}

    def free_slots(self) -> int:
        return 1 - len(self.taken)

    def hand(self, portion: Portion) -> None:
        self.taken.append(portion)

    def drop(self, study: str) -> None:
        self.dropped.append(study)

    def workers(self) -> int:
        return 1

    def close(self) -> None: ...

    def do(self, runs: int = 10**6) -> Portion:
        """Compute the first runs of the portion, and give it back."""
        portion = self.taken.pop()
        for place, _ in portion.runs[:runs]:
            self.studies.add(portion.study, record(place))
        return portion


def tick(scheduler: StudyScheduler) -> None:
    scheduler.change()
    scheduler.tick()


def test_users_take_turns_whatever_a_study_has_and_nothing_is_lost(tmp_path: Path) -> None:
    studies = DatabaseStudies(Database(tmp_path))
    workers = Hands(studies)
    queries = {"ab" * 16: "seed=0..999&method=anls", "cd" * 16: "seed=0..149&method=anls"}
    plans: dict[str, Plan] = {name: plan_of(query, LIMITS, {}) for name, query in queries.items()}
    scheduler = StudyScheduler(studies, workers, plans.get)
    large, small = queries
    studies.place(large, requested("alice", queries[large], 1_000))
    tick(scheduler)
    assert workers.taken[0].study == large and len(workers.taken) == 1
    studies.place(small, requested("bob", queries[small], 150))
    turns = []
    for _ in range(6):
        turns.append(workers.do().study)
        tick(scheduler)
    assert turns == [large, large, small, large, small, large]
    # What is given back comes first when it is the study's turn again.
    given = workers.do(3)
    tick(scheduler)
    assert workers.taken[0].study != given.study
    workers.do()
    tick(scheduler)
    assert workers.taken[0].runs == given.runs[3:]
    while workers.taken:
        workers.do()
        tick(scheduler)
    assert studies.count(large) == 1_000 and studies.count(small) == 150


def test_a_portion_that_could_not_be_handed_out_keeps_its_turn(tmp_path: Path) -> None:
    studies = DatabaseStudies(Database(tmp_path))
    workers = Hands(studies)
    plan = plan_of("seed=0..249&method=anls", LIMITS, {})
    scheduler = StudyScheduler(studies, workers, lambda _: plan)
    studies.place(STUDY, requested(runs=250))
    give, refused = workers.hand, list[Portion]()

    def refuse(portion: Portion) -> None:
        refused.append(portion)
        raise OSError("no process to be had")

    workers.hand = refuse  # type: ignore[method-assign]
    for _ in range(3):
        with pytest.raises(OSError, match="no process"):
            tick(scheduler)
    workers.hand = give  # type: ignore[method-assign]
    tick(scheduler)
    while workers.taken:
        workers.do()
        tick(scheduler)
    assert len(refused) == 3 and studies.count(STUDY) == 250


def test_a_study_that_shall_stop_is_dropped_and_goes_on_from_there(tmp_path: Path) -> None:
    studies = DatabaseStudies(Database(tmp_path))
    plan = plan_of("seed=0..249&method=anls", LIMITS, {})
    workers = Hands(studies)
    scheduler = StudyScheduler(studies, workers, lambda _: plan)
    studies.place(STUDY, requested(runs=250))
    tick(scheduler)
    studies.place(STUDY, replace(requested(runs=250), command="stop"))
    tick(scheduler)
    assert workers.dropped == [STUDY]
    done = len(plan.portions[0]) // 2
    workers.do(done)
    tick(scheduler)
    assert not workers.taken and studies.count(STUDY) == done > 0
    studies.close()
    # Another life of the server, after resuming.
    studies.place(STUDY, requested(runs=250))
    scheduler = StudyScheduler(DatabaseStudies(Database(tmp_path)), workers, lambda _: plan)
    tick(scheduler)
    assert [place for place, _ in workers.taken[0].runs] == list(plan.portions[0])[done:]


def test_many_studies_are_read_once_and_a_slow_one_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = DatabaseStudies(Database(tmp_path))
    names = [f"{number:032x}" for number in range(40)]
    for name in names:
        written.place(name, requested())
        for place in range(3):
            written.add(name, record(place))
        written.sync(name)
    reads: list[str] = []

    class Watched(Database):
        def read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
            reads.append(sql)
            if names[0] in values and threading.current_thread() is looking:
                reached.set()
                assert going.wait(60)
            return super().read(sql, *values)

    reached, going = threading.Event(), threading.Event()
    studies = DatabaseStudies(Watched(tmp_path))
    looking = threading.Thread(target=lambda: studies.count(names[0]))
    looking.start()
    assert reached.wait(60)
    assert studies.add(names[1], record(3)) and studies.count(names[1]) == 4
    going.set()
    looking.join()
    assert {name: studies.count(name) for name in names} == {n: 3 + (n == names[1]) for n in names}
    assert {studies.request(name) for name in names} == {requested()}
    reads.clear()
    assert all(studies.request(name) and studies.count(name) for name in names)
    assert all(studies.missing(name, range(5)) for name in names)
    assert reads == [], "what is known is not read again"
