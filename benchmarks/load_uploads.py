"""Sixteen connections that upload without pause while somebody else watches a run: part of `make load`.

Alone: `python -m benchmarks.load_uploads`, once with the limits on requests as they are, and once without,
which shows what reading the data costs everybody else.
"""

import http.client
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from benchmarks.real_app import real_app

CONNECTIONS, POINTS, SECONDS, IDLE_SECONDS = 16, 9_000, 13.0, 6.0
TIMES_BAR, POLL_BAR = 3.0, 200.0
"""Another client's 95th percentile: so many times its idle value, or so many milliseconds."""
PAUSE = 0.05
HERE = "127.0.0.2"
"""Where the other client is, on Linux: an address of its own."""
UNLIMITED = {f"PLATEAU_{name}_PER_MINUTE": "0" for name in ("REQUESTS", "WORK", "UPLOADS")}


def _table(connection: int, number: int) -> str:
    """Data that nobody has sent before."""
    step = 7 + connection
    return "".join(f"{k * 1e-3:.6f},{(k * step + number) % 1_000 / 999:.9f}\n" for k in range(POINTS))


class Uploader(threading.Thread):
    """One connection; it never waits between two uploads, whatever the answer is."""

    def __init__(self, port: int, number: int, until: float) -> None:
        super().__init__(daemon=True)
        self._port, self._number, self._until = port, number, until
        self.statuses: Counter[int] = Counter()

    def run(self) -> None:
        """Until it is time."""
        bodies = [_table(self._number, number) for number in range(20)]
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        count = 0
        while time.monotonic() < self._until:
            connection.request("POST", "/api/data", f"{bodies[count % 20]}{10 + count},0\n")
            answer = connection.getresponse()
            answer.read()
            self.statuses[answer.status] += 1
            count += 1
        connection.close()


def _polls(port: int, run_id: str, seconds: float) -> list[float]:
    """Answer times of somebody who looks at a run, in milliseconds, ascending."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(HERE, 0))
    path = f"/api/runs/{run_id}/frames?after=3&limit=64&format=compact"
    headers: dict[str, str] = {}
    times = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        start = time.monotonic()
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"the other client was refused: {answer.status}")
        times.append(1_000 * (time.monotonic() - start))
        if cookie := answer.getheader("Set-Cookie"):
            headers["Cookie"] = cookie.split(";")[0]
        time.sleep(PAUSE)
    connection.close()
    return sorted(times)


def measure_uploads(port: int, run_id: str, name: str = "") -> bool:
    """Print a line; whether the bar is met."""
    idle = _polls(port, run_id, IDLE_SECONDS)
    uploaders = [Uploader(port, number, time.monotonic() + SECONDS) for number in range(CONNECTIONS)]
    for one in uploaders:
        one.start()
    busy = _polls(port, run_id, SECONDS - 1.0)
    for one in uploaders:
        one.join()
    statuses = sum((one.statuses for one in uploaders), Counter[int]())
    before, after = (times[int(0.95 * len(times))] for times in (idle, busy))
    print(
        f"{CONNECTIONS} connections upload{name}: another client's p95 {before:.1f} -> {after:.1f} ms over "
        f"{len(busy)} polls (bar {TIMES_BAR:g} times, or {POLL_BAR:g} ms); "
        f"answers {dict(sorted(statuses.items()))}",
        flush=True,
    )
    return after <= max(TIMES_BAR * before, POLL_BAR) and not any(status >= 500 for status in statuses)


def main() -> int:
    """With the limits on requests, and without them."""
    met = True
    for name, environment in (("", {}), (", no limits on requests", UNLIMITED)):
        with tempfile.TemporaryDirectory() as folder, real_app(Path(folder), environment) as app:
            port = int(app.base.rpartition(":")[2])
            visitor = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            visitor.request("POST", "/api/runs", json.dumps({"query": "target=f1&epochs=1e5"}))
            run_id = json.load(visitor.getresponse())["id"]
            status = ""
            while status != "finished":
                time.sleep(0.2)
                visitor.request("GET", f"/api/runs/{run_id}")
                status = json.load(visitor.getresponse())["status"]
            met &= measure_uploads(port, run_id, name)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
