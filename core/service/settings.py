"""How this server is set up: one frozen object, each field settable by environment.

Every field of `Settings` and of `Limits` has a variable named `PLATEAU_` plus the
field in capitals (`PLATEAU_HOME`, `PLATEAU_WIDTH`, ...). A value that cannot be used
is refused with a sentence: a server that silently ran on a default would be
believed to be limited when it is not.
"""

import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ..limits import LIMITS, Limits

PREFIX = "PLATEAU_"
FORMER_NAMES = {"query_workers": "clerks"}
"""What a variable was called in version 2, where that is still understood."""
SECRETS = ("secret", "admin_token")
"""For web processes alone: one that computes reads what strangers have written."""
FIXED = "frames"
"""The one limit that is the same everywhere: a run has the same frames on every server."""


def _default_workers() -> int:
    """One core is left to the web process; one worker is the least that computes."""
    return max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True)
class Settings:
    """Everything that differs from one installation to another."""

    home: Path = Path(".plateau")
    """Where runs, uploads and the cookie secret are kept."""
    library: Path = Path(__file__).resolve().parents[2] / "reproduction" / "library"
    """Runs that ship with the product."""
    study_library: Path = Path(__file__).resolve().parents[2] / "reproduction" / "study_library"
    """Studies that ship with the product."""
    lessons: Path = Path(__file__).resolve().parents[2] / "lessons"
    """Lessons, one Markdown file each."""
    host: str = "127.0.0.1"
    port: int = 8050
    workers: int = field(default_factory=_default_workers)
    """Training processes of the embedded back end."""
    study_workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes of the embedded back end for studies; as many of them rest as single runs are under way."""
    runs_per_worker: int = 8
    """Runs that take turns on one worker."""
    query_workers: int = 1
    """Processes that make tables, forecasts and files."""
    threads: int = 16
    """Request threads of the web server."""
    debug: bool = False
    log_requests: bool = False
    """A line in the log for every request; slow ones and failures have theirs anyway."""
    redis_url: str = ""
    """When set, runs live in this Redis and Celery workers compute them."""
    secret: str = ""
    """Signs the cookies. Empty: made once and kept in `home`."""
    frame_ancestors: str = "'self'"
    """Who may embed the pages, as in the Content-Security-Policy."""
    admin_token: str = ""
    """Opens /admin and /metrics. Empty: made once and kept in `home`, in the file admin-token."""
    hosts: str = ""
    """Names under which others reach the server, separated by commas; `.example.edu` is all names below it.
    Addresses, loopback names and the machine's own name need not be listed."""
    proxies: int = 0
    """Reverse proxies in front whose X-Forwarded headers are to be believed."""
    requests_per_minute: int = 2_400
    """Requests that one browser may send; 0: any number. See core.service.request_limits."""
    work_per_minute: int = 120
    """Of them, those that start or price work, or make a file."""
    uploads_per_minute: int = 60
    """Of them, those that bring much data."""
    people_per_address: int = 40
    """An address may send as much as so many browsers; 0: any number."""
    pause_after_seconds: float = 300.0
    """A run that nobody has watched for so long is paused."""
    cheap_seconds: float = 20.0
    """Estimated cost up to which a page may start a run by itself when its link is opened."""
    instant_seconds: float = 5.0
    """Estimated cost up to which a change of the settings is run at once, without being asked."""
    lease_seconds: float = 5.0
    """Redis only: a worker silent for so long has lost its run."""
    deaths: int = 3
    """A run that has taken so many workers with it is given up."""
    limits: Limits = LIMITS

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **override: Any) -> "Settings":
        """Settings from `PLATEAU_…` variables; keyword arguments that are not None win."""
        env = os.environ if environment is None else environment
        limits = LIMITS
        settings = cls()
        if PREFIX + FIXED.upper() in env:
            raise ValueError(f"{PREFIX}{FIXED.upper()} cannot be set: it is part of what a run's result is.")
        for limit in (one for one in fields(Limits) if one.name != FIXED):
            limits = replace(limits, **_read(env, limit.name, getattr(LIMITS, limit.name), least=1))
        for setting in fields(cls):
            if setting.name != "limits":
                default = getattr(settings, setting.name)
                least = _LEAST.get(setting.name, 0)
                settings = replace(settings, **_read(env, setting.name, default, least=least))
        given = {name: value for name, value in override.items() if value is not None}
        return replace(settings, limits=limits, **given)

    def to_environment(self) -> dict[str, str]:
        """The variables that give a child process the same settings, but for what it must not know."""
        names = [field.name for field in fields(self) if field.name not in ("limits", *SECRETS)]
        values = {name: getattr(self, name) for name in names}
        values |= {one.name: getattr(self.limits, one.name) for one in fields(Limits) if one.name != FIXED}
        values["home"] = self.home.resolve()
        return {PREFIX + name.upper(): str(value) for name, value in values.items()}

    def with_secret(self) -> "Settings":
        """The same with a cookie secret, made on first use and readable by the owner alone."""
        return self if self.secret else replace(self, secret=_kept_secret(self.home / "secret"))

    def with_admin_token(self) -> "Settings":
        """The same with a token for whoever looks after the server, made and kept in the same way."""
        return self if self.admin_token else replace(self, admin_token=_kept_secret(self.admin_token_file))

    @property
    def admin_token_file(self) -> Path:
        """Where the token is kept that nobody has set."""
        return self.home / "admin-token"


def _kept_secret(path: Path) -> str:
    """A random text, made by whichever process comes first and the same for all that follow."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError, UnicodeDecodeError):
        if len(found := path.read_text(encoding="ascii").strip()) >= _SECRET_LENGTH:
            return found
        # An interrupted first start of an earlier version leaves an empty file behind.
        path.unlink()
    made = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, secrets.token_hex(32).encode())
        # It stays: whoever has started a run is known by a cookie that it signs.
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        # The name appears with its whole content, and only once.
        os.link(made, path)
    except FileExistsError:
        pass
    finally:
        made.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return path.read_text(encoding="ascii").strip()


_SECRET_LENGTH = 32
_LEAST = {"workers": 1, "query_workers": 1, "study_workers": 1, "threads": 1, "deaths": 1, "lease_seconds": 1}

_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def _boolean(text: str) -> bool:
    if text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    raise ValueError(text)


def _read(environment: Mapping[str, str], name: str, default: Any, *, least: float) -> dict[str, Any]:
    """The field's value in the environment, converted to the type of its default; {} when absent."""
    variable = PREFIX + name.upper()
    if variable not in environment and name in FORMER_NAMES:
        variable = PREFIX + FORMER_NAMES[name].upper()
    text = environment.get(variable)
    if text is None:
        return {}
    convert: Callable[[str], Any] = _boolean if isinstance(default, bool) else type(default)
    kind = {bool: "yes or no", int: "a whole number", float: "a number"}.get(type(default), "a text")
    if isinstance(default, Path):
        convert = Path
    try:
        value = convert(text)
    except ValueError:
        raise ValueError(f"{variable}={text!r} must be {kind}.") from None
    if type(default) in (int, float) and not least <= value < float("inf"):
        raise ValueError(f"{variable}={text!r} must be at least {least}.")
    return {name: value}
