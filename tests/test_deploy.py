"""The files for running it elsewhere start what is tested, with no more rights than it needs."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from core.config import RunConfig
from core.limits import Limits
from tests.architecture import ROOT
from tests.service.services import ALICE, at_once

COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
OPERATION = (ROOT / "docs/operation.md").read_text()


def instructions() -> list[tuple[str, str]]:
    joined = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", DOCKERFILE))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined.splitlines() if line.strip()]


def test_the_image_holds_what_the_app_needs_and_runs_as_nobody() -> None:
    found = instructions()
    kinds = [kind for kind, _ in found]
    assert kinds[0] == "FROM" and ":" in found[0][1] and not found[0][1].endswith("latest")
    assert "ADD" not in kinds and kinds.index("USER") > max(
        i for i, kind in enumerate(kinds) if kind == "COPY"
    )
    assert dict(found)["USER"] not in ("root", "0")
    copied = " ".join(rest for kind, rest in found if kind == "COPY").split()
    parts = ("app.py", "wsgi.py", "requirements.txt", "requirements-cluster.txt")
    for part in (*parts, "core", "components", "assets", "lessons", "reproduction"):
        assert part in copied and (ROOT / part).exists()


def test_the_services_start_what_the_document_starts_and_cannot_write_where_they_should_not() -> None:
    services = COMPOSE["services"]
    assert set(services) == {"web", "worker", "redis", "proxy"}
    assert all(service["read_only"] for service in services.values())
    for name in ("web", "worker"):
        service = services[name]
        assert service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"]
        assert ("PLATEAU_SECRET" in service["environment"]) == (name == "web"), "workers know no secret"
        assert "PLATEAU_REDIS_URL" in service["environment"]
    assert services["web"]["environment"]["PLATEAU_PROXIES"] == "1"
    for command in (services["web"]["command"], services["worker"]["command"][:4]):
        words = [word for word in command if not word.startswith("-")]
        assert all(word in OPERATION for word in words), words
    mounted = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert {name for name in mounted if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert (ROOT / "deploy" / "Caddyfile").exists()


def test_the_unit_is_confined_and_starts_the_app() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy/plateau-lab.service")
    service = unit["Service"]
    assert service["ExecStart"].endswith("app.py --host 127.0.0.1")
    assert service["DynamicUser"] == "yes" and service["ProtectSystem"] == "strict"
    assert service["Restart"] == "on-failure"


def linted(*command: str) -> str:
    """What a linter says, empty when it is content."""
    program = Path(sys.executable).with_name(command[0])
    found = str(program) if program.exists() else shutil.which(command[0])
    if found is None:
        pytest.skip(f"no {command[0]} here")
    done = subprocess.run([found, *command[1:]], cwd=ROOT / "deploy", capture_output=True, text=True)
    return (done.stdout + done.stderr).strip() or f"exit code {done.returncode}" if done.returncode else ""


def test_the_image_passes_its_linter() -> None:
    assert linted("hadolint", "Dockerfile") == ""


def test_the_services_are_as_compose_specifies_them() -> None:
    assert linted("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml") == ""


def test_what_was_acknowledged_survives_a_power_cut() -> None:
    """With Redis as on one machine: an answer waits until the disk has what was written."""
    command = " ".join(COMPOSE["services"]["redis"]["command"])
    assert "--appendonly yes --appendfsync always" in command
    assert "redis-server --appendonly yes --appendfsync always" in (ROOT / "docs/operation.md").read_text()


def test_the_proxy_can_read_its_file() -> None:
    assert linted("caddy", "validate", "--adapter", "caddyfile", "--config", "Caddyfile") == ""


def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    """All but that the program is not installed where the unit starts it."""
    text = (ROOT / "deploy/plateau-lab.service").read_text()
    unit = text.replace("/srv/plateau-lab/.venv/bin/python", "/bin/true")
    (tmp_path / "plateau-lab.service").write_text(unit)
    assert linted("systemd-analyze", "verify", "--man=no", str(tmp_path / "plateau-lab.service")) == ""


def test_the_limits_that_are_documented_exist_with_these_values() -> None:
    text = (ROOT / "docs/operation.md").read_text()
    limits = Limits()
    named = re.findall(r"(?m)^\| (`(?!PLATEAU_)[A-Z_`, ]+) \| ([^|]+) \|", text)
    assert len(named) == 8
    for names, told in named:
        for name, value in zip(re.findall(r"[A-Z_]+", names), told.split(","), strict=True):
            number, _, unit = value.strip().partition(" ")
            factor = {"GB": 1e9, "GB a process": 2**30, "MB": 1e6}.get(unit, 1)
            assert float(number) * factor == getattr(limits, name.lower()), name


def test_a_copy_of_a_home_is_a_backup(tmp_path: Path) -> None:
    service, _, _ = at_once(tmp_path / "home")
    config = RunConfig.from_query("target=five&epochs=500&width=3")
    service.submit(config, ALICE)
    shutil.copytree(tmp_path / "home", tmp_path / "copy")  # while the server is running
    restored, scheduler, _ = at_once(tmp_path / "copy")
    info, new = restored.submit(config, ALICE)
    assert not new and info.status == "finished" and scheduler.enqueued == []
    assert [f.loss for f in restored.frames(config.run_id)] == [f.loss for f in service.frames(config.run_id)]
    service.close()
    restored.close()
