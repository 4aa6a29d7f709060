"""The real app as a process, and the processes that it leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, Self

from benchmarks.real_app import ROOT, free_port


class App:
    """`python app.py` on a free port, with a home directory."""

    def __init__(self, home: Path, command: tuple[str, ...] = (), **environment: str) -> None:
        self.home, self.port = home, free_port()
        self._command = (*command, "-b", f"127.0.0.1:{self.port}") if command else (sys.executable, "app.py")
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = home.parent / f"{home.name}.log"
        self._environment = {
            **os.environ,
            "PLATEAU_HOME": str(home),
            "PLATEAU_PORT": str(self.port),
            "PLATEAU_WORKERS": "1",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None
        self.cookie = ""

    def start(self) -> float:
        """Start it; seconds until it answers."""
        start = time.monotonic()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log
            )
        while True:
            with suppress(OSError, HTTPException):
                self.get("/healthz")
                return time.monotonic() - start
            if self.process.poll() is not None or time.monotonic() - start > 120:
                raise RuntimeError(self.log.read_text())
            time.sleep(0.05)

    def kill(self) -> None:
        """kill -9."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def terminate(self) -> tuple[int, float]:
        """SIGTERM; exit code and seconds until the end."""
        assert self.process is not None
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60), time.monotonic() - start

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def get(self, path: str) -> Any:
        """The JSON at a path."""
        return json.loads(self.fetch(path))

    def fetch(self, path: str) -> bytes:
        """What is at a path."""
        return self._open(urllib.request.Request(self.address + path))

    def post(self, path: str, document: object) -> Any:
        """The JSON answer to a JSON document."""
        data = json.dumps(document).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        return json.loads(self._open(request))

    def _open(self, request: urllib.request.Request) -> bytes:
        if self.cookie:
            request.add_header("Cookie", self.cookie)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                self.cookie = (answer.headers.get("Set-Cookie") or self.cookie).split(";")[0]
                body: bytes = answer.read()
                return body
        except urllib.error.HTTPError as error:
            with error:
                raise RuntimeError(f"{error.code} {error.read().decode()}") from None


def processes_of(home: Path) -> dict[int, bytes]:
    """Processes that were started for a home directory, and what they are."""
    mark = f"PLATEAU_HOME={home}".encode()
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = (entry / "cmdline").read_bytes()
    return found


def assert_no_orphan(home: Path, seconds: float = 5.0) -> None:
    """Whatever was started for a home directory ends by itself."""
    end = time.monotonic() + seconds
    while left := processes_of(home):
        assert time.monotonic() < end, f"left behind: {left}"
        time.sleep(0.02)
