"""Many viewers on this machine while a run is going on: `make load`.

The real app, one worker, and viewers that poll as the page does (compact frames, one request a second
each, over kept connections). Printed beside the bars: 95th percentile of the answer time, server errors,
how much the training is slowed down, and the web process's memory.
"""

import asyncio
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.load_classroom import measure_classroom
from benchmarks.load_expensive import WIDE, Questions
from benchmarks.load_uploads import measure_uploads

ROOT = Path(__file__).parents[1]
SECONDS = 15.0
ENDLESS = "target=sin5&width=30&method=gd&epochs=1e9&seed=1001"
"""Some minutes, at a speed that is much the same all the time after the first seconds."""
ALONE_SECONDS = 8.0


@dataclass
class Tally:
    """What the viewers saw."""

    milliseconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    frames: int = 0
    bytes: int = 0
    broken: int = 0

    def percentile(self, part: float) -> float:
        """A quantile of the answer times."""
        ranked = sorted(self.milliseconds)
        return ranked[min(len(ranked) - 1, int(part * len(ranked)))] if ranked else float("nan")


class App:
    """The real app on a free port."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        environment = {**os.environ, "PLATEAU_HOME": str(home), "PLATEAU_PORT": str(self.port)}
        environment |= {"PLATEAU_WORKERS": "1", "PLATEAU_QUEUED_PER_CLIENT": "50"}
        # The most expensive queries never end: what they cost is measured, not how they are refused.
        environment |= {"PLATEAU_WORK_PER_MINUTE": "0"}
        self.process = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment)
        while True:
            with suppress(OSError):
                if self.get("/healthz")["workers"] == 1:
                    break
            time.sleep(0.2)
        time.sleep(2.0)  # the web process now makes ready what a first visitor will ask for

    def get(self, path: str) -> Any:
        """JSON."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            return json.load(answer)

    def submit(self, query: str) -> str:
        """Start a run; its id."""
        data = json.dumps({"query": query}).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/runs", data, timeout=30) as answer:
            return str(json.load(answer)["id"])

    def memory(self) -> float:
        """Resident megabytes of the web process."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return float("nan")

    def end(self) -> None:
        """SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


async def view(port: int, run_id: str, number: int, until: float, tally: Tally) -> None:
    """One viewer: a request a second, beginning somewhere within the first."""
    await asyncio.sleep((number * 0.618) % 1)
    after, cookie = -1, ""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.monotonic() < until:
        start = time.monotonic()
        path = f"/api/runs/{run_id}/frames?after={after}&limit=256&format=compact"
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\n{cookie}\r\n".encode()
        )
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            body = await reader.readexactly(int(headers.get("Content-Length", "0")))
        except (OSError, asyncio.IncompleteReadError):
            tally.broken += 1
            return
        tally.milliseconds.append(1_000 * (time.monotonic() - start))
        tally.statuses[int(head.split()[1])] += 1
        tally.bytes += len(body)
        if "Set-Cookie" in headers:
            cookie = f"Cookie: {headers['Set-Cookie'].split(';')[0]}\r\n"
        more = False
        if head.split()[1] == "200":
            plain = zlib.decompress(body, 31) if headers.get("Content-Encoding") == "gzip" else body
            (length,) = struct.unpack_from("<I", plain)
            part = json.loads(plain[4 : 4 + length])
            tally.frames += part["count"]
            after = part["first"] + part["count"] - 1
            more = after + 1 < part["head"]
        if not more:
            await asyncio.sleep(max(0.0, start + 1.0 - time.monotonic()))
    writer.close()


async def watch(port: int, runs: list[str], viewers: int, seconds: float) -> Tally:
    """Many viewers at once, spread over runs."""
    tally, until = Tally(), time.monotonic() + seconds
    await asyncio.gather(*(view(port, runs[k % len(runs)], k, until, tally) for k in range(viewers)))
    return tally


def speed(app: App, run_id: str, seconds: float) -> float:
    """Epochs a second of a running run, over a while."""
    before, start = app.get(f"/api/runs/{run_id}")["epoch"], time.monotonic()
    time.sleep(seconds)
    return float(app.get(f"/api/runs/{run_id}")["epoch"] - before) / (time.monotonic() - start)


@dataclass(frozen=True)
class Bars:
    """What a load is allowed to cost."""

    milliseconds: float = 500.0
    """95th percentile of the viewers' polls."""
    slower: float = 0.25
    megabytes: float = 400.0


USUAL, EXPENSIVE = Bars(), Bars(milliseconds=300.0, slower=0.1)


def measure_expensive(app: App, training: str) -> bool:
    """The most expensive queries beside fifty viewers."""
    wide = [app.submit(query) for query in WIDE]
    while any(app.get(f"/api/runs/{run}")["status"] != "finished" for run in wide):
        time.sleep(0.2)
    questions = Questions(app.port, wide)
    met = measure(app, "most expensive queries", [training], 50, training, EXPENSIVE, questions)
    print(f"{'':24} their answers: {dict(sorted(questions.statuses.items()))}")
    return met and not any(status >= 500 and status != 503 for status in questions.statuses)


def measure(
    app: App,
    name: str,
    runs: list[str],
    viewers: int,
    training: str,
    bars: Bars = USUAL,
    beside: Questions | None = None,
) -> bool:
    """Print one line of the table; whether every bar is met."""
    first = speed(app, training, ALONE_SECONDS)
    if beside is not None:
        beside.start()
    before, start = app.get(f"/api/runs/{training}")["epoch"], time.monotonic()
    tally = asyncio.run(watch(app.port, runs, viewers, SECONDS))
    busy = (app.get(f"/api/runs/{training}")["epoch"] - before) / (time.monotonic() - start)
    if beside is not None:
        beside.end()
    # Alone before and after: whatever else the machine does should weigh on both sides.
    alone = (first + speed(app, training, ALONE_SECONDS)) / 2
    failed = sum(count for status, count in tally.statuses.items() if status >= 500) + tally.broken
    slower, memory, p95 = 1 - busy / alone, app.memory(), tally.percentile(0.95)
    polls = len(tally.milliseconds)
    print(
        f"{name:24} {polls:5} polls  p50 {tally.percentile(0.5):5.1f} ms  "
        f"p95 {p95:5.1f} ms (bar {bars.milliseconds:.0f})  errors {failed} (0)  "
        f"training slower by {100 * slower:3.0f} % ({100 * bars.slower:.0f})  "
        f"web memory {memory:3.0f} MB ({bars.megabytes:.0f})  "
        f"{tally.bytes / max(1, polls) / 1024:.1f} kB a poll",
        flush=True,
    )
    return p95 <= bars.milliseconds and failed == 0 and slower <= bars.slower and memory <= bars.megabytes


def first_frame(app: App, seed: int) -> float:
    """Milliseconds from the POST of a cheap run until a client has its first frame."""
    start = time.monotonic()
    run_id = app.submit(f"target=f1&epochs=1e4&seed={seed}")
    while not app.get(f"/api/runs/{run_id}/frames")["index"]:
        time.sleep(0.01)
    return 1_000 * (time.monotonic() - start)


def main() -> int:
    """Both loads, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        app = App(Path(folder) / "home")
        try:
            waits = sorted(first_frame(app, seed) for seed in range(9100, 9120))
            print(f"first frame of a cheap run: {waits[10]:.0f} ms, at worst {waits[-1]:.0f} ms (bar 500)")
            finished = [app.submit(f"target=f1&epochs=1e5&seed={seed}") for seed in range(9000, 9009)]
            while any(app.get(f"/api/runs/{run}")["status"] != "finished" for run in finished):
                time.sleep(0.2)
            training = app.submit(ENDLESS)
            while app.get(f"/api/runs/{training}")["rate"] == 0:
                time.sleep(0.1)
            time.sleep(ALONE_SECONDS)
            good = waits[-1] <= 500
            good &= measure(app, "200 viewers of one run", [training], 200, training)
            good &= measure(app, "50 viewers over 10 runs", [training, *finished], 50, training)
            good &= measure_classroom(app.port, training)
            good &= measure_uploads(app.port, finished[0])
            good &= measure_expensive(app, training)
        finally:
            app.end()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
