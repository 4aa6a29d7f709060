"""The commands of deploy/compose.yaml, as they stand there, without a container: Redis, a worker, the web
processes and the proxy, each with the environment of its service and with the addresses of this machine."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from benchmarks.real_app import ROOT, free_port
from tests.service.services import wait_for

pytestmark = pytest.mark.redis
SERVICES = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())["services"]
GIVEN = {"PLATEAU_SECRET": "s" * 40, "PLATEAU_ADMIN_TOKEN": "token"}
"""What whoever starts it sets."""


def environment_of(service: str, **addresses: str) -> dict[str, str]:
    """The environment of a service, filled in as compose does it."""
    told = SERVICES[service].get("environment", {})
    filled = {
        name: re.sub(r"\$\{(\w+):[?-]([^}]*)\}", lambda m: GIVEN.get(m[1], m[2]), text)
        for name, text in told.items()
    }
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {**os.environ, **one_thread, **filled, **addresses}


class Site:
    """The four of them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self._web, self._redis = folder, free_port(), free_port(), free_port()
        self._processes: list[subprocess.Popen[bytes]] = []
        url = f"redis://127.0.0.1:{self._redis}/0"
        command = SERVICES["redis"]["command"]
        self._start([*command, "--bind", "127.0.0.1", "--port", str(self._redis), "--dir", str(folder)], {})
        binaries = Path(sys.executable).parent
        for name in ("worker", "web"):
            program, *words = SERVICES[name]["command"]
            words = [word.replace("0.0.0.0:8050", f"127.0.0.1:{self._web}") for word in words]
            home = folder / name
            home.mkdir()
            environment = environment_of(name, PLATEAU_REDIS_URL=url, PLATEAU_HOME=str(home))
            self._start([str(binaries / program), *words], environment)
        caddy = (ROOT / "deploy/Caddyfile").read_text().replace("web:8050", f"127.0.0.1:{self._web}")
        (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n{caddy.partition('{')[2]}")
        self._start(
            ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")],
            {**environment_of("proxy"), "PLATEAU_SITE": f"http://127.0.0.1:{self.port}", "HOME": str(folder)},
        )

    def _start(self, command: list[str], environment: dict[str, str]) -> None:
        with (self.folder / "log").open("ab") as log:
            self._processes.append(
                subprocess.Popen(command, cwd=ROOT, env=environment or None, stdout=log, stderr=log)
            )

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """Through the proxy."""
        headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def announce(self, path: str, length: int) -> int:
        """The answer to a body that is told of but not sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest("POST", path)
        connection.putheader("Content-Length", str(length))
        connection.endheaders()
        status = connection.getresponse().status
        connection.close()
        return status

    def is_ready(self) -> bool:
        with suppress(OSError):
            return self.ask("/readyz")[0] == 200
        return False

    def end(self, *, redis_first: bool = False) -> list[int]:
        """SIGTERM to one after the other as compose does it, who needs others before them, or the worst way
        round; the exit codes of Redis, the worker, the web processes and the proxy."""
        for process in self._processes if redis_first else reversed(self._processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        return [process.returncode for process in self._processes]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    if shutil.which("caddy") is None:
        pytest.skip("no caddy here: .ci/system-packages installs it where it may")
    made = Site(tmp_path)
    yield made
    made.end()


def test_the_four_services_compute_a_run_and_end_when_they_are_told(site: Site) -> None:
    try:
        wait_for(site.is_ready, 240)
    except TimeoutError:
        raise AssertionError((site.folder / "log").read_text()[-3_000:]) from None
    status, body = site.ask("/api/runs", json.dumps({"query": "target=five&epochs=1000"}).encode())
    assert status == 201, body
    run = json.loads(body)["id"]
    wait_for(lambda: json.loads(site.ask(f"/api/runs/{run}")[1])["status"] == "finished", 120)
    assert b"Plateau Lab" in site.ask("/")[1]
    assert site.ask("/metrics", Authorization="Bearer token")[0] == 403, "from inside alone"
    assert site.ask("/admin")[0] == 401 and site.ask("/admin", Authorization="Bearer token")[0] == 200
    assert site.announce("/api/data", 50_000_000) == 413
    status, body = site.ask("/api/data", b"1,2\n" * 5_400_000)
    assert status == 413 and "21,600,000 bytes" in json.loads(body)["error"]
    assert site.end() == [0, 0, 0, 0], (site.folder / "log").read_text()[-3_000:]
    assert "Traceback" not in (site.folder / "log").read_text()


@pytest.mark.long
def test_what_is_ended_after_its_redis_ends_all_the_same(site: Site) -> None:
    """Celery tells of a broker that it has lost in its own words; nothing of ours adds to it."""
    try:
        wait_for(site.is_ready, 240)
    except TimeoutError:
        raise AssertionError((site.folder / "log").read_text()[-3_000:]) from None
    codes = site.end(redis_first=True)
    log = (site.folder / "log").read_text()
    assert codes == [0, 0, 0, 0], log[-3_000:]
    assert f'File "{ROOT}/core/' not in log, log[-3_000:]
