"""How this server is set up: one frozen object, each field settable by environment.

Every field of `Settings` and of `Limits` has a variable named `PLATEAU_` plus the
field in capitals (`PLATEAU_HOME`, `PLATEAU_WIDTH`, ...). A value that cannot be used
is refused with a sentence: a server that silently ran on a default would be
believed to be limited when it is not. The checks are pydantic's, by the types of the fields;
reading the variables is a dictionary, for which pydantic-settings would be one more package.
"""

import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, SecretStr, ValidationError, create_model
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

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


Count = Annotated[int, Field(ge=1)]
Amount = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
RedisUrl = Annotated[str, Field(pattern=r"^((redis|rediss|unix)://.+)?$")]


@dataclass(frozen=True)
class Settings:
    """Everything that differs from one installation to another."""

    home: Path = Path(".plateau")
    """Where runs, uploads and the cookie secret are kept."""
    library: Path = Path(__file__).resolve().parents[2] / "reproduction" / "library"
    """Runs that ship with the product."""
    study_library: Path = Path(__file__).resolve().parents[2] / "reproduction" / "study_library"
    """Studies that ship with the product."""
    answer_library: Path = Path(__file__).resolve().parents[2] / "reproduction" / "answer_library"
    """Tables that ship with the product."""
    lessons: Path = Path(__file__).resolve().parents[2] / "lessons"
    """Lessons, one Markdown file each."""
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8050
    workers: Count = Field(default_factory=_default_workers)
    """Training processes of the embedded back end."""
    study_workers: Count = Field(default_factory=lambda: os.cpu_count() or 1)
    """Processes of the embedded back end for studies; as many of them rest as single runs are under way."""
    runs_per_worker: Count = 8
    """Runs that take turns on one worker."""
    query_workers: Count = 1
    """Processes that make tables, forecasts and files."""
    threads: Count = 16
    """Request threads of the web server."""
    debug: bool = False
    log_requests: bool = False
    """A line in the log for every request; slow ones and failures have theirs anyway."""
    redis_url: RedisUrl = ""
    """When set, runs live in this Redis and Celery workers compute them."""
    secret: SecretStr = SecretStr("")
    """Signs the cookies. Empty: made once and kept in `home`."""
    frame_ancestors: str = "'self'"
    """Who may embed the pages, as in the Content-Security-Policy."""
    admin_token: SecretStr = SecretStr("")
    """Opens /admin and /metrics. Empty: made once and kept in `home`, in the file admin-token."""
    hosts: str = ""
    """Names under which others reach the server, separated by commas; `.example.edu` is all names below it.
    Addresses, loopback names and the machine's own name need not be listed."""
    origins: str = ""
    """Other sites whose pages may ask the interface, as in https://notes.example.edu, separated by commas."""
    proxies: Amount = 0
    """Reverse proxies in front whose X-Forwarded headers are to be believed."""
    requests_per_minute: Amount = 2_400
    """Requests that one browser may send; 0: any number. See core.service.request_limits."""
    work_per_minute: Amount = 120
    """Of them, those that start or price work, or make a file."""
    uploads_per_minute: Amount = 60
    """Of them, those that bring much data."""
    people_per_address: Amount = 40
    """An address may send as much as so many browsers; 0: any number."""
    pause_after_seconds: Seconds = 300.0
    """A run that nobody has watched for so long is paused."""
    cheap_seconds: Seconds = 20.0
    """Estimated cost up to which a page may start a run by itself when its link is opened."""
    instant_seconds: Seconds = 5.0
    """Estimated cost up to which a change of the settings is run at once, without being asked."""
    lease_seconds: Annotated[float, Field(ge=1, allow_inf_nan=False)] = 5.0
    """Redis only: a worker silent for so long has lost its run."""
    deaths: Count = 3
    """A run that has taken so many workers with it is given up."""
    limits: Limits = LIMITS

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **override: Any) -> "Settings":
        """Settings from `PLATEAU_…` variables; keyword arguments that are not None win."""
        env = os.environ if environment is None else environment
        if PREFIX + FIXED.upper() in env:
            raise ValueError(f"{PREFIX}{FIXED.upper()} cannot be set: it is part of what a run's result is.")
        model = _model_of_limits()
        limits = _checked(model, model.model_fields, env).model_dump(exclude_unset=True)
        given = {name: value for name, value in override.items() if value is not None}
        known: dict[str, FieldInfo] = vars(cls)["__pydantic_fields__"]
        own = {name: one for name, one in known.items() if name != "limits"}
        return replace(_checked(cls, own, env), limits=replace(LIMITS, **limits), **given)

    def to_environment(self) -> dict[str, str]:
        """The variables that give a child process the same settings, but for what it must not know."""
        names = [field.name for field in fields(self) if field.name not in ("limits", *SECRETS)]
        values = {name: getattr(self, name) for name in names}
        values |= {one.name: getattr(self.limits, one.name) for one in fields(Limits) if one.name != FIXED}
        values["home"] = self.home.resolve()
        return {PREFIX + name.upper(): str(value) for name, value in values.items()}

    def with_secret(self) -> "Settings":
        """The same with a cookie secret, made on first use and readable by the owner alone."""
        if self.secret:
            return self
        return replace(self, secret=SecretStr(_kept_secret(self.home / "secret")))

    def with_admin_token(self) -> "Settings":
        """The same with a token for whoever looks after the server, made and kept in the same way."""
        if self.admin_token:
            return self
        return replace(self, admin_token=SecretStr(_kept_secret(self.admin_token_file)))

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


@cache
def _model_of_limits() -> type[BaseModel]:
    """The checks of `Limits`, which the numerics know without this library."""
    checks = Field(ge=1, allow_inf_nan=False), Field(ge=1)
    named: Any = {
        one.name: (Annotated[one.type, checks[one.type is int]], None)
        for one in fields(Limits)
        if one.name != FIXED
    }
    return create_model("Limits", **named)


def _variable(name: str, environment: Mapping[str, str]) -> str:
    """The variable that sets a field."""
    variable = PREFIX + name.upper()
    former = PREFIX + FORMER_NAMES.get(name, name).upper()
    return former if variable not in environment else variable


Made = TypeVar("Made")


def _checked(make: Callable[..., Made], known: Mapping[str, FieldInfo], env: Mapping[str, str]) -> Made:
    """Made of the texts in the environment; ValueError says the variable, its value and what is allowed."""
    given = {name: env[variable] for name in known if (variable := _variable(name, env)) in env}
    switches = {name for name in given if known[name].annotation is bool}
    try:
        return make(**{name: text or "no" if name in switches else text for name, text in given.items()})
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        sentence = f"{_variable(name, env)}={given[name]!r} must be {_allowed(name, known[name])}."
        raise ValueError(sentence) from None


def _allowed(name: str, field: FieldInfo) -> str:
    """What a field may be, in words."""
    if name == "redis_url":
        return "an address such as redis://host:6379/0"
    kinds: dict[Any, str] = {bool: "yes or no", int: "a whole number", float: "a number"}
    bounds = {key: getattr(one, key) for one in field.metadata for key in ("ge", "le") if hasattr(one, key)}
    words = [kinds.get(field.annotation, "a text")]
    words += [f"at least {bounds['ge']}"] if "ge" in bounds else []
    words += [f"at most {bounds['le']}"] if "le" in bounds else []
    return ", ".join(words)
