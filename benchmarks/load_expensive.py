"""The most expensive queries, sixteen at a time, beside the viewers of a run: part of `make load`."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from itertools import count

PARALLEL = 16
WIDE = tuple(f"target=f2&width=1024&points=10000&method=gd&epochs=300&seed={seed}" for seed in range(4))
"""As large as a problem may be."""


class Questions:
    """Sixteen clients that ask for tables, forecasts, files, handouts and costs."""

    def __init__(self, port: int, runs: list[str]) -> None:
        self._port, self._runs = port, runs
        self._numbers, self._end = count(), threading.Event()
        self.statuses: Counter[int] = Counter()
        self._threads = [threading.Thread(target=self._ask_on, daemon=True) for _ in range(PARALLEL)]

    def start(self) -> None:
        """Begin to ask."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Ask no more; what is being made is not waited for."""
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _ask_on(self) -> None:
        while not self._end.is_set():
            number = next(self._numbers)
            place, run = number % len(self._runs), self._runs[number % len(self._runs)]
            flow = f"target=f2&width={100 + number % 900}&points=10000&method=flow"
            estimate = json.dumps({"query": flow}).encode()
            path, body = (
                (f"/api/runs/{run}/best", None),
                (f"/api/runs/{run}/candidates?frame={number % 200}", None),
                (f"/api/runs/{run}/forecast?frame={number % 200}", None),
                (f"/api/runs/{run}/rates?stage=0", None),
                (f"/api/runs/{run}/export.csv", None),
                (f"/replay.html?runs={run}&at={number}", None),
                (f"/handout?{WIDE[place]}", None),
                (f"/api/runs/{run}/frames?after={number % 100}", None),
                ("/api/estimate", estimate),
            )[number % 9]
            self._ask(path, body)

    def _ask(self, path: str, body: bytes | None) -> None:
        headers = {"Content-Type": "application/json"} if body else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                while answer.read(1 << 16) and not self._end.is_set():
                    pass
                self.statuses[answer.status] += 1
                if answer.status == 202:
                    time.sleep(1.0)
        except urllib.error.HTTPError as error:
            with error:
                self.statuses[error.code] += 1
        except OSError:
            self.statuses[0] += 1
