"""A cluster in a storm: web processes, workers and Redis killed at random while runs go on and are watched.

Two web processes (a viewer asks the one and, if that is away, the other), two Celery workers of different
speed, one Redis that writes every command to its disk. A web process is killed while the other one answers:
how long it takes to start is not what is asked here.
"""

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.real_app import ROOT, free_port
from core.config.run_config import RunConfig
from core.service.settings import Settings
from tests.service.conftest import RedisServer
from tests.service.services import end_group, worker_environment

KINDS = ("web", "worker", "redis")
RUNS = 6
"""Under way at a time."""


@dataclass
class Report:
    """What the storm did and what was seen."""

    kills: Counter[str] = field(default_factory=Counter)
    down: float = 0.0
    """Longest time in which no web process gave an answer other than that Redis is away."""
    ended: dict[str, str] = field(default_factory=dict)
    """Status of each run in the end, with its reason."""
    given: dict[str, list[float]] = field(default_factory=dict)
    """Every loss that a viewer was shown, by run."""
    configs: list[RunConfig] = field(default_factory=list)
    contradictions: int = 0


class Storm:
    """Everything that can be killed, and viewers."""

    def __init__(self, redis: RedisServer, folder: Path, seed: int = 19) -> None:
        self._redis, self._folder = redis, folder
        self._chance = random.Random(seed)
        self._settings = Settings(
            home=folder, redis_url=redis.url, library=folder / "none", work_per_minute=0
        )
        self._ports = [free_port(), free_port()]
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._cookies: dict[int, str] = {}
        self.report = Report()

    def run(self, seconds: float, kills: int) -> Report:
        """Until the time is over, there were so many kills, and every run has ended."""
        for name in self._names():
            self._start(name)
        try:
            self._until(lambda: self._answer("/readyz") is not None, 240)
            self.report.down = 0.0
            gusts = threading.Thread(target=self._blow, args=(seconds, kills))
            start = time.monotonic()
            gusts.start()
            while gusts.is_alive() or len(self.report.ended) < len(self.report.configs):
                under_way = len(self.report.configs) - len(self.report.ended)
                if gusts.is_alive() and under_way < RUNS:
                    self._submit()
                self._look()
                time.sleep(0.1)
                if time.monotonic() - start > seconds + 300:
                    break
            gusts.join()
            return self.report
        finally:
            for process in self._processes.values():
                end_group(process)

    def _names(self) -> list[str]:
        return [*(f"web{n}" for n in range(2)), *(f"worker{n}" for n in range(2))]

    def _start(self, name: str) -> None:
        number = int(name[-1])
        environment = worker_environment(self._settings) | {"PLATEAU_HOME": str(self._folder / name)}
        if name.startswith("web"):
            address = f"127.0.0.1:{self._ports[number]}"
            command = ["-m", "gunicorn", "-w", "1", "--threads", "8", "-b", address]
            command += ["wsgi:application"]
        else:
            command = ["-m", "celery", "-A", "core.service.celery_app", "worker", "-c", "1", "-n"]
            command += [f"{name}@test", "--without-gossip", "--without-mingle", "-l", "ERROR"]
        slow = [] if name != "worker1" else ["nice", "-n", "10"]
        with (self._folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [*slow, sys.executable, *command],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _blow(self, seconds: float, kills: int) -> None:
        """One kill after another, of every kind in turn, over the time; what was killed starts again."""
        end, start = time.monotonic() + seconds, time.monotonic()
        while time.monotonic() < end or self.report.kills.total() < kills:
            done = self.report.kills.total()
            due = start + (done + 1) * seconds / (kills + 1)
            time.sleep(max(0.05, due - time.monotonic()) * self._chance.uniform(0.7, 1.0))
            kind = KINDS[done % len(KINDS)]
            if kind == "redis":
                self._redis.kill()
                time.sleep(self._chance.uniform(0.0, 0.5))
                self._redis.start()
            else:
                name = self._chance.choice([one for one in self._names() if one.startswith(kind)])
                if kind == "web":
                    other = self._ports[1 - int(name[-1])]
                    self._until(lambda other=other: self._ask(other, "/healthz", None)[0] == 200, 120)
                with suppress(ProcessLookupError):
                    os.killpg(self._processes[name].pid, signal.SIGKILL)
                self._processes[name].wait(10)
                self._start(name)
            self.report.kills[kind] += 1

    def _submit(self) -> None:
        number = len(self.report.configs)
        config = RunConfig.from_query(f"target=sin5&width=30&epochs=1e6&seed={7_000 + number}")
        if self._answer("/api/runs", {"query": config.to_query()}) is not None:
            self.report.configs.append(config)

    def _look(self) -> None:
        for config in self.report.configs:
            run_id = config.run_id
            if run_id in self.report.ended:
                continue
            seen = self.report.given.setdefault(run_id, [])
            info = self._answer(f"/api/runs/{run_id}")
            frames = self._answer(f"/api/runs/{run_id}/frames?after={len(seen) - 1}")
            if frames is not None:
                if frames["index"] and frames["index"][0] != len(seen):
                    self.report.contradictions += 1
                seen += frames["loss"]
            over = info is not None and info["status"] in ("finished", "failed", "stopped")
            if over and info["frames"] == len(seen):
                self.report.ended[run_id] = f"{info['status']} {info['reason']}"

    def _answer(self, path: str, body: object = None) -> Any:
        """From the first web process that answers; None while Redis is away. How long nobody does is kept."""
        begun = time.monotonic()
        while True:
            for port in self._ports:
                status, document = self._ask(port, path, body)
                if status == 503:
                    return None
                if status in (200, 201):
                    return document
                if status == 429:
                    time.sleep(0.2)
                    return None
                if status:
                    raise RuntimeError(f"{path}: {status} {document}")
            self.report.down = max(self.report.down, time.monotonic() - begun)
            if time.monotonic() - begun > 240:
                raise TimeoutError("no web process answers")
            time.sleep(0.05)

    def _ask(self, port: int, path: str, body: object) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {"Content-Type": "application/json", "Cookie": self._cookies.get(0, "")}
        try:
            text = None if body is None else json.dumps(body)
            connection.request("GET" if body is None else "POST", path, text, headers)
            answer = connection.getresponse()
            if cookie := answer.getheader("Set-Cookie"):
                self._cookies.setdefault(0, cookie.split(";")[0])
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException):
            return 0, None
        finally:
            connection.close()

    def _until(self, condition: Any, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the cluster did not start")
            time.sleep(0.5)
