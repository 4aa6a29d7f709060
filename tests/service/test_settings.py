"""Every setting and every limit has a variable, and a wrong value is refused."""

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.limits import Limits
from core.service.settings import FIXED, Settings

SETTABLE = [field.name for field in fields(Limits) if field.name != FIXED]


def test_every_field_can_be_set_and_handed_on() -> None:
    chosen = Settings(
        home=Path("/somewhere"), host="0.0.0.0", port=1234, workers=3, threads=5, debug=True,
        redis_url="redis://localhost:1/0", secret=SecretStr("s" * 40), frame_ancestors="*", proxies=2,
        pause_after_seconds=7.5, cheap_seconds=1.5, lease_seconds=9.0, deaths=4,
        limits=Limits(**{name: 7 + number for number, name in enumerate(SETTABLE)}),
    )  # fmt: skip
    # A process that computes is not told what signs the cookies.
    assert Settings.from_environment(chosen.to_environment()) == replace(chosen, secret=SecretStr(""))


def test_arguments_win_over_the_environment() -> None:
    settings = Settings.from_environment({"PLATEAU_PORT": "9000", "PLATEAU_HOST": "h"}, port=1, host=None)
    assert (settings.port, settings.host) == (1, "h")


def test_the_variable_of_version_2_for_query_workers_still_counts() -> None:
    assert Settings.from_environment({"PLATEAU_CLERKS": "3"}).query_workers == 3
    both = {"PLATEAU_CLERKS": "3", "PLATEAU_QUERY_WORKERS": "2"}
    assert Settings.from_environment(both).query_workers == 2


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("PLATEAU_PORT", "many", "whole number, at least 0, at most 65535"),
        ("PLATEAU_PORT", "70000", "at most 65535"),
        ("PLATEAU_CLERKS", "0", "at least 1"),
        ("PLATEAU_PAUSE_AFTER_SECONDS", "inf", "a number, at least 0"),
        ("PLATEAU_REDIS_URL", "localhost", "redis://host"),
        ("PLATEAU_WORKERS", "0", "at least 1"),
        ("PLATEAU_WIDTH", "-3", "at least 1"),
        ("PLATEAU_CPU_SECONDS", "nan", "at least 1"),
        ("PLATEAU_DEBUG", "perhaps", "yes or no"),
        ("PLATEAU_FRAMES", "9", "cannot be set"),
    ],
)
def test_a_wrong_value_is_refused_by_name(variable: str, value: str, says: str) -> None:
    with pytest.raises(ValueError, match=f"{variable}.*{says}"):
        Settings.from_environment({variable: value})


def test_secrets_are_not_shown_where_settings_are() -> None:
    given = {"PLATEAU_SECRET": "s" * 40, "PLATEAU_ADMIN_TOKEN": "t" * 40}
    settings = Settings.from_environment(given)
    assert settings.secret.get_secret_value() == "s" * 40
    assert not any(secret in f"{settings} {settings!r}" for secret in given.values())


def test_processes_that_start_at_once_share_one_token(tmp_path: Path) -> None:
    started = threading.Barrier(8)

    def start(_: int) -> str:
        started.wait()
        return Settings(home=tmp_path).with_admin_token().admin_token.get_secret_value()

    with ThreadPoolExecutor(8) as pool:
        (token,) = set(pool.map(start, range(8)))
    (file,) = tmp_path.iterdir()
    assert file.name == "admin-token" and file.read_text() == token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Settings(home=tmp_path, admin_token=SecretStr("mine")).with_admin_token().admin_token == SecretStr(
        "mine"
    )


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = Settings(home=tmp_path / "home").with_secret()
    assert len(first.secret) == 64
    assert Settings(home=tmp_path / "home").with_secret().secret == first.secret
    assert stat.S_IMODE((tmp_path / "home" / "secret").stat().st_mode) == 0o600
    (tmp_path / "home" / "secret").write_text("")
    assert len(Settings(home=tmp_path / "home").with_secret().secret) == 64
