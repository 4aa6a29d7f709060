"""Two real servers with different histories, one of them killed now and then: same link, same files.

All bytes of files are compared, and of the frames all but the column `seconds`, which is the clock's.
"""

import json
import random
import time
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.methods import METHODS
from tests.effort import cases
from tests.faults.programs import App
from tests.service.services import wait_for

LAST = 3_456
"""Between two frames of the schedule."""
KILLS = cases(1, of=3)
BUDGETS = (103, 1_111, LAST, 7, 105)
FILES = ("export.csv", "export.json", "export.npz", "stages", "plateaus", "frames")


def server(home: Path) -> App:
    """One that does not count requests."""
    return App(home, PLATEAU_WORK_PER_MINUTE="0", PLATEAU_REQUESTS_PER_MINUTE="0")


def query(name: str, epochs: int) -> dict[str, str]:
    return {"query": f"target=five&method={name}&seed=3&epochs={epochs}"}


def ask(app: App, epochs: int) -> dict[str, str]:
    """Every method up to a budget; the names of the runs."""
    return {name: app.post("/api/runs", query(name, epochs))["id"] for name in METHODS}


def finish(app: App, runs: dict[str, str]) -> None:
    for run_id in runs.values():
        wait_for(partial(is_finished, app, run_id), 240)


def is_finished(app: App, run_id: str) -> bool:
    return bool(app.get(f"/api/runs/{run_id}")["status"] == "finished")


def fetch(app: App, path: str) -> bytes:
    """A file, as soon as it is made."""
    while True:
        with urllib.request.urlopen(app.address + path, timeout=60) as answer:
            body: bytes = answer.read()
            if answer.status == 200:
                return body
            time.sleep(float(answer.headers["Retry-After"]))


def timeless(file: str, body: bytes) -> Any:
    """What is compared."""
    return without_seconds(json.loads(body)) if file == "frames" else body


def without_seconds(document: Any) -> Any:
    if isinstance(document, dict):
        return {name: without_seconds(part) for name, part in document.items() if name != "seconds"}
    return [without_seconds(part) for part in document] if isinstance(document, list) else document


@pytest.mark.long
def test_the_same_link_gives_the_same_files(tmp_path: Path) -> None:
    draw = random.Random(27)
    with server(tmp_path / "at_once") as at_once, server(tmp_path / "in_parts") as in_parts:
        at_once.start()
        finish(at_once, runs := ask(at_once, LAST))
        kills = 0
        in_parts.start()
        for epochs in sorted(BUDGETS[: cases(3, of=5)]):
            ask(in_parts, epochs)
            if epochs in (1_111, 105, LAST)[:KILLS]:
                time.sleep(draw.uniform(0.0, 2.0))
                in_parts.kill()
                in_parts.start()
                kills += 1
            finish(in_parts, runs)
        differ = [
            (name, file)
            for name, run_id in runs.items()
            for file in FILES
            if timeless(file, fetch(at_once, path := f"/api/runs/{run_id}/{file}"))
            != timeless(file, fetch(in_parts, path))
        ]
        print(f"\n{len(runs)} methods, {len(FILES)} files each, {kills} kills: {len(differ)} differ")
        assert not differ
        at_once.terminate()
        in_parts.terminate()
