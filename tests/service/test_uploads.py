"""Uploads: each has a share, and a run that learns somebody's data has them for as long as it is kept."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.problem.csv import canonical_csv, parse_csv
from core.service.accounts import Client
from core.service.files.uploads import LEAST_BYTES, uploads_in
from core.service.queries import query
from core.service.queries.incoming import SHORT
from core.service.queries.service import INCOMING_FILES, NotYetError
from core.service.queue import QueueFullError
from core.service.settings import Settings
from core.spelling import FieldError
from tests.service.services import ALICE, at_once
from tests.service.sites import Site

MALLORY = Client("mallory", "mallory@192.0.2.1")


def points(number: int) -> str:
    return f"0,{number}\n1,2\n2,3\n"


def test_whoever_uploads_much_loses_his_own_first(tmp_path: Path) -> None:
    limits = replace(LIMITS, uploads_per_client=10 * LEAST_BYTES, uploads_bytes=100 * LEAST_BYTES)
    service, _, _ = at_once(tmp_path, Settings(home=tmp_path, library=tmp_path / "none", limits=limits))
    mine, _ = service.upload(points(0), ALICE)
    shared, _ = service.upload(points(1), ALICE)
    thrown = [service.upload(points(number), MALLORY)[0] for number in range(1, 400)]
    assert thrown[0] == shared
    assert mine in service.datasets and shared in service.datasets, "two have uploaded it, one has it still"
    assert sum(name in service.datasets for name in thrown) == 11
    cookies = [Client(f"c{n}", f"?c{n}@192.0.2.9") for n in range(300)]
    thrown = [service.upload(points(1_000 + number), client)[0] for number, client in enumerate(cookies)]
    assert mine in service.datasets and sum(name in service.datasets for name in thrown) == 10
    service.close()


def test_a_finished_run_keeps_its_data_and_gives_them_back_when_it_goes(tmp_path: Path) -> None:
    limits = replace(LIMITS, uploads_bytes=10 * LEAST_BYTES)
    service, _, store = at_once(tmp_path, Settings(home=tmp_path, library=tmp_path / "none", limits=limits))
    name, _ = service.upload("".join(f"{x},{x % 7}.125\n" for x in range(300)), ALICE)
    config = RunConfig.from_query(f"data=@{name}&epochs=50&width=3", datasets=service.datasets)
    assert uploads_in(config.to_query()) == [name], "too large for a link"
    info, _ = service.submit(config, ALICE)
    for number in range(1, 60):
        service.upload(points(number), Client(f"c{number}", f"c{number}"))
    assert name in service.datasets
    known = service.config(info.id)
    assert known is not None and len(known.training_data().y) == 300
    store.delete(info.id)
    assert not list(tmp_path.glob(f"data/*.{info.id}"))
    service.close()


def test_the_uploads_that_a_query_names() -> None:
    assert uploads_in(f"data=@{'a' * 32}&epochs=1") == ["a" * 32]
    assert uploads_in(f"data=%40{'b' * 32}") == ["b" * 32]
    assert uploads_in(f"data=@{'a' * 33}&target=f1") == []


def long_table(last: str = "5") -> str:
    return "x,y\n" + "".join(f"{k},{k % 7}.25\n" for k in range(3_000)) + f"3000,{last}\n"


def test_long_data_are_read_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service, _, _ = at_once(tmp_path)
    assert len(long_table()) > SHORT
    expected = parse_csv(long_table())

    def here(*_: object) -> None:
        raise AssertionError("the web process read it")

    monkeypatch.setattr(query, "parse_csv", here)
    service.pool.start()
    try:
        name, notes = patiently(lambda: service.upload(long_table(), ALICE))
        assert service.datasets[name] == canonical_csv(expected.points) and notes == expected.notes
        with pytest.raises(FieldError, match="line 3002"):
            patiently(lambda: service.upload(long_table("five"), ALICE))
        kept = [path.name for path in tmp_path.glob("answers-*/*")]
        assert kept and not [name for name in kept if len(name) == 32], "answers, but no texts"
        monkeypatch.undo()
        assert service.upload(points(1), ALICE)[1] == (), "short data do not wait"
    finally:
        service.close()


def patiently(upload: Callable[[], tuple[str, tuple[str, ...]]]) -> tuple[str, tuple[str, ...]]:
    """As a client that comes back when it is told to."""
    for _ in range(30):
        with suppress(QueueFullError):
            return upload()
    raise TimeoutError


def test_nobody_has_a_queue_of_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service, _, _ = at_once(tmp_path)
    monkeypatch.setattr(service.pool, "assign", lambda _: None)
    service.pool.start()
    try:
        table = service.queries.table
        monkeypatch.setattr(service.queries, "table", lambda asked, client: table(asked, client, 0.0))
        for number in range(INCOMING_FILES.person):
            with pytest.raises(QueueFullError, match="again"):
                service.upload(long_table(str(number)), ALICE)
        with pytest.raises(QueueFullError, match="still being read"):
            service.upload(long_table("9"), ALICE)
        with pytest.raises(QueueFullError, match="1 before yours"):
            service.upload(long_table("8"), MALLORY)
    finally:
        service.close()


def test_who_sends_long_data_to_a_busy_server_is_told_to_come_back(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise NotYetError(3)

    monkeypatch.setattr(site.service.queries, "ask", busy)
    answer = site.client().post("/api/data", data=long_table(), content_type="text/csv")
    assert answer.status_code == 429 and answer.headers["Retry-After"] == "2"
    assert answer.json is not None and "3 before yours" in answer.json["error"]
    assert answer.json["ahead"] == 3
    monkeypatch.undo()
    assert site.client().post("/api/data", data=long_table(), content_type="text/csv").status_code == 201
