"""Half-sent requests, letters one by one, files that nobody reads: thirty viewers go on meanwhile."""

import http.client
import json
import select
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from core.service import connection_limits
from core.service.arguments import DISCARDED_BYTES
from core.service.connection_limits import HEADER_SECONDS
from tests.faults.programs import App
from tests.service.services import wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="several loopback addresses are Linux's")
HALF_SENT, VIEWERS = 2_000, 30
HERE = "127.0.0.2"
"""Where the viewers are; the trouble comes from 127.0.0.1."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with App(tmp_path_factory.mktemp("door") / "home") as made:
        made.start()
        wait_for(lambda: made.get("/healthz")["workers"] == 1, 240)
        yield made
        made.terminate()


class Viewers:
    """Each asks for a run's frames once a second over a kept connection."""

    def __init__(self, app: App, run_id: str) -> None:
        self._app, self._path = app, f"/api/runs/{run_id}/frames?after=-1&limit=64"
        self._end = threading.Event()
        self.seconds: list[float] = []
        self.failed = 0
        self._threads = [threading.Thread(target=self._view) for _ in range(VIEWERS)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _view(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._app.port, 30, (HERE, 0))
        while not self._end.wait(1.0):
            start = time.monotonic()
            try:
                connection.request("GET", self._path)
                answer = connection.getresponse()
                answer.read()
                self.failed += answer.status != 200
            except (OSError, http.client.HTTPException):
                self.failed += 1
                connection.close()
            self.seconds.append(time.monotonic() - start)
        connection.close()


def newcomer(app: App) -> float:
    """Seconds until somebody who comes only now has an answer; a minute without one is a TimeoutError."""
    start = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", app.port, 60, (HERE, 0))
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    return time.monotonic() - start


def half_sent(app: App) -> list[socket.socket]:
    made = []
    for _ in range(HALF_SENT):
        one = socket.socket()
        one.settimeout(10)
        one.connect(("127.0.0.1", app.port))
        with suppress(OSError):  # one too many, and sent away already
            one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        made.append(one)
    return made


def closed(sockets: list[socket.socket]) -> int:
    """How many the other side has ended."""
    poll = select.poll()
    for one in sockets:
        poll.register(one, select.POLLIN | select.POLLHUP)
    return len(poll.poll(0))


@pytest.mark.parametrize("path", ["/", "/study", "/runs", "/api/runs/" + "0" * 32, "/admin", "/metrics"])
def test_a_name_that_nobody_gave_the_server_is_refused(app: App, path: str) -> None:
    """As after DNS rebinding, to a server as it comes: page and scripts are then of one origin."""
    for method, host in (("GET", "evil.example"), ("POST", f"evil.example:{app.port}")):
        connection = http.client.HTTPConnection("127.0.0.1", app.port, 60)
        connection.request(method, path, headers={"Host": host, "Origin": f"http://{host}"})
        answer = connection.getresponse()
        said = answer.read()
        assert answer.status == 400 and b"does not answer to the name" in said, (path, answer.status)
        connection.close()


def test_thirty_viewers_go_on_while_two_thousand_requests_are_half_sent(app: App) -> None:
    started = app.post("/api/runs", {"query": "target=f1&epochs=1e4&seed=1"})
    wait_for(lambda: app.get(f"/api/runs/{started['id']}")["status"] == "finished")
    viewers = Viewers(app, started["id"])
    sockets: list[socket.socket] = []
    waits: list[float] = []
    slow = socket.create_connection(("127.0.0.1", app.port), timeout=60)
    try:
        time.sleep(2)
        slow.sendall(b"POST /api/data HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        sockets = [slow, *half_sent(app)]
        begun = time.monotonic()
        while closed(sockets) < len(sockets):
            waits.append(newcomer(app))
            with suppress(OSError):  # sent away: letters one by one are not waited for either
                slow.sendall(b"X")
            assert time.monotonic() - begun < 10 * HEADER_SECONDS, "they are all sent away in time"
            time.sleep(0.5)
        gone = time.monotonic() - begun
    finally:
        viewers.end()
        for one in sockets:
            one.close()
    ranked = sorted(viewers.seconds)
    print(
        f"\n{HALF_SENT} half-sent requests: {len(ranked)} polls of {VIEWERS} viewers, "
        f"p95 {1_000 * ranked[int(0.95 * len(ranked))]:.0f} ms, {viewers.failed} failed; newcomers wait "
        f"{1_000 * max(waits):.0f} ms at most; all sent away after {gone:.1f} s"
    )
    assert viewers.failed == 0 and len(ranked) > VIEWERS


def test_a_body_that_is_too_large_is_refused_before_it_comes(app: App) -> None:
    with socket.create_connection(("127.0.0.1", app.port), timeout=60) as large:
        large.sendall(b"POST /api/data HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 310000000\r\n\r\n")
        answer = b""
        while b"310,000,000 bytes" not in answer and (more := large.recv(1_000)):
            answer += more  # head and body may come apart
        assert b"413" in answer.split(b"\r\n")[0] and b"310,000,000 bytes" in answer


def test_who_sends_without_end_is_not_listened_to_for_ever(app: App) -> None:
    with socket.create_connection(("127.0.0.1", app.port), timeout=60) as large:
        large.sendall(b"POST /api/data HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"100000\r\n" + b"0" * 0x100000 + b"\r\n"
        sent = 0
        with pytest.raises(OSError):
            while sent < 4 * DISCARDED_BYTES:
                large.sendall(chunk)
                sent += len(chunk)
    newcomer(app)


def test_files_that_nobody_reads_hold_up_nobody(app: App) -> None:
    started = app.post("/api/runs", {"query": "target=sin5&width=60&epochs=1e5&seed=2"})
    url = f"/api/runs/{started['id']}"
    wait_for(lambda: app.get(url)["status"] == "finished", 240)
    readers = []
    for _ in range(20):
        one = socket.create_connection(("127.0.0.1", app.port))
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        one.sendall(f"GET {url}/export.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        readers.append(one)
    try:
        time.sleep(2)
        for _ in range(5):
            newcomer(app)
        assert json.dumps(app.get(url))
    finally:
        for one in readers:
            one.close()


def test_an_address_has_so_many_connections_and_behind_a_proxy_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "PER_ADDRESS", 3)
    listener = type("Listener", (), {"channel_class": None})()
    connection_limits.limit_connections(listener, behind_proxy=False)
    made = listener.channel_class
    assert made.keywords["most"] == 3
    connection_limits.limit_connections(listener, behind_proxy=True)
    assert listener.channel_class.keywords["most"] == 0
