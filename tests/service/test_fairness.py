"""Turns by person and address together: a dropped cookie gains nothing, thirty students are thirty."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service import people
from core.service.accounts import Client, line_of, person_of, quota_of, subnet_of
from core.service.cluster import redis_people
from core.service.cluster.redis_backend import RedisPresence
from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_queue import RedisQueue, Tasks
from core.service.cluster.redis_store import RedisStore
from core.service.files.unsaved import PatientFileStore
from core.service.presence import MemoryPresence, Presence
from core.service.queue import QueueFullError, TurnOrder
from core.service.settings import Settings
from core.service.workers.compute import Progress
from core.service.workers.local_runs import LocalRuns
from core.service.workers.pool import WorkerPool
from tests.service.samples import put, request_of, state_of
from tests.service.services import ALICE, BOB, at_once
from tests.service.sites import QUERY, Site

SCHOOL, HOME = "192.0.2.7", "198.51.100.1"
Turns = tuple[Callable[[int, str], None], Callable[[], str | None], Presence, Callable[[int, str], None]]


def name(number: int) -> str:
    return f"{number:032x}"


def settled(person: str, address: str = SCHOOL) -> str:
    return quota_of(person, address, settled=True)


def fresh(person: str, address: str = SCHOOL) -> str:
    return quota_of(person, address, settled=False)


@pytest.fixture(params=["embedded", pytest.param("redis", marks=pytest.mark.redis)])
def turns(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Turns]:
    """How a run is queued, how the next one is taken by a worker, who is here, and how a run is charged."""
    settings = Settings(home=tmp_path, workers=1)
    if request.param == "redis":
        store = RedisStore(connection(request.getfixturevalue("redis_url")))
        presence = RedisPresence(store)
        queue = RedisQueue(settings, store, presence, Tasks(print, print))
        yield (
            lambda number, quota: queue.enqueue(name(number), quota),
            lambda: queue.take("here"),
            presence,
            lambda number, quota: queue.charge(name(number), quota),
        )
        store.close()
        return
    memory = MemoryPresence()
    pool = WorkerPool(settings)
    scheduler = LocalRuns(settings, PatientFileStore(tmp_path), memory, pool)
    worker = type("Worker", (), {"jobs": {}, "ready": True})()

    def take() -> str | None:
        run_id = scheduler._queue.pop(LIMITS.running_per_client)
        if run_id is not None:
            pool._workers["run"] = [worker]
            worker.jobs[run_id] = Progress(0.0, 0.0)
        return run_id

    yield (
        lambda number, quota: scheduler.enqueue(name(number), quota),
        take,
        memory,
        lambda number, quota: scheduler.charge(name(number), quota),
    )


def test_who_drops_a_cookie_for_every_run_has_one_turn_as_who_keeps_it(turns: Turns) -> None:
    push, take, _, _ = turns
    for number in range(12):
        push(number, fresh(f"thrown{number}"))
    for number in range(100, 104):
        push(number, settled("keeper", HOME))
    taken = [int(take() or "", 16) for _ in range(8)]
    assert sum(number >= 100 for number in taken) == 4, taken
    assert [int(take() or "", 16) for _ in range(4)] == [4, 5, 6, 7]
    assert take() is None, "and no more run at a time than of one browser"


def test_thirty_students_behind_one_address_are_thirty(turns: Turns) -> None:
    push, take, _, _ = turns
    for student in range(30):
        for method in range(3):
            push(10 * student + method, settled(f"student{student}"))
    push(999, settled("visitor", HOME))
    first = [int(take() or "", 16) for _ in range(31)]
    assert sorted(first) == sorted([*(10 * student for student in range(30)), 999])


def test_newcomers_of_a_class_are_all_let_in(turns: Turns) -> None:
    push, _, _, _ = turns
    for student in range(30):
        for method in range(8):
            push(10 * student + method, fresh(f"student{student}"))


def test_a_person_and_an_address_have_their_limits(turns: Turns) -> None:
    push, _, _, charge = turns
    for number in range(LIMITS.per_client):
        push(number, settled("one"))
    with pytest.raises(QueueFullError, match="as many as one browser"):
        push(500, settled("one"))
    with pytest.raises(QueueFullError, match="as many as one browser"):
        charge(0, settled("one"))
    for number in range(LIMITS.per_client, LIMITS.per_address):
        push(number, fresh(f"thrown{number}"))
    with pytest.raises(QueueFullError, match="from your address"):
        push(501, fresh("next"))
    push(502, settled("elsewhere", HOME))


def test_who_is_gone_lets_others_go_first(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    push, take, presence, _ = turns
    presence.people.see("gone")
    for number in range(3):
        push(number, settled("gone"))
    monkeypatch.setattr(people, "HERE_SECONDS", -1.0)
    monkeypatch.setattr("core.service.cluster.redis_people.HERE_SECONDS", -1.0)
    for number in range(10, 13):
        push(number, fresh("back"))
    assert [int(take() or "", 16) for _ in range(6)] == [10, 11, 12, 0, 1, 2]


def test_a_run_is_charged_to_who_wants_more_of_it(turns: Turns) -> None:
    push, _, _, charge = turns
    for number in range(LIMITS.per_client):
        push(number, settled("one"))
    charge(0, settled("two", HOME))
    push(100, settled("one"))
    with pytest.raises(QueueFullError):
        push(101, settled("one"))


@pytest.mark.parametrize("kind", ["memory", pytest.param("redis", marks=pytest.mark.redis)])
def test_only_who_stays_has_a_line_of_his_own(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: people.People = people.MemoryPeople()
    if kind == "redis":
        made = redis_people.RedisPeople(connection(request.getfixturevalue("redis_url")))
    assert not made.settled("somebody") and made.here({"somebody"})
    made.see("somebody")
    assert not made.settled("somebody") and made.here({"somebody"})
    for module in (people, redis_people):
        monkeypatch.setattr(module, "SETTLED_SECONDS", 0.0)
    made.see("somebody")
    assert made.settled("somebody") and not made.settled("nobody")


def test_people_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_LARGEST", 20)
    made = people.MemoryPeople()
    for number in range(50):
        made.see(f"p{number}")
    assert len(made._last) <= 21 and made._first.keys() == made._last.keys()


def test_quotas_name_line_person_and_address() -> None:
    assert line_of(settled("me")) == "me" and line_of(fresh("me")) == SCHOOL
    assert person_of(settled("me")) == person_of(fresh("me")) == "me"
    assert person_of(fresh("")) == f"@{SCHOOL}" and line_of(fresh("")) == SCHOOL
    assert line_of("plain") == person_of("plain") == "plain"


def test_a_network_of_the_newer_kind_is_one_address() -> None:
    assert subnet_of("2001:db8::1") == subnet_of("2001:db8::ffff") != subnet_of("2001:db8:0:1::1")
    assert subnet_of("::ffff:192.0.2.7") == subnet_of("192.0.2.7") == "192.0.2.7"
    assert subnet_of(None) == "nowhere" and subnet_of("unix") == "unix"


def test_on_a_worker_lines_take_turns_and_not_runs() -> None:
    lines = {**{f"a{k}": "a" for k in range(8)}, "b": "b"}
    rota, runs, taken = TurnOrder(lines.__getitem__), list(lines), Counter[str]()
    for _ in range(32):
        run = rota.next(runs)
        runs.remove(run)
        runs.append(run)
        taken[run] += 1
    assert taken["b"] == 16 and {taken[f"a{k}"] for k in range(8)} == {2}


def test_a_cookie_is_a_newcomer_until_it_has_been_here_a_while(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.scheduler.holding = True
    browser = site.client()
    browser.get("/")

    def quota(seed: int) -> str:
        started = browser.post("/api/runs", json={"query": f"{QUERY}&seed={seed}"}).json
        assert started is not None
        order = request_of(site.store, started["id"])
        assert order is not None
        return order.quota

    first = quota(1)
    assert line_of(first) == "127.0.0.1"
    monkeypatch.setattr(people, "SETTLED_SECONDS", 0.0)
    second = quota(2)
    assert line_of(second) == person_of(first) == person_of(second)


def test_who_wakes_a_run_answers_for_it_and_its_starter_alone_may_stop_it(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    config = RunConfig.from_query(QUERY)
    scheduler.holding = True
    service.submit(config, ALICE)
    scheduler.held.clear()
    put(store, config.run_id, state_of(store, config.run_id).but(status="paused"))
    scheduler.full = True
    service._seen.clear()
    service.watch(config.run_id, BOB)
    assert service.status(config.run_id) == "paused", "looking does not get around the limits"
    scheduler.full = False
    service._seen.clear()
    service.submit(config, BOB)
    found = request_of(store, config.run_id)
    assert found is not None and found.starter == ALICE.handle and found.quota == BOB.quota
    with pytest.raises(PermissionError):
        service.stop(config.run_id, BOB)
    service.close()


def test_more_of_somebody_elses_run_is_charged_to_who_asks(tmp_path: Path) -> None:
    service, scheduler, store = at_once(tmp_path)
    config = RunConfig.from_query(QUERY)
    scheduler.holding = True
    service.submit(config, ALICE)
    scheduler.full = True
    with pytest.raises(QueueFullError):
        service.submit(config.with_epochs(1e5), BOB)
    found = request_of(store, config.run_id)
    assert found is not None and found.quota == ALICE.quota and found.epochs == config.epochs
    scheduler.full = False
    service.submit(config.with_epochs(1e5), BOB)
    assert scheduler.charged == [(config.run_id, BOB.quota)]
    found = request_of(store, config.run_id)
    assert found is not None and found.quota == BOB.quota and found.starter == ALICE.handle
    service.close()


def test_a_run_that_fell_out_of_the_queue_is_found_again_by_looking(tmp_path: Path) -> None:
    service, scheduler, _ = at_once(tmp_path)
    config = RunConfig.from_query(QUERY)
    scheduler.holding = True
    service.submit(config, ALICE)
    scheduler.held.clear()  # forgotten, as by a Redis that had no memory left
    scheduler.holding = False
    service._seen.clear()
    service.watch(config.run_id, Client("viewer", "viewer"))
    assert service.status(config.run_id) == "finished"
    service.close()


def test_the_newcomers_of_an_address_share_what_studies_it_may_have(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, library=tmp_path / "none", study_library=tmp_path / "none")
    service, _, _ = at_once(tmp_path, replace(settings, limits=replace(LIMITS, studies_per_client=2)))
    study = "target=five&method=gd&epochs=100&seed="
    for number in range(2):
        service.studies.submit(f"{study}{10 * number}..{10 * number + 3}", "x", fresh(f"thrown{number}"))
    with pytest.raises(QueueFullError):
        service.studies.submit(f"{study}100..103", "x", fresh("next"))
    service.studies.submit(f"{study}100..103", "x", settled("student"))
    service.close()


def test_an_address_has_so_many_studies_however_many_browsers(tmp_path: Path) -> None:
    limits = replace(LIMITS, studies_per_address=3, studies=4)
    settings = Settings(home=tmp_path, library=tmp_path / "none", study_library=tmp_path / "none")
    service, _, _ = at_once(tmp_path, replace(settings, limits=limits))
    study = "target=five&method=gd&epochs=100&seed="
    for number in range(3):
        service.studies.submit(f"{study}{10 * number}..{10 * number + 3}", "x", settled(f"student{number}"))
    with pytest.raises(QueueFullError, match="from your address"):
        service.studies.submit(f"{study}100..103", "x", settled("next"))
    service.studies.submit(f"{study}100..103", "x", settled("visitor", HOME))
    with pytest.raises(QueueFullError, match="server has 4 studies"):
        service.studies.submit(f"{study}200..203", "x", settled("another", "9.9.9.9"))
    service.close()
