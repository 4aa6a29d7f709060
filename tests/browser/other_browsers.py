"""Firefox and WebKit by the protocols that they speak themselves: Playwright brings its own builds of both.

Firefox is asked over WebDriver BiDi (a WebSocket), WebKitGTK over WebDriver (HTTP); of each only what a smoke
test needs: open an address, evaluate an expression.
"""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from benchmarks.real_app import free_port

STARTS_WITHIN = 60.0
"""Seconds; a test that passes does not wait for them."""
MINI_BROWSERS = ("webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0")
_TEXT, _CLOSE, _PING = 1, 8, 9
"""What a frame of a WebSocket is."""


class OtherBrowser(Protocol):
    """What a test asks of a browser."""

    def open(self, address: str) -> None:
        """Go there, and wait for the document."""

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""


def firefox_path() -> str | None:
    """The Firefox that is installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def webkit_paths() -> tuple[str, str] | None:
    """The driver of WebKitGTK, and the browser that it starts."""
    driver = shutil.which("WebKitWebDriver")
    found = [path for name in MINI_BROWSERS for path in Path("/usr/lib").glob(f"*/{name}/MiniBrowser")]
    return (driver, str(found[0])) if driver and found and shutil.which("Xvfb") else None


class _WebSocket:
    """A client's end of a WebSocket (RFC 6455) on this machine; what it sends is short."""

    def __init__(self, port: int, path: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=STARTS_WITHIN)
        self._stream = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        status = self._stream.readline()
        if b" 101 " not in status:
            raise ConnectionError(status.decode())
        while self._stream.readline().strip():
            pass

    def send(self, text: str) -> None:
        body, mask = text.encode(), os.urandom(4)
        size = bytes([0x80 | len(body)]) if len(body) < 126 else struct.pack(">BH", 0x80 | 126, len(body))
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))
        self._socket.sendall(bytes([0x80 | _TEXT]) + size + mask + masked)

    def receive(self) -> str:
        parts = []
        while True:
            first, length = self._stream.read(2)
            if length >= 126:
                length = int.from_bytes(self._stream.read(2 if length == 126 else 8))
            body = self._stream.read(length)
            kind = first & 0x0F
            if kind == _CLOSE:
                raise ConnectionError("the browser has closed the connection")
            if kind != _PING:
                parts.append(body)
            if first & 0x80 and kind != _PING:
                return b"".join(parts).decode()

    def close(self) -> None:
        self._socket.close()


class _Firefox:
    def __init__(self, link: _WebSocket) -> None:
        self._link = link
        self._serial = 0
        self._ask("session.new", {"capabilities": {}})
        self._context = self._ask("browsingContext.getTree", {})["contexts"][0]["context"]

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._serial += 1
        self._link.send(json.dumps({"id": self._serial, "method": method, "params": params}))
        while True:
            told = json.loads(self._link.receive())
            if told.get("id") == self._serial:
                if told["type"] == "error":
                    raise RuntimeError(told["message"])
                result: dict[str, Any] = told["result"]
                return result

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", {"context": self._context, "url": address, "wait": "complete"})

    def evaluate(self, expression: str) -> Any:
        # as text: BiDi has a notation of its own for every kind of value
        asked = {
            "expression": f"JSON.stringify({expression})",
            "target": {"context": self._context},
            "awaitPromise": True,
        }
        told = self._ask("script.evaluate", asked)
        if told["type"] != "success":
            raise RuntimeError(told["exceptionDetails"]["text"])
        return json.loads(told["result"].get("value", "null"))


class _WebKit:
    def __init__(self, port: int, browser: str) -> None:
        options = {"binary": browser, "args": ["--automation"]}
        self._base = f"http://127.0.0.1:{port}/session"
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._base += f"/{self._ask('', wanted)['sessionId']}"

    def _ask(self, path: str, body: dict[str, Any]) -> Any:
        data = json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=STARTS_WITHIN) as answer:
            return json.load(answer)["value"]

    def open(self, address: str) -> None:
        self._ask("/url", {"url": address})

    def evaluate(self, expression: str) -> Any:
        return self._ask("/execute/sync", {"script": f"return ({expression});", "args": []})


@contextmanager
def firefox() -> Iterator[OtherBrowser]:
    """The installed Firefox, headless, with an empty profile."""
    path, port = firefox_path(), free_port()
    assert path
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        arguments = ["--headless", "--no-remote", "--profile", profile, f"--remote-debugging-port={port}"]
        with _running([path, *arguments], home=profile):
            link = _patiently(lambda: _WebSocket(port, "/session"))
            try:
                yield _Firefox(link)
            finally:
                link.close()


@contextmanager
def webkit() -> Iterator[OtherBrowser]:
    """WebKitGTK's small browser on a screen that nobody sees."""
    paths, port = webkit_paths(), free_port()
    assert paths
    display = f":{port}"
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        _running(["Xvfb", display, "-screen", "0", "1440x900x24"], home=home),
        _running([paths[0], f"--port={port}"], home=home, DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1"),
    ):
        yield _patiently(lambda: _WebKit(port, paths[1]))


@contextmanager
def _running(command: list[str], *, home: str, **environment: str) -> Iterator[None]:
    silent = subprocess.DEVNULL
    variables = {**os.environ, "HOME": home, **environment}
    process = subprocess.Popen(command, stdout=silent, stderr=silent, env=variables)
    try:
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()


def _patiently(make: Callable[[], Any]) -> Any:
    """What can be made once the program has started."""
    end = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            return make()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
