"""Bodies of requests and answers as models: they check what is asked, and describe it in the contract."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal["queued", "running", "paused", "finished", "stopped", "failed"]
Id = Field(pattern="^[0-9a-f]{32}$", examples=["155d930f7bc551182e400202b382903d"])
Query = Field(
    description="The query of a link: target, width, method, seed, …; GET /api lists the keys.",
    examples=["target=f1&method=anls&seed=0"],
)


class Body(BaseModel):
    """A request's body: unknown keys and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RunRequest(Body):
    """What to run, or what a run would cost."""

    query: str = Query


class StudyRequest(Body):
    """Many runs: every key of the query may hold a list."""

    query: str = Field(description="A query with lists.", examples=["seed=0..19&method=gd,anls"])
    dry: bool = Field(False, description="Only say what it would be; nothing starts.")


class DataRequest(Body):
    """Own data."""

    csv: str = Field(
        description="Two columns, x and y; a third one has weights.", examples=["0,1\n1,3\n2,2\n"]
    )


class Answer(BaseModel):
    """An answer; keys may be added in later versions."""

    model_config = ConfigDict(extra="allow")


class Problem(Answer):
    """Why a request was refused."""

    error: str
    field: str | None = Field(None, description="The key of the query that it concerns.")
    retry_after: float | None = Field(None, description="Seconds after which to ask again.")


class StartedRun(Answer):
    """A run that was started or found."""

    id: str = Id
    status: Status
    url: str
    frames: int
    runs: list["StartedRun"] | None = Field(None, description="All runs of a race.")


class OneRun(Answer):
    """All there is to say of a run except its frames."""

    id: str = Id
    query: str
    status: Status
    reason: str
    epoch: float
    epochs: float
    loss: float | None
    frames: int
    mine: bool


class OwnRun(Answer):
    """A run that this browser or script has started."""

    id: str = Id
    query: str
    at: float = Field(description="When it was last started, in seconds since 1970.")
    name: str
    tags: list[str]
    pinned: bool
    status: Status | None = Field(description="null if this server no longer has it.")


class OwnRuns(Answer):
    """A page of them, the newest first."""

    runs: list[OwnRun]
    after: int
    next: int | None = Field(description="`after` of the next page; null on the last one.")


class Frames(Answer):
    """Columns, one entry per frame."""

    head: int = Field(description="How many frames the run has.")
    status: Status
    index: list[int]
    epoch: list[float | None]
    loss: list[float | None]
    b: list[list[float | None]]
    c: list[list[float | None]]


class Estimate(Answer):
    """What a query would cost."""

    seconds: float
    cheap: bool = Field(description="Whether a page starts it by itself.")
    largest: float
    runs: list[dict[str, Any]]


class OneStudy(Answer):
    """A study; rows as far as they are asked for."""

    id: str
    query: str
    status: str | None = None
    runs: int
    rows: list[dict[str, Any]] | None = None


class OwnStudies(Answer):
    """The studies that this browser or script has started."""

    studies: list[OneStudy]


class Discovery(Answer):
    """What this server knows and allows."""

    version: str
    numerics: str
    openapi: str
    documentation: str
    methods: list[dict[str, Any]]
    targets: list[dict[str, Any]]
    settings: list[dict[str, Any]]
    limits: dict[str, float]


class Alive(Answer):
    """Whether the server is alive."""

    status: str
