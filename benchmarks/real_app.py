"""The real app in a process of its own, and the system's Chromium: for tests, benchmarks and screenshots."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from urllib.error import URLError

from playwright.sync_api import Browser, BrowserContext, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
FLAGS = (
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
BOOTED = "html[data-booted]"
"""Present once the scripts of the Lab have read the link."""


def checkouts() -> list[tuple[str, Path]]:
    """This checkout, and before it the one that PLATEAU_AGAINST names, so that one run measures both."""
    other = os.environ.get("PLATEAU_AGAINST")
    return [("before: ", Path(other)), ("after: ", ROOT)] if other else [("", ROOT)]


def chromium_path() -> str:
    """The browser that is installed, under whichever of its names."""
    names = (os.environ.get("PLATEAU_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        raise RuntimeError("No Chromium was found: install the package chromium, or set PLATEAU_CHROMIUM.")
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """One headless browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def profile(browser: Browser, directory: Path) -> Iterator[BrowserContext]:
    """The browser of somebody who comes back: what it has downloaded and compiled it keeps."""
    context = browser.browser_type.launch_persistent_context(
        directory,
        executable_path=chromium_path(),
        args=list(FLAGS),
        permissions=["clipboard-read", "clipboard-write"],
    )
    try:
        yield context
    finally:
        context.close()


def forget(context: BrowserContext, origin: str) -> None:
    """Make a profile a new visitor's again, all but its caches."""
    page = context.pages[0]
    session = context.new_cdp_session(page)
    session.send(
        "Storage.clearDataForOrigin",
        {"origin": origin, "storageTypes": "cookies,local_storage,indexeddb,service_workers"},
    )
    session.detach()
    context.clear_cookies()


def free_port() -> int:
    """A port that nobody listens on, and that the system will give to no connection before somebody does."""
    for port in SystemRandom().sample(range(20_000, 32_000), 1_000):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


@dataclass(frozen=True)
class Served:
    """The app, running in a process of its own."""

    base: str
    pid: int


@contextmanager
def real_app(home: Path, environment: Mapping[str, str] | None = None, root: Path = ROOT) -> Iterator[Served]:
    """Start the app with its own home and wait until a worker is ready; `root` may be another checkout."""
    port = free_port()
    variables = {**os.environ, "PLATEAU_HOME": str(home), "PLATEAU_WORKERS": "1", **(environment or {})}
    log = home / "log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, "app.py", "--port", str(port)], cwd=root, env=variables, stdout=sink, stderr=sink
        )
        base = f"http://127.0.0.1:{port}"
        try:
            _wait_until_ready(base, process, log, variables["PLATEAU_WORKERS"] != "0")
            yield Served(base, process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_ready(base: str, process: subprocess.Popen[bytes], log: Path, with_workers: bool) -> None:
    for _ in range(1500):
        if process.poll() is not None:
            raise RuntimeError(f"the app ended: {log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(f"{base}/healthz", timeout=5) as answer:
                body = answer.read().replace(b" ", b"")
                if not with_workers or b'"workers":0' not in body:
                    return
        except (URLError, ConnectionError, TimeoutError):
            pass
        time.sleep(0.2)
    raise RuntimeError(f"the app did not get ready: {log.read_text()[-2000:]}")
