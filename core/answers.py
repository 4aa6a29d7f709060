"""What a Lab answers over HTTP, as types of dictionaries; a server may say more than they name.

The server describes itself with its own models (core.service.models), which need pydantic. A test compares
the two.
"""

from typing import Any, Literal, TypedDict

Status = Literal["queued", "running", "paused", "finished", "stopped", "failed"]


class AboutAnswer(TypedDict):
    """What a server knows and allows."""

    version: str
    numerics: str
    methods: list[dict[str, Any]]
    targets: list[dict[str, Any]]
    settings: list[dict[str, Any]]
    limits: dict[str, float]


class StartedRunAnswer(TypedDict):
    """A run that was started or found; `runs` are those of a race."""

    id: str
    status: Status
    url: str
    frames: int
    runs: list["StartedRunAnswer"]


class OneRunAnswer(TypedDict):
    """All there is to say of a run except its frames."""

    id: str
    query: str
    status: Status
    reason: str
    outcome: str
    epoch: float
    epochs: float
    loss: float | None
    frames: int
    rate: float
    seconds: float
    remaining: list[float] | None
    position: int | None
    mine: bool


class OwnRunAnswer(TypedDict):
    """An entry of the list of own runs; `at` is in seconds since 1970."""

    id: str
    query: str
    at: float
    name: str
    tags: list[str]
    pinned: bool
    status: Status | None


class StudyAnswer(TypedDict):
    """A study, without its rows."""

    id: str
    query: str
    status: Literal["running", "stopped", "finished"]
    runs: int
    done: int
    estimate: float
    remaining: list[float]
    url: str
    mine: bool
