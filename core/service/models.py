"""Bodies of requests and answers as models: they check what is asked, and describe it in the contract."""

from dataclasses import MISSING, fields
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from .files.run_history import HistoryEntry
from .run_record import RunInfo, RunStatus
from .studies.info import StudyInfo, StudyStatus

Status = RunStatus
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
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
    """Many runs: every key of the query but `epochs` may hold a list."""

    query: str = Field(description="A query with lists.", examples=["seed=0..19&method=gd,anls"])
    dry: bool = Field(False, description="Only say what it is; nothing starts.")


class DataRequest(Body):
    """Own data."""

    csv: str = Field(
        description="Two columns, x and y; a third one has weights.", examples=["0,1\n1,3\n2,2\n"]
    )


class Answer(BaseModel):
    """An answer; keys may be added in later versions."""

    model_config = ConfigDict(extra="allow")


def answer_of(name: str, shape: type, **more: Any) -> type[Answer]:
    """An answer with the fields of a dataclass, and more."""
    hints = get_type_hints(shape, include_extras=True)
    own: Any = {
        one.name: (hints[one.name], ... if one.default is MISSING else one.default) for one in fields(shape)
    }
    own["id"] = (str, Id)
    return create_model(name, __base__=Answer, __doc__=shape.__doc__, **{**own, **more})


class Problem(Answer):
    """Why a request was refused (RFC 9457, application/problem+json)."""

    title: str = Field(examples=["Bad Request"])
    detail: str = Field(examples=["width: 0 is not allowed; allowed are whole numbers from 1 to 1024"])
    error: str = Field(description="The same as `detail`.")
    field: str = Field("", description="The key of the query that it concerns, if it concerns one.")
    retry_after: float = Field(0.0, description="Seconds after which to ask again, if that may help.")
    ahead: int = Field(0, description="How many others go first, where one waits for a turn.")


class Pending(Answer):
    """The answer is being made: ask again."""

    ahead: int = Field(description="How many others go first.")
    retry_after: float = Field(description="Seconds after which to ask again.")


class StartedRun(Answer):
    """A run that was started or found."""

    id: str = Id
    status: Status
    url: str = Field(description="Its page.")
    frames: int
    runs: list["StartedRun"] = Field([], description="All runs of a race.")


OneRun = answer_of(
    "OneRun",
    RunInfo,
    remaining=(Pair | None, Field(None, description="Seconds that are left, at least and at most.")),
    config=(str, Field(description="The same as `query`.", deprecated=True)),
    mine=(bool, Field(description="Whether you have started it, and may stop it.")),
)
OwnRun = answer_of(
    "OwnRun", HistoryEntry, status=(Status | None, Field(description="null if this server no longer has it."))
)


class Page(Answer):
    """A part of a list."""

    after: int = Field(description="Where it begins: so many entries come before.")
    next: int | None = Field(description="`after` of the next page; null at the end of the list.")


class OwnRuns(Page):
    """Your runs, the newest first."""

    runs: list[OwnRun]  # type: ignore[valid-type]


class Removed(Answer):
    """It is gone from your list."""

    id: str = Id
    removed: bool


class KeptData(Answer):
    """What was read of own data; `id`, `data` and `query` only where they are kept."""

    id: str = ""
    query: str = Field("", description="What a query names them by.")
    columns: list[dict[str, Any]]
    points: int
    notes: list[str]


class Estimate(Answer):
    """What a query would cost."""

    seconds: float
    cheap: bool = Field(description="Whether a page starts it by itself.")
    largest: float
    runs: list[dict[str, Any]]


OneStudy = answer_of(
    "OneStudy",
    StudyInfo,
    remaining=(Pair, Field(description="Seconds that are left, at least and at most.")),
    url=(str, Field(description="Its page.")),
    mine=(bool, Field(description="Whether you have started it, and may stop it.")),
)


class PlannedStudy(Answer):
    """What a study would be (`dry`)."""

    id: str = Id
    query: str
    runs: int
    seconds: float
    known: StudyStatus | None = Field(description="The status of the study, if it was started before.")


class StudyRows(OneStudy):  # type: ignore[valid-type, misc]
    """A study, and a page of its rows. While it goes on, `next` is where the coming ones begin."""

    after: int
    next: int
    rows: list[dict[str, Any]]


class OwnStudies(Page):
    """Your studies, the newest first."""

    studies: list[OneStudy]  # type: ignore[valid-type]


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
