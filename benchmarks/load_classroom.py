"""Thirty phones answer a question of a lesson while a run is going on: part of `make load`.

Each phone follows the presenter and watches the run as the page does, once a second; then all answer at once.
Told: how long until the presenter's histogram has them all, and the answer times of the polls.
"""

import http.client
import json
import threading
import time
from typing import Any

PHONES = 30
SECONDS = 8.0
COMPLETE_BAR, POLL_BAR = 2.0, 300.0
LESSON, STEP = "pinned", 2


class Visitor:
    """One browser: a kept connection and its cookie."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Content-Type": "application/json"}
        self.milliseconds: list[float] = []
        self.ask("GET", "/healthz")

    def ask(self, method: str, path: str, body: object = None) -> bytes:
        """The answer's body; the time it took is kept."""
        start = time.monotonic()
        self._connection.request(method, path, json.dumps(body) if body is not None else None, self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        self.milliseconds.append(1_000 * (time.monotonic() - start))
        if cookie := answer.getheader("Set-Cookie"):
            self._headers["Cookie"] = cookie.split(";")[0]
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:200]!r}")
        return text


def _phone(
    port: int, presentation: str, run_id: str, number: int, answering: float, until: float, times: list[float]
) -> None:
    """Follow, watch, and answer at the given moment."""
    phone = Visitor(port)
    time.sleep((number * 0.618) % 1)
    answered = False
    while time.monotonic() < until:
        start = time.monotonic()
        phone.ask("GET", f"/api/presentations/{presentation}")
        phone.ask("GET", f"/api/runs/{run_id}/frames?after=1000000&limit=256&format=compact")
        wait = start + 1.0
        if not answered:
            wait = min(wait, answering)
        time.sleep(max(0.0, wait - time.monotonic()))
        if not answered and time.monotonic() >= answering:
            body = {"question": f"{LESSON}:{STEP}", "option": number % 3}
            phone.ask("POST", f"/api/presentations/{presentation}/answer", body)
            answered = True
    times += phone.milliseconds


def _histogram(presenter: Visitor) -> str:
    """What the page's own callback shows, asked as the page asks."""
    callbacks: list[dict[str, Any]] = json.loads(presenter.ask("GET", "/_dash-dependencies"))
    beat = {"id": "presentation-beat", "property": "n_intervals"}
    output = next(one["output"] for one in callbacks if beat in one["inputs"])
    names = [name.rpartition(".") for name in output.strip(".").split("...")]
    question: dict[str, Any] = {
        "output": output,
        "outputs": [{"id": name, "property": prop} for name, _, prop in names],
        "inputs": [{**beat, "value": 1}],
        "changedPropIds": ["presentation-beat.n_intervals"],
    }
    return presenter.ask("POST", "/_dash-update-component", question).decode()


def measure_classroom(port: int, run_id: str) -> bool:
    """Print one line; whether both bars are met."""
    presenter = Visitor(port)
    shown = {"query": f"lesson={LESSON}&step={STEP}", "live": True}
    presentation = json.loads(presenter.ask("POST", "/api/presentations", shown))["presentation"]
    start = time.monotonic()
    answering, until = start + SECONDS / 2, start + SECONDS
    times: list[float] = []
    phones = [
        threading.Thread(target=_phone, args=(port, presentation, run_id, number, answering, until, times))
        for number in range(PHONES)
    ]
    for phone in phones:
        phone.start()
    time.sleep(max(0.0, answering - time.monotonic()))
    while f"{PHONES} answered" not in _histogram(presenter) and time.monotonic() < until:
        time.sleep(0.05)
    complete = time.monotonic() - answering
    for phone in phones:
        phone.join()
    p95 = sorted(times)[int(0.95 * len(times))]
    print(
        f"{PHONES} phones follow: histogram complete after {complete:.2f} s (bar {COMPLETE_BAR:g})  "
        f"{len(times)} requests  p95 {p95:.1f} ms (bar {POLL_BAR:g})",
        flush=True,
    )
    return complete <= COMPLETE_BAR and p95 <= POLL_BAR
