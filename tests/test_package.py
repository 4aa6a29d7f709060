"""The package installs and works in a fresh environment, without the app's packages and with them."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import core
from core.__main__ import MISSING

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

USE = """
import sys
import numpy as np
from plateau_lab import METHODS, TARGETS, __version__, fit, study
x = np.linspace(0, 60, 50)
result = fit(x, np.sin(x / 9), width=5, method="anls", epochs=5)
rows = study("target=five&seed=0..1&method=lsq", workers=2)
assert len(rows) == 2 and not rows.errors and "dash" not in sys.modules, rows.errors
print(type(result).__module__, result.predict(30.0).shape)
"""


ALONE = """
import sys
sys.modules.update(dict.fromkeys(["celery", "redis", "kombu", "gunicorn"]))  # importing one is an error
import app
from core.service import Settings
assert app.create_app(Settings.from_environment()).server.test_client().get("/").status_code == 200
"""


def lines(requirements: Path) -> set[str]:
    text = requirements.read_text().splitlines()
    return {line.strip() for line in text if line.strip() and not line.startswith(("#", "-"))}


def test_the_app_extra_is_what_the_app_requires() -> None:
    wanted = lines(ROOT / "requirements.txt")
    assert set(PROJECT["optional-dependencies"]["app"]) | set(PROJECT["dependencies"]) == wanted


def test_the_app_needs_nothing_of_what_several_machines_need(tmp_path: Path) -> None:
    environment = {**os.environ, "PLATEAU_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", ALONE], cwd=ROOT, env=environment, check=True)


def test_the_version_is_one() -> None:
    assert core.__version__ == PROJECT["version"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (found,) = place.glob("*.whl")
    yield found
    shutil.rmtree(place)


@pytest.mark.slow
def test_the_wheel_holds_the_library_and_the_app(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"plateau_lab/__init__.py", "plateau_lab/py.typed", "plateau_lab/_app/app.py"} <= names
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]
    assert not [name for name in names if name.startswith("plateau_lab/service/")]


@pytest.mark.slow
def test_it_works_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    """With the packages of this environment, since nothing may be downloaded; interpreted."""
    place = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(place)
    environment = os.environ | {"PYTHONPATH": str(place), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout.split() == ["plateau_lab.fitting.result", "()"], done.stderr
    helped = subprocess.run(
        [sys.executable, "-m", "plateau_lab", "--help"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "usage: plateau-lab" in helped.stdout and "--port" in helped.stdout, helped.stderr


@pytest.mark.long
def test_pip_installs_the_library_and_the_app(tmp_path: Path) -> None:
    """In a fresh virtual environment, with what pip downloads: import, the console script, and the app."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment |= {"PLATEAU_HOME": str(tmp_path / "home"), "NUMBA_DISABLE_JIT": "1"}
    programs = tmp_path / "venv" / "bin"

    def run(*command: str | Path, code: int = 0) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout or done.stderr

    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(programs / "pip", "install", "--quiet", ROOT)
    assert run(programs / "python", "-c", USE).split() == ["plateau_lab.fitting.result", "()"]
    assert run(programs / "plateau-lab", "--help", code=1).strip() == MISSING
    run(programs / "pip", "install", "--quiet", f"{ROOT}[app]")
    assert "usage: plateau-lab" in run(programs / "plateau-lab", "--help")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = subprocess.Popen([programs / "plateau-lab", "--port", str(port)], cwd=tmp_path, env=environment)
    try:
        assert json.loads(answered(f"http://127.0.0.1:{port}/healthz", app))["status"] == "ok"
    finally:
        app.terminate()
        app.wait(60)


def answered(url: str, server: subprocess.Popen[bytes]) -> bytes:
    """What a server says as soon as it listens."""
    while server.poll() is None:
        try:
            with urlopen(url, timeout=60) as answer:
                return bytes(answer.read())
        except URLError:
            time.sleep(0.2)
    raise AssertionError(f"the server ended with {server.returncode}")
