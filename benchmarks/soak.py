"""Half an hour of new runs and viewers: `python -m benchmarks.soak [minutes]`.

The real app with a small bound on its disk. A run is started every other second, of every method in turn,
and some viewers watch the newest ones. Twice a minute memory, open files and threads of the web process and
of the processes it started are noted, and what the home takes up. After a third of the time none should grow.
"""

import json
import os
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load import App
from core.methods import METHODS

MINUTES = 30.0
SAMPLE_SECONDS = 30.0
VIEWERS = 6
BOUND_BYTES = 60_000_000
WEB_MEGABYTES, SLOPE = 350.0, 1.0
"""Bars: resident memory of the web process, and its growth in megabytes a minute."""


@dataclass(frozen=True)
class Sample:
    """What was seen at one moment."""

    minute: float
    web: float
    """Resident megabytes."""
    others: float
    files: int
    threads: int
    disk: float
    """Megabytes that the home takes up."""


class Load:
    """New runs and viewers, until it is told to end."""

    def __init__(self, app: App) -> None:
        self._app, self._end = app, threading.Event()
        self._newest: list[str] = []
        self.statuses: Counter[int] = Counter()
        self._threads = [threading.Thread(target=self._start_runs, daemon=True)]
        self._threads += [threading.Thread(target=self._view, args=(n,), daemon=True) for n in range(VIEWERS)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Stop asking."""
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, path: str, body: object = None) -> dict[str, object]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self._app.port}{path}", data)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                self.statuses[answer.status] += 1
                found: dict[str, object] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            with error:
                self.statuses[error.code] += 1
        except OSError:
            self.statuses[0] += 1
        return {}

    def _start_runs(self) -> None:
        number = 0
        while not self._end.wait(2.0):
            method = list(METHODS)[number % len(METHODS)]
            query = f"target={('f1', 'sin5', 'five')[number % 3]}&width=10&epochs=2e4&method={method}"
            started = self._ask("/api/runs", {"query": f"{query}&seed={number}"})
            if "id" in started:
                self._newest = [str(started["id"]), *self._newest[:7]]
            number += 1

    def _view(self, number: int) -> None:
        while not self._end.wait(1.0):
            if self._newest:
                run = self._newest[number % len(self._newest)]
                self._ask(f"/api/runs/{run}/frames?after=-1&limit=256")
                self._ask(f"/api/runs/{run}/{('stages', 'plateaus', 'best')[number % 3]}")


def family(pid: int) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def memory(pid: int) -> float:
    """Resident megabytes."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0.0


def sample(app: App, home: Path, start: float) -> Sample:
    """Look once."""
    pid = app.process.pid
    sizes = []
    for folder, _, names in os.walk(home):
        for name in names:
            with suppress(OSError):
                sizes.append((Path(folder) / name).stat().st_blocks * 512)
    return Sample(
        (time.monotonic() - start) / 60,
        memory(pid),
        sum(map(memory, family(pid))),
        len(list(Path(f"/proc/{pid}/fd").iterdir())),
        len(list(Path(f"/proc/{pid}/task").iterdir())),
        sum(sizes) / 1e6,
    )


def slope(samples: list[Sample]) -> float:
    """Megabytes a minute, by least squares."""
    middle = sum(one.minute for one in samples) / len(samples)
    spread = sum((one.minute - middle) ** 2 for one in samples)
    return sum((one.minute - middle) * one.web for one in samples) / spread if spread else 0.0


def judge(samples: list[Sample], bound: float) -> list[tuple[str, bool]]:
    """Each bar with its figure, and whether it is met."""
    late = [one for one in samples if one.minute >= samples[-1].minute / 3]
    half = len(late) // 2
    files = [max(one.files for one in part) for part in (late[:half], late[half:])]
    threads = [max(one.threads for one in part) for part in (late[:half], late[half:])]
    web, grown = max(one.web for one in late), slope(late)
    disk, others = max(one.disk for one in samples), max(one.others for one in late)
    return [
        (f"web memory {web:.0f} MB at most (bar {WEB_MEGABYTES:.0f})", web <= WEB_MEGABYTES),
        (f"growing by {grown:.2f} MB a minute (bar {SLOPE:g})", grown < SLOPE),
        (f"open files {files[0]}, then {files[1]} at most", files[1] <= files[0] + 10),
        (f"threads {threads[0]}, then {threads[1]} at most", threads[1] <= threads[0] + 4),
        (f"disk {disk:.0f} MB at most (bound {bound:.0f})", disk <= 1.25 * bound),
        (f"workers of all kinds {others:.0f} MB together at most", True),
    ]


def main() -> int:
    """Half an hour, or as many minutes as are told."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    os.environ["PLATEAU_TOTAL_BYTES"] = str(BOUND_BYTES)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        app = App(home)
        try:
            load, start, samples = Load(app), time.monotonic(), list[Sample]()
            while time.monotonic() - start < 60 * minutes:
                time.sleep(min(SAMPLE_SECONDS, 10 * minutes))
                samples.append(sample(app, home, start))
                print(
                    "{0.minute:5.1f} min  web {0.web:4.0f} MB  others {0.others:5.0f} MB  files {0.files:3}  "
                    "threads {0.threads:3}  disk {0.disk:4.0f} MB".format(samples[-1]),
                    flush=True,
                )
            load.end()
        finally:
            app.end()
    verdicts = judge(samples, BOUND_BYTES / 1e6)
    verdicts.append((f"answers {dict(load.statuses)}", not any(s >= 500 or s == 0 for s in load.statuses)))
    for text, met in verdicts:
        print(f"{'met   ' if met else 'MISSED'} {text}")
    return 0 if all(met for _, met in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
