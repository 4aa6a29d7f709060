"""What a browser has run: bounded, its own, and as it was written."""

from pathlib import Path

import pytest

from core.service.cluster.redis_logbook import RedisDrawer
from core.service.files.logbook import MOST, NAME_LENGTH, FileDrawer, Logbook, said
from tests.service.conftest import RedisServer

ME, OTHER = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.redis)])
def logbook(request: pytest.FixtureRequest, tmp_path: Path) -> Logbook:
    """One with a clock that ticks at every entry."""
    times = iter(range(10**6))
    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis_server")
        drawer = RedisDrawer(server.url)
        for handle in (ME, OTHER):
            drawer.replace(handle, drawer.read(handle), b"[]")
        return Logbook(drawer, lambda: float(next(times)))
    return Logbook(FileDrawer(tmp_path / "logbooks"), lambda: float(next(times)))


def test_the_newest_first_and_each_once(logbook: Logbook) -> None:
    for run in ("a", "b", "a"):
        logbook.add(ME, run, f"seed={run}")
    assert [entry.id for entry in logbook.entries(ME)] == ["a", "b"]
    assert logbook.entries(OTHER) == []


def test_what_was_said_stays_when_it_is_run_again(logbook: Logbook) -> None:
    logbook.add(ME, "a", "epochs=10")
    assert logbook.change(ME, "a", **said("  my\n run ", "one, two,,one", "<b>note</b> ")) is True
    logbook.add(ME, "a", "epochs=100")
    (entry,) = logbook.entries(ME)
    assert (entry.name, entry.tags, entry.note) == ("my run", ("one", "two"), "<b>note</b>")
    assert entry.query == "epochs=100"
    assert logbook.change(ME, "b", name="x") is False and logbook.change(OTHER, "a", name="x") is False


def test_it_is_bounded_and_keeps_what_is_pinned(logbook: Logbook) -> None:
    logbook.add(ME, "first", "seed=1")
    logbook.change(ME, "first", pinned=True)
    for run in range(MOST + 5):
        logbook.add(ME, str(run), f"seed={run}")
    entries = logbook.entries(ME)
    assert len(entries) == MOST and entries[0].id == "first"
    assert logbook.remove(ME, "first") is True and logbook.entries(ME)[0].id == str(MOST + 4)
    assert len(said("x" * 500, "", "")["name"]) == NAME_LENGTH


def test_a_damaged_file_and_a_strange_handle_are_nobodys_runs(tmp_path: Path) -> None:
    logbook = Logbook(FileDrawer(tmp_path))
    (tmp_path / f"{ME}.json").write_text('[{"id": 3, "what": 1}]')
    assert logbook.entries(ME) == []
    logbook.add("../../etc/passwd", "a", "seed=1")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{ME}.json"]


def test_what_two_processes_add_at_once_is_there(logbook: Logbook, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one adds an entry between reading and writing, twice."""
    drawer, others = logbook._drawer, ["b", "c"]
    write = drawer.replace

    def late(handle: str, known: bytes | None, document: bytes) -> bool:
        if others:
            Logbook(drawer).add(handle, others.pop(), "seed=1")
        return write(handle, known, document)

    monkeypatch.setattr(drawer, "replace", late)
    logbook.add(ME, "a", "seed=a")
    assert {entry.id for entry in logbook.entries(ME)} == {"a", "b", "c"}
