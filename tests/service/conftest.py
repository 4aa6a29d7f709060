"""A real redis-server on a free port, both kinds of store, and the interface over HTTP."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from flask.testing import FlaskClient

from benchmarks.real_app import free_port
from core.service.cluster.redis_connection import connection
from core.service.cluster.redis_store import RedisStore
from core.service.files.file_store import FileStore
from core.service.store import Store
from tests.service.sites import QUERY, Site


class RedisServer:
    """A redis-server of its own, with its data in a directory, that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise RuntimeError("redis-server is missing; install the package redis-server")
        options = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder), "--save", ""]
        self._process = subprocess.Popen(
            [program, *options, "--appendonly", "yes", "--logfile", str(self.folder / "redis.log")]
        )
        client = redis.Redis.from_url(self.url)
        for _ in range(200):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        client.close()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
            self._process = None

    def kill(self) -> None:
        """What it has not written by then is lost, as by a cut of power to it alone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None


@pytest.fixture(autouse=True)
def hasty_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting for the disk: no test pulls the plug."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr("core.service.files.database.SYNCHRONOUS", "OFF")


@pytest.fixture(autouse=True)
def compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker begins interpreted, whether an edit has made kernels missing or not."""
    monkeypatch.setattr("core.service.workers.kernels._mark", lambda _: None)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The server's address, its data wiped."""
    client = redis.Redis.from_url(redis_server.url)
    client.flushall()
    client.close()
    return redis_server.url


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.redis)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each kind of store, empty."""
    made: Store
    if request.param == "files":
        made = FileStore(tmp_path)
    else:
        made = RedisStore(connection(request.getfixturevalue("redis_url")))
    yield made
    made.close()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr("core.service.service.SNAPSHOT_SECONDS", 0.0)
    monkeypatch.setattr("core.service.frame_views._CHANGING_SECONDS", -1.0)
    yield Site(tmp_path)


@pytest.fixture
def run(site: Site) -> FlaskClient:
    """A browser that has started a run."""
    client = site.client()
    client.get("/")
    assert client.post("/api/runs", json={"query": QUERY}).status_code == 201
    return client
