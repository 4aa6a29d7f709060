"""`python -m benchmarks.bench_home [runs]`: a server whose home has 100,000 runs.

The home is written as the store writes it, without waiting for the disk. Told: how long the real app takes
from the command until it answers, and how much of that is its own processor time, beside the same with an
empty home; how long the list of a visitor who has had as many runs as a list holds takes, the page of whoever
looks after the server, and a new run.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from app import create_app
from benchmarks.real_app import ROOT, free_port
from components.pages.admin.content import admin_page
from core.config import RunConfig
from core.run import train
from core.service import MAX_ENTRIES, Settings, overview
from core.service.files.file_claim import CHECKPOINTS, FRAMES
from core.service.files.file_store import FileStore, run_row
from core.service.records import HEADER, encode_arrays, encode_frame, frame_record, join_frames
from core.service.run_record import Record, Request, RunState
from core.service.store import to_json

RUNS = 100_000
START_SECONDS, LISTING_SECONDS = 3.0, 0.5
TRIES = 3
QUERY = "target=five&method=gd&epochs=100"


def name_of(number: int) -> str:
    """The name of a run that nobody will ask for."""
    return f"{number:032x}"


def write_home(home: Path, runs: int) -> None:
    """So many finished runs."""
    frames = list(train(RunConfig.from_query(QUERY)))[:20]
    request = Request(QUERY, 100.0, "a" * 16, "a" * 16, 0.0)
    state = RunState(status="finished", outcome="budget", epochs=100.0, frames=len(frames), updated=1.0)
    files = {
        FRAMES: frame_record(HEADER, to_json(request)) + join_frames([encode_frame(f) for f in frames]),
        CHECKPOINTS: encode_arrays({"b": frames[-1].b, "c": frames[-1].c}, len(frames)),
    }
    store = FileStore(home)
    for number in range(runs):
        folder = home / "runs" / name_of(number)
        folder.mkdir()
        for name, data in files.items():
            (folder / name).write_bytes(data)
    size = store.size(name_of(0))
    with store.database.transaction() as connection:
        for number in range(runs):
            row = run_row(name_of(number), Record(request, state, 3), size)
            connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?)", row)
    store.close()


def processor_seconds(pid: int) -> float:
    """What a process has had so far, on Linux: the figure that a busy machine does not spoil."""
    with suppress(OSError):
        user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return float("nan")


def start_seconds(home: Path) -> tuple[float, float]:
    """From the command until the app answers, and its processor time; the best of a few."""
    taken, own = [], []
    for _ in range(TRIES):
        port, begin = free_port(), time.perf_counter()
        variables = {"PLATEAU_HOME": str(home), "PLATEAU_PORT": str(port), "PLATEAU_WORKERS": "1"}
        process = subprocess.Popen(
            [sys.executable, "app.py"], cwd=ROOT, env=os.environ | variables, stdout=subprocess.DEVNULL
        )
        while process.poll() is None:
            with suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30).close()
                break
            time.sleep(0.02)
        taken.append(time.perf_counter() - begin)
        own.append(processor_seconds(process.pid))
        process.terminate()
        process.wait(60)
    return min(taken), min(own)


_SHOWN = ("runs-list.children", "runs-newer.hidden", "runs-older.hidden", "runs-head.hidden")
_ASKED = {"runs-search": "", "runs-first": 0, "runs-edited": "", "runs-changed": 0}
SHOW_RUNS = {
    "output": f"..{'...'.join(_SHOWN)}..",
    "outputs": [dict(zip(("id", "property"), shown.split("."), strict=True)) for shown in _SHOWN],
    "inputs": [
        {"id": name, "property": "value" if name == "runs-search" else "data", "value": value}
        for name, value in _ASKED.items()
    ],
    "state": [{"id": "runs-selected", "property": "data", "value": []}],
    "changedPropIds": [],
}
"""What Dash posts for the list of the Runs page."""


def timed(what: str, work: Callable[[], object], bar: float | None) -> bool:
    """Print one line; whether its bar is met."""
    taken = []
    for _ in range(TRIES):
        begin = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begin)
    bar_text = f" (bar {bar:g})" if bar else ""
    print(f"{what:48} {min(taken):6.2f} s, first {taken[0]:6.2f} s{bar_text}", flush=True)
    return bar is None or min(taken) <= bar


def main(runs: int) -> int:
    """Each with its bar."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        empty, full = Path(folder) / "empty", Path(folder) / "full"
        empty.mkdir()
        begin = time.perf_counter()
        write_home(full, runs)
        print(f"{runs:,} runs written in {time.perf_counter() - begin:.0f} s", flush=True)
        files = sum(len(names) for _, _, names in os.walk(full))
        print(f"{files:,} files, {files / runs:.2f} for each run", flush=True)
        (alone, alone_own), (started, own) = start_seconds(empty), start_seconds(full)
        beside = f"with an empty home {alone:.2f} s (bar {START_SECONDS:g})"
        print(f"{'start until it answers':48} {started:6.2f} s, {beside}", flush=True)
        print(f"{'of it processor time':48} {own:6.2f} s, with an empty home {alone_own:.2f} s", flush=True)
        app = create_app(Settings(home=full))
        service, client = app.server.extensions["runs"], app.server.test_client()
        client.get("/")
        cookie = client.get_cookie("plateau")
        assert cookie is not None
        client.post("/api/runs", json={"query": QUERY})
        (handle,) = service.history._store.handles()
        for number in range(MAX_ENTRIES):
            service.history.add(handle, name_of(runs - 1 - number), QUERY)

        def list_runs() -> str:
            """The page and the answer of its callback, as a browser asks for them."""
            client.get("/runs")
            return json.dumps(client.post("/_dash-update-component", json=SHOW_RUNS).get_json())

        assert len(re.findall(r"/runs/[0-9a-f]{32}\.svg", list_runs())) >= 40
        met = started <= START_SECONDS
        met &= timed("list of a visitor, full", list_runs, LISTING_SECONDS)
        admin = {"Authorization": f"Bearer {service.settings.admin_token.get_secret_value()}"}
        met &= timed("the page of /admin", lambda: admin_page(overview(service)), LISTING_SECONDS)
        met &= timed("/metrics", lambda: client.get("/metrics", headers=admin), LISTING_SECONDS)
        met &= timed("how many runs there are", service.stored, LISTING_SECONDS)
        seeds = itertools.count(1_000_000)

        def start_run() -> None:
            answer = client.post("/api/runs", json={"query": f"{QUERY}&seed={next(seeds)}"})
            assert answer.status_code == 201, answer.text

        met &= timed("a new run", start_run, LISTING_SECONDS)
        service.close()
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS))
