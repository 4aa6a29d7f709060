"""What a browser has run: bounded, its own, and as it was written."""

from pathlib import Path

import pytest

from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_documents import RedisDocuments
from core.service.files.browser_documents import DatabaseDocuments
from core.service.files.database import Database
from core.service.files.run_history import (
    MAX_ENTRIES,
    NAME_LENGTH,
    RunHistory,
    entry_fields,
)
from tests.service.conftest import RedisServer

ME, OTHER = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.redis)])
def history(request: pytest.FixtureRequest, tmp_path: Path) -> RunHistory:
    """One with a clock that ticks at every entry."""
    times = iter(range(10**6))
    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis_server")
        store = RedisDocuments(connection(server.url))
        for handle in (ME, OTHER):
            store.replace(handle, store.read(handle), b"[]")
        return RunHistory(store, lambda: float(next(times)))
    return RunHistory(DatabaseDocuments(Database(tmp_path)), lambda: float(next(times)))


def test_the_newest_first_and_each_once(history: RunHistory) -> None:
    for run in ("a", "b", "a"):
        history.add(ME, run, f"seed={run}")
    assert [entry.id for entry in history.entries(ME)] == ["a", "b"]
    assert history.entries(OTHER) == []


def test_what_was_said_stays_when_it_is_run_again(history: RunHistory) -> None:
    history.add(ME, "a", "epochs=10")
    assert history.change(ME, "a", **entry_fields("  my\n run ", "one, two,,one", "<b>note</b> ")) is True
    history.add(ME, "a", "epochs=100")
    (entry,) = history.entries(ME)
    assert (entry.name, entry.tags, entry.note) == ("my run", ("one", "two"), "<b>note</b>")
    assert entry.query == "epochs=100"
    assert history.change(ME, "b", name="x") is False and history.change(OTHER, "a", name="x") is False


def test_it_is_bounded_and_keeps_what_is_pinned(history: RunHistory) -> None:
    history.add(ME, "first", "seed=1")
    history.change(ME, "first", pinned=True)
    for run in range(MAX_ENTRIES + 5):
        history.add(ME, str(run), f"seed={run}")
    entries = history.entries(ME)
    assert len(entries) == MAX_ENTRIES and entries[0].id == "first"
    assert history.remove(ME, "first") is True and history.entries(ME)[0].id == str(MAX_ENTRIES + 4)
    assert len(entry_fields("x" * 500, "", "")["name"]) == NAME_LENGTH


def test_a_damaged_row_and_a_strange_handle_are_nobodys_runs(tmp_path: Path) -> None:
    history = RunHistory(DatabaseDocuments(Database(tmp_path)))
    history.add(ME, "a", "seed=1")
    with Database(tmp_path).transaction() as connection:
        connection.execute("UPDATE histories SET document = ?", (b'[{"id": "b", "query": "", "at": 0}]',))
    assert history.entries(ME) == []
    history.add("../../etc/passwd", "a", "seed=1")
    assert history._store.handles() == [ME]
    assert history._store.replace(ME, None, b'[{"id": 3, "what": 1}]') and history.entries(ME) == []


def test_what_two_processes_add_at_once_is_there(
    history: RunHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one adds an entry between reading and writing, twice."""
    store, others = history._store, ["b", "c"]
    write = store.replace

    def late(handle: str, known: bytes | None, document: bytes) -> bool:
        if others:
            RunHistory(store).add(handle, others.pop(), "seed=1")
        return write(handle, known, document)

    monkeypatch.setattr(store, "replace", late)
    history.add(ME, "a", "seed=a")
    assert {entry.id for entry in history.entries(ME)} == {"a", "b", "c"}
