"""The OpenAPI 3.1 document of the HTTP interface, made from the models of its bodies.

Each operation is one entry of OPERATIONS; a test compares them with the routes that Flask has, in both
directions. The arguments named here are those that a request may have: others are refused
(core.service.arguments).
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from . import models
from . import run_models as tables

MOST_ENTRIES = 1_000
"""The largest `limit`."""
LARGEST_NUMBER = 1 << 40
EXAMPLES_FILE = Path(__file__).with_name("answer_examples.json")
"""An answer to each operation, as a server gave it: tests/service/answer_examples.py writes it."""
JSON, PROBLEM = "application/json", "application/problem+json"


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    summary: str
    answer: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    arguments: tuple[str, ...] = ()
    media: tuple[str, ...] = (JSON,)
    """What the answer may be, the first one where nothing else is asked for."""
    created: bool = False
    """Whether it may answer 201."""
    later: type[BaseModel] | None = None
    """What a 202 says, where there may be one."""
    other: type[BaseModel] | None = None
    """What a 200 says instead, where an argument or the body asks for it."""

    @property
    def name(self) -> str:
        """As in `get /api/runs`."""
        return f"{self.method} {self.path}"


_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}
_YES_NO: dict[str, Any] = {"type": "string", "enum": ["yes", "no", "true", "false", "1", "0"]}
_COLUMN: dict[str, Any] = {"type": "string", "maxLength": 200}
ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "after": (
        _NUMBER,
        "What the answer before said as `next`; left out, the list begins at its beginning.",
    ),
    "after /api/runs/{run_id}/frames": (
        _NUMBER | {"minimum": -1},
        "What the answer before said as `next`, the index of a frame; left out, or -1, the first frames.",
    ),
    "limit": (
        {"type": "integer", "minimum": 1, "maximum": MOST_ENTRIES},
        "At most so many entries; left out, as many as fit into one answer.",
    ),
    "format": (
        {"type": "string", "enum": ["json", "compact"]},
        "`compact` is a binary form for pages, see core/service/encoding.py.",
    ),
    "columns": ({"type": "string"}, "Which columns of the JSON form, as in epoch,loss; left out, all."),
    "watch": (_YES_NO, "`no`: without being counted as somebody who looks."),
    "head": (_NUMBER | {"minimum": 1}, "As if the run had only so many frames."),
    "stage": (_NUMBER, "Which stage, from 0; left out, the first one."),
    "frame": (_NUMBER, "Which frame, from 0; left out, the last one, or of candidates the first."),
    "epochs": ({"type": "string"}, "The budget."),
    "runs": ({"type": "string"}, "<id>:<after>,… for each run: `after` as for its frames."),
    "seconds": (_YES_NO, "`yes`: also what each frame took, by this server's clock."),
    "preview": (_YES_NO, "`yes`: only say what is read; nothing is kept."),
    "x": (_COLUMN, "The column of x, by name or number."),
    "y": (_COLUMN, "The column of y."),
    "weight": (_COLUMN, "The column of weights."),
    "name": ({"type": "string"}, "What to call the data."),
}
REQUIRED = ("epochs", "runs")
_RUN, _STUDY = "/api/runs/{run_id}", "/api/studies/{study_id}"
_LATER = models.Pending

OPERATIONS = (
    Operation("get", "/api", "What this server knows: methods, targets, settings, limits.", models.Discovery),
    Operation("get", "/api/openapi.json", "This document."),
    Operation("get", "/api/runs", "Your runs: what is pinned, then the newest.", models.OwnRuns,
              arguments=("after", "limit")),
    Operation("post", "/api/runs", "Start a run, or find it; a comma list of methods starts a race.",
              models.StartedRun, models.RunRequest, created=True),
    Operation("get", _RUN, "Status, epoch, loss and reason of a run.", models.OneRun, arguments=("watch",)),
    Operation("delete", _RUN, "Take a run from the list of your runs. Runs are shared: others keep it.",
              models.Removed),
    Operation("post", f"{_RUN}/stop", "Stop a run that you have started; 202 while it is about to stop.",
              models.OneRun, later=models.OneRun),
    Operation("get", f"{_RUN}/frames", "The recorded moments that you do not have, in columns.",
              tables.Frames, arguments=("after", "limit", "columns", "format"),
              media=(JSON, "application/octet-stream")),
    Operation("get", "/api/frames", "The same of up to 16 runs at once.", tables.FramesOfSeveral,
              arguments=("runs", "format"), media=(JSON, "application/octet-stream")),
    Operation("get", f"{_RUN}/data", "What is learned: points, and the function behind them.", tables.Data),
    Operation("get", f"{_RUN}/stages", "The stages, and what began each of them; and the plateaus.",
              tables.Stages, arguments=("head",), later=_LATER),
    Operation("get", f"{_RUN}/plateaus", "Where the loss stands still, and why.", tables.Plateaus,
              arguments=("head",), later=_LATER),
    Operation("get", f"{_RUN}/forecast", "What ends the stage of a frame, and when.", tables.OneForecast,
              arguments=("frame",), later=_LATER),
    Operation("get", f"{_RUN}/forecasts", "Forecasts from all stages beside what happened.", tables.Forecasts,
              later=_LATER),
    Operation("get", f"{_RUN}/rates", "How fast a stage decays, between its bounds.", tables.RateColumns,
              arguments=("stage", "head"), later=_LATER),
    Operation("get", f"{_RUN}/candidates", "The candidates of an iteration of ANLS.", tables.CandidateColumns,
              arguments=("frame",), later=_LATER),
    Operation("get", f"{_RUN}/best", "The best loss that is known for this width.", tables.Best,
              later=_LATER),
    Operation("get", f"{_RUN}/end", "The state at the end of a budget, where that is between two frames.",
              tables.Frames, arguments=("epochs",), later=_LATER),
    Operation("get", f"{_RUN}/export.{{kind}}", "The run as a file: csv, json or npz.",
              media=("text/csv", JSON, "application/octet-stream"), arguments=("seconds",), later=_LATER),
    Operation("post", "/api/estimate", "What a query costs.", models.Estimate, models.RunRequest),
    Operation("post", "/api/data", "Upload own data, to be named in a query. The body may also be the CSV "
              "itself (text/csv), or a form with a file.", models.KeptData, models.DataRequest,
              arguments=("preview", "x", "y", "weight", "name"), created=True),
    Operation("get", "/api/studies", "Your studies, the newest first.", models.OwnStudies,
              arguments=("after", "limit")),
    Operation("post", "/api/studies", "Start a study, or find it; or, `dry`, say what it is.",
              models.OneStudy, models.StudyRequest, created=True, other=models.PlannedStudy),
    Operation("get", _STUDY, "How far a study is, and the rows that you do not have.", models.StudyRows,
              arguments=("after", "limit")),
    Operation("delete", _STUDY, "Delete a study that you have started, with its rows.", models.Removed),
    Operation("post", f"{_STUDY}/stop", "Let a study that you have started rest.", models.OneStudy),
    Operation("post", f"{_STUDY}/resume", "Go on with it.", models.OneStudy),
    Operation("get", f"{_STUDY}/export.csv", "The rows as a file.", media=("text/csv",)),
    Operation("get", "/healthz", "Whether the server is alive.", models.Alive),
)  # fmt: skip

REFUSALS = {
    "400": "The request is wrong; the sentence names what.",
    "401": "The token is not known here.",
    "403": "Somebody else's.",
    "404": "There is none here.",
    "405": "Not with this method; Allow names those that are.",
    "413": "Too large.",
    "429": "Too many requests, or the queue is full; Retry-After says when to come again.",
    "503": "The store cannot be reached; Retry-After says when to come again.",
}


def answer_examples() -> dict[str, Any]:
    """An answer to each operation that has one in JSON, by the operation's name."""
    found: dict[str, Any] = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    return found


def document(version: str) -> dict[str, Any]:
    """The whole document."""
    kinds = ("answer", "body", "later", "other")
    used = {getattr(each, kind) for each in OPERATIONS for kind in kinds} - {None} | {models.Problem}
    ordered = sorted(used, key=lambda model: model.__name__)
    _, schemas = models_json_schema(
        [(model, "validation") for model in ordered], ref_template="#/components/schemas/{model}"
    )
    examples = answer_examples()
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS:
        operation = _operation(each)
        if (example := examples.get(each.name)) is not None:
            operation["responses"]["200"]["content"][JSON]["example"] = example
        paths.setdefault(each.path, {})[each.method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Plateau Lab",
            "version": version,
            "description": "Runs and studies over HTTP. A GET never starts work; a query names one run. "
            "Frames, stages, neurons and data are counted from 0, plateaus from 1.",
        },
        "paths": paths,
        # A cookie does as well: whoever has neither may start runs, and is given one.
        "security": [{}, {"token": []}],
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Made on /runs. A script with one acts for the browser that made it.",
                }
            },
        },
    }


def _operation(each: Operation) -> dict[str, Any]:
    refusals = {status: {"description": text, "content": _content(models.Problem, PROBLEM)}
                for status, text in REFUSALS.items()}  # fmt: skip
    done = {"description": "Done.", "content": _content(each.answer, *each.media, other=each.other)}
    operation: dict[str, Any] = {
        "summary": each.summary,
        "operationId": f"{each.method}{each.path}".translate(str.maketrans("/{}.", "____")),
        "parameters": [
            *_path_parameters(each.path),
            *(_argument(name, each.path) for name in each.arguments),
        ],
        "responses": {"200": done} | refusals,
    }
    if each.created:
        operation["responses"]["201"] = {"description": "Made.", "content": _content(each.answer, JSON)}
    if each.later:
        later = "Not yet; Retry-After says when to ask again."
        operation["responses"]["202"] = {"description": later, "content": _content(each.later, JSON)}
    if each.method == "get":
        operation["responses"]["304"] = {"description": "What If-None-Match names is what there is."}
    if each.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(each.body, JSON)}
    return operation


def _content(
    model: type[BaseModel] | None, *media: str, other: type[BaseModel] | None = None
) -> dict[str, Any]:
    """A model in JSON; what other kinds of content hold is not described."""
    schema = {} if model is None else _reference(model)
    if other is not None:
        schema = {"anyOf": [schema, _reference(other)]}
    return {kind: {"schema": schema} if kind.endswith("json") else {} for kind in media}


def _reference(model: type[BaseModel]) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def _argument(name: str, path: str) -> dict[str, Any]:
    schema, text = ARGUMENTS.get(f"{name} {path}", ARGUMENTS[name])
    return {"name": name, "in": "query", "required": name in REQUIRED, "description": text, "schema": schema}


def _path_parameters(path: str) -> list[dict[str, Any]]:
    schemas: dict[str, dict[str, Any]] = {
        "run_id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "study_id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "kind": {"type": "string", "enum": ["csv", "json", "npz"]},
    }
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in schemas.items()
        if f"{{{name}}}" in path
    ]
