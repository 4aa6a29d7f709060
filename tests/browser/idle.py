"""The app without a single worker, in a process of its own: what ships must do without one.

`python -m tests.browser.idle <port> <home>` serves it; `served()` does so for as long as it is needed.
"""

import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError

import waitress

from app import create_app
from core.service import Settings

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 240.0


@contextmanager
def served() -> Iterator[str]:
    """The address of the app, on a free port, with an empty home."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    base = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen([sys.executable, "-m", "tests.browser.idle", str(port), home], cwd=ROOT)
        try:
            _wait(base, process)
            yield base
        finally:
            process.terminate()
            process.wait()


def _wait(base: str, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError("the app ended at once")
        try:
            with urllib.request.urlopen(f"{base}/healthz", timeout=5):
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError("the app did not answer")


def main() -> None:
    """Serve; the run service is never started."""
    port, home = int(sys.argv[1]), Path(sys.argv[2])
    waitress.serve(create_app(Settings(home=home)).server, host="127.0.0.1", port=port, threads=8)


if __name__ == "__main__":
    main()
