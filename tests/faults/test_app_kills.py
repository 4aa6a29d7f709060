"""Many times kill -9 of the whole app, and polite endings."""

import random
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app import main
from core.config.run_config import RunConfig
from core.service.files.file_store import FileStore
from tests.faults.programs import App, assert_no_orphan, processes_of
from tests.service.samples import timeless, truth
from tests.service.services import ROOT, wait_for

KILLS = 30


def run_of(seed: int) -> RunConfig:
    return RunConfig.from_query(f"target=f1&epochs=2e6&seed={seed}")


@pytest.mark.long
def test_dead_apps(tmp_path: Path) -> None:
    home = tmp_path / "home"
    chance = random.Random(30)
    submitted: list[RunConfig] = []
    given: dict[str, int] = {}
    starts: list[float] = []
    with App(home, PLATEAU_QUEUED_PER_CLIENT="99") as app:
        for _ in range(KILLS):
            starts.append(app.start())
            submitted.append(run_of(1_000 + len(submitted)))
            app.post("/api/runs", {"query": submitted[-1].to_query()})
            end = time.monotonic() + chance.random() * 2.5
            while time.monotonic() < end:
                for config in submitted[-3:]:
                    head = app.get(f"/api/runs/{config.run_id}/frames?after=100000")["head"]
                    given[config.run_id] = max(head, given.get(config.run_id, 0))
                time.sleep(0.05)
            app.kill()
            assert_no_orphan(home)
        starts.append(app.start())
        for config in submitted:
            url = f"/api/runs/{config.run_id}"
            wait_for(lambda url=url: app.get(url)["status"] == "finished", 120)  # type: ignore[misc]
        assert app.terminate()[0] == 0
    store = FileStore(home)
    for config in submitted:
        found = [timeless(payload) for payload in store.payloads(config.run_id, 0, 10**6)]
        assert found == truth(config) and len(found) >= given.get(config.run_id, 0)
    print(
        f"\n{KILLS} kills of the app: no orphan, {len(submitted)} runs finished bit-identical; "
        f"serving again after {statistics.median(starts):.2f} s (median), {max(starts):.2f} s (longest)"
    )
    assert "Traceback" not in app.log.read_text()


def test_sigterm_saves_and_a_restart_goes_on(tmp_path: Path) -> None:
    home = tmp_path / "home"
    long = RunConfig.from_query("target=f1&epochs=1e9&seed=1")
    waiting = [RunConfig.from_query(f"target=f1&epochs=1e4&seed={seed}") for seed in (2, 3)]
    url = f"/api/runs/{long.run_id}"
    with App(home) as app:
        app.start()
        app.post("/api/runs", {"query": long.to_query()})
        wait_for(lambda: app.get(url)["frames"] > 100)
        for config in waiting:
            app.post("/api/runs", {"query": config.to_query()})
        code, took = app.terminate()
        frames = FileStore(home).count(long.run_id)
        print(f"\nSIGTERM: exit {code} after {took:.2f} s")
        assert code == 0 and not processes_of(home)
        app.start()
        wait_for(lambda: app.get(url)["frames"] > frames)
        assert app.post(f"{url}/stop", {})["id"] == long.run_id
        for config in waiting:
            other = f"/api/runs/{config.run_id}"
            wait_for(lambda other=other: app.get(other)["status"] == "finished")  # type: ignore[misc]
        wait_for(lambda: app.get(url)["status"] == "stopped")
        assert app.terminate()[0] == 0
        assert "Traceback" not in app.log.read_text()


def refused(*arguments: str, **environment: str) -> str:
    """What the app says when it cannot start."""
    done = subprocess.run(
        [sys.executable, "app.py", *arguments],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode != 0 and "Traceback" not in done.stderr
    return done.stderr


def test_what_keeps_it_from_starting_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = refused("--port", port, "--home", str(tmp_path / "a"))
    assert port in said and len(said.splitlines()) == 1
    file = tmp_path / "file"
    file.write_text("")
    assert main(["--port", "0", "--home", str(file / "home")]) == 2
    said = capsys.readouterr().err
    assert str(file) in said and len(said.splitlines()) == 1
    monkeypatch.setenv("PLATEAU_WIDTH", "wide")
    assert main(["--home", str(tmp_path / "b")]) == 2
    assert "PLATEAU_WIDTH" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--port", "many"])
    assert "usage" in capsys.readouterr().err


def test_two_servers_do_not_share_a_home(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app.start()
        said = refused("--port", "0", "--home", str(tmp_path / "home"))
    assert "Another server" in said and len(said.splitlines()) == 1


@pytest.mark.parametrize("version", ["(3, 10, 4)", "(3, 8, 0)"])
def test_an_old_python_is_told_so(version: str) -> None:
    """The check stands before anything that an old Python could not read."""
    pretend = (
        f"import sys, runpy; sys.version_info = {version}; runpy.run_path('app.py', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1 and "needs Python 3.11" in done.stderr and "Traceback" not in done.stderr
